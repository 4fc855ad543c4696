"""What a run says of itself and of the store beside its changes: churn, depth of merges, and what could be resident.

Figures for people; decides nothing. Only a person makes a record resident.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from memory_core import tokens
from memory_core.changes import ChangeSet
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.snapshot import Snapshot
from memory_core.usage import RecordUsage

RESIDENT_USES = 5  # reads of a record before it is worth a thought: fewer may be one busy afternoon
MOST_PROPOSALS = 5


@dataclass(frozen=True, slots=True)
class ResidencyProposal:
    """Knowledge that is read so often that showing its line in every session may cost less than looking it up.
    `tokens`: what that line would cost each time, estimated."""

    slug: str
    use_count: int
    last_used_at: str | None
    tokens: int

    def plain(self) -> dict[str, Any]:
        return {"kind": "knowledge", **asdict(self)}


@dataclass(frozen=True, slots=True)
class Churn:
    """How much a run moved. `existing`: records before it; `depth`: of the longest chain of replaced decisions that a
    changed record is the end or a part of; `sources`: the most that a changed record rests on."""

    existing: int = 0
    created: int = 0
    updated: int = 0
    deleted: int = 0
    depth: int = 0
    sources: int = 0

    def plain(self) -> dict[str, Any]:
        moved = self.updated + self.deleted
        return {**asdict(self), "share": round(moved / self.existing, 4) if self.existing else 0.0}


def churn(base: Snapshot, after: Snapshot, changes: ChangeSet) -> Churn:
    """What a change set did to the records of a snapshot; `after`: the snapshot with it."""
    ops = [change.op for change in changes]
    changed = [document.record for path in changes.files if (document := after.documents.get(path))]
    records = [record for record in changed if record]
    depths = _depths(after) if any(record.ref.kind is Kind.DECISION for record in records) else {}
    return Churn(
        existing=sum(1 for document in base.documents.values() if document.ref),
        created=ops.count("create"),
        updated=ops.count("update"),
        deleted=ops.count("delete"),
        depth=max((depths.get(record.ref.slug, 0) for record in records), default=0),
        sources=max((len(record.sources) for record in records), default=0),
    )


def residency(snapshot: Snapshot, usage: Iterable[RecordUsage]) -> tuple[ResidencyProposal, ...]:
    """Knowledge that is not resident and is read often, most read first."""
    found = []
    for row in usage:
        if row.kind != Kind.KNOWLEDGE or row.use_count < RESIDENT_USES:
            continue
        record = snapshot.record(RecordRef(Kind.KNOWLEDGE, row.slug))
        if record and not record.resident:
            line = f"- #{row.slug}: {record.description or ''}"
            found.append(ResidencyProposal(row.slug, row.use_count, row.last_used_at, tokens.estimate(line)))
    return tuple(sorted(found, key=lambda p: (-p.use_count, p.slug))[:MOST_PROPOSALS])


def _depths(snapshot: Snapshot) -> dict[str, int]:
    """For each decision in a chain of replacements, how many hops the longest chain through its end has."""
    following = {
        slug: document.record.replaced_by
        for slug, document in snapshot.index.slugs[Kind.DECISION].items()
        if document.record and document.record.status is Status.REPLACED and document.record.replaced_by
    }
    depths: dict[str, int] = {}
    for start in following:
        chain = [start]
        while (after := following.get(chain[-1])) and after not in chain:
            chain.append(after)
        for slug in chain:
            depths[slug] = max(depths.get(slug, 0), len(chain) - 1)
    return depths
