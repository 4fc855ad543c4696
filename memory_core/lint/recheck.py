"""What the linter says of the documents that an editor shows, brought up to date after a change: only what the change
can have touched is checked again.

Values in, values out, for threads; says nothing to anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory_core.diagnostic import Diagnostic
from memory_core.layout import record_at, record_path
from memory_core.lint.check import Severities, check
from memory_core.lint.facts import LintFacts
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot

_FEW = 64  # so many are checked again without asking which of them a change can have touched


@dataclass(frozen=True)
class Checked:
    """What was found, of which records, and in the light of what."""

    snapshot: Snapshot
    severities: Severities
    facts: LintFacts
    found: Mapping[str, Sequence[Diagnostic]]


def recheck(
    before: Checked | None, snapshot: Snapshot, severities: Severities, facts: LintFacts, shown: Sequence[str]
) -> Checked:
    """The problems of the documents at `shown`; what `before` says of a document is kept where it must still hold."""
    known: Mapping[str, Sequence[Diagnostic]] = {}
    stale: set[str] = set()
    if before and before.severities == severities and len(shown) > _FEW and snapshot.index.knows_links:
        known = before.found
        stale = touched(before, snapshot) | facts_touched(before, facts, snapshot)
    documents = snapshot.documents
    found = {
        path: known[path] if path in known and path not in stale else tuple(check(snapshot, path, severities, facts))
        for path in shown
        if path in documents
    }
    return Checked(snapshot, severities, facts, found)


def touched(before: Checked, after: Snapshot) -> set[str]:
    """The documents about which something else may have to be said now: those that changed, those that name a record
    which came or went or is a link of their chain, those that look like it, and all that had a problem, which may have
    been that."""
    old, new = before.snapshot.documents, after.documents
    if old is new:
        return set()
    changed = {path for path, document in new.items() if old.get(path) is not document}
    changed |= {path for path in old if path not in new}
    moved = {path for path in changed if (path in old) != (path in new)}
    stale = set(changed)
    for path in changed:
        ref = record_at(path)
        if ref and (path in moved or ref.kind is Kind.DECISION):
            stale.update(_dependents(after, ref))
    if moved:
        stale |= {path for path, problems in before.found.items() if problems}
        stale.update(path for path in moved for path in _alike(before.snapshot, after, path))
    return stale


def facts_touched(before: Checked, after: LintFacts, snapshot: Snapshot) -> set[str]:
    """The documents that facts about the whole store, or about logs, speak of differently now. Of logs only what is
    open is asked for, so its text is here."""
    if before.facts is after:
        return set()
    stale = before.facts.touched(after)
    old, new = before.facts.logs or {}, after.logs or {}
    sessions = [each for each in {*old, *new} if old.get(each, "") != new.get(each, "")] if old != new else []
    if sessions:
        read = ((path, document) for path, document in snapshot.documents.items() if document.is_read)
        stale |= {path for path, document in read if any(session in document.text for session in sessions)}
    return stale


def _dependents(snapshot: Snapshot, ref: RecordRef) -> Iterator[str]:
    """The documents that name a record and, of a decision, the chains of replacements that lead to it."""
    seen, waiting = {ref}, [ref]
    while waiting:
        here = waiting.pop()
        for path in snapshot.index.backlinks.paths(here):
            yield path
            source = record_at(path)
            if here.kind is Kind.DECISION and source and source.kind is Kind.DECISION and source not in seen:
                seen.add(source)
                waiting.append(source)


def _alike(before: Snapshot, after: Snapshot, path: str) -> Iterator[str]:
    ref = record_at(path)
    if ref and ref.kind is not Kind.SUMMARY:
        for snapshot in (before, after):
            for slug in snapshot.index.near[ref.kind].alike(ref.slug):
                yield record_path(RecordRef(ref.kind, slug))
