"""Lines of a Markdown log, read from bytes, each with its place; and stretches of them as one record.

Knows code fences and no agent's headings.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_core.sessions.frames import Frame, Lines, Repairs, skip_line

# A line beyond this is no prose; what is over it is dropped and counted.
MAX_LINE = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)\Z")


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `number`: 0-based; `offset`: of its first byte; `raw`: its bytes with the line end; `text`: without."""

    number: int
    offset: int
    raw: bytes
    text: str


def read_lines(stream: Lines, repairs: Repairs) -> Iterator[Line]:
    """The lines of a file, split on `\\n` alone. Bytes that are no UTF-8 are replaced and counted; zeros, with which a
    file may be filled up, say nothing."""
    offset = number = 0
    while raw := stream.readline(MAX_LINE):
        body = raw.removeprefix(_BOM) if number == 0 else raw
        text = body.rstrip(b"\r\n").strip(b"\0").decode("utf-8", "replace")
        if "\ufffd" in text and "\ufffd".encode() not in body:
            repairs.counts["bad_utf8"] += text.count("\ufffd")
        yield Line(number, offset, raw, text)
        offset, number = offset + len(raw), number + 1
        if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
            repairs.counts["long_lines"] += 1
            offset += skip_line(stream)


def lines_within(stream: Lines, most: int) -> Iterator[bytes]:
    """The lines of a file without those of more than `most` bytes, which are never in memory; without leading zeros."""
    while line := stream.readline(most + 1):
        if len(line) > most and not line.endswith(b"\n"):
            skip_line(stream)
        else:
            yield line.lstrip(b"\0")


def fence_after(fence: str, text: str) -> str:
    """The marks of the code fence that is open behind a line, by those of the one open before it; empty for none."""
    match = _FENCE.match(text)
    if not match:
        return fence
    if not fence:
        return match[1]
    return "" if match[1].startswith(fence) and not match[2].strip() else fence


def frame_of(lines: Sequence[Line]) -> Frame:
    """A stretch of lines as one record: where it begins, its bytes and their hash."""
    raw = b"".join(line.raw for line in lines)
    first = lines[0]
    return Frame(first.number, first.offset, len(raw), hashlib.sha256(raw).hexdigest(), {}, raw.endswith(b"\n"))
