"""Where a record is named: in other records' texts and in their frontmatter."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from memory_core.ide.target import target_at
from memory_core.ide.view import View
from memory_core.outline import Link
from memory_core.snapshot import Snapshot
from memory_core.text import Position

MAX_REFERENCES = 1_000


@dataclass(frozen=True, slots=True)
class References:
    """The places that name a record, in path order, at most MAX_REFERENCES; and how many documents name it in all."""

    places: tuple[Link, ...] = ()
    documents: int = 0

    @property
    def cut(self) -> bool:
        """Whether there may be more places than are here."""
        return len(self.places) >= MAX_REFERENCES


def references(snapshot: Snapshot, view: View, position: Position) -> References:
    """The places that name the record under the cursor or, where none is named there, the record being edited."""
    target = target_at(view, position)
    ref = target.ref if target else view.document.ref if view.document else None
    if ref is None:
        return References()
    links = snapshot.index.backlinks
    return References(tuple(islice(links.to(ref), MAX_REFERENCES)), len(links.paths(ref)))
