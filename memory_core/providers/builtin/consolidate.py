"""The keyless consolidator: rules that merge by evidence and likeness, and write only through the toolbox.

The same input gives the same bytes. In doubt it keeps two records rather than losing one, and says what it left.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.consolidate.clauses import same_statement, widens
from memory_core.consolidate.covered import TITLE, stands_in, told
from memory_core.consolidate.covered import claim as claimed
from memory_core.consolidate.provenance import candidate_keys, chosen_anchors
from memory_core.consolidate.similar import overlap, same_figures, score, tokens
from memory_core.consolidate.task import ConsolidateInput
from memory_core.consolidate.voiced import by_tools_alone
from memory_core.errors import Cancelled
from memory_core.providers.builtin import judgment
from memory_core.providers.builtin.decision_title import title_and_reason
from memory_core.providers.builtin.finished import report_in
from memory_core.providers.builtin.known import Claim, Known, known_in
from memory_core.providers.builtin.lessons import Lessons
from memory_core.providers.builtin.overturned import claim_from, ended_by, order_unknown
from memory_core.providers.builtin.record_text import place_of, room
from memory_core.providers.builtin.recording import ALIKE, Recorder
from memory_core.providers.builtin.said_order import as_said
from memory_core.providers.builtin.superseded import about_all, given_up, opposed_to, taken_back, with_repeats
from memory_core.providers.builtin.taken_in import adds
from memory_core.providers.builtin.tidying import Tidying
from memory_core.providers.builtin.wording import labelled, labels, reason, sentence, titled
from memory_core.records.schema import Kind, Status, name_of
from memory_core.staging import Attempt, CandidateRef, Decision, Discussion, Request
from memory_core.text import shorten
from memory_core.worker import Work, WorkerReport


@dataclass(frozen=True)
class BuiltinConsolidator:
    """Rules in the place of a model: no key, no network, no tokens."""

    name: str = "builtin"
    model: str | None = None

    async def run(self, work: Work, view: ConsolidateInput) -> WorkerReport:
        """Decide every candidate of the view through the toolbox. Raises Cancelled when progress says so."""
        recorder = Recorder(work, known_in(view.snapshot))
        lessons = Lessons(recorder, view)
        seen: list[tuple[CandidateRef, str]] = []
        total = len(view.candidates)
        for number, ref in enumerate(as_said(view.candidates)):
            await asyncio.sleep(0)  # so that a cancel from outside is seen between two candidates
            if work.progress.cancelled:
                raise Cancelled("The consolidation was stopped: nothing was written, the candidates are still staged.")
            work.progress.report(f"Candidate {number + 1} of {total}", number / total)
            twin = _twin(ref, seen)
            if twin:
                recorder.close(ref, "duplicate", "says the same of the same evidence", twin)
                continue
            _decide(ref, recorder, lessons, view)
            seen.append((ref, claimed(ref)))
        tidying = Tidying(recorder, view)
        if view.tidy:
            await tidying.run()
        if view.candidates or lessons.region:  # tidying alone starts no block in people's summary
            lessons.keep_summary_current()
        return WorkerReport(turns=recorder.calls, noticed=(*lessons.noticed, *tidying.noticed))


def _twin(ref: CandidateRef, seen: list[tuple[CandidateRef, str]]) -> str | None:
    """An earlier candidate that rests on the same entries and says the same, and all else that this one says."""
    keys, text = candidate_keys(ref), claimed(ref)
    for other, said in seen if keys else ():
        if other.array == ref.array and keys <= candidate_keys(other) and same_statement(text, said):
            known = "\n\n".join((said, *told(other)))
            if all(one in known or stands_in(one, known) for one in told(ref) if one != text):
                return other.id
    return None


def _decide(ref: CandidateRef, recorder: Recorder, lessons: Lessons, view: ConsolidateInput) -> None:
    recorder.known.scope = frozenset((ref.source.scope or {}).items())
    if recorder.known.scope and isinstance(ref.candidate, Attempt | Discussion):
        recorder.close(ref, "discarded", "it would stand in the summary, which more people see than its session")
        return
    match ref.candidate:
        case Decision() as decision:
            _decision(ref, decision, recorder)
        case Request() as request:
            _request(ref, request, recorder, view)
        case Attempt() as attempt:
            lessons.attempt(ref, attempt)
        case Discussion() as discussion:
            lessons.discussion(ref, discussion)


@dataclass(frozen=True)
class _Standing:
    """How a new decision stands to those recorded: it ends `old`, which all say the same, or speaks against `opposed`;
    `later` is one that ended it before it was read."""

    old: Sequence[Claim] = ()
    opposed: Claim | None = None
    later: Claim | None = None


def _standing(
    ref: CandidateRef, decision: Decision, title: str, found: list[tuple[float, Claim]], known: Known
) -> _Standing:
    said = claim_from(ref, decision, title, known)
    later = ended_by(said, known)
    old = taken_back(ref, title, found) or given_up(ref, decision, known)
    all_of_it = old and about_all(old, (*decision.options, title, decision.rationale))
    if old and all_of_it and not order_unknown(said, old):
        return _Standing(with_repeats(ref, old, known), None, later)
    if later:
        return _Standing((), None, later)  # what is over at its beginning speaks against nothing
    # What an older one says beside what is given up still holds; and where nobody knows which is older, both stand.
    return _Standing((), old or ended_by(said, known, order_unknown) or opposed_to(title, found))


def _decision(ref: CandidateRef, decision: Decision, recorder: Recorder) -> None:
    if by_tools_alone(ref):
        recorder.close(ref, "discarded", "only the output of tools says so: no person and no agent decided it")
        return
    title = shorten(title_and_reason(ref, decision)[0], TITLE)
    found = recorder.known.nearest(title, (Kind.DECISION, Kind.KNOWLEDGE))
    alike = next((c for likeness, c in found if likeness >= ALIKE and c.same_sense(title)), None)
    alike = alike or next((claim for _, claim in found if widens(title, claim.text)), None)
    if not alike or not same_figures(alike.text, title):
        alike = next((claim for _, claim in found if claim.says(title)), None)
    if alike:
        recorder.merge(ref, alike, _parts(ref, decision, title), claimed=title)
        return
    standing = _standing(ref, decision, title, found, recorder.known)
    if recorder.merge_into_replaced(ref, title, _parts(ref, decision, title), over=standing.later is not None):
        return
    created = _create_decision(ref, decision, title, standing, recorder)
    if not created:
        return
    for old in standing.old:
        recorder.replace(ref, old, created)
    if standing.opposed:
        recorder.note_conflict(ref, standing.opposed, created)
    if standing.later:
        recorder.note_replaced(created, standing.later)
    if created.ref.kind is Kind.KNOWLEDGE:
        why = "a rule for all work to come"
    else:
        why = f"given up since for {name_of(standing.later.ref)}" if standing.later else "a new decision"
    recorder.close(ref, "applied", why, f"{created.ref.kind}/{created.ref.slug}")


def _create_decision(
    ref: CandidateRef, decision: Decision, title: str, standing: _Standing, recorder: Recorder
) -> Claim | None:
    words, opposed, later = labels(title), standing.opposed, standing.later
    parts = [
        *(labelled(words, label, said) for label, said in _parts(ref, decision, title)),
        *(words["replaces"].format(place_of(old.ref), shorten(old.text, 160)) for old in standing.old),
        words["contradicts"].format(place_of(opposed.ref), shorten(opposed.text, 160)) if opposed else "",
    ]
    # What gives up a decision is one itself, so that the older one can name it; so is what nobody has settled.
    if judgment.standing(ref, decision) and not (standing.old or opposed or later):
        kind = "fact" if judgment.to_remember(decision) else "rule"
        return recorder.create([ref], Kind.KNOWLEDGE, title, parts, {"kind": kind})
    if later:
        holding = recorder.known.in_place_of(later).ref.slug
        fields = {"status": str(Status.REPLACED), "replaced_by": holding}
    else:
        settled = judgment.by_human(ref) and not opposed
        fields = {"status": str(Status.RESOLVED if settled else Status.OPEN)}
    return recorder.create([ref], Kind.DECISION, title, parts, fields)


def _parts(ref: CandidateRef, decision: Decision, title: str) -> list[tuple[str, str]]:
    """What a decision says beside its title, each with its label."""
    # A "reason" in the words of the choice itself gives none.
    whole, rationale = title_and_reason(ref, decision)
    why = reason(rationale, room(ref, 400)) if overlap(rationale, title) < 1 else ""
    rejected = [option for option in decision.options if _turned_down(option, decision.chosen)]
    parts = [
        ("", sentence(shorten(whole, room(ref, 900))) if len(whole) > TITLE else ""),
        ("why", why),
        ("over", "; ".join(shorten(option, room(ref, 100)) for option in rejected[: room(ref, 5)])),
    ]
    return [(label, said) for label, said in parts if said]


def _turned_down(option: str, chosen: str) -> bool:
    """Whether an option is one that was not taken: `SQLite` is not, where the choice is `use SQLite for the queue`."""
    if not option.strip() or score(option, chosen) >= ALIKE:
        return False
    if overlap(option, chosen) < 1:
        return True
    name = re.escape(option.strip())
    against = rf"(?:instead of|rather than|not|over) (?:the )?{name}|{name}\s*(?:ではなく|じゃなく|でなく|をやめ|より)"
    return bool(re.search(rf"{against}|(?:而不是|而非|不用|放弃)\s*{name}", chosen, re.IGNORECASE))


def _request(ref: CandidateRef, request: Request, recorder: Recorder, view: ConsolidateInput) -> None:
    if ref.candidate.evidence and (not judgment.by_human(ref) or by_tools_alone(ref)):
        recorder.close(ref, "discarded", "no person asks for it in the evidence")
        return
    if _done_already(ref, view):
        recorder.close(ref, "discarded", "it was asked for and done in the same session")
        return
    whole = titled(request.summary or request.intent)
    summary, intent = shorten(whole, TITLE), shorten(titled(request.intent), TITLE)
    # A person asks in many words; what they want is the shorter of the two, where it still says something.
    shorter = len(intent) < len(summary) and len(tokens(intent)) >= 3 and overlap(intent, summary) >= 0.6
    title, said = (intent, summary) if shorter else (summary, intent)
    found = recorder.known.nearest(summary, (Kind.REQUEST, Kind.KNOWLEDGE, Kind.DECISION))
    found += recorder.known.nearest(title, (Kind.REQUEST, Kind.KNOWLEDGE, Kind.DECISION))
    alike = next(
        (c for likeness, c in found if likeness >= ALIKE and c.same_sense(title) and same_figures(c.text, title)), None
    )
    cut = len(whole) > TITLE
    full = whole if cut else said
    parts = [
        ("", sentence(shorten(full, room(ref, 900))) if cut or adds(said, title) or score(said, title) < ALIKE else ""),
        ("of", shorten((request.target or "").strip().replace("`", ""), room(ref, 160))),
        ("done", sentence(shorten(report_in(chosen_anchors(ref)), 240))),
    ]
    if alike:
        recorder.merge(ref, alike, [(label, said) for label, said in parts if said], claimed=summary)
        return
    words = labels(title)
    texts = [labelled(words, label, said) for label, said in parts if said]
    created = recorder.create([ref], Kind.REQUEST, title, texts, {})
    if created:
        recorder.close(ref, "applied", "a new request", f"request/{created.ref.slug}")


def _done_already(ref: CandidateRef, view: ConsolidateInput) -> bool:
    """Whether an attempt of the same session did what is asked for: such a request does not outlive its session."""
    attempts = (
        other.candidate
        for other in view.candidates
        if isinstance(other.candidate, Attempt) and other.source.session_id == ref.source.session_id
    )
    return any(attempt.succeeded and same_statement(attempt.action, claimed(ref)) for attempt in attempts)
