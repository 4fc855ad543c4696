"""From a worker's payload to candidates with anchors, or to every reason why it is refused.

The rules of support: an unknown id refuses the payload; a decision rests on what somebody said, a request on what a
human said; tool output alone supports neither, however sure a model is of it. Who hands in the same again gets the
rest accepted, and what lacks support is set aside with its reason.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field

from memory_core.extract.evidence import EvidenceItem, anchors_for
from memory_core.extract.language import is_written_in
from memory_core.extract.payload import AttemptIn, CandidateIn, DecisionIn, DiscussionIn, Payload, RequestIn
from memory_core.extract.task import SetAside
from memory_core.language_names import language_name
from memory_core.redact import brief
from memory_core.staging import ARRAYS, Anchor, Attempt, Candidate, Decision, Discussion, Request

Candidates = dict[str, tuple[Candidate, ...]]


@dataclass(frozen=True)
class Handover:
    """What became of a payload. `candidates`: by array, None where it is refused for all of `problems`; `language`:
    what is wrong with the language, if anything; `set_aside`: what was left out, which is nothing at a first try."""

    candidates: Candidates | None
    problems: tuple[str, ...] = ()
    language: str | None = None
    set_aside: tuple[SetAside, ...] = field(default=())


def accept(
    payload: Payload, items: Sequence[EvidenceItem], language: str, *, again: bool = False, start: int = 0
) -> Handover:
    """`again`: unsupported candidates were objected to once; now they are set aside and the others go on. `start`: the
    entry with which the slice begins; what stands before it was extracted already."""
    known = {item.id: item for item in items}
    candidates: dict[str, list[Candidate]] = {array: [] for array in ARRAYS}
    problems: list[str] = []
    cited: list[EvidenceItem] = []
    aside: list[SetAside] = []
    for array in ARRAYS:
        for number, given in enumerate(getattr(payload, array)):
            support, wrong = _support(given, known, start)
            if wrong and again:
                aside.append(set_aside(array, _says(given), "; ".join(wrong)))
                continue
            problems += [f"{array}.{number}.evidence: {problem}" for problem in wrong]
            cited += support
            candidates[array].append(_candidate(given, anchors_for(support, _says(given))))
    if problems:
        return Handover(None, tuple(problems))
    kept = {name: tuple(array) for name, array in candidates.items()}
    return Handover(kept, (), _language_problem(payload, cited, language), tuple(aside))


def set_aside(array: str, what: str, reason: str) -> SetAside:
    """What was found and not staged, short and without secrets: it is shown and written down."""
    return SetAside(array, brief(" ".join(what.split()), 120), brief(reason, 200))


def _says(given: CandidateIn) -> str:
    match given:
        case DecisionIn():
            return given.chosen
        case DiscussionIn():
            return given.topic
        case AttemptIn():
            return f"{given.action}: {given.result}"
        case RequestIn():
            return given.intent


def _support(given: CandidateIn, known: dict[str, EvidenceItem], start: int) -> tuple[list[EvidenceItem], list[str]]:
    """The items that a candidate cites, once each in the order cited, and what is wrong with them."""
    problems: list[str] = []
    support: dict[str, EvidenceItem] = {}
    for raw in given.evidence:
        wanted = raw.strip().upper()
        if wanted not in known:
            problems.append(f"there is no evidence `{raw}`{_nearest(wanted, known)}")
        elif known[wanted].recalled:
            problems.append(f"{wanted} is memory that was read back, which supports nothing new: cite the session")
        else:
            support[wanted] = known[wanted]
    if problems:
        return list(support.values()), problems
    match given:
        case DecisionIn() if not any(item.kind == "message" for item in support.values()):
            problems.append("tool output alone cannot support a decision: cite the message in which it was made")
        case RequestIn() if not any(item.by_human for item in support.values()):
            problems.append("a request needs a message of the human: cite it, or leave the request out")
    if support and not any(item.entries[1] >= start for item in support.values()):
        problems.append(
            f"all that it cites stands before entry {start}, where this part begins, and was extracted then: cite what "
            "this part adds to it, or leave it out"
        )
    return list(support.values()), problems


def _candidate(given: CandidateIn, evidence: tuple[Anchor, ...]) -> Candidate:
    match given:
        case DecisionIn():
            return Decision(
                options=tuple(given.options), chosen=given.chosen, rationale=given.rationale, evidence=evidence
            )
        case DiscussionIn():
            return Discussion(topic=given.topic, points=tuple(given.points), evidence=evidence)
        case AttemptIn():
            return Attempt(action=given.action, result=given.result, succeeded=given.succeeded, evidence=evidence)
        case RequestIn():
            return Request(intent=given.intent, target=given.target, summary=given.summary, evidence=evidence)


def _nearest(wanted: str, known: dict[str, EvidenceItem]) -> str:
    """Valid ids close to a wrong one, by number within its letter, else by spelling."""
    letters = wanted.rstrip("0123456789")
    same = [name for name in known if name.rstrip("0123456789") == letters]
    if same and letters != wanted:
        number = int(wanted[len(letters) :][:9])
        same.sort(key=lambda name: abs(int(name[len(letters) :]) - number))
        return f"; near it: {', '.join(sorted(same[:3]))}"
    close = difflib.get_close_matches(wanted, known, n=3, cutoff=0.3) or list(known)[:3]
    return f"; ids look like {', '.join(close)}" if close else "; this slice has none"


def _language_problem(payload: Payload, cited: Sequence[EvidenceItem], language: str) -> str | None:
    quoted = [item.text[:2_000] for item in cited if item.by_human]
    if is_written_in(language, payload.texts(), quoted):
        return None
    name = language_name(language)
    return f"write in {name}: the human's messages are; identifiers, paths and quotations stay as they are"
