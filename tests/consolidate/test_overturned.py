"""What somebody said last holds: whichever was recorded first, on whichever branch, and whatever was made of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from memory_core.ids import uuid7
from memory_core.lint.check import check_all
from memory_core.providers.builtin.known import Claim
from memory_core.providers.builtin.overturned import said_after
from memory_core.records.record import Record
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.staging import Decision, Discussion, StagingFile

B = Any
OLD = "Use Postgres for the job queue"
NEW = "Use SQLite instead of Postgres for the job queue"
LAST = "Use Redis instead of SQLite for the job queue"


def at(make: B, day: int, text: str, *, session: str | None = None, entry: int = 1, **more: Any) -> StagingFile:
    """What a person decided on a day of May."""
    anchor = make.said(entry, text, ts=f"2026-05-{day:02d}T09:00:00Z", sha256=f"{100 * day + entry:064x}")
    return make.staged(day, Decision(chosen=text, evidence=(anchor,), **more), session=session)  # type: ignore[no-any-return]


def decisions(bench: B) -> dict[str, Record]:
    index = bench.store.load().index.slugs[Kind.DECISION]
    return {slug: document.record for slug, document in index.items() if document.record}


def standing(bench: B) -> dict[str, tuple[Status | None, str | None]]:
    return {slug: (record.status, record.replaced_by) for slug, record in decisions(bench).items()}


def on_a_branch(bench: B, name: str, file: StagingFile) -> dict[str, str]:
    """The decisions that a consolidation elsewhere makes of a candidate."""
    root = bench.root.parent.parent / name / ".omoide"
    (root / "memory/decisions").mkdir(parents=True)
    branch = type(bench)(root)
    branch.stage(file)
    branch.run(run_id=name)
    return {path: branch.read(path) for path in branch.records() if path.startswith("memory/decisions/")}


def merge(bench: B, name: str, file: StagingFile) -> None:
    for path, text in on_a_branch(bench, name, file).items():
        bench.write(path, text)


HELD = {"use-sqlite-for-job-queue": (Status.RESOLVED, None)}
BOTH = HELD | {"use-postgres-for-job-queue": (Status.REPLACED, "use-sqlite-for-job-queue")}


@pytest.mark.parametrize("one_by_one", [False, True], ids=["whole runs", "candidates accepted one by one"])
def test_what_was_overturned_before_it_was_read_is_recorded_as_replaced(bench: B, make: B, one_by_one: bool) -> None:
    """The newest session is extracted first, and a person accepts what they like first."""
    for number, file in enumerate((at(make, 5, NEW), at(make, 2, OLD))):
        bench.stage(file)
        (ref,) = file.candidates()
        bench.run(run_id=f"run-{number}", only={ref.id} if one_by_one else None)
    assert standing(bench) == BOTH
    assert "Replaces `decisions/use-postgres-for-job-queue`" in decisions(bench)["use-sqlite-for-job-queue"].body
    assert "use-postgres" not in bench.read("memory/summary.md")
    assert check_all(bench.store.load()) == {}
    before = bench.everything()
    assert bench.run(run_id="again").status == "nothing"
    assert bench.everything() == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use Redis for the job queue", "Do not use Redis for the job queue"),
        ("Use Jenkins for the nightly builds", "Let's switch to GitHub Actions for the nightly builds"),
        ("ジョブキューは Redis を使う", "ジョブキューは Redis をやめて SQLite を使う"),
        ("任务队列使用 Redis", "任务队列不再使用 Redis，改用 SQLite"),
        ("작업 큐는 Redis를 사용한다", "작업 큐는 Redis 대신 SQLite를 사용한다"),
    ],
)
def test_the_order_of_extraction_decides_nothing(bench: B, make: B, old: str, new: str) -> None:
    found = []
    for order in ((2, old), (5, new)), ((5, new), (2, old)):
        for number, (day, text) in enumerate(order):
            bench.stage(at(make, day, text))
            bench.run(run_id=f"run-{number}")
        found.append({record.body.splitlines()[1]: record.status for record in decisions(bench).values()})
        for path in [*bench.records()]:
            (bench.root / path).unlink()
        (bench.root / "memory/_resolutions.jsonl").unlink()
    assert found[0] == found[1]
    assert sorted(map(str, found[0].values())) == ["replaced", "resolved"]


def test_what_was_overturned_twice_names_what_holds(bench: B, make: B) -> None:
    for number, (day, text) in enumerate(((9, LAST), (5, NEW), (2, OLD))):
        bench.stage(at(make, day, text))
        bench.run(run_id=f"run-{number}")
    assert standing(bench) == {
        "use-redis-for-job-queue": (Status.RESOLVED, None),
        "use-sqlite-for-job-queue": (Status.REPLACED, "use-redis-for-job-queue"),
        "use-postgres-for-job-queue": (Status.REPLACED, "use-redis-for-job-queue"),
    }


def test_an_older_session_that_says_what_is_over_is_a_source_of_what_is_over(bench: B, make: B) -> None:
    for number, (day, text) in enumerate(((3, OLD), (5, NEW), (2, OLD))):
        bench.stage(at(make, day, text, session=f"s{day}"))
        bench.run(run_id=f"run-{number}")
    assert standing(bench) == BOTH
    assert [s.session_id for s in decisions(bench)["use-postgres-for-job-queue"].sources] == ["s3", "s5", "s2"]
    assert bench.store.load().index.slugs[Kind.KNOWLEDGE] == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use Postgres for the reports", NEW),
        ("Use Node 22 for the builds", "Use Node 20 instead of Node 18 for the builds"),
        ("Use Kafka for the event bus", NEW),
        ("Keep the table of users", "Do not drop the table of users"),
    ],
)
def test_what_is_about_something_else_holds_though_it_is_older(bench: B, make: B, old: str, new: str) -> None:
    """Nothing is overturned on weak evidence by what comes later from a branch."""
    merge(bench, "feature", at(make, 2, old))
    (slug,) = decisions(bench)
    merge(bench, "main", at(make, 5, new))
    bench.run(run_id="merged")
    assert decisions(bench)[slug].status is Status.RESOLVED


def test_a_decision_of_another_branch_that_was_overturned_is_replaced_when_they_meet(bench: B, make: B) -> None:
    bench.stage(at(make, 5, NEW))
    bench.run(run_id="main")
    merge(bench, "feature", at(make, 2, OLD))
    run = bench.run(run_id="merged")
    assert standing(bench) == BOTH
    assert {step.record for step in run.tidied} == {f"decision/{slug}" for slug in BOTH}
    assert "use-postgres" not in bench.read("memory/summary.md")
    before = bench.everything()
    assert bench.run(run_id="again").status == "nothing"
    assert bench.everything() == before


@pytest.mark.parametrize("way", ["recorded late", "branches merged", "in order"])
def test_a_status_that_a_person_set_back_stays(bench: B, make: B, way: str) -> None:
    files = {5: at(make, 5, NEW), 2: at(make, 2, OLD)}
    for day in (2, 5) if way == "in order" else (5, 2):
        if way == "branches merged" and day == 2:
            merge(bench, "feature", files[2])
        else:
            bench.stage(files[day])
        bench.run(run_id=f"run-{day}")
    assert standing(bench) == BOTH
    path = "memory/decisions/use-postgres-for-job-queue.md"
    text = bench.read(path).replace("status: replaced", "status: resolved")
    bench.write(path, text.replace("replaced_by: use-sqlite-for-job-queue\n", ""))
    bench.run(run_id="after")
    assert decisions(bench)["use-postgres-for-job-queue"].status is Status.RESOLVED


def test_a_decision_that_a_person_wrote_is_only_named(bench: B, make: B) -> None:
    bench.stage(at(make, 5, NEW))
    bench.run(run_id="main")
    path = "memory/decisions/queue.md"
    bench.write(path, make.decision_text(f"# {OLD}\n", status="resolved", origin="user"))
    before = bench.read(path)
    run = bench.run(run_id="merged")
    assert bench.read(path) == before
    line = "decision/queue was given up for decision/use-sqlite-for-job-queue, and people wrote it: left to you"
    assert line in run.noticed


def test_knowledge_that_a_person_made_of_a_decision_is_only_named_and_once(bench: B, make: B) -> None:
    for number, (day, text) in enumerate(((1, OLD), (2, OLD))):
        bench.stage(at(make, day, text))
        bench.run(run_id=f"run-{number}")
    path = "knowledge/use-postgres-for-job-queue.md"
    own = bench.read(path).replace("origin: policy:consolidate", "origin: user").split("---\n\n")[0]
    bench.write(path, before := f"{own}---\n\n# {OLD}\n")
    bench.stage(at(make, 5, NEW))
    run = bench.run(run_id="overturned")
    assert bench.read(path) == before
    assert [line for line in run.noticed if "was given up for decision/use-sqlite-for-job-queue" in line] == [
        (
            "knowledge/use-postgres-for-job-queue was given up for decision/use-sqlite-for-job-queue, "
            "and people wrote it: left to you"
        )
    ]


def test_people_who_went_back_to_a_decision_are_not_overruled(bench: B, make: B) -> None:
    """The record that would end it says that it was replaced by it."""
    bench.stage(at(make, 5, NEW))
    bench.run(run_id="main")
    merge(bench, "feature", at(make, 2, OLD))
    path = "memory/decisions/use-sqlite-for-job-queue.md"
    text = bench.read(path).replace("status: resolved", "status: replaced\nreplaced_by: use-postgres-for-job-queue")
    bench.write(path, text)
    bench.run(run_id="merged")
    assert decisions(bench)["use-postgres-for-job-queue"].status is Status.RESOLVED


def test_of_two_records_of_one_decision_both_are_given_up(bench: B, make: B) -> None:
    """Two branches recorded it, and the word that ends it comes before anybody merged them."""
    bench.stage(at(make, 2, OLD))
    bench.run(run_id="one")
    twin = bench.read("memory/decisions/use-postgres-for-job-queue.md")
    bench.write("memory/decisions/queue-on-postgres.md", twin.replace("session-2", "session-3"))
    bench.stage(at(make, 5, NEW))
    bench.run(run_id="two")
    assert standing(bench) == BOTH | {"queue-on-postgres": (Status.REPLACED, "use-sqlite-for-job-queue")}
    body = decisions(bench)["use-sqlite-for-job-queue"].body
    assert "Replaces `decisions/use-postgres-for-job-queue`" in body
    assert "Replaces `decisions/queue-on-postgres`" in body


@pytest.mark.parametrize("new", [NEW, "Do not use Postgres for the job queue"])
def test_the_knowledge_made_of_a_decision_ends_with_it(bench: B, make: B, new: str) -> None:
    for number, (day, text) in enumerate(((1, OLD), (2, OLD), (5, new))):
        bench.stage(at(make, day, text))
        bench.run(run_id=f"run-{number}")
    (document,) = bench.store.load().index.slugs[Kind.KNOWLEDGE].values()
    assert "No longer holds: given up for `decisions/" in document.record.body
    assert (document.record.description or "").startswith("No longer holds")
    before = bench.everything()
    assert bench.run(run_id="again").status == "nothing"
    assert bench.everything() == before


def test_knowledge_that_outlived_its_decision_is_ended(bench: B, make: B) -> None:
    """As older versions left it, or as branches bring it."""
    for number, (day, text) in enumerate(((1, OLD), (2, OLD))):
        bench.stage(at(make, day, text))
        bench.run(run_id=f"run-{number}")
    knowledge = bench.read("knowledge/use-postgres-for-job-queue.md")
    bench.stage(at(make, 5, NEW))
    bench.run(run_id="ended")
    bench.write("knowledge/use-postgres-for-job-queue.md", knowledge)
    path = "memory/decisions/use-sqlite-for-job-queue.md"
    lines = [line for line in bench.read(path).split("\n\n") if not line.startswith("Replaces `knowledge/")]
    bench.write(path, "\n\n".join(lines))
    bench.run(run_id="after")
    assert "No longer holds: given up for" in bench.read("knowledge/use-postgres-for-job-queue.md")
    bench.write("knowledge/use-postgres-for-job-queue.md", knowledge)  # a person takes the note out again
    bench.run(run_id="left alone")
    assert bench.read("knowledge/use-postgres-for-job-queue.md") == knowledge


def test_knowledge_that_was_said_again_since_stays(bench: B, make: B) -> None:
    for number, (day, text) in enumerate(((1, OLD), (2, OLD), (5, NEW))):
        bench.stage(at(make, day, text))
        bench.run(run_id=f"run-{number}")
    again = make.staged(7, Decision(chosen=OLD, evidence=(make.said(1, OLD, ts="2026-05-07T09:00:00Z"),)))
    bench.stage(again)
    bench.run(run_id="again")
    assert [r.status for r in decisions(bench).values()].count(Status.RESOLVED) == 2


@pytest.mark.parametrize(
    ("later", "old", "after"),
    [
        ({"moment": "2026-05-02"}, {"moment": "2026-05-01"}, True),
        ({"moment": "2026-05-01"}, {"moment": "2026-05-01"}, False),
        ({"moment": "2026-05-02", "date": "2026-05-02"}, {"date": "2026-05-01"}, True),
        ({"date": "2026-05-02"}, {"moment": "2026-05-01", "date": "2026-05-01"}, False),
        ({"sessions": frozenset("s"), "last_entry": 9}, {"sessions": frozenset("s"), "last_entry": 4}, True),
        (
            {"sessions": frozenset("s"), "last_entry": 9, "moment": "2026-05-01"},
            {"sessions": frozenset("s"), "last_entry": 4, "moment": "2026-05-02"},
            False,
        ),
    ],
)
def test_what_is_not_surely_later_ends_nothing(later: dict[str, Any], old: dict[str, Any], after: bool) -> None:
    refs = RecordRef(Kind.DECISION, "later"), RecordRef(Kind.DECISION, "old")
    assert said_after(Claim(refs[0], NEW, **later), Claim(refs[1], OLD, **old)) is after


def test_neither_of_the_two_is_changed_where_one_of_them_cannot_be(bench: B, make: B) -> None:
    """The note is the sign that a run has looked; without the other half nobody would look again."""
    bench.stage(at(make, 5, NEW))
    bench.run(run_id="main")
    merge(bench, "feature", at(make, 2, OLD))
    before = bench.records()
    path = "memory/decisions/use-postgres-for-job-queue.md"
    bench.run(run_id="busy", busy=frozenset({path}))
    assert {name: text for name, text in bench.records().items() if "decisions" in name} == {
        name: text for name, text in before.items() if "decisions" in name
    }
    bench.run(run_id="again")
    assert standing(bench) == BOTH


@pytest.mark.parametrize(
    ("note", "refused"),
    [
        (f"Replaces `decisions/queue`: {OLD}", False),
        ("Replaces `decisions/queue`: Rockets leave Cape Canaveral on Tuesdays", True),
        (f"Replaces `decisions/absent`: {OLD} of all shops", True),
        ("No longer holds: given up for `decisions/queue`.", False),
        ("No longer holds: given up since rockets leave Cape Canaveral.", True),
    ],
)
def test_a_note_of_what_took_whose_place_needs_no_candidate(make: B, note: str, refused: bool) -> None:
    texts = {
        "memory/decisions/queue.md": make.decision_text(f"# {OLD}\n"),
        "knowledge/printing.md": make.knowledge_text("# Print in colour\n"),
    }
    toolbox, _ = make.toolbox(texts)
    args = {"kind": "knowledge", "slug": "printing", "new_text": note, "reason": "branches met"}
    assert toolbox.call("MemoryEdit", args).is_error is refused


def copied(make: B, number: int, text: str, why: str, session: str) -> StagingFile:
    """A decision and its reason as an agent's log has it; a copy of the log has its entries under another session."""
    said = make.said(
        1,
        f"{text}, {why}",
        ts="2026-05-02T09:00:00Z",
        native_id="9f0c2d4e-64d7-4a3b-9e21-7c8d40f2a615",
        sha256="a" * 64,
    )
    return make.staged(number, Decision(chosen=text, rationale=why, evidence=(said,)), session=session)  # type: ignore[no-any-return]


@pytest.mark.parametrize("why", ["Because it starts faster.", "since the team knows it", "we have no budget for more."])
@pytest.mark.parametrize("lead", ["", "We decided in the team meeting to "])
def test_a_copy_of_a_session_brings_no_overturned_decision_back_with_its_reason(
    bench: B, make: B, why: str, lead: str
) -> None:
    text = f"{lead}use Postgres for the job queue" if lead else OLD
    bench.stage(copied(make, 2, text, why, "original"))
    bench.run(run_id="one")
    bench.stage(at(make, 5, NEW))
    bench.run(run_id="two")
    before = standing(bench)
    assert before == BOTH
    bench.stage(copied(make, 7, text, why, "copy"))
    assert [how.action for how in bench.run(run_id="three").closed] == ["already_covered"]
    assert standing(bench) == before


def test_a_second_decision_of_words_of_which_one_was_overturned_is_recorded(bench: B, make: B) -> None:
    message = f"{OLD}. Ship the wheels with musl."
    anchor = make.said(1, message, ts="2026-05-02T09:00:00Z")
    bench.stage(make.staged(2, Decision(chosen=OLD, evidence=(anchor,)), session="s"))
    bench.run(run_id="one")
    bench.stage(at(make, 5, NEW))
    bench.run(run_id="two")
    bench.stage(make.staged(7, Decision(chosen="Ship the wheels with musl", evidence=(anchor,)), session="s"))
    bench.run(run_id="three")
    assert decisions(bench)["ship-wheels-with-musl"].status is Status.RESOLVED


def in_aider(make: B, text: str, entry: int, extracted: str) -> StagingFile:
    """What was said in a window that was opened on 2 May at nine: its log gives no other time."""
    file = at(make, 2, text, session="aider", entry=entry)
    when = datetime.fromisoformat(f"2026-05-{extracted}:00:00+00:00")
    source = file.source.model_copy(update={"agent": "aider"})
    return file.model_copy(update={"id": str(uuid7(when)), "source": source})  # type: ignore[no-any-return]


def beside(make: B, day: str, text: str) -> StagingFile:
    anchor = make.said(1, text, ts=f"2026-05-{day}:00:00Z")
    return make.staged(9, Decision(chosen=text, evidence=(anchor,)), session="other")  # type: ignore[no-any-return]


@pytest.mark.parametrize("at_once", [True, False], ids=["one run", "two runs"])
def test_where_no_log_tells_which_was_said_first_both_stand_and_say_so(bench: B, make: B, at_once: bool) -> None:
    """Aider's window was opened before and is open still; the word that overturned was said in it last."""
    bench.stage(beside(make, "02T11", OLD))
    if not at_once:
        bench.run(run_id="one")
    bench.stage(in_aider(make, NEW, 9, "02T16"))
    bench.run(run_id="two")
    found = decisions(bench)
    assert sorted(str(record.status) for record in found.values()) == ["open", "resolved"]
    for slug, other in (("use-sqlite-for-job-queue", "use-postgres"), ("use-postgres-for-job-queue", "use-sqlite")):
        assert f"Conflicts with `decisions/{other}-for-job-queue`" in found[slug].body
    before = bench.everything()
    assert bench.run(run_id="again").status == "nothing"
    assert bench.everything() == before


def test_the_last_word_in_a_window_that_is_open_for_long_is_not_taken_for_the_first(bench: B, make: B) -> None:
    """It went back to what it had said in the morning: the word in between had ended both."""
    bench.stage(in_aider(make, OLD, 1, "02T16"), beside(make, "02T11", NEW))
    bench.stage(in_aider(make, "Use Postgres instead of SQLite for the job queue", 9, "02T17"))
    bench.run()
    holding = {slug: r.status for slug, r in decisions(bench).items() if r.status is not Status.REPLACED}
    assert len(holding) == 2
    assert any("postgres" in slug for slug in holding)
    assert all("Conflicts with" in decisions(bench)[slug].body for slug in holding)


def test_a_window_that_was_surely_closed_by_then_is_the_older_one(bench: B, make: B) -> None:
    bench.stage(in_aider(make, OLD, 1, "19T10"), beside(make, "12T11", NEW))
    bench.run()
    assert standing(bench) == BOTH


def test_what_was_extracted_from_a_window_before_something_was_said_is_older(bench: B, make: B) -> None:
    bench.stage(beside(make, "02T11", NEW))
    bench.run(run_id="one")
    bench.stage(in_aider(make, OLD, 1, "02T10"))
    bench.run(run_id="two")
    assert standing(bench) == BOTH


@pytest.mark.parametrize(
    "last",
    [
        "We go back to SQLite instead of Postgres for the job queue",
        "Scrap Postgres, use SQLite again for the job queue",
        "Back to SQLite for the job queue, Postgres was too much",
    ],
)
def test_going_back_ends_what_was_chosen_in_between(bench: B, make: B, last: str) -> None:
    said = {1: "Use SQLite for the job queue", 3: "Use Postgres instead of SQLite for the job queue", 6: last}
    for day, text in said.items():
        bench.stage(at(make, day, text, session=f"day-{day}"))
        bench.run(run_id=f"day-{day}")
    found = standing(bench)
    assert len(found) == 3
    assert [slug for slug, (status, _) in found.items() if status is not Status.REPLACED] == [
        slug for slug in found if "back-to-sqlite" in slug or "scrap" in slug
    ]


@pytest.mark.parametrize(
    "said", ["park the pagination discussion", "we'll figure out the retention period with legal first"]
)
def test_question_that_was_put_off_stays_in_the_summary_until_it_is_settled(bench: B, make: B, said: str) -> None:
    anchor = make.said(1, said, ts="2026-05-01T09:00:00Z", sha256=f"{1:064x}")
    bench.stage(make.staged(1, Discussion(topic=said, points=(said,), evidence=(anchor,))))
    bench.run(run_id="run")
    assert said[-16:] in bench.read("memory/summary.md")
