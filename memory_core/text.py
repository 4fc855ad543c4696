"""Positions, ranges and edits in text: 0-based lines, columns in code points, line ends as LSP counts them.

Knows nothing of editors' encodings: UTF-16 and UTF-8 columns are converted at the server's edge.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

# LSP 3.17 "Text Documents": only these end a line. str.splitlines() also splits at form feeds, U+2028 and others,
# which makes every later position wrong.
_LINE_END = re.compile(r"\r\n|\n|\r")
_LONG_LINE = 2_000  # characters from which cutting a line out of the text costs more than remembering it

# A second text that a model reads and no person sees, in characters that show nothing where they stand (UTS 37, 51):
# - tags; the flags of England, Scotland and Wales, and nothing else, are written with six of them behind a black flag;
# - selectors of variants, as many as a byte has values: the first sixteen vary symbols and ideographs, one each, the
#   others ideographs alone;
# - a run of characters without width, of which emoji and scripts that need them have three together at most.
_IDEOGRAPHS = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TAGS, _FIRST, _OTHERS = "\U000e0000-\U000e007f", "\ufe00-\ufe0f", "\U000e0100-\U000e01ef"
_THIN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164\uffa0"
    + _FIRST
)
_FLAGS = ["".join(chr(0xE0000 + ord(char)) for char in f"{name}\x7f") for name in ("gbeng", "gbsct", "gbwls")]
_FLAGGED = "|".join(f"(?<=\U0001f3f4{flag[:at]}){flag[at:]}" for flag in _FLAGS for at in range(1, 7))
_UNASSIGNED = "\ufff0-\ufff8\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
TAG = (
    f"[{_TAGS}{_OTHERS}{_THIN}{_UNASSIGNED}](?:(?<=[{_UNASSIGNED}])"
    f"|(?<=[{_TAGS}])(?!{_FLAGGED})|(?<=[{_OTHERS}])(?<![{_IDEOGRAPHS}].)|(?<=[A-Za-z{_FIRST}{_OTHERS}][{_FIRST}])|(?<=[{_THIN}]{{4}}))"
)
# What no record, candidate or message may hold: halves of surrogate pairs (no UTF-8 form), control characters (they
# steer terminals), bidirectional overrides (they show a text in another order than it is read; CVE-2021-42574), and
# a second text.
UNWRITABLE = re.compile(f"[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]|{TAG}")
# The same in runs, each with what shows nothing in front of it: of a run without width the first ones are no second
# text by themselves.
UNWRITABLE_RUN = re.compile(f"(?:[{_THIN}]*(?:{UNWRITABLE.pattern}))+")


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place between two characters: 0-based `line`, `character` in code points."""

    line: int
    character: int


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """Half-open: `end` is the first position outside."""

    start: Position
    end: Position

    def contains(self, position: Position) -> bool:
        """Whether the position touches the range; a cursor right behind the last character does."""
        return self.start <= position <= self.end


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace the text in `range` by `new_text`."""

    range: Range
    new_text: str


ORIGIN = Range(Position(0, 0), Position(0, 0))


@dataclass(frozen=True)
class LineIndex:
    """The line starts of one text: converts between offsets (code points) and positions, clamping what is outside."""

    text: str

    @cached_property
    def starts(self) -> list[int]:
        """Offset of the first character of each line; always at least one line."""
        if "\r" not in self.text:  # the usual case, five times as fast: this is asked at every key
            return [0, *accumulate(len(line) + 1 for line in self.text.split("\n")[:-1])]
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def edited(self, start: int, end: int, new_text: str) -> LineIndex:
        """The index of the text with `new_text` in place of the characters from `start` to `end`, offsets in order.

        Line starts that are known are moved, not looked for: in a file of 12,000 lines that is a quarter of the work of
        a key. With a `\\r` in either text they are looked for again, since a line end may then form across a seam.
        """
        text = self.text[:start] + new_text + self.text[end:]
        after = LineIndex(text)
        known: list[int] | None = self.__dict__.get("starts")
        if known is None or "\r" in text or "\r" in self.text:
            return after
        moved = len(new_text) - (end - start)
        behind = known[bisect_right(known, end) :]
        inner = [match.end() + start for match in _LINE_END.finditer(new_text)]
        after.__dict__["starts"] = [
            *known[: bisect_right(known, start)],
            *inner,
            *([at + moved for at in behind] if moved else behind),
        ]
        return after

    @property
    def line_count(self) -> int:
        return len(self.starts)

    def line(self, number: int) -> str:
        """The text of a line without its line end; empty outside the document."""
        if not 0 <= number < len(self.starts):
            return ""
        known: tuple[int, str] = self.__dict__.get("_long_line", (-1, ""))
        if known[0] == number:
            return known[1]
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        line = self.text[self.starts[number] : end].rstrip("\r\n")
        if len(line) > _LONG_LINE:
            self.__dict__["_long_line"] = number, line  # who asks for one place on it asks for a thousand
        return line

    def position(self, offset: int) -> Position:
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return Position(line, offset - self.starts[line])

    def offset(self, position: Position) -> int:
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        start = self.starts[position.line]
        return start + max(0, min(position.character, len(self.line(position.line))))

    def range(self, start: int, end: int) -> Range:
        return Range(self.position(start), self.position(end))

    def line_range(self, number: int) -> Range:
        """A whole line without its line end."""
        return Range(Position(number, 0), Position(number, len(self.line(number))))


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """The text after the edits, whose ranges all refer to `text` and must not overlap (ValueError otherwise)."""
    index = LineIndex(text)
    spans = sorted((index.offset(e.range.start), index.offset(e.range.end), n, e) for n, e in enumerate(edits))
    parts: list[str] = []
    at = 0
    for start, end, _, edit in spans:
        if start < at:
            raise ValueError(f"overlapping edits at offset {start}")
        parts += (text[at:start], edit.new_text)
        at = end
    parts.append(text[at:])
    return "".join(parts)


def writable(text: str) -> str:
    """The text with U+FFFD for every character that no record, candidate or message may hold."""
    return UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def newline_of(text: str) -> str:
    """The line end a text already uses (that of its first line), `\\n` when it has none."""
    match = _LINE_END.search(text)
    return match.group() if match else "\n"


def shorten(text: str, limit: int) -> str:
    """One line of at most `limit` characters: white space folded, an ellipsis where something was cut."""
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1].rstrip() + "…"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 record`, `2 records`, `0 entries`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("ry") else f"{number:,} {noun}s"
