"""Many changes of one text in one message, applied line by line: to replace a word everywhere sends thousands, each of
which would copy the whole text and count its lines again.

The same outcome as one change after the other; decides nothing about which changes count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lsprotocol import types

from memory_core.text import LineIndex
from server.convert.columns import Encoding, to_code_points

_BREAK = re.compile(r"[\r\n]")
FEW = 4  # changes up to which a text is simply made anew for each


class ChangingText:
    """A text as its lines, each with its end; the last one has none and may be empty."""

    def __init__(self, lines: LineIndex) -> None:
        self._lines = _cut(lines)

    @property
    def text(self) -> str:
        return "".join(self._lines)

    def apply(self, change: types.TextDocumentContentChangePartial, encoding: Encoding) -> None:
        one, other = (self._place(at, encoding) for at in (change.range.start, change.range.end))
        (first, before), (last, behind) = min(one, other), max(one, other)
        piece = self._lines[first][:before] + change.text + self._lines[last][behind:]
        if first == last and not _BREAK.search(change.text) and not piece.startswith("\n"):
            self._lines[first] = piece  # still one line, which may be a megabyte long: it is not looked through
            return
        if first and piece.startswith("\n") and self._lines[first - 1].endswith("\r"):
            first -= 1  # the two are one line end now
            piece = self._lines[first] + piece
        made = _cut(LineIndex(piece))
        if last + 1 < len(self._lines) and not made[-1]:
            del made[-1]  # what stands behind the end of this line is the next one
        self._lines[first : last + 1] = made

    def _place(self, at: types.Position, encoding: Encoding) -> tuple[int, int]:
        if at.line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        line = self._lines[at.line]
        end = len(line) - (2 if line.endswith("\r\n") else line.endswith(("\r", "\n")))
        return at.line, min(to_code_points(line, at.character, encoding), end)


def applied(
    lines: LineIndex, changes: Iterable[types.TextDocumentContentChangePartial], encoding: Encoding
) -> LineIndex:
    """The text after the changes, each of which applies to the result of the one before it."""
    text = ChangingText(lines)
    for change in changes:
        text.apply(change, encoding)
    return LineIndex(text.text)


def _cut(lines: LineIndex) -> list[str]:
    ends = [*lines.starts[1:], len(lines.text)]
    return [lines.text[start:end] for start, end in zip(lines.starts, ends, strict=True)]
