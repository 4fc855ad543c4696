"""Hints for tidying: what stands out in the records as they are.

Facts for a worker to judge; proposes nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from memory_core.config import MemorySettings
from memory_core.consolidate.draft import shown
from memory_core.consolidate.writes import ORIGIN
from memory_core.diagnostic import Severity
from memory_core.lint.check import Severities, check
from memory_core.lint.duplicates import find_duplicates
from memory_core.lint.facts import LintFacts
from memory_core.lint.resident import resident_plan
from memory_core.records.record import Record
from memory_core.records.schema import Kind, RecordRef, Status, name_of
from memory_core.refactor.new import LAST_SOURCES, plain_sources
from memory_core.snapshot import Snapshot
from memory_core.usage import RecordUsage

HINT_LIMIT = 20  # of one sort: more would crowd out the candidates
LONG_BODY = 4_000  # characters; half of what the linter lets a body have
MANY_PARTS = 3
UNREAD_DAYS = 90
_KINDS = (Kind.DECISION, Kind.REQUEST, Kind.KNOWLEDGE)


@dataclass(frozen=True)
class TidyHints:
    """Each entry is one line of text, in a stable order."""

    replaced: tuple[str, ...] = ()
    many_sources: tuple[str, ...] = ()
    similar_slugs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    to_split: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def tidy_hints(
    snapshot: Snapshot,
    severities: Severities | None = None,
    memory: MemorySettings | None = None,
    usage: Iterable[RecordUsage] = (),
    now: datetime | None = None,
) -> TidyHints:
    """What stands out in the records. Without the settings of `memory` nothing is said about the resident context,
    without `now` nothing about reads."""
    plan = resident_plan(snapshot, memory.resident_token_budget, with_summary=memory.inject_summary) if memory else None
    facts = LintFacts(duplicates=find_duplicates(snapshot), resident=plan)
    return TidyHints(
        bounded(_replaced(snapshot)),
        bounded(_many_sources(snapshot)),
        bounded(line for kind in _KINDS for line in similar_slugs(kind, snapshot)),
        bounded(_warnings(snapshot, severities, facts)),
        bounded(_to_split(snapshot)),
        bounded(_unsupported(snapshot)),
        bounded(_unread(snapshot, usage, now) if now else ()),
    )


def _replaced(snapshot: Snapshot) -> Iterable[str]:
    """Chains of replaced decisions, from the start of each chain to where it ends."""
    decisions = snapshot.index.slugs[Kind.DECISION]
    targets = {document.record.replaced_by for document in decisions.values() if document.record}
    for slug, document in decisions.items():
        record = document.record
        if not record or record.status is not Status.REPLACED or slug in targets:
            continue
        chain = [slug]
        while record and record.replaced_by and record.replaced_by not in chain:
            chain.append(record.replaced_by)
            record = snapshot.record(RecordRef(Kind.DECISION, record.replaced_by))
        yield " -> ".join(f"decision/{part}" for part in chain)


def _many_sources(snapshot: Snapshot) -> Iterable[str]:
    for kind in _KINDS:
        for document in snapshot.index.slugs[kind].values():
            count = len(plain_sources(document.record)) if document.record else 0
            if document.ref and count > LAST_SOURCES:
                yield f"{name_of(document.ref)}: {count} sources"


def similar_slugs(kind: Kind, snapshot: Snapshot) -> Iterable[str]:
    """Groups of slugs within the distance of each other, joined where they share a member."""
    slugs = list(snapshot.index.slugs[kind])
    table = snapshot.index.near[kind]
    group = {slug: slug for slug in slugs}

    def root(slug: str) -> str:
        while group[slug] != slug:
            slug = group[slug]
        return slug

    for slug in slugs:
        for other in table.alike(slug):
            first, second = sorted((root(slug), root(other)))
            group[second] = first
    members: dict[str, list[str]] = {}
    for slug in slugs:
        members.setdefault(root(slug), []).append(slug)
    for cluster in members.values():
        if len(cluster) > 1:
            yield ", ".join(f"{kind}/{slug}" for slug in sorted(cluster))


def _to_split(snapshot: Snapshot) -> Iterable[str]:
    """Records with several headings in a long body: probably more than one topic."""
    for record in _records(snapshot):
        if parts := parts_of(record):
            yield f"{name_of(record.ref)}: {parts}"


def parts_of(record: Record) -> str:
    """What makes a record look like several, in words; empty where it does not."""
    if len(record.body) < LONG_BODY:
        return ""
    heads = [line.strip("# ") for line in record.body.splitlines() if line.startswith("## ")]
    if len(heads) < MANY_PARTS:
        return ""
    return f"{len(record.body)} characters in {len(heads)} parts ({', '.join(heads[:4])})"


def _unsupported(snapshot: Snapshot) -> Iterable[str]:
    """Records that a run made and whose sources are gone from them."""
    for record in _records(snapshot):
        if record.value("origin") == ORIGIN and not record.sources:
            yield f"{name_of(record.ref)}: made by a consolidation, and rests on no source any more"


def _unread(snapshot: Snapshot, usage: Iterable[RecordUsage], now: datetime) -> Iterable[str]:
    """Knowledge nobody has read for long. A young record may simply be new."""
    used = {(row.kind, row.slug) for row in usage if row.use_count}
    for record in _records(snapshot):
        if record.ref.kind is not Kind.KNOWLEDGE or (record.ref.kind, record.ref.slug) in used:
            continue
        if days := days_unchanged(record.updated_at, now):
            yield f"{name_of(record.ref)}: never read, unchanged for {days} days"


def days_unchanged(at: datetime | None, now: datetime) -> int:
    """How many days a record has been as it is, where these are enough to be told; else 0."""
    days = (now - at.replace(tzinfo=at.tzinfo or UTC)).days if at else 0
    return days if days >= UNREAD_DAYS else 0


def _records(snapshot: Snapshot) -> Iterable[Record]:
    for kind in _KINDS:
        for document in snapshot.index.slugs[kind].values():
            if document.record and not document.unreadable:
                yield document.record


def _warnings(snapshot: Snapshot, severities: Severities | None, facts: LintFacts) -> Iterable[str]:
    for path in sorted(snapshot.documents):
        for problem in check(snapshot, path, severities, facts):
            if problem.severity is not Severity.HINT:
                yield shown(path, problem)


def bounded(lines: Iterable[str]) -> tuple[str, ...]:
    found = list(lines)
    if len(found) > HINT_LIMIT:
        found = [*found[:HINT_LIMIT], f"(and {len(found) - HINT_LIMIT} more)"]
    return tuple(found)
