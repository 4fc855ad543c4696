"""Where the record named under the cursor lies."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.ide.target import target_at
from memory_core.ide.view import View
from memory_core.layout import record_path
from memory_core.records.schema import RecordRef
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range


@dataclass(frozen=True, slots=True)
class Definition:
    """A record's file. `origin`: what the cursor is on; `range`: the whole file; `selection`: its first line."""

    ref: RecordRef
    path: str
    origin: Range
    range: Range
    selection: Range


def define(snapshot: Snapshot, view: View, position: Position) -> Definition | None:
    """The record named at a position; None where none is named or it does not exist."""
    target = target_at(view, position)
    document = snapshot.document(target.ref) if target else None
    if not target or not document:
        return None
    whole = document.lines.range(0, len(document.text))
    return Definition(target.ref, record_path(target.ref), target.range, whole, document.lines.line_range(0))
