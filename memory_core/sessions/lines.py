"""Lines of a Markdown log, read from bytes, each with its place; and stretches of them as one record.

Knows no agent's headings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_core.sessions.frames import Frame, Lines, Repairs

# A line beyond this is no prose; what is over it is dropped and counted.
MAX_LINE = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `number`: 0-based; `offset`: of its first byte; `raw`: its bytes with the line end; `text`: without."""

    number: int
    offset: int
    raw: bytes
    text: str


def read_lines(stream: Lines, repairs: Repairs) -> Iterator[Line]:
    """The lines of a file, split on `\\n` alone. Bytes that are no UTF-8 are replaced and counted."""
    offset = number = 0
    while raw := stream.readline(MAX_LINE):
        body = raw.removeprefix(_BOM) if number == 0 else raw
        text = body.rstrip(b"\r\n").decode("utf-8", "replace")
        if "\ufffd" in text and "\ufffd".encode() not in body:
            repairs.counts["bad_utf8"] += text.count("\ufffd")
        yield Line(number, offset, raw, text)
        offset, number = offset + len(raw), number + 1


def frame_of(lines: Sequence[Line]) -> Frame:
    """A stretch of lines as one record: where it begins, its bytes and their hash."""
    raw = b"".join(line.raw for line in lines)
    first = lines[0]
    return Frame(first.number, first.offset, len(raw), hashlib.sha256(raw).hexdigest(), {}, raw.endswith(b"\n"))
