"""Pairs of records that say the same, found for all records in one pass.

Compares only; whether two are merged, and which one stays, is decided in `tidying`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from memory_core.consolidate.similar import denials, same_figures, score, words_of
from memory_core.consolidate.turned import turned
from memory_core.layout import record_path
from memory_core.lint.duplicates import find_duplicates
from memory_core.providers.builtin.known import Claim
from memory_core.providers.builtin.recording import ALIKE
from memory_core.providers.builtin.taken_in import said_in
from memory_core.records.schema import RecordRef, Status
from memory_core.snapshot import Snapshot

Pair = tuple[RecordRef, RecordRef]

CROWD = 32  # claims that share all words but one: a template, whose members are each compared with the next few only
NEIGHBORS = 4
MOST_WORDS = 24  # of a claim: longer ones are compared by their whole text only


def twins(snapshot: Snapshot, claims: Mapping[RecordRef, Claim]) -> Iterator[tuple[Pair, bool]]:
    """Pairs of one kind and one scope that are alike, in the order of their names, and whether they surely say the
    same: a pair that differs in a figure, or denies what the other says, is not. The work grows with the number of
    records, not with that of pairs."""
    by_path = {record_path(ref): ref for ref in claims}
    alike = find_duplicates(snapshot, passing=True)
    whole = {_ordered(by_path[one], by_path[two]) for one, others in alike.items() for two in others
             if one in by_path and two in by_path}  # fmt: skip
    near = set(_near(claims.values()))
    for pair in sorted(whole | near):
        first, second = (claims[ref] for ref in pair)
        if first.ref.kind is not second.ref.kind or first.scope != second.scope:
            continue
        if Status.REPLACED in (first.status, second.status):
            continue
        sense, figures = first.same_sense(second.text), same_figures(first.text, second.text)
        same = sense and score(first.text, second.text) >= ALIKE
        if pair in whole and sense and figures and not same:  # the claims differ, yet the texts may not
            bodies = [said_in(record) for ref in pair if (record := snapshot.record(ref))]
            same = (
                len(bodies) == 2
                and denials(bodies[0]) == denials(bodies[1])
                and same_figures(*bodies)
                and not turned(*bodies)
            )
        if same or pair in whole:
            yield pair, same and figures


def _ordered(one: RecordRef, other: RecordRef) -> Pair:
    return (one, other) if one < other else (other, one)


def _near(claims: Iterable[Claim]) -> Iterator[Pair]:
    """Pairs whose claims have the same words, or all but one: each claim is filed under its words, and under them
    without each one of them."""
    drawers: dict[int, list[RecordRef]] = defaultdict(list)
    for claim in sorted(claims, key=lambda claim: claim.ref):
        words = words_of(claim.text)
        if not words or len(words) > MOST_WORDS:
            continue
        base = hash(claim.ref.kind)
        keys = {word: hash(word) for word in words}
        total = base + sum(keys.values())  # the order of words does not matter, and one less is one subtraction
        for key in {total, *(total - one for one in keys.values())} if len(words) > 1 else {total}:
            drawers[key].append(claim.ref)
    for refs in drawers.values():
        reach = len(refs) if len(refs) <= CROWD else NEIGHBORS
        for at, ref in enumerate(refs):
            for other in refs[at + 1 : at + 1 + reach]:
                yield _ordered(ref, other)
