"""Of two records that say the same, what a person wrote in one of them is there after they became one, or they stay."""

from __future__ import annotations

import re
from typing import Any

import pytest

from memory_core.providers.builtin.naming import description_for
from memory_core.providers.builtin.taken_in import lost
from memory_core.records.record import Record, parse
from memory_core.records.schema import Kind, RecordRef
from tests.consolidate.test_consolidate_tidying import fill, source, text_of

B = Any
TITLE = "Use SQLite for the job queue"
NOTE = "Ask Dana before the staging cluster is switched over"
QUOTED = "- human, 2026-05-01, entry {0} of session `s{0}`:\n  > words {0}"


def made(number: int, more: str = "", title: str = TITLE, **fields: str) -> str:
    """A decision as the rules record it."""
    described = {"description": f"{TITLE}. Read before proposing another way."} | fields
    body = f"# {title}\n\nWhy: It is small.{more}\n\n## Evidence\n\n{QUOTED.format(number)}"
    return text_of("decision", body, source(f"s{number}", number), **described)


EDITS = {
    "a section at the end": lambda text: f"{text}\n## Notes\n\n{NOTE}.\n",
    "a paragraph at the end": lambda text: f"{text}\n{NOTE}.\n",
    "below the title": lambda text: text.replace(f"# {TITLE}\n", f"# {TITLE}\n{NOTE}.\n"),
    "a paragraph": lambda text: text.replace("\n\n## Evidence", f"\n\n{NOTE}.\n\n## Evidence"),
    "a comment in the head": lambda text: text.replace("origin:", f"# {NOTE}\norigin:"),
    "a comment behind a value": lambda text: text.replace("policy:consolidate\n", f"policy:consolidate  # {NOTE}\n"),
    "a key of their own": lambda text: text.replace("origin:", f"note: {NOTE}\norigin:"),
    "the description": lambda text: re.sub(r"description: .*", f"description: {NOTE}", text),
    "above the quotations": lambda text: text.replace("## Evidence\n", f"## Evidence\n\n{NOTE}.\n"),
    "a quotation of their own": lambda text: f"{text}- Dana in the meeting:\n  > {NOTE}\n",
    "in a fence": lambda text: text.replace("\n\n## Evidence", f"\n\n```\nmake\n\n# {NOTE}\n```\n\n## Evidence"),
    "a second title": lambda text: text.replace("\n\n## Evidence", f"\n\n# {NOTE}\n\n## Evidence"),
}


def texts(bench: B) -> str:
    return b"\n".join(text for path, text in bench.records().items() if "decisions" in path).decode()


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
@pytest.mark.parametrize("older", [True, False])
def test_what_a_person_put_into_one_of_two_records_stays_and_takes_in_the_other(
    bench: B, edit: Any, older: bool
) -> None:
    fill(bench)
    edited, other = edit(made(1)), made(2)
    first, second = (edited, other) if older else (other, edited)
    bench.write("memory/decisions/use-sqlite-for-job-queue.md", first)
    bench.write("memory/decisions/queue-on-sqlite.md", second.replace("2026-05-01T", "2026-05-02T"))
    run = bench.run(run_id="one")
    assert [change.op for change in run.changes].count("delete") == 1
    assert NOTE in texts(bench)
    assert "> words 1" in texts(bench)
    assert "> words 2" in texts(bench)
    assert bench.run(run_id="two").status == "nothing"


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_where_people_put_something_into_both_nothing_of_it_is_lost(bench: B, edit: Any) -> None:
    fill(bench)
    bench.write("memory/decisions/use-sqlite-for-job-queue.md", edit(made(1)).replace("Dana", "Robin"))
    bench.write("memory/decisions/queue-on-sqlite.md", edit(made(2)))
    bench.run()
    for name in ("Dana", "Robin"):
        assert NOTE.replace("Dana", name) in texts(bench)


def test_two_records_in_which_people_wrote_are_named(bench: B) -> None:
    fill(bench)
    edit = EDITS["a section at the end"]
    bench.write("memory/decisions/use-sqlite-for-job-queue.md", edit(made(1)).replace("Dana", "Robin"))
    bench.write("memory/decisions/queue-on-sqlite.md", edit(made(2)))
    before = bench.records()
    run = bench.run()
    assert bench.records() == before
    assert any("say the same; " in line and "a merge would lose" in line for line in run.noticed)


def test_a_word_that_only_one_title_has_is_kept(bench: B) -> None:
    fill(bench)
    bench.write("memory/decisions/use-sqlite-for-job-queue.md", made(1))
    bench.write("memory/decisions/queue-on-sqlite.md", made(2, title="Use SQLite for the internal job queue"))
    bench.run()
    assert "internal" in texts(bench)


def decision(text: str) -> Record:
    return parse(RecordRef(Kind.DECISION, "a"), text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (made(1), made(2)),
        (made(1, "\n\nChosen over: Redis."), made(2)),
        (made(1, title="Use SQLite for job queues"), made(2)),
        (made(1).replace("\n", "\r\n"), made(2)),
        (made(1, description="'Use SQLite for #jobs # and so on'", title="Use SQLite for #jobs # and so on"), made(2)),
        *((edit(made(1)), edit(made(2))) for edit in EDITS.values()),
    ],
)
def test_of_what_a_run_wrote_and_of_what_both_say_nothing_is_lost(one: str, other: str) -> None:
    assert not lost(decision(one), decision(other))


@pytest.mark.parametrize(
    "title",
    [
        "Never log request bodies, they contain tokens",
        "Implement retry with exponential backoff in src/client.py for 502 and 503 responses",
        "Retry uploads before each release of the server, but not in CI",
        "これからは main に直接コミットしないで、必ずプルリクエストを作って",
        "包管理器用 pnpm，不要用 yarn",
        "앞으로 main에 직접 커밋하지 말고 항상 풀 리퀘스트를 만들어 줘",
        "Keep " + "the very long list of machines in the cellar of the old house, " * 2 + "as it is",
    ],
)
def test_the_description_that_the_rules_write_says_nothing_beside_the_text(title: str) -> None:
    assert not lost(decision(made(1, title=title, description=f"'{description_for(title)}'")), decision(""))
