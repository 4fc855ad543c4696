"""Which earlier decisions a new one ends or contradicts: denied by a person, given up for another choice, or opposed.

Looks at records and words; writes nothing, and says none where it is not clear which. What a decision that was recorded
before says of one that is only read now is in `overturned`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_core.consolidate.clauses import clash, clauses
from memory_core.consolidate.similar import Opposition, denies, overlap, words_of
from memory_core.providers.builtin import judgment
from memory_core.providers.builtin.known import Claim, Known
from memory_core.providers.builtin.record_text import date_of
from memory_core.providers.builtin.recording import ALIKE
from memory_core.providers.builtin.said_order import last_entry, until_of
from memory_core.providers.builtin.scopes import elsewhere
from memory_core.providers.builtin.sentences import language_of
from memory_core.providers.builtin.slug_terms import name_words
from memory_core.records.schema import Kind
from memory_core.refactor.new import LAST_SOURCES
from memory_core.staging import CandidateRef, Decision

RELATED = 45  # of 100: about the same thing, enough where a person also says that it replaces something
CLEARER = 10  # by how much the best related decision must lead before it is taken for the one that is replaced


@dataclass(frozen=True)
class Turn:
    """The words with which a person takes something back. `chosen`: what holds from then on; `topic`: all that is said
    about it; `voiced`: the entries in which a person says it."""

    chosen: str
    topic: str
    voiced: frozenset[str]


def turn_of(ref: CandidateRef, decision: Decision) -> Turn | None:
    """What a candidate gives up, if it gives up something."""
    if not judgment.says_otherwise(ref, decision):
        return None
    topic = " ".join([*decision.options, decision.chosen, decision.rationale, judgment.human_words(ref)])
    return Turn(decision.chosen, topic, judgment.voiced(ref))


def taken_back(ref: CandidateRef, title: str, found: list[tuple[float, Claim]]) -> Claim | None:
    """What holds until now and a person's later words deny; None where they may only make an exception of it."""
    if not judgment.by_human(ref):
        return None
    for _, claim in found:
        if claim.source_count >= LAST_SOURCES or _before(ref, claim):
            continue
        against = clash(title, claim.text)
        told = judgment.reverses(judgment.human_words(ref)) or ref.source.session_id in claim.sessions
        if against is Opposition.EQUAL or (against is Opposition.WIDER and told):
            return claim
    return None


def given_up(ref: CandidateRef, decision: Decision, known: Known) -> Claim | None:
    """The one decision that a person clearly gave up for this one; None when it is not clear which, or whether."""
    turn = turn_of(ref, decision)
    best = clearly_meant(turn, about(turn, known)) if turn else None
    if best is None or _before(ref, best) or elsewhere(decision.options, decision.chosen, best.text):
        return None
    return best


def about(turn: Turn, known: Known) -> list[Claim]:
    """The decisions in force that share words with what gives something up."""
    found = [claim for _, claim in known.nearest(turn.topic, (Kind.DECISION,))]
    if language_of(turn.topic) != "en":  # where few pairs of characters are shared, the terms may be the same
        near = {claim.ref for claim in found}
        found += [
            c
            for c in known.holding(Kind.DECISION)
            if c.ref not in near and 100 * _shared(c.text, turn.topic) >= RELATED
        ]
    return found


def clearly_meant(turn: Turn, claims: Iterable[Claim]) -> Claim | None:
    """The one of some decisions that is given up: the nearest, if it leads. Those that say the same as it are no rivals
    of it: whoever gives up the one gives up the others."""
    # One message may decide two things; what it says of the one gives up nothing of the other.
    related = ((nearness(turn, claim), claim) for claim in claims if not turn.voiced & claim.hashes)
    ranked = sorted(related, key=lambda pair: (-pair[0], pair[1].ref))
    if not ranked or ranked[0][0] < RELATED or ranked[0][1].source_count >= LAST_SOURCES:
        return None
    lead, best = ranked[0]
    rival = next((near for near, claim in ranked[1:] if not claim.repeats(best.text)), 0.0)
    return None if lead - rival < CLEARER else best


def nearness(turn: Turn, claim: Claim) -> float:
    """How far (0 to 100) an earlier decision is about what a person turns to."""
    return max(claim.likeness(turn.chosen), 100 * _related(claim, turn.chosen, turn.topic))


def with_repeats(ref: CandidateRef, old: Claim, known: Known) -> list[Claim]:
    """What is given up, first, and all else in force that says the same and was said before: a second record of two
    branches, the knowledge that a run made of it. What a person wrote down as knowledge is theirs."""
    found = [claim for _, claim in known.nearest(old.text, (Kind.DECISION, Kind.KNOWLEDGE))]
    return [old, *(c for c in found if c.ref != old.ref and repeated_by(old, c) and not _before(ref, c))]


def repeated_by(old: Claim, claim: Claim) -> bool:
    """Whether a record says the same as one that is given up, and goes with it."""
    decided = claim.ref.kind is Kind.DECISION and claim.source_count < LAST_SOURCES
    return (decided or (claim.ref.kind is Kind.KNOWLEDGE and claim.made)) and claim.repeats(old.text)


def _before(ref: CandidateRef, claim: Claim) -> bool:
    """Whether it was said before what a record rests on was said last: it takes nothing of that back."""
    if claim.sessions == {ref.source.session_id} and last_entry(ref) > claim.last_entry:
        return False  # whatever the clock says, which may have been set back meanwhile
    moment = until_of(ref)
    return bool(moment) and (moment < claim.moment if claim.moment else date_of(ref) < claim.date)


def about_all(old: Claim, said: Sequence[str]) -> bool:
    """Whether all parts of an earlier decision are about what is decided now; a part that is not was not given up."""
    topic = " ".join(said)
    parts = clauses(old.text)
    about = [max(overlap(part, topic), _shared(part, topic)) for part in parts]
    return len(parts) == 1 or all(100 * share >= RELATED for share in about)


def _related(claim: Claim, chosen: str, topic: str) -> float:
    """How far (0 to 1) an earlier decision is about what is chosen now: by its words, by its terms, or because it
    turned down what is chosen now."""
    turned_down = _shared(claim.rejected, chosen) if claim.rejected else 0.0
    return max(overlap(claim.text, topic), _shared(claim.text, topic), turned_down)


def _shared(first: str, second: str) -> float:
    """The share of the first text's terms that the second one has; 0 where it has fewer than two. In languages without
    blanks, pairs of characters say little where the words between the terms are others."""
    language = language_of(first)
    terms, others = _terms(first, language), _terms(second, language)
    return len(terms & others) / len(terms) if len(terms) > 1 else 0.0


@lru_cache(maxsize=32_768)
def _terms(text: str, language: str) -> frozenset[str]:
    return words_of(text) if language == "en" else frozenset(name_words(text, language))


def opposed_to(chosen: str, found: list[tuple[float, Claim]]) -> Claim | None:
    """What says the opposite, in whole or in part, or the same with another figure."""
    return next(
        (
            claim
            for likeness, claim in found
            if likeness >= ALIKE
            or denies(claim.text, chosen) >= ALIKE
            or clash(chosen, claim.text) is not Opposition.NONE
        ),
        None,
    )
