"""Candidates whose evidence a record already holds: a run died before closing them, or the same log was fed twice.

Finds only what is certain; likeness without the same evidence is the worker's business.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from memory_core.consolidate.provenance import Place, candidate_places, record_places
from memory_core.consolidate.similar import denials, figures, same_sense, without_inflections, words_of
from memory_core.consolidate.turned import turned
from memory_core.records.record import Record
from memory_core.records.schema import Kind, name_of
from memory_core.snapshot import Snapshot
from memory_core.staging import CandidateRef, Decision, Request
from memory_core.text import shorten

_KINDS = {"decisions": (Kind.DECISION, Kind.KNOWLEDGE), "requests": (Kind.REQUEST, Kind.KNOWLEDGE)}
# What binds a reason to its choice says nothing more: a record has the reason under a label of its own.
_BINDING = words_of("because since due given")
TITLE = 200  # characters of what a candidate says that a record has in its title


def covered_by(candidates: Iterable[CandidateRef], snapshot: Snapshot) -> dict[str, str]:
    """Candidate id to the record (`decision/<slug>`) that holds all its anchors and says it, and all else that the
    candidate says: a reason that is in no record would be lost with it."""
    wanted = {kind for kinds in _KINDS.values() for kind in kinds}
    documents = [d for kind in Kind if kind in wanted for d in snapshot.index.slugs[kind].values()]
    records = [document.record for document in documents if document.record]
    holders: defaultdict[Place, set[int]] = defaultdict(set)
    for number, record in enumerate(records):
        for place in (name for names in record_places(record) for name in names):
            holders[place].add(number)
    found: dict[str, str] = {}
    for ref in candidates:
        held = [set().union(*(holders.get(name, ()) for name in names)) for names in candidate_places(ref)]
        for record in (records[number] for number in sorted(set.intersection(*held) if held else ())):
            text = own_words(record)
            here = record.ref.kind in _KINDS.get(ref.array, ()) and says(text, ref)
            if here and all(stands_in(said, text) for said in told(ref)):
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


def told(ref: CandidateRef) -> tuple[str, ...]:
    """All that a decision or a request says, each in its own words; nothing for what becomes no record of its own."""
    match ref.candidate:
        case Decision() as d:
            fields = (d.chosen, d.rationale, *d.options)
        case Request() as r:
            fields = (r.summary, r.intent, r.target or "")
        case _:
            fields = ()
    return tuple(field for field in fields if words_of(field))


def says(text: str, ref: CandidateRef) -> bool:
    """Whether a text says what a candidate claims. The beginning says it: a record may hold a shortened text."""
    said = shorten(claim(ref), TITLE).rstrip("…")
    return bool(words_of(said)) and stands_in(said, text)


def stands_in(said: str, text: str) -> bool:
    """Whether a text says something: a line or paragraph of it has every word, with the same figures and the same
    denials. One message may hold several decisions that share most of their words (`Node 18 for tests, Node 20 for
    builds`); a candidate too many is decided by a worker, one that is taken for another is lost."""
    parts = [*text.splitlines(), *(" ".join(part.split()) for part in re.split(r"\n\s*\n", text))]
    return any(_is_in(said, part) for part in dict.fromkeys(parts)) or (
        denials(said) == denials(text) and _is_in(said, " ".join(text.split()))
    )


def _is_in(said: str, part: str) -> bool:
    words, others = words_of(said) - _BINDING, words_of(part)
    only, _ = without_inflections(words - others, others - words)
    return (
        bool(words)
        and not only
        and same_sense(said, part)
        and figures(said) <= figures(part)
        and not turned(said, part)
    )


def own_words(record: Record) -> str:
    """What a record says itself. A quoted message may hold a second decision, which is not this record's."""
    lines = (line for line in record.body.splitlines() if not line.lstrip().startswith(">"))
    return "\n".join([record.description or "", *lines])
