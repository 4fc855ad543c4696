"""A SQLite database with the changes of its write-ahead log applied, in memory: for one that its owner left behind.

Follows https://www.sqlite.org/fileformat2.html section 4 "The Write-Ahead Log". Writes nothing.
"""

from __future__ import annotations

import struct
from pathlib import Path

from memory_core.errors import SessionError
from memory_core.store.ordinary import read_bytes

_MAGIC = (0x377F0682, 0x377F0683)
_MAX_BYTES = 1 << 30


def applied(database: Path, wal: Path) -> bytes:
    """The bytes of a database as its owner would see it: pages of the last committed change first. SessionError for one
    that is too large to hold."""
    size = database.stat().st_size + wal.stat().st_size
    if size > _MAX_BYTES:
        raise SessionError(f"{database} has unsaved changes and is too large ({size} bytes): start its agent once.")
    pages = bytearray(read_bytes(database))
    log = read_bytes(wal)
    page_size = int.from_bytes(pages[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    changed, count = _committed(log, page_size)
    if changed:
        pages.extend(b"\0" * max(0, count * page_size - len(pages)))
        for number, content in changed.items():
            start = (number - 1) * page_size
            pages[start : start + page_size] = content
        del pages[count * page_size :]
    pages[18:20] = b"\1\1"  # in memory there is no write-ahead log
    return bytes(pages)


def _committed(log: bytes, page_size: int) -> tuple[dict[int, bytes], int]:
    """The pages that the log's valid, committed frames change, and the size of the database in pages after them."""
    if len(log) < 32:
        return {}, 0
    magic, _version, log_page, _sequence = struct.unpack(">IIII", log[:16])
    if magic not in _MAGIC or log_page != page_size:
        return {}, 0
    order = ">" if magic & 1 else "<"
    sums = _checksum(log[:24], (0, 0), order)
    if sums != struct.unpack(">II", log[24:32]):
        return {}, 0
    salts = log[16:24]
    pending: dict[int, bytes] = {}
    changed: dict[int, bytes] = {}
    count = 0
    for start in range(32, len(log) - 24 - page_size + 1, 24 + page_size):
        head, content = log[start : start + 24], log[start + 24 : start + 24 + page_size]
        sums = _checksum(content, _checksum(head[:8], sums, order), order)
        number, commit = struct.unpack(">II", head[:8])
        if head[8:16] != salts or sums != struct.unpack(">II", head[16:24]) or number == 0:
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
