"""The lexical index as an enricher: what it was given last, searched by words.

The same search over a snapshot is what every answer begins with (`local`); that one needs no state and cannot be stale.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.document import Document
from memory_core.enrich.port import Caps, Deadline, EnrichQuery, EnrichRow, Hit, id_of, ref_of
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.search import RecordHit, search_records
from memory_core.snapshot import Snapshot


def local(snapshot: Snapshot, query: str, kind: Kind | None, limit: int, excerpt_lines: int) -> list[RecordHit]:
    """What the authority itself answers: complete without any enricher."""
    return search_records(snapshot, query, kind, limit, excerpt_lines)


class Lexical:
    """Words, in memory. Its state ends with the process, so whoever uses it sends all records once."""

    caps = Caps(scope="full", max_bytes=1 << 20)
    model = "words-1"

    def __init__(self, name: str = "lexical") -> None:
        self.name = name
        self._snapshot = Snapshot()
        self._revisions: dict[str, str] = {}

    def upsert(self, rows: Sequence[EnrichRow], deadline: Deadline) -> None:  # noqa: ARG002 - the port's signature
        documents = {record_path(row.ref): Document(record_path(row.ref), row.text) for row in rows}
        self._snapshot = self._snapshot.with_documents(documents)
        self._revisions.update((row.id, row.rev) for row in rows)

    def recall(self, query: EnrichQuery, deadline: Deadline) -> Sequence[Hit]:  # noqa: ARG002
        found = search_records(self._snapshot, query.text, None, query.limit)
        ids = [(id_of(RecordRef(hit.kind, hit.slug)), hit.score) for hit in found]
        return [Hit(known, self._revisions[known], score) for known, score in ids]

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:  # noqa: ARG002
        gone = {record_path(ref): None for known in ids if (ref := ref_of(known))}
        self._snapshot = self._snapshot.with_documents(gone)
        for known in ids:
            self._revisions.pop(known, None)
