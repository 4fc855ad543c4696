"""From the protocol to the core: positions, ranges and content changes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lsprotocol import types

from memory_core.text import LineIndex, Position, Range
from server.convert import change_run
from server.convert.columns import Encoding, to_code_points


def position(lines: LineIndex, at: types.Position, encoding: Encoding) -> Position:
    """A position of the client in code points; behind the last line it is the end of the text."""
    if at.line >= lines.line_count:
        return lines.position(len(lines.text))
    return Position(at.line, to_code_points(lines.line(at.line), at.character, encoding))


def range_of(lines: LineIndex, span: types.Range, encoding: Encoding) -> Range:
    start, end = position(lines, span.start, encoding), position(lines, span.end, encoding)
    return Range(min(start, end), max(start, end))


def from_the_whole(
    changes: Sequence[types.TextDocumentContentChangeEvent],
) -> Sequence[types.TextDocumentContentChangeEvent]:
    """The changes from the first one on that is a whole text: they need no text before them. Empty where none is."""
    for place, change in enumerate(changes):
        if not isinstance(change, types.TextDocumentContentChangePartial):
            return changes[place:]
    return ()


def changed(lines: LineIndex, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: Encoding) -> LineIndex:
    """The text after a `didChange`: each change applies to the result of the one before it."""
    for partial, group in groupby(changes, lambda it: isinstance(it, types.TextDocumentContentChangePartial)):
        run = list(group)
        if not partial:
            lines = LineIndex(run[-1].text)
            continue
        partials = [change for change in run if isinstance(change, types.TextDocumentContentChangePartial)]
        if len(partials) > change_run.FEW:
            lines = change_run.applied(lines, partials, encoding)
            continue
        for change in partials:
            span = range_of(lines, change.range, encoding)
            start, end = lines.offset(span.start), lines.offset(span.end)
            lines = lines.edited(start, end, change.text)
    return lines
