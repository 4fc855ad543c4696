"""The sessions in a file that holds several one after the other, a list of prompts or a history: where each one lies.

A file is looked through once for all its sessions, and each is read from its own bytes: to read the whole file for each
takes the square of their number. What the bytes say is decided in the formats.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from memory_core.sessions.fields import text_at
from memory_core.sessions.formats import aider, claude_history
from memory_core.sessions.frames import Repairs, read_frames
from memory_core.sessions.lines import read_lines
from memory_core.sessions.model import Entry, Gap, Session
from memory_core.store.ordinary import open_binary
from memory_core.store.session_database import FileStamp, stamp_of_files

_HEAD = 1 << 13
_MOST = 4  # files that are remembered; whoever lists sessions goes from one to the next and back


class Stretch(NamedTuple):
    """Bytes of a file that belong to one session, and the physical line on which they begin."""

    line: int
    offset: int
    length: int


@dataclass(frozen=True)
class Parts:
    """The sessions of a file by name, each with its stretches in their order; `gaps`: damage that is nobody's."""

    stretches: Mapping[str, Sequence[Stretch]]
    gaps: tuple[Gap, ...] = ()


_known: dict[Path, tuple[FileStamp | None, Parts | None]] = {}


def parts_of(file: Path) -> Parts | None:
    """The sessions that a file holds; None for a file that is of no such kind. OSError when it cannot be read."""
    stamp = stamp_of_files(file)
    known = _known.get(file)
    if known and stamp is not None and known[0] == stamp:
        return known[1]
    found = _look(file)
    _known.pop(file, None)
    _known[file] = stamp, found
    while len(_known) > _MOST:
        _known.pop(next(iter(_known)), None)
    return found


def _look(file: Path) -> Parts | None:
    with open_binary(file) as stream:
        if aider.recognizes(stream.peek(_HEAD)[:_HEAD].decode("utf-8", "replace")):
            return _sections(stream)
        return _prompts(stream)


def _sections(stream: BinaryIO) -> Parts:
    """A history: from each heading to the next."""
    found = list(aider.parts(read_lines(stream, Repairs())))
    size = stream.seek(0, io.SEEK_END)
    ends = [part.offset for part in found[1:]] + [size]
    return Parts({p.name: [Stretch(p.line, p.offset, end - p.offset)] for p, end in zip(found, ends, strict=True)})


def _prompts(stream: BinaryIO) -> Parts | None:
    """A list of prompts: a line each."""
    stretches: dict[str, list[Stretch]] = {}
    gaps: list[Gap] = []
    for item in read_frames(stream, Repairs()):
        if isinstance(item, Gap):
            gaps.append(item)
        elif claude_history.recognizes(item.value):
            place = Stretch(item.line, item.offset, item.length)
            stretches.setdefault(text_at(item.value, "sessionId"), []).append(place)
        elif not stretches:
            return None  # a log of another kind, which may be long
    return Parts(stretches, tuple(gaps)) if stretches else None


@dataclass
class Joined(io.RawIOBase):
    """Stretches of a file as one stream, with a line end between two. Reads of the file what was asked for."""

    file: BinaryIO
    stretches: Sequence[Stretch]
    _number: int = field(default=0, init=False)
    _at: int = field(default=0, init=False)  # how much of that stretch was given

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while self._number < len(self.stretches):
            stretch = self.stretches[self._number]
            left = stretch.length - self._at
            if left > 0:
                self.file.seek(stretch.offset + self._at)
                given = self.file.read(min(left, len(buffer)))
                if given:
                    buffer[: len(given)] = given
                    self._at += len(given)
                    return len(given)
            self._number, self._at = self._number + 1, 0
            if self._number < len(self.stretches):
                buffer[:1] = b"\n"
                return 1
        return 0


def in_file(session: Session, parts: Parts, stretches: Sequence[Stretch]) -> Session:
    """A session that was read from its stretches, with each place as it is in the whole file."""
    starts = [0, *accumulate(stretch.length + 1 for stretch in stretches)]

    def place(found: Entry | Gap) -> tuple[int | None, int | None]:
        if found.line is None or found.offset is None:
            return found.line, found.offset
        number = min(bisect_right(starts, found.offset), len(stretches)) - 1
        stretch = stretches[number]
        return stretch.line + found.line - number, stretch.offset + found.offset - starts[number]

    entries: list[Entry] = []
    for entry in session.entries:
        line, offset = place(entry)
        entries.append(replace(entry, line=line, offset=offset))
    gaps = [Gap(*place(gap), gap.reason) for gap in session.gaps]
    return replace(session, entries=tuple(entries), gaps=(*gaps, *parts.gaps))
