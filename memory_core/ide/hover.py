"""What is shown over a place in a text: the card of the record named there, or what a frontmatter key means.

Showing a card may be a use; recording it is the host's part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memory_core.ide.card import MAX_BODY_LINES, Circumstances, Used, age, card
from memory_core.ide.field_help import key_help, value_help
from memory_core.ide.foreign import code
from memory_core.ide.head import KEY, head_of
from memory_core.ide.target import Target, target_at
from memory_core.ide.view import View
from memory_core.records.schema import RecordRef
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

__all__ = ["MAX_BODY_LINES", "HoverCard", "Used", "age", "hover"]


@dataclass(frozen=True, slots=True)
class HoverCard:
    """Markdown for the text at `range`. `ref`: the record it shows, None when it shows none."""

    markdown: str
    range: Range
    ref: RecordRef | None


def hover(
    snapshot: Snapshot,
    view: View,
    position: Position,
    *,
    now: datetime,
    used: Mapping[RecordRef, Used] | None = None,
    linked: bool = True,
) -> HoverCard | None:
    """What there is to say of a place; None where there is nothing. `linked`: see `Circumstances`."""
    target = target_at(view, position)
    if target is None:
        return _help(view, position)
    shown = card(snapshot, target.ref, Circumstances(now, used, linked))
    if shown is None:
        return None if target.weak else HoverCard(_missing(target), target.range, None)
    return HoverCard(shown, target.range, target.ref)


def _missing(target: Target) -> str:
    return f"There is no {target.ref.kind} record {code(str(target.ref))} in this workspace."


def _help(view: View, position: Position) -> HoverCard | None:
    """The help for the frontmatter key at a position, or for its value where that is one of a few."""
    head = head_of(view)
    line = view.lines.line(position.line)
    match = KEY.match(line) if head and position.line in head else None
    if not head or not match:
        return None
    kind, key = head.record.ref.kind, match["key"]
    start, end = match.span("key")
    text = key_help(kind, key)
    if position.character > end:
        rest = line[match.end() :]
        value = rest.split(" #")[0].strip()
        start = match.end() + len(rest) - len(rest.lstrip())
        end = start + len(value)
        text = value_help(kind, key, value.strip("\"'"))
    if text is None or not start <= position.character <= end:
        return None
    return HoverCard(text, Range(Position(position.line, start), Position(position.line, end)), None)
