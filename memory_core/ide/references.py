"""Where a record is named: in other records' texts and in their frontmatter."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.ide.target import target_at
from memory_core.ide.view import View
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

MAX_REFERENCES = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """One place. `path` is relative to the memory root."""

    path: str
    range: Range


def references(snapshot: Snapshot, view: View, position: Position) -> list[Place]:
    """The places that name the record under the cursor or, where none is named there, the record being edited; at most
    MAX_REFERENCES, in path order."""
    target = target_at(view, position)
    ref = target.ref if target else view.document.ref if view.document else None
    links = snapshot.index.backlinks.get(ref, ()) if ref else ()
    return [Place(link.path, link.range) for link in links[:MAX_REFERENCES]]
