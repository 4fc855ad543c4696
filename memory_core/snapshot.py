"""The immutable picture of a workspace's records that every question is asked of. A change makes a new snapshot.

Knows nothing of disks and editors: whoever holds unsaved text lays it over the stored documents (`with_texts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from memory_core.changes import ChangeSet
from memory_core.index import Index, Link, links_of
from memory_core.layout import is_memory_path, record_at, record_path, shown_ref
from memory_core.records.mask import mask
from memory_core.records.record import Record, parse
from memory_core.records.refs import Reference, scan
from memory_core.records.schema import RecordRef
from memory_core.text import LineIndex


@dataclass(frozen=True)
class Document:
    """A file under the record folders: its text and what follows from it. `unreadable` says why `text` may be wrong
    (bytes that are not UTF-8, a file that cannot be opened); such a file must never be written back."""

    path: str
    text: str
    unreadable: str | None = None

    @cached_property
    def ref(self) -> RecordRef | None:
        """The record this file is; None where the path is no place for a record or its stem is no slug."""
        return record_at(self.path)

    @cached_property
    def record(self) -> Record | None:
        """The parsed record, also under a bad slug; None where the folder holds no records."""
        ref = shown_ref(self.path)
        return parse(ref, self.text) if ref else None

    @cached_property
    def lines(self) -> LineIndex:
        return LineIndex(self.text)

    @cached_property
    def masked(self) -> str:
        """The body with code, links and the like blanked; the head is kept as it is."""
        start = self.record.body_start if self.record else 0
        return self.text[:start] + mask(self.text[start:])

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """`#slug` and `/slug` in the body, in order."""
        start = self.record.body_start if self.record else 0
        return tuple(scan(self.text, start, self.masked))

    @cached_property
    def description_references(self) -> tuple[Reference, ...]:
        """`#slug` and `/slug` in the description, as it is written in the head, in order."""
        entry = self.record.head.entries.get("description") if self.record and self.record.head else None
        if not entry or ("#" not in entry.item.raw and "/" not in entry.item.raw):
            return ()
        return tuple(scan(self.text[: entry.item.end], entry.item.start))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """What the document names. Kept with it, so that a new snapshot's tables cost little more than its change."""
        return tuple(links_of(self))


@dataclass(frozen=True)
class Snapshot:
    """All documents by path relative to the root, with a revision that grows with every change."""

    documents: Mapping[str, Document] = field(default_factory=lambda: MappingProxyType({}))
    revision: int = 0

    @cached_property
    def index(self) -> Index:
        """Slug tables, references and backlinks, derived on first use."""
        return Index(self.documents)

    def document(self, ref: RecordRef) -> Document | None:
        return self.documents.get(record_path(ref))

    def record(self, ref: RecordRef) -> Record | None:
        document = self.document(ref)
        return document.record if document else None

    def with_documents(self, changed: Mapping[str, Document | None]) -> Snapshot:
        """With some documents replaced, or dropped where the value is None; all others are shared."""
        documents = {**self.documents}
        for path, document in changed.items():
            if document is None:
                documents.pop(path, None)
            elif is_memory_path(path):
                documents[path] = document
        return replace(self, documents=MappingProxyType(documents), revision=self.revision + 1)

    def with_texts(self, texts: Mapping[str, str]) -> Snapshot:
        """With unsaved text laid over stored documents."""
        return self.with_documents({path: Document(path, text) for path, text in texts.items()})

    def with_changes(self, changes: ChangeSet) -> Snapshot:
        """The preview of a change set."""
        return self.with_documents(
            {c.path: None if c.after is None else Document(c.path, c.after) for c in changes},
        )


def snapshot_of(texts: Mapping[str, str]) -> Snapshot:
    """A snapshot of texts by path; for tests, previews and demonstrations."""
    return Snapshot().with_texts(texts)
