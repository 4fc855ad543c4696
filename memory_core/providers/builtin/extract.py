"""The keyless extract provider: rules over a slice whose speakers the host decided, in English, Japanese,
Chinese and Korean.

Every candidate is made of sentences that were really said, shortened at their borders. It prefers silence to a guess,
calls no network, and gives the same answer for the same slice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from memory_core.consolidate.similar import same_figures, same_sense, score
from memory_core.consolidate.turned import turned
from memory_core.extract.evidence import EvidenceItem, evidence_of
from memory_core.extract.payload import MAX_CANDIDATES
from memory_core.extract.task import Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.providers.builtin.attempts import tried
from memory_core.providers.builtin.decisions import mapped, stated
from memory_core.providers.builtin.discussions import left_open
from memory_core.providers.builtin.reconsidered import settled_since
from memory_core.providers.builtin.reports import chosen
from memory_core.providers.builtin.requests import requested
from memory_core.providers.builtin.sentence_parts import without_filler
from memory_core.providers.builtin.sentences import capitalized, weight
from memory_core.providers.builtin.taken_in import adds
from memory_core.providers.builtin.takeup import answered_until, taken_up
from memory_core.providers.builtin.turns import Finding, cues_of, turns_of
from memory_core.providers.builtin.verdicts import taken_back
from memory_core.staging import ARRAYS
from memory_core.worker import Work, WorkerReport

MOST = 40  # candidates of one slice that were not said outright
_MOST_OF = {"decisions": 20, "attempts": 8, "requests": 12}
_OUTRIGHT = 0.7  # score from which a decision or request is no guess
_DOUBLE = 88.0  # of 100: above it, two candidates say the same
_AHEAD = 4  # turns after one in which what it tried may still come out otherwise
_COMPARED = 4 * MOST  # of the surest findings, each later one is compared with so many: more are never handed in
_REDACTED = "[redacted "
_CLAUSE = re.compile(r"[,;，；、]\s*|\s+(?=but\b)")
_EVIDENCE = 12


class BuiltinExtractor:
    """The extract step without a model. Finds what a person decided, asked for, saw tried, or left open."""

    name = "builtin"
    model: str | None = None

    async def run(self, work: Work, view: Slice) -> WorkerReport:
        """Hand in what the slice holds, in one accepted call; empty arrays where it holds nothing worth keeping."""
        found = found_in(view)
        kept = _best(found)
        if isinstance(work.toolbox, ExtractToolbox):
            for finding in found:
                if finding not in kept:
                    work.toolbox.leave_out(finding.array, finding.text, "the slice holds others that are surer")
        turns = 0
        for payload in map(payload_of, _helpings(kept)):
            result = work.toolbox.call("write_extracted", payload)
            turns += 1
            # The host objects once to a language. Sentences as they were said have no other: they are handed in again.
            if result.is_error and turns == 1:
                result = work.toolbox.call("write_extracted", payload)
                turns += 1
        return WorkerReport(turns=turns, stopped=None if work.toolbox.finished else f"refused: {result.text}")


def _helpings(findings: Sequence[Finding]) -> list[list[Finding]]:
    """The findings in as few parts as calls take; one without any where there are none."""
    found: list[list[Finding]] = [[]]
    placed = Counter[str]()
    for finding in findings:
        number = placed[finding.array] // MAX_CANDIDATES
        placed[finding.array] += 1
        found += [[] for _ in range(number + 1 - len(found))]
        found[number].append(finding)
    return found


def find(view: Slice) -> tuple[Finding, ...]:
    """The candidates of a slice, best first within the limits of a slice."""
    return _best(found_in(view))


def found_in(view: Slice) -> list[Finding]:
    """Everything found in a slice, without doubles and secrets, the surest first. Of its lead, which was looked at
    before, only what the slice adds something to."""
    items = evidence_of(view)
    found = _found_among(items)
    if view.first < view.start:
        own = [finding for finding in found if any(item.entries[1] >= view.start for item in finding.items)]
        before = set(map(_told, _found_among(evidence_of(replace(view, end=view.start - 1)))))
        found = [finding for finding in own if _told(finding) not in before]
    clean = [kept for finding in found if (kept := _without_secret(finding))]
    return _without_doubles(clean)


def _told(finding: Finding) -> tuple[str, str, int]:
    """What a finding says, and from which place on."""
    return finding.array, finding.text, min(item.entries[0] for item in finding.items)


def _found_among(items: Sequence[EvidenceItem]) -> list[Finding]:
    turns = turns_of(items)
    found: list[Finding] = []
    undone: list[Finding] = []
    answered: dict[str, int] = {}
    settled: set[str] = set()
    for number, turn in enumerate(turns):
        later = turns[number + 1 : number + 1 + _AHEAD]
        taken = list(taken_up(turn, items))
        if taken and turn.said:
            answered[turn.human.id] = answered_until(turn)
        decided = [*taken, *stated(turn, answered.get(turn.human.id, 0)), *mapped(turn)]
        (undone if taken_back(later) else found).extend(decided)
        attempts = list(tried(turn, later))
        if any(attempt.fields["succeeded"] for attempt in attempts):
            settled.add(turn.human.id)
        found += [*attempts, *chosen(turn, later), *left_open(turn)]
    return settled_since(found + list(requested(turns, answered, settled)), turns, undone)


def payload_of(findings: Iterable[Finding]) -> dict[str, Any]:
    """The arguments of `write_extracted`: all four arrays, each candidate with the ids of its evidence."""
    payload: dict[str, Any] = {array: [] for array in ARRAYS}
    for finding in findings:
        evidence = list(dict.fromkeys(item.id for item in finding.items))[:_EVIDENCE]
        fields = {name: value for name, value in finding.fields.items() if value is not None}
        payload[finding.array].append({**fields, "evidence": evidence})
    return payload


def _without_secret(finding: Finding) -> Finding | None:
    """The finding without the clauses that hold a secret; None where nothing that says enough is left of its text."""
    if _REDACTED not in repr(dict(finding.fields)):
        return finding
    fields: dict[str, Any] = {}
    for name, value in finding.fields.items():
        match value:
            case str():
                fields[name] = _clauses_kept(value)
            case list():
                fields[name] = [kept for text in value if (kept := _clauses_kept(str(text)))]
            case _:
                fields[name] = None if _REDACTED in repr(value) else value
    rest = replace(finding, fields=fields)
    return rest if weight(rest.text) >= 2 and fields.get("intent", "x") else None


def _clauses_kept(text: str) -> str:
    """A text without the clauses that hold a secret, and without those that only point at one (`put it there`)."""
    if _REDACTED not in text:
        return text
    clauses = [clause for clause in _CLAUSE.split(text) if _REDACTED not in clause]
    cues = cues_of(text)
    while clauses and cues.pronoun.search(clauses[0]) and not cues.rule.search(clauses[0]):
        clauses.pop(0)
    return capitalized(without_filler(", ".join(clauses).strip(), cues)) if clauses else ""


def _without_doubles(found: Sequence[Finding]) -> list[Finding]:
    """The findings without those that say again what one before them says; a double's evidence goes to that one."""
    kept: list[Finding] = []
    for finding in sorted(found, key=_order):
        place = next((n for n, other in enumerate(kept[:_COMPARED]) if _same(finding, other)), None)
        if place is None:
            kept.append(finding)
        elif finding.array == kept[place].array:
            items = tuple({item.id: item for item in (*kept[place].items, *finding.items)}.values())
            kept[place] = replace(_newer(kept[place], finding), items=items)
    return kept


def _newer(one: Finding, other: Finding) -> Finding:
    """Of two that say the same: the first, but the one that says more, and the later one where only the figures differ,
    for those were changed."""
    if same_figures(one.text, other.text):
        return other if adds(other.text, one.text) else one
    return max(one, other, key=lambda finding: max(item.entries[0] for item in finding.items))


def _same(finding: Finding, other: Finding) -> bool:
    """Whether two findings say the same; an attempt and the decision to make it do not."""
    if finding.array != other.array and "attempts" in (finding.array, other.array):
        return False
    texts = finding.text, other.text
    if adds(*texts) and adds(*reversed(texts)):
        return False
    return score(*texts) >= _DOUBLE and same_sense(*texts) and not turned(*texts)


def _best(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """What is handed in: all that was said outright, and of what is less sure the surest; of what is equally sure the
    latest, which may take back what was said before."""
    kept: list[Finding] = []
    for finding in sorted(found, key=lambda finding: (_order(finding)[0], -_order(finding)[1])):
        alike = sum(other.array == finding.array for other in kept)
        if _outright(finding) or (len(kept) < MOST and alike < _MOST_OF[finding.array]):
            kept.append(finding)
    return tuple(sorted(kept, key=_order))


def _outright(finding: Finding) -> bool:
    """Whether a person said it in so many words: then it is not left out for number alone."""
    return finding.array == "discussions" or (finding.array in ("decisions", "requests") and finding.score >= _OUTRIGHT)


def _order(finding: Finding) -> tuple[float, int]:
    return -round(finding.score, 3), min(item.entries[0] for item in finding.items)
