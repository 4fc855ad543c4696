"""What stands in the summary alone stays there: lessons, open questions, and whatever people write into its block."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.layout import record_path
from memory_core.providers.builtin.known import Claim
from memory_core.providers.builtin.summary_region import BEGIN, END, Lesson, lessons_in, of_people, region_for
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.staging import Attempt, Discussion
from tests.consolidate.conftest import said

B = Any
CITIES = ("Oslo", "Bern", "Rome", "Riga", "Lima", "Cairo", "Tunis", "Quito", "Sofia", "Paris")


def lesson(what: str, number: int) -> Attempt:
    evidence = (said(number, what, ts=f"2026-05-{number + 1:02d}T09:00:00Z"),)
    return Attempt(
        action=f"Run the {what}", result=f"it failed because {what} was full", succeeded=False, evidence=evidence
    )


def with_block(bench: B, section: str, lines: list[str]) -> None:
    head = "---\nupdated_at: 2026-01-01T00:00:00Z\n---\n\n"
    bench.write("memory/summary.md", "\n".join([f"{head}{BEGIN}", "", f"## {section}", "", *lines, "", f"{END}\n"]))


def test_no_lesson_leaves_the_summary_for_a_newer_one(bench: B, make: B) -> None:
    """The newer one has a candidate, and so can have a record of its own."""
    days = enumerate(CITIES * 2, 1)
    lines = [f"- 2026-01-{day:02d}: The disk in {city} is full on day {day} (session s)" for day, city in days]
    with_block(bench, "Lessons", lines)
    bench.stage(make.staged(1, lesson("cache of the importer", 1)), make.staged(2, lesson("queue of the mailer", 2)))
    run = bench.run(run_id="one")
    after = bench.read("memory/summary.md").splitlines()
    assert [line for line in lines if line not in after] == []
    assert [(how.action, how.records[0].partition("/")[0]) for how in run.closed] == [("applied", "knowledge")] * 2
    assert sorted("importer" in bench.read(record_path(ref)) for ref in knowledge(bench)) == [False, True]
    assert bench.run(run_id="two").status == "nothing"


def knowledge(bench: B) -> list[Any]:
    return [d.ref for d in bench.store.load().documents.values() if d.ref and d.ref.kind is Kind.KNOWLEDGE]


def test_a_line_that_a_person_put_among_the_lessons_stays_as_it_is(bench: B, make: B) -> None:
    bench.stage(make.staged(1, lesson("cache of the importer", 1)))
    bench.run(run_id="one")
    line = "- Never restart the billing database on Fridays."
    text = bench.read("memory/summary.md")
    bench.write("memory/summary.md", text.replace("## Lessons\n\n", f"## Lessons\n\n{line}\n"))
    bench.stage(make.staged(2, make.decided("Use SQLite for the queue", 3)))
    bench.run(run_id="two")
    assert line in bench.read("memory/summary.md").splitlines()


def test_a_line_that_names_another_place_than_a_record_is_peoples() -> None:
    region = f"{BEGIN}\n\n## Decisions that hold\n\n- Use A (decisions/use-a)\n- Ask Ann first (docs/importer)\n\n{END}"
    use_a = Claim(RecordRef(Kind.DECISION, "use-a"), "Use A")
    assert of_people(region, [use_a]) == ["- Ask Ann first (docs/importer)"]


@pytest.mark.parametrize(
    ("line", "theirs"),
    [
        ("- Ours (decisions/use-a)", True),  # a run knows the day of this record
        ("- Use A (decisions/use-a)", False),
        ("- [ ] Ask for it (requests/nothing-here)", True),
        ("- 2026-01-03: Only Ann knows why (decisions/use-a)", True),  # the record's own line stands there too
        ("- 2026-01-01: Use A (decisions/use-a)", False),
        ("- 2026-01-01: It is gone (decisions/nothing-here)", False),
        ("- It has no day (decisions/use-b)", False),
    ],
)
def test_a_line_that_names_a_record_and_was_never_a_runs_is_peoples(line: str, theirs: bool) -> None:
    claims = [
        Claim(RecordRef(Kind.DECISION, "use-a"), "Use A", date="2026-01-02", status=Status.OPEN),
        Claim(RecordRef(Kind.DECISION, "use-b"), "Use B"),
    ]
    own = "- 2026-01-02: Use A [open] (decisions/use-a)"
    region = f"{BEGIN}\n\n## Decisions that hold\n\n{line}\n{own}\n\n{END}"
    assert of_people(region, claims) == ([line] if theirs else [])


def test_the_line_of_a_record_that_says_something_else_since_follows_it() -> None:
    claims = [Claim(RecordRef(Kind.DECISION, "use-a"), "Use A everywhere", date="2026-01-02")]
    region = f"{BEGIN}\n\n## Decisions that hold\n\n- 2026-01-01: Use A (decisions/use-a)\n\n{END}"
    assert of_people(region, claims) == []


def test_a_lesson_that_was_joined_with_the_end_of_the_block_settles(bench: B, make: B) -> None:
    bench.stage(make.staged(1, lesson("cache of the importer", 1)))
    bench.run(run_id="one")
    text = bench.read("memory/summary.md")
    bench.write("memory/summary.md", text.replace(f"\n\n{END}", f"\n- Never restart on Fridays. {END}"))
    bench.run(run_id="two")
    after = bench.read("memory/summary.md")
    assert "- Never restart on Fridays." in after.splitlines()
    assert after.count(END) == 1
    assert bench.run(run_id="three").status == "nothing"


def test_what_stands_below_a_heading_or_in_code_of_people_is_theirs() -> None:
    theirs = ["### Sub", "", "- sub item", "", "```", "## Lessons", "- in code", "```"]
    region = "\n".join([BEGIN, "", "## Lessons", "", "- Ours.", "", *theirs, "", END])
    assert of_people(region) == theirs
    assert [lesson.text for lesson in lessons_in(region)] == ["Ours."]


def test_a_line_that_names_what_is_nowhere_keeps_nothing_out_of_the_summary(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("Use PostgreSQL for billing", 1)))
    bench.run(run_id="one")
    text = bench.read("memory/summary.md")
    bench.write("memory/summary.md", text.replace(END, f"See #nowhere for the rest.\n\n{END}"))
    bench.stage(make.staged(2, make.decided("Use SQLite for the queue", 3)))
    bench.run(run_id="two")
    block, _, below = bench.read("memory/summary.md").partition(END)
    assert "SQLite" in block
    assert "See \\#nowhere for the rest." in below


def test_a_summary_that_had_to_be_left_is_told_of(bench: B, make: B) -> None:
    bench.write("memory/summary.md", "---\nupdated_at: 2026-01-01T00:00:00Z\n---\n\nSee #nowhere.\n")
    bench.stage(make.staged(1, make.decided("Use PostgreSQL for billing", 1)))
    (told,) = bench.run().noticed
    assert told.startswith("summary: left as it is: Refused")


def test_what_people_wrote_into_the_block_stands_below_it_and_it_is_said(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("Use PostgreSQL for billing", 1)))
    bench.run(run_id="one")
    text = bench.read("memory/summary.md")
    heading = "## Decisions that hold\n\n"
    words = "The team is Ann and Bob.\nAsk them first.\n\n- All money is in cents\n"
    people = "## People\n\nAnn knows (decisions/nothing)\n\n"
    text = text.replace(heading, f"{heading}{words}\n").replace(END, f"{people}{END}") + "\nBelow.\n"
    bench.write("memory/summary.md", text)
    bench.stage(make.staged(2, make.decided("Use RabbitMQ for jobs", 3)))
    run = bench.run(run_id="two")
    after = bench.read("memory/summary.md")
    block, below = after[after.index(BEGIN) : after.index(END)], after[after.index(END) + len(END) :]
    assert below.strip() == f"{words}\n{people.strip()}\n\nBelow."
    assert "Ann" not in block
    assert "RabbitMQ" in block
    assert any("5 lines of people's" in line for line in run.noticed)
    bench.stage(make.staged(3, make.decided("Use Kafka for events", 4)))
    bench.run(run_id="three")
    assert bench.read("memory/summary.md").endswith(below)


def test_what_the_rules_wrote_is_nobodys() -> None:
    lessons = [Lesson("It broke", "2026-01-01", "s"), Lesson("A person's", "", "")]
    for language in ("en", "ja", "zh", "ko"):
        assert of_people(region_for([], lessons, language, 10_000, [Lesson("Which?", "", "s")])) == []


def test_an_open_question_for_which_there_is_no_room_waits(bench: B, make: B) -> None:
    lines = [f"- 2026-01-{n:02d}: Who pays in {city} (session s)" for n, city in enumerate(CITIES, 1)]
    with_block(bench, "Open", lines)
    text = "Let's decide later whether we shard the orders table."
    question = Discussion(topic=text, points=(text,), evidence=(make.said(1, text),))
    bench.stage(make.staged(1, question))
    (how,) = bench.run().closed
    assert how.action == "kept"
    after = bench.read("memory/summary.md").splitlines()
    assert [line for line in lines if line not in after] == []
