"""The usage log on disk, read: all of its files added up, without loss and in memory that does not grow with them.

A log that was set aside (`usage_append`) lies beside the current one and stays. What such a file adds up to is kept in
`totals-<id>.json`, so that a report reads each event once in its life; the totals outlive the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from memory_core.errors import StoreError
from memory_core.ids import parse_rfc3339
from memory_core.refactor import history
from memory_core.store.files import lines_of, read_or_none, write_whole
from memory_core.store.ordinary import open_binary, read_bytes
from memory_core.usage.event import UsageEvent, parse_line
from memory_core.usage.tally import NO_LIMIT, Key, Tally, Total, tally_of

_CHUNK = 4 * 1024 * 1024
_VERSION = 1


def events(path: Path) -> tuple[list[UsageEvent], int]:
    """All events that are still here line by line, oldest file first, and how many lines could not be read."""
    found: list[UsageEvent] = []
    skipped = 0
    with _opened(path) as streams:
        for stream in streams:
            for line in stream:
                if line.strip():
                    event = parse_line(line)
                    skipped += event is None
                    found += [event] if event else []
    return found, skipped


def tally(path: Path, renames: Sequence[history.Rename], until: str = NO_LIMIT) -> Tally:
    """The whole log added up, each record under the name it has now. `until`: see `usage.tally`."""
    whole = Tally()
    with _opened(path) as streams:
        names = {Path(stream.name).name for stream in streams}
        for stream in streams:
            name = Path(stream.name).name
            totals = _totals_of(path, name, stream, until) if name != path.name else None
            older = totals is not None and _is_older(totals, renames)
            whole.merge(_renamed(totals, renames) if totals and older else _read(stream, renames, until))
    for left in sorted(path.parent.glob("totals-*.json")):
        name = f"events-{left.stem.removeprefix('totals-')}.jsonl"
        if name not in names and (kept := _kept(path, name, None, until)):
            whole.merge(_renamed(kept, renames))
    return whole


def renames(audit: Path) -> list[history.Rename]:
    """What was renamed, as the audit log tells."""
    return history.renames_in(lines_of(read_or_none(audit) or b""))


class _opened:  # noqa: N801 - used like the function it stands for
    """The files of the log, oldest first, open at one moment: the current one is opened before the others are listed,
    so that one which is set aside meanwhile is neither missed nor counted twice."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.streams: list[BinaryIO] = []

    def __enter__(self) -> list[BinaryIO]:
        try:
            self._open_all()
        except StoreError:
            self.__exit__()
            raise
        return self.streams

    def _open_all(self) -> None:
        asides: list[BinaryIO] = []
        self.streams = [current] if (current := _open(self.path)) else []
        for aside in sorted(self.path.parent.glob("events-*.jsonl")):
            if not (stream := _open(aside)):
                continue
            self.streams.append(stream)  # before anything can fail: what stands here is closed
            if current and _identity(stream) == _identity(current):  # set aside since: known by its new name
                self.streams.remove(current)
                current.close()
                current = stream
            else:
                asides.append(stream)
        self.streams = [*asides, *([current] if current else [])]

    def __exit__(self, *_: object) -> None:
        for stream in self.streams:
            stream.close()


def _open(path: Path) -> BinaryIO | None:
    """A file of the log; None where there is none. StoreError for one that is there and cannot be read."""
    try:
        return open_binary(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}): check what it is and its permissions.") from error


def _identity(stream: BinaryIO) -> tuple[int, int]:
    status = os.fstat(stream.fileno())
    return status.st_dev, status.st_ino


def _read(stream: BinaryIO, changes: Sequence[history.Rename], until: str) -> Tally:
    present = history.present_slug(changes) if changes else None
    found = Tally({(r.kind, r.old) for r in changes}, present, until)
    for chunk in _chunks(stream):
        found.add_lines(chunk)
    return found.finish()


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    """The stream in pieces that end with a line, whatever its length."""
    stream.seek(0)
    rest: list[bytes] = []
    while data := stream.read(_CHUNK):
        end = data.rfind(b"\n") + 1
        if not end:
            rest.append(data)
            continue
        yield b"".join((*rest, data[:end]))
        rest = [data[end:]]
    if last := b"".join(rest):
        yield last


def _renamed(kept: Tally, changes: Sequence[history.Rename]) -> Tally:
    """Totals of a time before the renames, under the names that records have now."""
    present = history.present_slug(changes)
    moved = Tally()
    moved.skipped, moved.latest = kept.skipped, kept.latest
    for (kind, slug), total in kept.totals.items():
        key: Key = (kind, present(kind, slug, kept.latest))
        moved.totals.setdefault(key, Total()).add(total)
    return moved


def _is_older(kept: Tally, changes: Sequence[history.Rename]) -> bool:
    """Whether everything in some totals happened before every rename that concerns them."""
    latest = parse_rfc3339(kept.latest) if kept.latest else None
    return all(latest is not None and r.at >= latest for r in changes if (r.kind, r.old) in kept.totals)


def _totals_path(path: Path, name: str) -> Path:
    return path.with_name(f"totals-{name.removeprefix('events-').removesuffix('.jsonl')}.json")


def _kept(path: Path, name: str, size: int | None, until: str) -> Tally | None:
    """The totals of a file that was set aside; None where they are not of this state of it: a process that had opened
    it before may have appended since. `size` None: the file is gone, and its totals are what is left."""
    try:
        value = json.loads(read_bytes(_totals_path(path, name)))
        if value["version"] != _VERSION or size not in (None, value["bytes"]):
            return None
        return tally_of(value, until)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _totals_of(path: Path, name: str, stream: BinaryIO, until: str) -> Tally:
    """What a file that was set aside adds up to, under the names of its time: as kept, or added up and kept now."""
    size = os.fstat(stream.fileno()).st_size
    if (kept := _kept(path, name, size, until)) is not None:
        return kept
    found = _read(stream, (), until)
    if os.fstat(stream.fileno()).st_size == size:
        data = json.dumps({"version": _VERSION, "bytes": size, **found.plain()}, separators=(",", ":"))
        with suppress(OSError):  # a store that may only be read is read anew each time
            write_whole(_totals_path(path, name), data.encode("utf-8", "surrogatepass"))
    return found
