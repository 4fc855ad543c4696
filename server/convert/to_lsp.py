"""From the core to the protocol: positions, ranges, locations, definitions and hover cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.text import LineIndex, Position, Range
from server.convert.columns import Encoding, from_code_points

if TYPE_CHECKING:
    from memory_core.ide.definition import Definition
    from memory_core.ide.hover import HoverCard

Locate = Callable[[str], tuple[str, LineIndex]]  # a path below the root → its URI and lines


def position(lines: LineIndex, at: Position, encoding: Encoding) -> types.Position:
    return types.Position(at.line, from_code_points(lines.line(at.line), at.character, encoding))


def range_of(lines: LineIndex, span: Range, encoding: Encoding) -> types.Range:
    return types.Range(position(lines, span.start, encoding), position(lines, span.end, encoding))


def hover(lines: LineIndex, card: HoverCard, encoding: Encoding, *, markdown: bool) -> types.Hover:
    return types.Hover(markup(card.markdown, markdown=markdown), range_of(lines, card.range, encoding))


def markup(text: str, *, markdown: bool) -> types.MarkupContent:
    """Markdown of ours for a client, as plain text for one that renders none."""
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, text)
    from memory_core.ide.foreign import unmarked

    return types.MarkupContent(types.MarkupKind.PlainText, unmarked(text))


def definition(
    lines: LineIndex, found: Definition, locate: Locate, encoding: Encoding, *, links: bool
) -> types.Location | list[types.LocationLink]:
    """A link with the origin's range where the client takes links, else a location."""
    uri, target = locate(found.path)
    selection = range_of(target, found.selection, encoding)
    if not links:
        return types.Location(uri, selection)
    origin = range_of(lines, found.origin, encoding)
    return [types.LocationLink(uri, range_of(target, found.range, encoding), selection, origin)]


def location(path: str, span: Range, locate: Locate, encoding: Encoding) -> types.Location:
    uri, lines = locate(path)
    return types.Location(uri, range_of(lines, span, encoding))
