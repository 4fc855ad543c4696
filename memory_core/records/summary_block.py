"""The block of the summary that consolidation keeps current: its marks, and its lines that each end with a record.

Makes no line: the built-in provider does. What stands outside the marks is people's and is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

BEGIN = "<!-- omoide:begin -->"
END = "<!-- omoide:end -->"
# Where the end of one was lost, what follows it up to the next one is people's.
_BLOCK = re.compile(rf"{re.escape(BEGIN)}(?:(?!{re.escape(BEGIN)}).)*?{re.escape(END)}", re.DOTALL)
_MARK = re.compile(rf"[ \t]*(?:{re.escape(BEGIN)}|{re.escape(END)})[ \t]*\r?")
# A mark with its line end and the empty line behind it.
_MARK_LINE = re.compile(rf"^{_MARK.pattern}(?:\n(?:[ \t]*\r?\n)?|\Z)", re.MULTILINE)


def block_in(text: str) -> re.Match[str] | None:
    """The block with its marks; None where there is none."""
    return _BLOCK.search(text)


def is_mark(line: str) -> bool:
    """Whether a line is one of the marks and nothing else."""
    return "omoide:" in line and _MARK.fullmatch(line) is not None


def without_marks(text: str) -> str:
    """A text as it is shown: the marks are for programs."""
    return _MARK_LINE.sub("", text) if "omoide:" in text else text


def lines_about(text: str, place: str) -> Iterator[tuple[slice, slice]]:
    """The lines of the block that end with `(place)`, as offsets: the line with its line end, and the place in it.
    `place`: `decisions/use-sqlite`."""
    block = block_in(text)
    if block is None or place not in block.group():
        return
    line = re.compile(rf"^- [^\n]*\((?P<place>{re.escape(place)})\)[ \t]*\r?\n", re.MULTILINE)
    for match in line.finditer(text, block.start(), block.end()):
        yield slice(*match.span()), slice(*match.span("place"))
