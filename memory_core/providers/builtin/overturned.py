"""What was overturned before it was known: which decision that is recorded already ends one that is only read now, and
which records hold though a later decision says what it was taken instead of.

Logs are read in any order and branches are merged in any order: what somebody said last holds, whichever was recorded
first. Looks at records and words; writes nothing, and says none where it is not clear which, or which came later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice

from memory_core.consolidate.clauses import clash
from memory_core.consolidate.similar import Opposition, figures, words_of
from memory_core.providers.builtin import judgment
from memory_core.providers.builtin.known import Claim, Known
from memory_core.providers.builtin.record_text import date_of, moment_of, place_of
from memory_core.providers.builtin.said_order import last_entry, until_of
from memory_core.providers.builtin.scopes import elsewhere
from memory_core.providers.builtin.superseded import CLEARER, RELATED, Turn, about, about_all, clearly_meant, nearness
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.staging import CandidateRef, Decision

KINDS = (Kind.DECISION, Kind.KNOWLEDGE)
AGREEING = 0.5  # of what a record says beside what was turned down: more of it has the decision that turned it down
LOOKED_AT = 5  # decisions that may have ended one: each is compared with all that it may have meant instead
_SLIGHT = frozenset(("use",))
# What stands behind a word that turns something down, up to where the sentence says what for; in Japanese and Korean
# the word that turns down comes last.
_TURNED_DOWN = (
    re.compile(
        r"(?<!not )(?<!n't )(?<!never )\b(?:instead of|rather than|in place of|no longer(?: us(?:e|ing))?|stop using"
        r"|get(?:ting)? rid of|drop(?:ping)?|scrap(?:ping)?|ditch(?:ing)?|abandon(?:ing)?"
        r"|replac(?:e|es|ed|ing)|(?:switch|mov|migrat|chang)\w* (?:away |over )?from"
        r"|away from|(?<=, )not(?: as| in)?)"
        r" (?:the |an? |our )?(?P<what>[^,;:()\n]{1,60}?)"
        r"(?=\.?$|\.\s|[,;:()\n]|\s(?:for|in|on|to|with|by|as|at|when|because|since|and|but|from|so|if|while)\b)",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<what>[^\s、。，,はをがにで]{2,20})\s*(?:ではなく|じゃなく|でなく|をやめ|の代わりに|말고|대신)"),
    re.compile(r"(?:而不是|而非|不再使用|不再用|不用|放弃|取代|替换|代替)\s*(?P<what>[^\s，。、,；]{2,20})"),
)


def claim_from(ref: CandidateRef, decision: Decision, title: str, known: Known) -> Claim:
    """What a candidate would claim as a record."""
    return Claim(
        RecordRef(Kind.DECISION, ""),
        title,
        date=date_of(ref),
        sessions=frozenset((ref.source.session_id,)),
        hashes=judgment.hashes(ref),
        human=judgment.by_human(ref),
        rationale=decision.rationale,
        scope=known.scope,
        moment=moment_of(ref),
        last_entry=last_entry(ref),
        until=until_of(ref),
    )


def ended_by(old: Claim, known: Known, order: Callable[[Claim, Claim], bool] | None = None) -> Claim | None:
    """The decision recorded already that gave up, or denied, what was said before it: the one most like it. `order`:
    how the later one stands to the older one, if not surely after it."""
    order = order or said_after
    near = (claim for _, claim in known.nearest(old.text, (Kind.DECISION,), over=True))
    later = (claim for claim in near if claim.human and order(claim, old) and (_denies(claim, old) or _turns(claim)))
    return next((claim for claim in islice(later, LOOKED_AT) if ends(claim, old, known)), None)


def overturned(known: Known) -> Iterator[tuple[Claim, Claim]]:
    """Records in force, each with the later decision that names what it says as what it was taken instead of. A pair
    of which one says that it conflicts with, or replaces, the other was looked at before: it is as people left it."""
    decisions = [claim for ref, claim in sorted(known.claims.items()) if ref.kind is Kind.DECISION and claim.human]
    for later in decisions:
        for old in _named_by(later, known):
            if old.scope == later.scope and not _looked_at(old, later):
                known.scope = old.scope
                if ends(later, old, known):
                    yield old, later


def outlived(known: Known) -> Iterator[tuple[Claim, Claim]]:
    """Knowledge in force that says what a decision said that was given up since, and rests on no other words; with
    what holds now."""
    given_up = [c for c in known.claims.values() if c.ref.kind is Kind.DECISION and c.status is Status.REPLACED]
    resting: dict[str, list[Claim]] = {}
    for claim in given_up:
        for name in claim.hashes:
            resting.setdefault(name, []).append(claim)
    for ref, knowledge in sorted(known.claims.items()):
        if ref.kind is not Kind.KNOWLEDGE or knowledge.status is Status.REPLACED or not knowledge.hashes:
            continue
        for old in resting.get(min(knowledge.hashes), ()):
            holding = known.in_place_of(old)
            if (
                knowledge.hashes <= old.hashes
                and knowledge.repeats(old.text)
                and holding.status is not Status.REPLACED
                and place_of(ref) not in holding.replaces
            ):
                yield knowledge, holding
                break


def ends(later: Claim, old: Claim, known: Known) -> bool:
    """Whether a decision of a person ends another one, if it was said after it, by the measure of one that is decided
    now."""
    if not later.human or known.in_place_of(later).ref == old.ref:  # people went back to it
        return False
    if not about_all(old, (later.rejected, later.text, later.rationale)):
        return False
    if _denies(later, old) or not _turns(later):
        return _denies(later, old)
    if any(elsewhere((what, ""), later.text, _bare(old.text)) for what in _turned_down(later)):
        return False
    turn = Turn(later.text, f"{later.rejected} {later.text} {later.rationale} {later.spoken}", later.voiced)
    if nearness(turn, old) < RELATED or _meant_another(turn, later, old, known):
        return False
    rivals = [claim for claim in about(turn, known) if claim.ref not in (later.ref, old.ref)]
    meant = clearly_meant(turn, [old, *(claim for claim in rivals if not said_after(claim, later))])
    return meant is not None and (meant.ref == old.ref or old.repeats(meant.text))


def said_after(later: Claim, old: Claim) -> bool:
    """Whether one was surely said after the other: by the clock, and in one log also by the place. A clock may be set
    back, and a log that was cut and went on numbers its entries anew: where the two disagree, nobody knows."""
    if later.sessions == old.sessions and len(old.sessions) == 1:
        behind = later.last_entry > old.last_entry
        return behind and not (old.moment and later.moment and later.moment < old.moment)
    if later.moment and old.moment:
        return later.moment > max(old.moment, old.until)
    return bool(later.moment) and later.date > old.date


def order_unknown(one: Claim, other: Claim) -> bool:
    """Whether either may have been said first: a log that tells only when it began is open beside another one."""
    if one.sessions == other.sessions or not one.moment or not other.moment:
        return False
    ends = max(one.moment, one.until), max(other.moment, other.until)
    vague = ends != (one.moment, other.moment)
    return vague and one.moment <= ends[1] and other.moment <= ends[0]


def _denies(later: Claim, old: Claim) -> bool:
    against = clash(later.text, old.text)
    told = judgment.reverses(later.spoken) or bool(later.sessions & old.sessions)
    return against is Opposition.EQUAL or (against is Opposition.WIDER and told)


def _turns(claim: Claim) -> bool:
    return judgment.gives_up(claim.spoken, claim.text, claim.rationale)


def _meant_another(turn: Turn, later: Claim, old: Claim, known: Known) -> bool:
    """Whether a decision gave up something that it is clearly more about."""
    gone = (claim for claim in known.claims.values() if claim.replaced_by == later.ref.slug and claim.ref != old.ref)
    return any(nearness(turn, claim) - nearness(turn, old) >= CLEARER for claim in gone)


def _looked_at(old: Claim, later: Claim) -> bool:
    places = place_of(old.ref), place_of(later.ref)
    return places[0] in later.replaces + later.conflicts or places[1] in old.replaces + old.conflicts


def _named_by(later: Claim, known: Known) -> Iterator[Claim]:
    """The records in force that say what a decision turns down, of the same thing: what they say beside it the decision
    says too, for the most part."""
    words = words_of(later.text)
    for what in _turned_down(later):
        turned_down = words_of(what)
        for old in known.having(turned_down, KINDS):
            said = _own_words(old.text)
            beside = said - turned_down - _SLIGHT
            same_thing = turned_down <= said and (not beside or len(beside & words) > AGREEING * len(beside))
            if same_thing and figures(what) <= figures(old.text) and said_after(later, old):
                yield old


def _turned_down(claim: Claim) -> list[str]:
    """Each thing that a decision says it was taken instead of."""
    found = [match["what"] for pattern in _TURNED_DOWN for match in pattern.finditer(f"{claim.text}\n{claim.spoken}")]
    return [what for what in dict.fromkeys((*found, *claim.rejected.split(";"))) if words_of(what)]


@lru_cache(maxsize=32_768)
def _own_words(text: str) -> frozenset[str]:
    return words_of(_bare(text))


def _bare(text: str) -> str:
    """A statement without what it turns down itself."""
    for pattern in _TURNED_DOWN:
        text = pattern.sub(" ", text)
    return text
