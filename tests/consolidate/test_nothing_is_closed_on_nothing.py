"""A candidate is closed only where its words are in a record when the run has ended: not by a circle, not by a record
that the same run takes away, not by another candidate's record."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.staging import Decision

B = Any
ONE, TWO = (f"01970001-0000-7000-8000-000000000000/decisions/{number}" for number in range(2))
A = "memory/decisions/use-a.md"


def close(candidate: str, action: str, *records: str) -> tuple[str, dict[str, Any]]:
    return "CloseCandidate", {"id": candidate, "action": action, "reason": "it is so", "records": list(records)}


def write(slug: str, candidate: str) -> tuple[str, dict[str, Any]]:
    return "MemoryWrite", {"kind": "decision", "slug": slug, "body": "# Body", "candidates": [candidate]}


def delete(slug: str) -> tuple[str, dict[str, Any]]:
    explanation = "it is not needed any more"
    return "MemoryDelete", {"kind": "decision", "slug": slug, "reason": "outdated", "explanation": explanation}


@pytest.mark.parametrize(
    "calls",
    [
        (close(ONE, "duplicate", TWO), close(TWO, "duplicate", ONE)),
        (close(ONE, "already_covered", "decision/use-a"), delete("use-a")),
        (write("use-b", ONE), close(ONE, "applied"), delete("use-b")),
        (write("use-b", ONE), close(ONE, "applied", "decision/use-a"), delete("use-b")),
        (write("use-b", ONE), close(ONE, "applied"), close(TWO, "duplicate", ONE), delete("use-b")),
        (close(ONE, "duplicate", TWO), close(TWO, "already_covered", "decision/use-a"), delete("use-a")),
    ],
    ids=[
        "circle",
        "covered by what goes",
        "applied to what goes",
        "and another named",
        "with a twin",
        "through a twin",
    ],
)
def test_what_would_be_in_no_record_stays_staged(bench: B, make: B, calls: tuple[Any, ...]) -> None:
    bench.write(A, make.decision_text())
    for number in range(8):  # or one removal would be too much of the store
        bench.write(f"memory/decisions/other-{number}.md", make.decision_text(f"# Other matter {number}\n"))
    bench.stage(make.staged(1, make.decided("Use Q"), make.decided("Ship R", 2)))
    run = bench.run(make.scripted(calls))
    assert run.status in ("committed", "nothing")
    assert run.closed == ()
    assert bench.store.staging().open == {ONE, TWO}


def test_what_is_covered_by_a_candidate_with_a_record_is_closed(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("Use Q"), make.decided("Use Q for R", 2)))
    run = bench.run(make.scripted([close(TWO, "duplicate", ONE), write("use-b", ONE)]))
    assert {(r.candidate, r.action) for r in run.closed} == {(ONE, "applied"), (TWO, "duplicate")}


def test_a_twin_of_what_is_discarded_is_decided_on_its_own(bench: B, make: B) -> None:
    bench.stage(make.staged(1, make.decided("Use Q"), make.decided("Ship R", 2)))
    run = bench.run(make.scripted([close(TWO, "duplicate", ONE), close(ONE, "discarded")]))
    assert {(r.candidate, r.action) for r in run.closed} == {(ONE, "discarded")}
    assert bench.store.staging().open == {TWO}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Cache sessions in Redis for 10 minutes", "Cache carts in Redis for 30 minutes"),
        ("Use Postgres for orders in production", "Use MySQL for orders in production"),
        ("Keep click exports for ninety days", "Delete click exports after ninety days"),
        ("Enable gzip on the API gateway", "Disable gzip on the API gateway"),
        ("Deploy the API on Tuesdays after review", "Do not deploy the API on Tuesdays after review"),
        ("Frontend tests run on Node 18", "Frontend tests run on Node 20"),
        ("Migrate the carts from MySQL to Postgres", "Migrate the carts from Postgres to MySQL"),
        ("テストはNode 18で実行する", "テストはNode 20で実行する"),
    ],
)
@pytest.mark.parametrize("removed", [False, True], ids=["recorded", "removed"])
def test_two_decisions_of_one_message_are_two(bench: B, make: B, one: str, two: str, removed: bool) -> None:
    """A person accepts one of them in the review view; the other one rests on the same words and was closed with it."""
    message = f"{one}, and {two}"
    bench.stage(make.staged(1, *(make.decided(chosen, said_as=message) for chosen in (one, two))))
    assert [r.action for r in bench.run(run_id="first", only={ONE}).closed] == ["applied"]
    if removed:
        for path in [p for p in bench.records() if p.startswith("memory/decisions/")]:
            text = bench.read(path)
            bench.store.commit(_removal(path, text), run_id="gone", reason="archive")
    before = set(bench.records())
    second = bench.run(run_id="second", only={TWO})
    assert [(r.candidate, r.action) for r in second.closed] == [(TWO, "applied")]
    assert set(bench.records()) > before


def test_the_same_candidate_again_is_covered(bench: B, make: B) -> None:
    """What a run that died before closing left behind is still known."""
    bench.stage(make.staged(1, make.decided("Use Q for the orders", rationale="It does not lose any.")))
    bench.run(run_id="first")
    (bench.root / "memory/_resolutions.jsonl").unlink()
    bench.stage(make.staged(1, make.decided("Use Q for the orders", rationale="It does not lose any.")))
    assert [r.action for r in bench.run(run_id="second").closed] == ["already_covered"]


@pytest.mark.parametrize(
    ("native_id", "action"), [("9f0c2d4e-64d7-4a3b-9e21-7c8d40f2a615", "already_covered"), ("message-1", "applied")]
)
def test_a_copy_of_a_session_brings_no_overturned_decision_back(bench: B, make: B, native_id: str, action: str) -> None:
    """An imported or forked log has another session id, and the same entries; a number in a list names none."""
    said = make.said(1, "Use the csv module", native_id=native_id)
    bench.stage(make.staged(1, Decision(chosen="Use the csv module", evidence=(said,))))
    bench.run(run_id="first")
    path = bench.root / "memory/decisions/use-csv-module.md"
    other = make.decision_text("# Use polars\n")
    bench.write("memory/decisions/use-polars.md", other)
    old = path.read_text(encoding="utf-8").replace("status: resolved", "status: replaced\nreplaced_by: use-polars")
    path.write_text(old, encoding="utf-8")
    copied = said.model_copy(update={"sha256": "f" * 64})  # the copy's line names its own session
    bench.stage(make.staged(2, Decision(chosen="Use the csv module", evidence=(copied,)), session="imported"))
    assert [how.action for how in bench.run(run_id="second").closed] == [action]


@pytest.mark.parametrize("meanwhile", ["removed", "edited"])
def test_what_covers_a_candidate_is_looked_at_again_at_the_end(bench: B, make: B, meanwhile: str) -> None:
    """A branch was switched, or the record was archived, while the model was thinking."""
    bench.write(A, make.decision_text())
    bench.stage(make.staged(1, make.decided("Use Q"), make.decided("Ship R", 2)))

    def somebody(_: Any) -> None:
        if meanwhile == "removed":
            (bench.root / A).unlink()
        else:
            bench.write(A, make.decision_text("# Use something else\n"))

    calls = (close(ONE, "already_covered", "decision/use-a"), write("use-b", TWO), somebody)
    run = bench.run(make.scripted(calls))
    assert {(r.candidate, r.action) for r in run.closed} == {(TWO, "applied")}
    assert bench.store.staging().open == {ONE}


def test_a_read_only_record_covers_a_candidate_all_the_same(bench: B, make: B) -> None:
    bench.write(A, make.decision_text("# Use Q\n"))
    (bench.root / A).chmod(0o444)
    bench.stage(make.staged(1, make.decided("Use Q")))
    run = bench.run(make.scripted([close(ONE, "already_covered", "decision/use-a")]))
    assert [r.action for r in run.closed] == ["already_covered"]


def _removal(path: str, text: str) -> Any:
    from memory_core.changes import ChangeSet, FileChange

    return ChangeSet({path: FileChange(path, text, None)})


KAFKA, REDIS, SQLITE = (f"01970001-0000-7000-8000-000000000000/decisions/{number}" for number in range(3))
TOOLS = ("Use Kafka for the events bus", "Use Redis for the page cache", "Use SQLite for the job queue")


def _tools(text: str, candidate: str) -> tuple[str, dict[str, Any]]:
    args = {"kind": "decision", "slug": "tools", "body": f"# {text}", "candidates": [candidate], "overwrite": True}
    return "MemoryWrite", args


def test_a_record_that_is_written_over_for_the_next_candidate_keeps_the_last_alone(bench: B, make: B) -> None:
    """A model that keeps no track wrote one record for each candidate over the one before, and all were closed."""
    bench.stage(make.staged(1, *(make.decided(text, number) for number, text in enumerate(TOOLS, 1))))
    calls = [
        step
        for text, candidate in zip(TOOLS, (KAFKA, REDIS, SQLITE), strict=True)
        for step in (_tools(text, candidate), close(candidate, "applied"))
    ]
    worker = make.scripted(calls)
    run = bench.run(worker)
    assert [r.candidate for r in run.closed] == [SQLITE]
    assert bench.store.staging().open == {KAFKA, REDIS}
    assert f"nothing of {KAFKA} any more: decide again" in worker.results[2].text


def test_a_record_that_is_written_over_and_still_says_all_keeps_all(bench: B, make: B) -> None:
    bench.stage(make.staged(1, *(make.decided(text, number) for number, text in enumerate(TOOLS, 1))))
    texts = [TOOLS[0], f"{TOOLS[0]}; {TOOLS[1]}", "; ".join(TOOLS)]
    run = bench.run(make.scripted([_tools(*pair) for pair in zip(texts, (KAFKA, REDIS, SQLITE), strict=True)]))
    assert {r.candidate for r in run.closed} == {KAFKA, REDIS, SQLITE}


@pytest.mark.parametrize("action", ["already_covered", "duplicate"])
def test_what_shares_no_word_and_no_evidence_with_a_candidate_does_not_cover_it(bench: B, make: B, action: str) -> None:
    bench.write("memory/decisions/postgres.md", make.decision_text("# Use PostgreSQL for the billing database\n"))
    bench.stage(make.staged(1, make.decided(TOOLS[0]), make.decided(TOOLS[1], 2)))
    worker = make.scripted([close(KAFKA, action, "decision/postgres"), close(REDIS, action, KAFKA)])
    assert bench.run(worker).closed == ()
    assert all("has no word and no evidence of this candidate" in result.text for result in worker.results)


def test_a_record_in_another_script_may_cover_a_candidate(bench: B, make: B) -> None:
    bench.write("memory/decisions/kafka.md", make.decision_text("# イベントバスにはカフカを使う\n"))
    bench.stage(make.staged(1, make.decided(TOOLS[0])))
    run = bench.run(make.scripted([close(KAFKA, "already_covered", "decision/kafka")]))
    assert [r.action for r in run.closed] == ["already_covered"]
