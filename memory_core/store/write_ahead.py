"""A SQLite database with the changes of its write-ahead log applied, in memory: for one that its owner left behind.

Follows https://www.sqlite.org/fileformat2.html section 4 "The Write-Ahead Log". Writes nothing.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

from memory_core.errors import SessionError
from memory_core.store.ordinary import open_binary, read_bytes

_MAGIC = (0x377F0682, 0x377F0683)
_MAX_BYTES = 1 << 30
_KEPT_BYTES = 1 << 26  # of a database and its log together that stay in memory between two sessions of them
_HEAD, _FRAME = 32, 24  # bytes of the log's own head, and of the one before each page


def applied(database: Path, wal: Path) -> bytes:
    """The bytes of a database as its owner would see it: pages of the last committed change first. SessionError for one
    that is too large to hold."""
    stamps = tuple((found.st_size, found.st_mtime_ns, found.st_ino) for found in (database.stat(), wal.stat()))
    size = sum(stamp[0] for stamp in stamps)
    if size > _MAX_BYTES:
        raise SessionError(f"{database} has unsaved changes and is too large ({size} bytes): start its agent once.")
    if size > _KEPT_BYTES:
        return _put_together(database, wal, size)
    return _kept(database, wal, size, stamps)


@lru_cache(maxsize=1)
def _kept(database: Path, wal: Path, size: int, _stamps: tuple[tuple[int, int, int], ...]) -> bytes:
    """The same, kept for as long as both files stand still: each of hundreds of sessions in them is read by itself."""
    return _put_together(database, wal, size)


def _put_together(database: Path, wal: Path, size: int) -> bytes:
    pages = bytearray(read_bytes(database))
    page_size = int.from_bytes(pages[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    with open_binary(wal) as log:
        changed, count = _committed(log, page_size, size) if _is_page_size(page_size) else ({}, 0)
    if count:
        pages.extend(b"\0" * max(0, count * page_size - len(pages)))
        for number, content in changed.items():
            if number <= count:
                start = (number - 1) * page_size
                pages[start : start + page_size] = content
        del pages[count * page_size :]
    pages[18:20] = b"\1\1"  # in memory there is no write-ahead log
    return bytes(pages)


def _is_page_size(size: int) -> bool:
    return 512 <= size <= 65536 and size & (size - 1) == 0


class _Begun(NamedTuple):
    """What the head of a log says: its pages' size, the order of bytes in sums, and the sums so far."""

    page_size: int
    order: str
    sums: tuple[int, int]


def _begun(head: bytes) -> _Begun | None:
    """A log's head, None for one that is none."""
    if len(head) < _HEAD:
        return None
    magic, _version, page_size, _sequence = struct.unpack(">IIII", head[:16])
    if magic not in _MAGIC or not _is_page_size(page_size):
        return None
    order = ">" if magic & 1 else "<"
    sums = _checksum(head[:24], (0, 0), order)
    return _Begun(page_size, order, sums) if sums == struct.unpack(">II", head[24:32]) else None


def is_log(wal: Path) -> bool:
    """Whether a file begins like a log of changes. One that does not counts for nothing, and SQLite may wait ten
    seconds for it to become one."""
    with open_binary(wal) as stream:
        return _begun(stream.read(_HEAD)) is not None


def _committed(log: BinaryIO, page_size: int, most: int) -> tuple[dict[int, bytes], int]:
    """The pages that the log's valid, committed frames change, and the size of the database in pages after them. One
    frame is read at a time, up to the first that is none: behind it may lie what is left of older logs. `most`: bytes
    of both files, more than which no database has after them; a frame that says otherwise was made up."""
    head = log.read(_HEAD)
    if (begun := _begun(head)) is None or begun.page_size != page_size:
        return {}, 0
    order, sums = begun.order, begun.sums
    salts = head[16:24]
    pending: dict[int, bytes] = {}
    changed: dict[int, bytes] = {}
    count = 0
    while len(frame := log.read(_FRAME + page_size)) == _FRAME + page_size:
        content = frame[_FRAME:]
        number, commit = struct.unpack(">II", frame[:8])
        if frame[8:16] != salts or not 0 < number * page_size <= most or commit * page_size > most:
            break
        sums = _checksum(content, _checksum(frame[:8], sums, order), order)
        if sums != struct.unpack(">II", frame[16:24]):
            break
        pending[number] = content
        if commit:
            changed |= pending
            pending, count = {}, commit
    return changed, count


def _checksum(data: bytes, start: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for low, high in zip(words[::2], words[1::2], strict=True):
        first = (first + low + second) & 0xFFFFFFFF
        second = (second + high + first) & 0xFFFFFFFF
    return first, second
