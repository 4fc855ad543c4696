"""Whether a record, or another candidate, can have anything to do with what a candidate says: the least that a closing
on it asks for.

Finds only what is plainly unrelated; what says the same is for `covered` and for whoever decides.
"""

from __future__ import annotations

from collections.abc import Iterable

from memory_core.consolidate.alike import in_other_scripts
from memory_core.consolidate.covered import claim, own_words
from memory_core.consolidate.provenance import candidate_keys, record_keys
from memory_core.consolidate.similar import tokens, without_inflections, words_of
from memory_core.consolidate.turned import LIGHT
from memory_core.records.record import Record
from memory_core.staging import CandidateRef, Decision, Request

# Words that any two statements may share, and figures. Each by itself: `tokens` folds them where they stand together.
_LIGHT = LIGHT.union(*map(tokens, ("not", "let's", "write", "please", "should", "0")))


def record_speaks_of(record: Record, ref: CandidateRef) -> bool:
    """Whether a record shares an entry of a log or a word that means something with a candidate, or is written in
    another script, in which words cannot be compared."""
    title = record.ref.slug.replace("-", " ")
    return bool(candidate_keys(ref) & record_keys(record)) or _text_speaks_of(f"{title}\n{own_words(record)}", ref)


def speaks_of(other: CandidateRef, ref: CandidateRef) -> bool:
    """The same of another candidate."""
    return bool(candidate_keys(ref) & candidate_keys(other)) or _text_speaks_of(_told(other), ref)


def no_longer_said(before: Record, after: Record | None, held: Iterable[CandidateRef]) -> list[str]:
    """The ids of those of which a record said something before a change and says nothing behind it."""
    was, now = own_words(before), own_words(after) if after else ""
    return [ref.id for ref in held if _text_speaks_of(was, ref) and not _text_speaks_of(now, ref)]


def _text_speaks_of(text: str, ref: CandidateRef) -> bool:
    """Whether a text has a word of what a candidate says."""
    told = _told(ref)
    words, others = words_of(told) - _LIGHT, words_of(text)
    only, _ = without_inflections(words - others, others - words)
    return not words or bool(words - only) or in_other_scripts(told, text)


def _told(ref: CandidateRef) -> str:
    match ref.candidate:
        case Decision() as d:
            return f"{d.chosen}\n{d.rationale}"
        case Request() as r:
            return f"{r.summary}\n{r.intent}\n{r.target or ''}"
        case _:
            return claim(ref)
