"""Candidates whose evidence a record already holds: a run died before closing them, or the same log was fed twice.

Finds only what is certain; likeness without the same evidence is the worker's business.
"""

from __future__ import annotations

from collections.abc import Iterable

from memory_core.consolidate.provenance import candidate_keys, record_keys
from memory_core.consolidate.similar import overlap
from memory_core.consolidate.writes import name_of
from memory_core.records.record import Record
from memory_core.records.schema import Kind
from memory_core.snapshot import Snapshot
from memory_core.staging import CandidateRef, Decision, Request
from memory_core.text import shorten

_KINDS = {"decisions": (Kind.DECISION, Kind.KNOWLEDGE), "requests": (Kind.REQUEST, Kind.KNOWLEDGE)}
TITLE = 200  # characters of what a candidate says that a record has in its title
SAME_WORDS = 0.6  # one message may hold two decisions: the place alone does not say that both are recorded


def covered_by(candidates: Iterable[CandidateRef], snapshot: Snapshot) -> dict[str, str]:
    """Candidate id to the record (`decision/<slug>`) that holds all its anchors and most of its words."""
    wanted = {kind for kinds in _KINDS.values() for kind in kinds}
    records = [
        (kind, document.record, record_keys(document.record))
        for kind in Kind
        if kind in wanted
        for document in snapshot.index.slugs[kind].values()
        if document.record
    ]
    found: dict[str, str] = {}
    for ref in candidates:
        keys = candidate_keys(ref)
        for kind, record, held in records if keys else ():
            if kind in _KINDS.get(ref.array, ()) and keys <= held and _says(record, ref):
                found[ref.id] = name_of(record.ref)
                break
    return found


def claim(ref: CandidateRef) -> str:
    """What a candidate says in one sentence."""
    match ref.candidate:
        case Decision() as d:
            return d.chosen
        case Request() as r:
            return r.summary or r.intent
        case other:
            return getattr(other, "topic", "") or getattr(other, "action", "")


def _says(record: Record, ref: CandidateRef) -> bool:
    # The beginning says it: a record may hold a shortened text.
    return overlap(shorten(claim(ref), TITLE), own_words(record)) >= SAME_WORDS


def own_words(record: Record) -> str:
    """What a record says itself. A quoted message may hold a second decision, which is not this record's."""
    lines = (line for line in record.body.splitlines() if not line.lstrip().startswith(">"))
    return "\n".join([record.description or "", *lines])
