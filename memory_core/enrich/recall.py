"""The one place where an enricher's answers meet the store's: deadlines, scope, revisions, order, drops.

The store answers first and alone is enough. What an enricher returns can add to that answer, and never takes from it.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memory_core.enrich.allow import in_force, revision
from memory_core.enrich.call import Calls, Pending
from memory_core.enrich.derived import Untrusted, untrusted
from memory_core.enrich.fuse import fused
from memory_core.enrich.port import Caps, Deadline, Derived, Enricher, EnrichQuery, Hit, Mode, id_of, ref_of
from memory_core.records.schema import Kind, RecordRef
from memory_core.scope import Caller, Who, seen_by
from memory_core.search import RecordHit, search_records
from memory_core.search.records import hit_for
from memory_core.snapshot import Snapshot

RECALL_S = 0.5
FIRST_S = 1.5  # the most that an enricher may ask for its first recall
MOST_HITS = 50
MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Question:
    """What is looked for, on whose behalf."""

    text: str
    who: Who
    kind: Kind | None = None
    limit: int = 20
    excerpt_lines: int = 3


@dataclass(frozen=True)
class Found:
    """Records in order, each with the names of the enrichers that found it too; text that is nobody's record; a line
    for each enricher that failed. `drops` (by enricher and reason) and `ghosts` (ids that an enricher should forget)
    are for the operator: they tell of records that the one who asked may not see."""

    hits: tuple[RecordHit, ...]
    via: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    untrusted: tuple[Untrusted, ...] = ()
    warnings: Mapping[str, str] = field(default_factory=dict)
    drops: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    ghosts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass
class Configured:
    """An enricher and the calls made of it. `warm`: it has answered in this process."""

    enricher: Enricher
    calls: Calls
    warm: bool = False


def search(snapshot: Snapshot, question: Question, enrichers: Sequence[Configured] = ()) -> Found:
    """The store's answer, and what enrichers add to it. Never raises for an enricher, and waits for none of them longer
    than its deadline; they work at the same time."""
    seen = seen_by(snapshot, question.who)
    started = time.monotonic()
    running, skipped = _begun(question, enrichers, _hidden(snapshot, seen))
    hits = search_records(seen, question.text, question.kind, question.limit, question.excerpt_lines)
    warnings: dict[str, str] = {}
    answers: list[tuple[Enricher, list[Hit], list[Derived]]] = []
    drops: dict[str, Counter[str]] = {name: Counter({reason: 1}) for name, reason in skipped.items()}
    for one, pending, seconds in running:
        value, why = pending.wait(max(0.0, started + seconds - time.monotonic()))
        counted = drops.setdefault(one.enricher.name, Counter())
        found = None if why else _well_formed(value, one.enricher.caps, counted)
        if found is None:
            warnings[one.enricher.name] = why or "the enricher answered more than it may, or nothing of the right form"
            one.calls.circuit.failed()
            continue
        one.calls.circuit.worked()
        one.warm = True
        answers.append((one.enricher, *found))
    return _merged(snapshot, seen, question, hits, answers, warnings, drops)


def _hidden(snapshot: Snapshot, seen: Snapshot) -> frozenset[str]:
    """The ids of the records that are not seen; in nearly every workspace there are none."""
    if seen is snapshot:
        return frozenset()
    refs = (snapshot.documents[path].ref for path in snapshot.documents.keys() - seen.documents.keys())
    return frozenset(id_of(ref) for ref in refs if ref)


def _begun(
    question: Question, enrichers: Sequence[Configured], hidden: frozenset[str]
) -> tuple[list[tuple[Configured, Pending, float]], dict[str, str]]:
    """The calls that were started with the seconds each may take, and why others were not."""
    running: list[tuple[Configured, Pending, float]] = []
    skipped: dict[str, str] = {}
    for one in enrichers:
        query = _query(question, one.enricher.caps, hidden)
        if isinstance(query, str):
            skipped[one.enricher.name] = query
            continue
        seconds = RECALL_S if one.warm else max(RECALL_S, min(one.enricher.caps.first_s, FIRST_S))
        deadline = Deadline(seconds)
        begun = one.calls.begin(lambda e=one.enricher, q=query, d=deadline: e.recall(q, d))  # type: ignore[misc]
        if isinstance(begun, str):
            skipped[one.enricher.name] = begun
        else:
            running.append((one, begun, seconds))
    return running, skipped


def _query(question: Question, caps: Caps, hidden: frozenset[str] = frozenset()) -> EnrichQuery | str:
    """The question as an enricher of these capabilities may be asked it, or why it is not."""
    blank = question.text.strip() in ("", "*")
    mode: Mode = "recent" if blank else "semantic"
    if mode not in caps.modes:
        return "cannot search this way"
    who = question.who if isinstance(question.who, Caller) else Caller()
    if caps.scope == "own_agent" and not who.agent:
        return "needs an agent to ask for"
    agent = who.agent if caps.scope in ("own_agent", "agents", "tenant", "full") else None
    tenant = who.tenant if caps.scope in ("tenant", "full") else None
    hidden = hidden if caps.fuses else frozenset()
    return EnrichQuery(question.text, min(question.limit, MOST_HITS), mode, agent, tenant, hidden)


def _well_formed(value: object, caps: Caps, drops: Counter[str]) -> tuple[list[Hit], list[Derived]] | None:
    """References and texts of an answer, cut to what is allowed; None for an answer that is no list or too large."""
    if not isinstance(value, list | tuple):
        return None
    hits: list[Hit] = []
    texts: list[Derived] = []
    size = 0
    for item in value[:MOST_HITS]:
        match item:
            case Hit(id=str(), rev=str(), score=float() | int()) if math.isfinite(item.score):
                size += len(item.id) + len(item.rev)
                hits += [item] if caps.result == "reference" else []
                drops["undeclared"] += caps.result != "reference"
            case Derived(text=str(), score=float() | int()) if math.isfinite(item.score):
                size += len(item.text)
                texts += [item] if caps.result == "derived" else []
                drops["undeclared"] += caps.result != "derived"
            case _:
                drops["malformed"] += 1
        if size > MOST_BYTES:
            return None
    drops["over the limit"] += max(0, len(value) - MOST_HITS)
    return hits, texts


def _merged(
    snapshot: Snapshot,
    seen: Snapshot,
    question: Question,
    hits: list[RecordHit],
    answers: Iterable[tuple[Enricher, list[Hit], list[Derived]]],
    warnings: dict[str, str],
    drops: dict[str, Counter[str]],
) -> Found:
    via: dict[str, list[str]] = {}
    ghosts: dict[str, list[str]] = {}
    texts: list[tuple[str, Derived]] = []
    found = list(hits)
    for enricher, references, derived in answers:
        kept: list[RecordHit] = []
        for reference in sorted(references, key=lambda hit: (-hit.score, hit.id, hit.rev)):
            hit = _rehydrated(snapshot, seen, question, reference)
            if isinstance(hit, str):
                drops[enricher.name][hit] += 1
                if hit in ("missing", "superseded", "revision"):
                    ghosts.setdefault(enricher.name, []).append(reference.id)
            elif enricher.name not in via.setdefault(reference.id, []):
                via[reference.id].append(enricher.name)
                kept.append(hit)
        if enricher.caps.fuses:
            found = fused(question.text, found, kept)
        else:
            known = {(hit.kind, hit.slug) for hit in found}
            found += [hit for hit in kept if (hit.kind, hit.slug) not in known]
        texts += [(enricher.name, item) for item in sorted(derived, key=lambda d: (-d.score, d.text))]
    shown = tuple(found[: question.limit])
    names = {id_of(RecordRef(hit.kind, hit.slug)) for hit in shown}
    return Found(
        shown,
        {known: tuple(found_by) for known, found_by in via.items() if known in names},
        tuple(untrusted(texts)),
        warnings,
        {name: dict(+counted) for name, counted in drops.items() if +counted},
        {name: tuple(sorted(set(ids))) for name, ids in ghosts.items()},
    )


def _rehydrated(snapshot: Snapshot, seen: Snapshot, question: Question, reference: Hit) -> RecordHit | str:
    """The record that a reference names, as the store has it now, or why it is dropped."""
    ref = ref_of(reference.id)
    if ref is None:
        return "malformed"
    document = seen.document(ref)
    if document is None:
        return "other scope" if snapshot.document(ref) else "missing"
    record = document.record
    if record is None or document.unreadable:
        return "unreadable"
    if not in_force(record):
        return "superseded"
    if revision(document) != reference.rev:
        return "revision"
    if question.kind is not None and ref.kind is not question.kind:
        return "other kind"
    return hit_for(document, ref, reference.score, question.text, question.excerpt_lines)
