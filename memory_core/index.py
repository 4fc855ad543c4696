"""Tables derived from documents: slugs by kind, who refers to whom. A change touches its own rows and no others.

Kept beside a snapshot, never stored in one, and never part of a record's truth.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from memory_core.layered import MOST_CHANGES
from memory_core.layered import changed as with_changed
from memory_core.layout import record_at, record_path
from memory_core.outline import Link, begin_of, is_broken
from memory_core.records.near import NearSlugs, near_slugs
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.slug import is_slug
from memory_core.slug_words import SlugWords

if TYPE_CHECKING:
    from memory_core.document import Document

__all__ = ["Index", "Link", "Links", "SlugTable"]

Documents = Mapping[str, "Document"]
Names = Mapping[Kind, tuple[str, ...]]
_KEPT = 4  # records whose first places are kept: a place in text takes 150 bytes
Referrers = Mapping[str, tuple[str, ...]]  # paths of documents in order, by the path of the record they name


class SlugTable(Mapping[str, "Document"]):
    """The documents of one kind by slug, in order of the slugs."""

    def __init__(self, kind: Kind, names: tuple[str, ...], documents: Documents) -> None:
        self._kind = kind
        self._names = names
        self._documents = documents

    def __getitem__(self, slug: str) -> Document:
        path = record_path(RecordRef(self._kind, slug))
        if record_at(path) != (self._kind, slug):  # not a slug, or the summary by another name
            raise KeyError(slug)
        return self._documents[path]

    def __contains__(self, slug: object) -> bool:
        return isinstance(slug, str) and self.get(slug) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Links(Mapping[RecordRef, tuple[Link, ...]]):
    """The links by target, in path order; targets that do not exist are in too."""

    def __init__(self, documents: Documents, referrers: Referrers) -> None:
        self._documents = documents
        self._referrers = referrers
        self._first: dict[tuple[RecordRef, int], tuple[tuple[str, str], ...]] = {}

    def __getitem__(self, ref: RecordRef) -> tuple[Link, ...]:
        found = tuple(self.to(ref))
        if not found:
            raise KeyError(ref)
        return found

    def to(self, ref: RecordRef) -> Iterator[Link]:
        """One by one: who takes few pays for few."""
        for path in self.paths(ref):
            yield from self._documents[path].links_to(ref)

    def places(self, ref: RecordRef) -> Iterator[tuple[str, str]]:
        """The same as a path and a place, packed as `outline.link_at` reads it."""
        wanted = begin_of(ref)
        for path in self.paths(ref):
            for place in self._documents[path].places(wanted):
                yield path, place

    def first_places(self, ref: RecordRef, most: int) -> tuple[tuple[str, str], ...]:
        """At most so many of `places`. The same object while the snapshot is the same, for the records that were asked
        for last: whoever derives something of it may keep that."""
        kept = self._first.pop((ref, most), None)
        found = tuple(islice(self.places(ref), most)) if kept is None else kept
        self._first[ref, most] = found  # as the newest
        if len(self._first) > _KEPT:
            self._first.pop(next(iter(self._first)), None)
        return found

    def paths(self, ref: RecordRef) -> tuple[str, ...]:
        """The documents that hold a link to `ref`, in order."""
        return self._referrers.get(record_path(ref), ())

    def __iter__(self) -> Iterator[RecordRef]:
        return (ref for path in self._referrers if (ref := record_at(path)))

    def __len__(self) -> int:
        return len(self._referrers)


class Index:
    """The derived tables of one snapshot; each is computed when first asked for, from those of an earlier snapshot
    where there are any."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._earlier: tuple[Referrers, Documents, frozenset[str]] | None = None
        self._broken_earlier: tuple[frozenset[str], frozenset[str]] | None = None

    def after(self, documents: Documents, changed: Mapping[str, Document | None]) -> Index:
        """The index of a snapshot that differs in the documents at `changed`."""
        index = Index(documents)
        known = self.__dict__
        if "names" in known:
            index.__dict__["names"] = _names_after(self.names, self._documents, documents, changed)
            if index.names is self.names:
                index.__dict__.update({table: known[table] for table in ("near", "words") if table in known})
        earlier = (self.referrers, self._documents, frozenset[str]()) if "referrers" in known else self._earlier
        if earlier and len(stale := earlier[2] | changed.keys()) <= MOST_CHANGES:
            index._earlier = (earlier[0], earlier[1], stale)
        broken = (self.broken, frozenset[str]()) if "broken" in known else self._broken_earlier
        if broken and len(stale := broken[1] | changed.keys()) <= MOST_CHANGES:
            index._broken_earlier = (broken[0], stale)
        if "cased" in known:
            there = {path for path, document in changed.items() if document}
            index.__dict__["cased"] = (self.cased - changed.keys()) | _with_capitals(there)
        return index

    @cached_property
    def names(self) -> Names:
        """The slugs of each kind, sorted; broken records are in, files that are no record are not."""
        names: dict[Kind, list[str]] = {kind: [] for kind in Kind}
        kinds: dict[str, Kind | None] = {}  # by folder: asked once each, since there are few and many files
        for path in self._documents:
            folder, _, name = path.rpartition("/")
            if folder not in kinds:
                example = record_at(f"{folder}/a.md")
                kinds[folder] = example.kind if example else None
            kind = kinds[folder]
            if kind is None:
                names[Kind.SUMMARY] += [ref.slug] if (ref := record_at(path)) else []
            elif name.endswith(".md") and is_slug(name[:-3]):
                names[kind].append(name[:-3])
        return {kind: tuple(sorted(slugs)) for kind, slugs in names.items()}

    @cached_property
    def words(self) -> Mapping[Kind, SlugWords]:
        """The slugs of each kind, to be asked by what somebody types."""
        return {kind: SlugWords(names) for kind, names in self.names.items()}

    @cached_property
    def slugs(self) -> Mapping[Kind, SlugTable]:
        """Documents by kind and slug, sorted by slug."""
        return {kind: SlugTable(kind, names, self._documents) for kind, names in self.names.items()}

    @cached_property
    def referrers(self) -> Referrers:
        """Which documents name a record, by the record's path."""
        if self._earlier is None:
            return _referrers(self._documents)
        referrers, before, stale = self._earlier
        self._earlier = None
        return _referrers_after(referrers, before, self._documents, stale)

    @cached_property
    def backlinks(self) -> Links:
        """Links by target, in path order; targets that do not exist are in too."""
        return Links(self._documents, self.referrers)

    @cached_property
    def broken(self) -> frozenset[str]:
        """The paths of documents that have problems which parsing meets."""
        if self._broken_earlier is None:
            return frozenset(path for path, document in self._documents.items() if is_broken(document.packed_outline))
        known, stale = self._broken_earlier
        self._broken_earlier = None
        there = ((path, self._documents.get(path)) for path in stale)
        return (known - stale) | {path for path, document in there if document and is_broken(document.packed_outline)}

    @cached_property
    def cased(self) -> frozenset[str]:
        """The paths with capital letters: on a disk that ignores case they may be a record's file."""
        return _with_capitals(self._documents)

    @cached_property
    def near(self) -> Mapping[Kind, NearSlugs]:
        """The slugs of each kind, to be asked for slugs that look alike."""
        return {kind: near_slugs(names) for kind, names in self.names.items()}

    def exists(self, ref: RecordRef) -> bool:
        path = record_path(ref)
        return path in self._documents and record_at(path) == ref

    @property
    def knows_links(self) -> bool:
        """Whether backlinks are here, or follow from those of an earlier snapshot, so that asking costs little."""
        return "referrers" in self.__dict__ or self._earlier is not None


def _with_capitals(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(path for path in paths if path != path.lower())


def _names_after(names: Names, before: Documents, after: Documents, changed: Iterable[str]) -> Names:
    """The slugs after a change; the same object where no record came or went."""
    moved = [path for path in changed if (path in before) != (path in after)]
    new = dict(names)
    for path in moved:
        if ref := record_at(path):
            known = new[ref.kind]
            at = bisect_left(known, ref.slug)
            new[ref.kind] = known[:at] + ((ref.slug, *known[at:]) if path in after else known[at + 1 :])
    return new if moved else names


def _referrers(documents: Documents) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for path in sorted(documents):
        for target in documents[path].targets:
            known = found.get(target)
            if known is None:
                # The path that is there already, not an equal one: a hundred thousand paths are ten megabytes.
                target_document = documents.get(target)
                found[target_document.path if target_document else target] = [path]
            else:
                known.append(path)
    return {target: tuple(paths) for target, paths in found.items()}


def _referrers_after(referrers: Referrers, before: Documents, after: Documents, stale: Iterable[str]) -> Referrers:
    changes: dict[str, tuple[str, ...] | None] = {}
    for path in stale:
        old, new = _targets(before, path), _targets(after, path)
        for target in old ^ new:
            paths = changes[target] if target in changes else referrers.get(target)
            at = bisect_left(paths or (), path)
            rest = paths or ()
            changes[target] = rest[:at] + ((path, *rest[at:]) if target in new else rest[at + 1 :]) or None
    return with_changed(referrers, changes) if changes else referrers


def _targets(documents: Documents, path: str) -> set[str]:
    document = documents.get(path)
    return document.targets if document else set()
