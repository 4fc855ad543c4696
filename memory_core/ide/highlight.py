"""The places in a text that name the same record as the one under the cursor."""

from __future__ import annotations

from memory_core.ide.links import names_in
from memory_core.ide.target import target_at
from memory_core.ide.view import View
from memory_core.text import Position, Range


def highlights(view: View, position: Position) -> list[Range]:
    """Where the record under the cursor is named, in order; empty where none is named there."""
    target = target_at(view, position)
    return [name.range for name in names_in(view, of=target.ref)] if target else []
