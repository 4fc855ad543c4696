"""What may be sent to an enricher: records that are in force. Everything that is not named here is refused.

A session's text, candidates, legacy rows and what is archived have no `RecordRef`, so that no code can hand them over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memory_core.enrich.port import SCOPE_OF, Caps, EnrichRow, id_of
from memory_core.enrich.row_text import row_text
from memory_core.layout import record_at, record_path
from memory_core.records.record import Record, parse
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.scope import scope_of, understood
from memory_core.snapshot import Document, Snapshot

KINDS = frozenset({Kind.SUMMARY, Kind.DECISION, Kind.REQUEST, Kind.KNOWLEDGE, Kind.WORKFLOW})
_LEGACY = ("policy:legacy", "legacy")  # an origin that says it is a copy of a conversation row


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a document is not sent: one word that is counted."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Sendable:
    """A document that may be sent, before anything is made of its text: most were sent already."""

    document: Document
    ref: RecordRef
    rev: str
    scope: Mapping[str, str]

    @property
    def id(self) -> str:
        return id_of(self.ref)

    def row(self) -> EnrichRow:
        """As it is sent: what the record says itself, without quotations and secrets."""
        record = self.document.record or parse(self.ref, self.document.text)
        return EnrichRow(self.ref, self.rev, row_text(record), self.scope)


def sendable(snapshot: Snapshot, caps: Caps) -> Iterator[Sendable | Refused]:
    """Every document of a store in path order, if it may be sent, else with the reason why not."""
    for path in sorted(snapshot.documents):
        yield look(snapshot.documents[path], caps)


def look(document: Document, caps: Caps) -> Sendable | Refused:
    """Whether one document may be sent."""
    ref = document.ref
    record = document.record
    reason = "no record" if ref is None or record is None else _reason(document, record, caps)
    if reason or ref is None or record is None:
        return Refused(document.path, reason)
    return Sendable(document, ref, revision(document), scope_of(record))


def checked(row: EnrichRow, caps: Caps) -> str:
    """Why a row that somebody made by hand is refused; empty when it may go."""
    if row.ref.kind not in KINDS or record_at(record_path(row.ref)) != row.ref:
        return "no record"
    if not set(row.scope) <= SCOPE_OF[caps.scope]:
        return "scope"
    return "size" if len(row.text.encode("utf-8", "replace")) > caps.max_bytes else ""


def revision(document: Document) -> str:
    """What stands for the exact text of a record."""
    return document.digest.hex()


def in_force(record: Record) -> bool:
    """Whether a record speaks for itself: nothing took its place."""
    return record.status is not Status.REPLACED and record.replaced_by is None


def _reason(document: Document, record: Record, caps: Caps) -> str:
    if document.unreadable or record.head is None or record.head.broken:
        return "unreadable"
    if record.ref.kind not in KINDS:
        return "kind"
    if not in_force(record):
        return "superseded"
    if record.value("origin") in _LEGACY:
        return "legacy"
    scope = record.value("scope")
    if not understood(record):
        return "scope"
    if scope is not None and not set(scope) <= SCOPE_OF[caps.scope]:
        return "scope"
    return "size" if len(document.text.encode("utf-8", "replace")) > caps.max_bytes else ""
