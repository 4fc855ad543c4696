"""Writing records through the toolbox: create, add a source, promote, close. Keeps what is known in step with it.

Which of these is right for a candidate is decided in `consolidate` and `lessons`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory_core.consolidate.covered import own_words, stands_in
from memory_core.consolidate.provenance import Place, candidate_places, record_places
from memory_core.consolidate.similar import words_of
from memory_core.providers.builtin import judgment
from memory_core.providers.builtin.known import Claim, Known, claim_of
from memory_core.providers.builtin.naming import DESCRIPTION_LIMIT, description_for, knowledge_kind, slug_for
from memory_core.providers.builtin.record_text import EVIDENCE, body_for, date_of, inert, place_of
from memory_core.providers.builtin.taken_in import adds, paragraphs, said_in
from memory_core.providers.builtin.wording import labelled, labels, reason, sentence
from memory_core.records.record import Record, parse
from memory_core.records.schema import Kind, RecordRef, Status, name_of
from memory_core.refactor.new import LAST_SOURCES
from memory_core.staging import Action, CandidateRef
from memory_core.text import shorten
from memory_core.worker import ToolResult, Work

ALIKE = 88  # of 100: the same statement in other words
_STOPS = (".", "。", ";", "；", "!", "！", "?", "？")


class Recorder:
    """The toolbox of a run, with what the records claim after each write. `calls`: how many tools were called."""

    def __init__(self, work: Work, known: Known) -> None:
        self.work = work
        self.known = known
        self.calls = 0

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.calls += 1
        return self.work.toolbox.call(name, dict(arguments))

    def close(self, ref: CandidateRef, action: Action, reason: str, *records: str) -> None:
        """Decide a candidate. One that cannot be closed stays staged, and the report names it."""
        args = {"id": ref.id, "action": action, "reason": reason, "records": list(records)}
        result = self.call("CloseCandidate", args)
        if result.is_error:
            self.work.progress.report(f"{ref.id}: {shorten(result.text, 200)}")

    def keep(self, ref: CandidateRef, result: ToolResult) -> None:
        """Leave a candidate staged because its write was refused."""
        self.close(ref, "kept", f"could not be written: {shorten(result.text, 300)}")

    def create(
        self, refs: Sequence[CandidateRef], kind: Kind, text: str, parts: Sequence[str], fields: Mapping[str, str]
    ) -> Claim | None:
        """A new record from candidates; None when it was refused, and then the last candidate is kept."""
        slug = slug_for(kind, text, date_of(refs[-1]), self.known.slugs(kind))
        args = {
            "kind": str(kind),
            "slug": slug,
            "body": body_for(text, parts, refs),
            "fields": {**fields, "description": description_for(text, kind)},
            "candidates": [ref.id for ref in refs],
        }
        result = self.call("MemoryWrite", args)
        if result.is_error:
            self.keep(refs[-1], result)
            return None
        return self.reread(RecordRef(kind, slug))

    def merge(self, ref: CandidateRef, claim: Claim, parts: Sequence[tuple[str, str]] = (), claimed: str = "") -> None:
        """One more source for a record that says this already; a second session makes knowledge of it. `claimed`: what
        the candidate says; `parts`: what it says beside that, with labels. What of it the record does not say is put
        there."""
        name = f"{claim.ref.kind}/{claim.ref.slug}"
        record = self.record(claim.ref) if parts or claimed else None
        wider = bool(record and claimed and adds(claimed, own_words(record)))
        parts = _with_claim(parts, claimed) if wider else parts
        more = _beyond(parts, record, labels(claim.text)) if record else ""
        full = claim.source_count >= LAST_SOURCES and not more
        if full and claim.ref.kind is not Kind.KNOWLEDGE:
            self.close(ref, "already_covered", f"{name} says it, with {claim.source_count} sources", name)
            return
        if full and claim.date and date_of(ref) <= claim.date:
            # Knowledge keeps its latest sources; an older one would push out a later one, and come back for ever.
            self.close(ref, "already_covered", f"{name} says it, with {claim.source_count} later sources", name)
            return
        args: dict[str, Any] = {
            "kind": str(claim.ref.kind),
            "slug": claim.ref.slug,
            "candidates": [ref.id],
            "reason": "the same was said again",
        }
        if claim.status is Status.OPEN and ref.array == "decisions" and judgment.by_human(ref):
            args["fields"] = {"status": "resolved"}
        if record and more:
            args |= _above_evidence(record, more) | {"trim_sources": claim.source_count >= LAST_SOURCES}
        result = self.call("MemoryEdit", args)
        if result.is_error:
            self.keep(ref, result)
            return
        if "nothing was changed" in result.text:
            self.close(ref, "already_covered", f"{name} says it, with this source", name)
            return
        grown = self.reread(claim.ref)
        if not wider and _said_again(ref, claim) and grown.status is not Status.REPLACED and grown.human:
            self._promote(ref, grown)
        self.close(ref, "applied", f"{name} says it; the source was added", name)

    def merge_into_replaced(
        self, ref: CandidateRef, title: str, parts: Sequence[tuple[str, str]], *, over: bool
    ) -> bool:
        """Whether a decision that no longer holds says what a candidate does, and took it in: a copy of its session
        brings it back no more than another older session, whose words were `over` before they were read."""
        for _, claim in self.known.nearest(title, (Kind.DECISION,), over=True):
            if claim.status is not Status.REPLACED or not claim.repeats(title):
                continue
            record = self.record(claim.ref)
            if record is None or not (over or _holds_all(record, ref)):
                continue
            if _holds_all(record, ref) and not _beyond(parts, record, labels(claim.text)):
                name = name_of(claim.ref)
                self.close(ref, "already_covered", f"{name} says it of the same words, and was given up since", name)
            else:
                self.merge(ref, claim, parts)
            return True
        return False

    def note_replaced(self, old: Claim, later: Claim) -> bool:
        """Say in a decision that it replaces one that was recorded after it. A record that says so is the sign that a
        run has looked: a person who has it otherwise sets the status of the other one, and that stays."""
        record = self.record(later.ref)
        if record is None or place_of(old.ref) in later.replaces:
            return record is not None
        note = inert(labels(later.text)["replaces"].format(place_of(old.ref), shorten(old.text, 160)))
        args = {"kind": str(later.ref.kind), "slug": later.ref.slug, **_above_evidence(record, note)}
        if self.call(
            "MemoryEdit", args | {"reason": f"{name_of(old.ref)} was said before it, and is replaced by it"}
        ).is_error:
            return False
        self.reread(later.ref)
        return True

    def replace(self, ref: CandidateRef | None, old: Claim, new: Claim) -> None:
        """Mark a decision as given up for another one; knowledge has no status, so its text says it. `ref`: the
        candidate that says so, unless a record does."""
        edit: dict[str, Any] = {
            "kind": str(old.ref.kind),
            "slug": old.ref.slug,
            "candidates": [ref.id] if ref else [],
            "reason": f"given up for decision/{new.ref.slug}",
        }
        if old.ref.kind is Kind.DECISION:
            edit["fields"] = {"status": "replaced", "replaced_by": new.ref.slug}
        else:
            ended = inert(labels(old.text)["ended"].format(place_of(new.ref)))
            text = f"{ended} {inert(sentence(old.text))}"
            edit |= {"new_text": f"{ended}\n", "fields": {"description": shorten(text, DESCRIPTION_LIMIT)}}
        if not self.call("MemoryEdit", edit).is_error:
            self.reread(old.ref)

    def note_conflict(self, ref: CandidateRef, old: Claim, new: Claim) -> None:
        """Say in an older record that a newer one speaks against it; the newer one says so itself."""
        record = self.record(old.ref)
        if record is None:
            return
        said = shorten(new.text, 160)
        note = inert(labels(old.text)["contradicts"].format(place_of(new.ref), said))
        args = {"kind": str(old.ref.kind), "slug": old.ref.slug, "candidates": [ref.id]}
        args |= _above_evidence(record, note)
        more = {"trim_sources": old.source_count >= LAST_SOURCES, "reason": f"{place_of(new.ref)} speaks against it"}
        if not self.call("MemoryEdit", args | more).is_error:
            self.reread(old.ref)

    def _promote(self, ref: CandidateRef, claim: Claim) -> None:
        """Knowledge from a point that came up in a second session; the record it came from stays."""
        known = self.known.nearest(claim.text, (Kind.KNOWLEDGE,))
        if known and known[0][0] >= ALIKE:
            return
        words = labels(claim.text)
        why = reason(claim.rationale, 300)
        folder = "decisions" if claim.ref.kind is Kind.DECISION else "requests"
        parts = [
            inert(sentence(claim.text)),
            inert(words["why"].format(why)) if why else "",
            words["sessions"].format(len(claim.sessions)) + " " + words["from"].format(f"{folder}/{claim.ref.slug}"),
        ]
        slug = slug_for(Kind.KNOWLEDGE, claim.text, claim.date, self.known.slugs(Kind.KNOWLEDGE))
        args = {
            "kind": str(claim.ref.kind),
            "slug": claim.ref.slug,
            "knowledge_slug": slug,
            "knowledge_kind": knowledge_kind(claim.text),
            "description": description_for(claim.text, Kind.KNOWLEDGE),
            "body": "\n\n".join(part for part in parts if part),
            "candidates": [ref.id],
        }
        if not self.call("PromoteRecord", args).is_error:
            self.reread(RecordRef(Kind.KNOWLEDGE, slug))

    def reread(self, ref: RecordRef) -> Claim:
        """What a record claims after a write, as the next run will read it."""
        claim = claim_of(self.record(ref) or parse(ref, ""))
        self.known.put(claim)
        return claim

    def record(self, ref: RecordRef) -> Record | None:
        """A record as it stands after the writes so far; None where there is none."""
        result = self.call("MemoryRead", {"kind": str(ref.kind), "slug": ref.slug})
        return None if result.is_error else parse(ref, result.text)


def _holds_all(record: Record, ref: CandidateRef) -> bool:
    """Whether a record rests on every place that a candidate rests on, in the same session or in a copy of it."""
    held = frozenset[Place]().union(*record_places(record))
    places = candidate_places(ref)
    return bool(places) and all(names & held for names in places)


def _said_again(ref: CandidateRef, claim: Claim) -> bool:
    """Whether a candidate rests on other words, of another session, than a decision or request that says the same."""
    again = not judgment.hashes(ref) & claim.hashes and ref.source.session_id not in claim.sessions
    return again and bool(claim.sessions) and claim.ref.kind is not Kind.KNOWLEDGE


def _beyond(parts: Iterable[tuple[str, str]], record: Record, words: Mapping[str, str]) -> str:
    """The paragraphs of a candidate that a record has in no words."""
    known = own_words(record)
    more = [labelled(words, label, said) for label, said in parts if words_of(said) and not stands_in(said, known)]
    begun = [paragraph.casefold() for paragraph in paragraphs(said_in(record))]
    return "\n\n".join(part for part in map(inert, more) if not any(_begins(part.casefold(), one) for one in begun))


def _with_claim(parts: Sequence[tuple[str, str]], claimed: str) -> Sequence[tuple[str, str]]:
    """The parts of a candidate with the sentence it claims, unless one without a label says all of it."""
    said = any(not label and not adds(claimed, part) for label, part in parts)
    return parts if said else [("", sentence(claimed)), *parts]


def _begins(part: str, paragraph: str) -> bool:
    """Whether a paragraph says another one word for word, and then more."""
    said = part.rstrip("".join(_STOPS))
    return paragraph.startswith(said) and paragraph[len(said) :].startswith(_STOPS)


def _above_evidence(record: Record, text: str) -> dict[str, str]:
    """Where MemoryEdit puts a paragraph of a record: above the quotations, or at the end."""
    body = record.body.replace("\r\n", "\n")
    heading = EVIDENCE.search(body)
    if heading is None or body.count(heading.group()) != 1:
        return {"new_text": text}
    return {"old_text": heading.group(), "new_text": f"{text}\n\n{heading.group()}"}
