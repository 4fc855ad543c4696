"""Inlay hints: what a named record is, in a few words behind its name. For the part of a text that is on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.ide.foreign import plain
from memory_core.ide.links import Name, names_in
from memory_core.ide.view import View
from memory_core.records.schema import RecordRef, Status
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

MAX_HINTS = 200
MAX_LENGTH = 48


@dataclass(frozen=True, slots=True)
class Hint:
    """Plain text shown behind `position`, which is the end of the name of `ref`. `tooltip`: the whole description,
    where the hint had to be cut."""

    position: Position
    text: str
    ref: RecordRef
    tooltip: str | None = None


def hints(snapshot: Snapshot, view: View, within: Range) -> list[Hint]:
    """The hints in a part of a text, in order, at most MAX_HINTS. A record named twice on a line is explained once."""
    shown: list[Hint] = []
    seen: set[tuple[int, RecordRef]] = set()
    for name in names_in(view):
        place = (name.range.end.line, name.ref)
        if name.range.end < within.start or place in seen:
            continue
        if name.range.start > within.end or len(shown) == MAX_HINTS:
            break
        if hint := _hint(snapshot, name):
            seen.add(place)
            shown.append(hint)
    return shown


def _hint(snapshot: Snapshot, name: Name) -> Hint | None:
    document = snapshot.document(name.ref)
    if document is None:
        return None
    known = document.outline
    what = known.description or known.title
    text = plain(what, MAX_LENGTH) if what else None
    if known.status == Status.REPLACED:
        text = f"replaced{f': {text}' if text else ''}"
    if not text:
        return None
    whole = plain(what, 1_024) if what else None
    return Hint(name.range.end, text, name.ref, whole if whole and not text.endswith(whole) else None)
