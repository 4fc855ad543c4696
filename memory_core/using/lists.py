"""The usage report seen beside the records that are there: what could be knowledge, what costs tokens unread."""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.lint.resident import resident_set
from memory_core.records.schema import SUMMARY
from memory_core.snapshot import Snapshot
from memory_core.usage import Lists, RecordUsage, lists_of

_ALL = 1 << 60  # a budget that everything fits into


def lists_over(snapshot: Snapshot, rows: Sequence[RecordUsage]) -> Lists:
    """The lists for people. The summary is left out of them: it is resident by design and read by nobody's request."""
    existing = [(str(kind), slug) for kind, slugs in snapshot.index.names.items() for slug in slugs]
    found = resident_set(snapshot, _ALL, with_summary=False)
    resident = {(str(line.ref.kind), line.ref.slug): line.tokens for line in found.lines}
    summary = (str(SUMMARY.kind), SUMMARY.slug)
    kept = [row for row in rows if (row.kind, row.slug) != summary]
    return lists_of(kept, (key for key in existing if key != summary), resident)
