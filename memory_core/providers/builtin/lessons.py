"""Attempts and discussions: a line of the summary at most, knowledge when a second session teaches the same.

Also keeps the summary's region current with what the records claim. Decisions and requests are not judged here.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.consolidate.clauses import same_statement
from memory_core.consolidate.covered import TITLE as RECORD_TITLE
from memory_core.consolidate.similar import overlap, same_figures, score
from memory_core.consolidate.task import ConsolidateInput
from memory_core.providers.builtin import judgment
from memory_core.providers.builtin.naming import knowledge_kind
from memory_core.providers.builtin.record_text import date_of, inert, short
from memory_core.providers.builtin.recording import ALIKE, Recorder
from memory_core.providers.builtin.sentences import sentences
from memory_core.providers.builtin.summary_region import (
    SUMMARY_LIMIT,
    TITLE,
    Lesson,
    language_in,
    lessons_in,
    of_people,
    region_for,
    region_in,
)
from memory_core.providers.builtin.wording import labels, sentence, titled
from memory_core.records.record import Record
from memory_core.records.schema import SUMMARY, Kind, Status
from memory_core.staging import Attempt, CandidateRef, Discussion
from memory_core.text import counted, shorten
from memory_core.worker import ToolResult


class Lessons:
    """The lessons of the summary as they stand, with those this run adds."""

    def __init__(self, recorder: Recorder, view: ConsolidateInput) -> None:
        self.recorder = recorder
        self._read_summary(view.snapshot.record(SUMMARY))
        self.language = language_in(self.region or "") or view.language
        self.lessons = lessons_in(self.region or "")
        self.left_open = lessons_in(self.region or "", "open")
        self.learned: list[tuple[CandidateRef, Lesson]] = []
        self.noticed: list[str] = []

    def _read_summary(self, summary: Record | None) -> None:
        self.body = summary.body.replace("\r\n", "\n") if summary else ""
        self.region = region_in(self.body)

    def attempt(self, ref: CandidateRef, attempt: Attempt) -> None:
        if attempt.edited:
            self._written(ref, attempt.action, [attempt.result])
            return
        if judgment.overturns(attempt.result):  # how it is says more than how it was believed to be
            self._learn(ref, sentence(shorten(attempt.result, 340)))
            return
        went_wrong = not attempt.succeeded or judgment.names_failure(f"{attempt.action}\n{attempt.result}")
        if not went_wrong or not judgment.gives_cause(attempt.result):
            reason = "what was tried is in the session's log, and nothing lasting follows from it"
            self.recorder.close(ref, "discarded", reason)
            return
        if overlap(attempt.action, judgment.human_words(ref)) >= 0.9:  # what a person decided is not what failed
            self._learn(ref, sentence(shorten(attempt.result, 340)))
            return
        self._learn(ref, f"{shorten(titled(attempt.action), 100)}: {sentence(shorten(attempt.result, 260))}")

    def discussion(self, ref: CandidateRef, discussion: Discussion) -> None:
        if judgment.promoted(ref):
            self._promoted(ref, discussion)
            return
        if discussion.edited:
            self._written(ref, discussion.topic, discussion.points)
            return
        if judgment.by_human(ref) and judgment.leaves_open(ref):
            self._leave_open(ref, discussion)
            return
        lasting = next((point for point in discussion.points if judgment.lasts(point)), None)
        if not lasting or (ref.candidate.evidence and not judgment.by_human(ref)):
            self.recorder.close(ref, "discarded", "talked over without an outcome that a later session could use")
            return
        topic = shorten(discussion.topic, 80).rstrip(".。:：")
        text = lasting if topic.casefold() in lasting.casefold() else f"{topic}: {lasting}"
        self._learn(ref, sentence(shorten(text, 260)))

    def _promoted(self, ref: CandidateRef, discussion: Discussion) -> None:
        """Knowledge from a row of an older memory that a person asked for by its id: it is not judged again."""
        said = " ".join((discussion.points[0] if discussion.points else discussion.topic).split())
        title = shorten(titled(sentences(said)[0].text if sentences(said) else said), 200)
        found = self.recorder.known.nearest(title, (Kind.KNOWLEDGE, Kind.DECISION, Kind.REQUEST))
        same = (c for likeness, c in found if likeness >= ALIKE and c.same_sense(title) and same_figures(c.text, title))
        if alike := next(same, None):
            self.recorder.merge(ref, alike)
            return
        rest = inert(shorten(said, 900)) if score(said, title) < ALIKE else ""
        claim = self.recorder.create([ref], Kind.KNOWLEDGE, title, [rest], {"kind": knowledge_kind(title)})
        if claim:
            name = f"knowledge/{claim.ref.slug}"
            self.recorder.close(ref, "applied", "a person promoted this row of an older memory", name)

    def _written(self, ref: CandidateRef, said: str, points: Sequence[str]) -> None:
        """A record of what a person wrote into a candidate: it is not judged, and a line would have no room for it. A
        question that was left open is a decision that is open."""
        whole = titled(said)
        title = shorten(whole, RECORD_TITLE)
        parts = [sentence(one) for one in (whole if whole != title else "", *points) if one.strip()]
        if ref.array == "discussions" and judgment.leaves_open(ref):
            kind, fields = Kind.DECISION, {"status": str(Status.OPEN)}
        else:
            kind, fields = Kind.KNOWLEDGE, {"kind": knowledge_kind(title)}
        if claim := self.recorder.create([ref], kind, title, parts, fields):
            self.recorder.close(ref, "applied", "a person wrote it", f"{kind}/{claim.ref.slug}")

    def _leave_open(self, ref: CandidateRef, discussion: Discussion) -> None:
        """One line for a question that a person put off."""
        text = inert(sentence(" ".join(shorten(titled(discussion.topic), 260).split())))
        question = Lesson(text, date_of(ref), short(ref.source.session_id))
        if any(same_statement(known.text, text) for known in self.left_open):
            self.recorder.close(ref, "already_covered", "the summary lists it as open", "summary")
            return
        self.left_open.append(question)
        self.learned.append((ref, question))

    def _learn(self, ref: CandidateRef, text: str) -> None:
        text = inert(" ".join(text.split()))
        recorded = self.recorder.known.nearest(text, (Kind.KNOWLEDGE, Kind.DECISION, Kind.REQUEST))
        same = (c for likeness, c in recorded if likeness >= ALIKE and c.same_sense(text))
        alike = next((claim for claim in same if same_figures(claim.text, text)), None)
        if alike:
            self.recorder.merge(ref, alike)
            return
        session = short(ref.source.session_id)
        twin = next((lesson for lesson in self.lessons if same_statement(lesson.text, text)), None)
        if twin and twin.session == session:
            self._close_twin(ref, twin)
        elif twin:
            self._make_knowledge(ref, twin)
        else:
            lesson = Lesson(text, date_of(ref), session)
            self.lessons.append(lesson)
            self.learned.append((ref, lesson))

    def _close_twin(self, ref: CandidateRef, twin: Lesson) -> None:
        first = next((other for other, lesson in self.learned if lesson == twin), None)
        if first:
            self.recorder.close(ref, "duplicate", "the same lesson from the same session", first.id)
        else:
            self.recorder.close(ref, "already_covered", "the summary says it already", "summary")

    def _make_knowledge(self, ref: CandidateRef, twin: Lesson) -> None:
        refs = [*(other for other, lesson in self.learned if lesson == twin), ref]
        parts = [labels(twin.text)["sessions"].format(2)]
        claim = self.recorder.create(refs, Kind.KNOWLEDGE, twin.text, parts, {"kind": knowledge_kind(twin.text)})
        if not claim:
            return
        self.lessons.remove(twin)
        self.learned = [(other, lesson) for other, lesson in self.learned if lesson != twin]
        for each in refs:
            name = f"knowledge/{claim.ref.slug}"
            self.recorder.close(each, "applied", "the same lesson came up in two sessions", name)

    def keep_summary_current(self) -> None:
        """Bring the marked region up to date, and close the lessons that went into it."""
        self._read_summary(self.recorder.record(SUMMARY))  # a removed record has taken its line with it
        moved = of_people(self.region or "", self.recorder.known.claims.values())
        region = self._region(moved)
        if without_room := [
            (ref, one) for ref, one in self.learned if one in self.lessons and one.line() not in region
        ]:
            self._record(without_room)
            region = self._region(moved)
        result = ToolResult("")
        written = region != self.region and bool(self.region or "\n- " in region)
        if written:
            result = self._write(region, moved, [ref.id for ref, lesson in self.learned if lesson.line() in region])
        for ref, lesson in self.learned:
            if result.is_error:
                self.recorder.keep(ref, result)
            elif lesson.line() in region and not written:
                self.recorder.close(ref, "already_covered", "the summary says it already", "summary")
            elif lesson.line() in region:
                self.recorder.close(ref, "applied", "a line of the summary", "summary")
            else:
                self.recorder.close(ref, "kept", "the summary has no room for it now")
        if result.is_error:
            self.noticed.append(f"summary: left as it is: {shorten(result.text, 200)}")

    def _region(self, moved: Sequence[str]) -> str:
        """The region for what holds now, with room for what people wrote into it and that moves below it."""
        room = SUMMARY_LIMIT - len(self.body) + len(self.region or "") - sum(len(line) + 1 for line in moved)
        shared = [claim for claim in self.recorder.known.claims.values() if not claim.scope]
        fresh = [lesson for _, lesson in self.learned]
        return region_for(shared, self.lessons, self.language, room, self.left_open, fresh)

    def _record(self, learned: Sequence[tuple[CandidateRef, Lesson]]) -> None:
        """Lessons for which the summary has no room have records of their own. None leaves the summary for them: the
        older ones stand nowhere else."""
        for ref, lesson in learned:
            self.lessons.remove(lesson)
            self.learned.remove((ref, lesson))
            fields = {"kind": knowledge_kind(lesson.text)}
            if claim := self.recorder.create([ref], Kind.KNOWLEDGE, lesson.text, [], fields):
                name = f"knowledge/{claim.ref.slug}"
                self.recorder.close(ref, "applied", "a lesson for which the summary has no room", name)

    def _write(self, region: str, moved: Sequence[str], candidates: list[str]) -> ToolResult:
        if not self.body.strip():
            title = TITLE.get(self.language, TITLE["en"])
            written = {"kind": "summary", "body": f"{title}\n\n{region}", "candidates": candidates, "overwrite": True}
            return self.recorder.call("MemoryWrite", written)
        passage = {"old_text": self.region} if self.region else {}
        edit = {**passage, "kind": "summary", "candidates": candidates, "reason": "kept current with the records"}
        people = "\n".join(moved)
        for below in dict.fromkeys((people, inert(people))):  # what they name may be nowhere, which no edit may write
            text = "\n\n".join(filter(None, (region, below)))
            result = self.recorder.call("MemoryEdit", {**edit, "new_text": text})
            if not result.is_error:
                break
        if moved and not result.is_error:
            lines = counted(sum(map(bool, moved)), "line")
            self.noticed.append(f"summary: {lines} of people's stood in the part that runs write anew: moved below it")
        return result
