"""Following a log that its writer still appends to: only what is new is read, and a log that was cut or replaced is
noticed.

Bytes, split at `\\n` alone; a last line without newline is held back. Knows no format.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from memory_core.store.ordinary import open_binary

_HEAD = 4096
_LAST = 4096  # bytes before the place reached that must still be there
_CHUNK = 1 << 20


class Change(StrEnum):
    """What became of a log since it was last looked at. `rewritten`: cut, replaced or changed before the place that
    was reached, so that it must be read from its beginning."""

    UNCHANGED = "unchanged"
    APPENDED = "appended"
    REWRITTEN = "rewritten"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class TailState:
    """How far a log was followed. `offset`: bytes up to the last newline seen; `line`: lines before it. The rest tells
    whether the file is still the same one: what the system says of it, and hashes of its first and latest bytes."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    offset: int
    line: int
    head: str
    last: str


@dataclass(frozen=True, slots=True)
class Tail:
    """What `follow` found. `data`: the whole lines that were appended; empty where there was no state, or the log was
    rewritten: such a log is read by whoever reads logs, and may be larger than the memory. `state`: None when the log
    is gone."""

    change: Change
    data: bytes
    state: TailState | None


def follow(path: Path, state: TailState | None = None) -> Tail:
    """Read on where `state` left off. An unchanged log costs one look at its directory entry and no read.

    OSError when the log is there and cannot be read."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return Tail(Change.GONE, b"", None)
    if state and (found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev) == (
        state.size,
        state.mtime_ns,
        state.inode,
        state.device,
    ):
        return Tail(Change.UNCHANGED, b"", state)
    with open_binary(path) as stream:
        found = os.fstat(stream.fileno())
        known = state if state and _is_same(stream, found, state) else None
        if known:
            data = _whole_lines(stream, known.offset)
            end, line = known.offset + len(data), known.line + data.count(b"\n")
        else:
            data, (end, line) = b"", _counted(stream)
        new = TailState(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, end, line, *_hashes(stream, end))
    if known:
        return Tail(Change.APPENDED if data else Change.UNCHANGED, data, new)
    return Tail(Change.REWRITTEN if state else Change.APPENDED, b"", new)


def _is_same(stream: BinaryIO, found: os.stat_result, state: TailState) -> bool:
    """Whether the bytes up to the place that was reached are those that were read. A copy in place of the file (an
    editor's save, an unpacked archive) is the same log when its bytes are."""
    return found.st_size >= state.offset and _hashes(stream, state.offset) == (state.head, state.last)


def _hashes(stream: BinaryIO, end: int) -> tuple[str, str]:
    stream.seek(0)
    head = hashlib.sha256(stream.read(min(_HEAD, end))).hexdigest()
    start = max(0, end - _LAST)
    stream.seek(start)
    return head, hashlib.sha256(stream.read(end - start)).hexdigest()


def _counted(stream: BinaryIO) -> tuple[int, int]:
    """How many bytes the whole lines of a log take, and how many there are."""
    stream.seek(0)
    at = end = lines = 0
    while chunk := stream.read(_CHUNK):
        if (last := chunk.rfind(b"\n")) >= 0:
            end = at + last + 1
            lines += chunk.count(b"\n")
        at += len(chunk)
    return end, lines


def _whole_lines(stream: BinaryIO, start: int) -> bytes:
    stream.seek(start)
    parts = []
    while chunk := stream.read(_CHUNK):
        parts.append(chunk)
    data = b"".join(parts)
    return data[: data.rfind(b"\n") + 1]
