"""Which record the cursor is on: a reference in a text, or a slug in the frontmatter of a record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memory_core.ide.view import View
from memory_core.outline import LINK, PLACE, Link
from memory_core.records.refs import scan
from memory_core.records.schema import RecordRef
from memory_core.text import Position, Range


@dataclass(frozen=True, slots=True)
class Target:
    """The record named at `range`. `weak`: it may be an issue number or a colour instead."""

    ref: RecordRef
    range: Range
    weak: bool = False


def target_at(view: View, position: Position) -> Target | None:
    """The record named at a position, existing or not; a cursor right behind a name is on it."""
    if position.line < view.body_line:
        return _in_frontmatter(view, position)
    line, masked = view.line(position.line)
    for found in scan(line, 0, masked):
        if found.start <= position.character <= found.end:
            span = Range(Position(position.line, found.start), Position(position.line, found.end))
            return Target(RecordRef(found.kind, found.slug), span, found.weak)
    return _by_path(view, position)


def _by_path(view: View, position: Position) -> Target | None:
    """The record whose slug stands there at the end of a path or a link."""
    links = view.document.links if view.document else ()
    return _on(position, (link for link in links if link.via in (LINK, PLACE)))


def _in_frontmatter(view: View, position: Position) -> Target | None:
    links = view.document.links if view.document else ()
    return _on(position, (link for link in links if link.via != "body"))


def _on(position: Position, links: Iterable[Link]) -> Target | None:
    return next((Target(link.target, link.range) for link in links if link.range.contains(position)), None)
