"""The immutable picture of a workspace's records that every question is asked of. A change makes a new snapshot.

Knows nothing of disks and editors: whoever holds unsaved text lays it over the stored documents (`with_texts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from memory_core.changes import ChangeSet
from memory_core.document import Document
from memory_core.index import Index
from memory_core.layered import changed as with_changed
from memory_core.layout import is_memory_path, record_path
from memory_core.records.record import Record
from memory_core.records.schema import RecordRef

__all__ = ["Document", "Snapshot", "snapshot_of"]


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
        """With some documents replaced, or dropped where the value is None; all others are shared, and so is what was
        derived from them."""
        changed = {path: document for path, document in changed.items() if document is None or is_memory_path(path)}
        documents = with_changed(self.documents, changed)
        new = replace(self, documents=documents, revision=self.revision + 1)
        if "index" in self.__dict__:
            new.__dict__["index"] = self.index.after(documents, changed)
        return new

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
