"""Where a record is named: in other records' texts and in their frontmatter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from memory_core.ide.target import target_at
from memory_core.ide.view import View
from memory_core.outline import Link, link_at
from memory_core.places import places_in
from memory_core.records.refs import scan
from memory_core.records.schema import RecordRef
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

MAX_REFERENCES = 1_000
MAX_OUTSIDE = 100  # in open texts that are no records


@dataclass(frozen=True)
class References:
    """The places that name a record, in path order, at most MAX_REFERENCES, each as a path and a packed place; and how
    many documents name it in all."""

    packed: tuple[tuple[str, str], ...] = ()
    documents: int = 0

    @cached_property
    def places(self) -> tuple[Link, ...]:
        return tuple([link_at(path, place) for path, place in self.packed])

    @property
    def cut(self) -> bool:
        """Whether there may be more places than are here."""
        return len(self.packed) >= MAX_REFERENCES


def subject(view: View, position: Position) -> RecordRef | None:
    """The record whose references are meant at a position."""
    target = target_at(view, position)
    return target.ref if target else view.document.ref if view.document else None


def named_in(view: View, ref: RecordRef, path: str | None = None) -> list[Range]:
    """Where a text that is no record names one: an agent's prompt, a commit message, a comment. `path`: the way to its
    file from the root, where its paths and links are wanted too; of those, the slugs."""
    found = [(at.start, at.end) for at in scan(view.text, 0, view.masked) if (at.kind, at.slug) == (ref.kind, ref.slug)]
    if path and view.markdown:
        found += [(it.at, it.at + len(ref.slug)) for it in places_in(view.text, path) if it.ref == ref]
    return [view.lines.range(start, end) for start, end in sorted(found)]


def references(snapshot: Snapshot, view: View, position: Position) -> References:
    """The places that name the record under the cursor or, where none is named there, the record being edited."""
    ref = subject(view, position)
    if ref is None:
        return References()
    links = snapshot.index.backlinks
    return References(links.first_places(ref, MAX_REFERENCES), len(links.paths(ref)))
