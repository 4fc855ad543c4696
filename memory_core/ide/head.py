"""A record's frontmatter as it is being typed: by lines, so that half a line or a missing end break nothing.

For the cursor only. What the frontmatter says is read by `records.frontmatter`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_core.ide.view import View
from memory_core.records.record import Record
from memory_core.text import LineIndex

_OPENING = re.compile(r"\ufeff?---[ \t]*\Z")
KEY = re.compile(r"(?P<key>[A-Za-z_][A-Za-z0-9_-]*)[ \t]*:(?=[ \t]|\Z)")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*[ \t]*\Z")


@dataclass(frozen=True)
class TypedHead:
    """The lines `first` to `end` (not included) of a text. `closed`: a line `---` stands at `end`."""

    record: Record
    lines: LineIndex
    first: int
    end: int
    closed: bool

    def __contains__(self, line: int) -> bool:
        return self.first <= line < self.end

    def key_on(self, line: int) -> str | None:
        """The top-level key that a line begins with."""
        match = KEY.match(self.lines.line(line))
        return match["key"] if match else None

    def keys(self, without: int) -> set[str]:
        """The top-level keys that are there, those on the line `without` left out."""
        return {key for line in range(self.first, self.end) if line != without and (key := self.key_on(line))}

    def key_above(self, line: int) -> str | None:
        """The top-level key whose block an indented line, or an item of a list, stands in."""
        for number in range(line - 1, self.first - 1, -1):
            text = self.lines.line(number)
            if text.strip() and not text.startswith((" ", "\t", "-", "#")):
                return self.key_on(number)
        return None


def head_of(view: View) -> TypedHead | None:
    """The frontmatter of a record, finished or not; None where there is none."""
    record = view.record
    if record is None:
        return None
    if record.head:
        return TypedHead(record, view.lines, 1, view.lines.position(record.head.end).line, closed=True)
    if not _OPENING.match(view.lines.line(0)):
        return None
    return TypedHead(record, view.lines, 1, _end_of_unfinished(view.lines), closed=False)


def _end_of_unfinished(lines: LineIndex) -> int:
    """The line behind the last that reads like frontmatter; a blank one is in where more of it follows, and once at
    the end, since that is where the next key is typed."""
    number = 1
    while number < lines.line_count:
        text = lines.line(number)
        if text.strip() and not _reads_like_yaml(text):
            return number
        if not text.strip() and not _reads_like_yaml(lines.line(number + 1)):
            return number + 1
        number += 1
    return number


def _reads_like_yaml(text: str) -> bool:
    return bool(KEY.match(text) or _WORD.match(text) or text.startswith((" ", "\t", "- ")))
