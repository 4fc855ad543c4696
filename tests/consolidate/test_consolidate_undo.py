"""Undo: what a run changed becomes what it was, unless somebody has changed it since."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from memory_core.changes import ChangeSet, FileChange
from memory_core.consolidate.undo import undo
from memory_core.errors import StoreError
from memory_core.staging import Resolution
from tests.consolidate.conftest import decision_text, knowledge_text

B = Any
A = "memory/decisions/use-a.md"


def run(bench: B, make: B, *calls: Any) -> None:
    bench.stage(make.staged(1, make.decided("Use A")))
    assert bench.run(make.scripted(calls), run_id="run").status in ("committed", "conflict")


def test_every_record_is_again_what_it_was(bench: B, make: B) -> None:
    """T31, T41: byte for byte, removed records included."""
    bench.write(A, make.decision_text("# Use A\r\n").replace("\n", "\r\n"))
    for name in ("fact", "zebra", "other", "quartz"):
        bench.write(f"knowledge/{name}.md", "\ufeff" + make.knowledge_text())
    before = bench.records()
    delete = {"kind": "knowledge", "slug": "fact", "reason": "outdated", "explanation": "v1 is gone for good"}
    edit = {"kind": "decision", "slug": "use-a", "new_text": "More.", "reason": "news"}
    write = {"kind": "summary", "body": "We use A."}
    run(bench, make, ("MemoryDelete", delete), ("MemoryEdit", edit), ("MemoryWrite", write))
    after = bench.records()
    assert after != before
    result = undo(bench.store, "run")
    assert result.conflicts == {}
    assert bench.records() == before
    (undo_id,) = {p.name for p in (bench.root / "memory/_archive").iterdir()} - {"run", "_pending"}
    undo(bench.store, undo_id)
    assert bench.records() == after


def test_a_file_changed_since_is_left_alone_and_named(bench: B, make: B) -> None:
    bench.write(A, make.decision_text())
    edit = {"kind": "decision", "slug": "use-a", "new_text": "More.", "reason": "news"}
    run(bench, make, ("MemoryEdit", edit), ("MemoryWrite", {"kind": "summary", "body": "We use A."}))
    bench.write(A, make.decision_text("A person's.\n"))
    result = undo(bench.store, "run")
    assert tuple(result.conflicts) == (A,)
    assert result.conflicts[A] == "was changed since that run"
    assert (*result.removed, *result.restored) == ("memory/summary.md",)
    assert bench.read(A) == make.decision_text("A person's.\n")


def test_a_record_that_is_referred_to_by_now_stays(bench: B, make: B) -> None:
    ref = "01970001-0000-7000-8000-000000000000/decisions/0"
    fields = {"kind": "fact", "description": "What. Read when."}
    write = {"kind": "knowledge", "slug": "fresh", "body": "Body.", "fields": fields, "candidates": [ref]}
    run(bench, make, ("MemoryWrite", write))
    bench.write("knowledge/mine.md", make.knowledge_text("See #fresh.\n"))
    result = undo(bench.store, "run")
    assert list(result.conflicts) == ["knowledge/fresh.md"]
    assert "knowledge/mine.md" in result.conflicts["knowledge/fresh.md"]
    assert "knowledge/fresh.md" in bench.records()


def test_undoing_twice_changes_nothing_more(bench: B, make: B) -> None:
    run(bench, make, ("MemoryWrite", {"kind": "summary", "body": "We use A."}))
    undo(bench.store, "run")
    before = bench.records()
    assert undo(bench.store, "run").nothing
    assert bench.records() == before


def test_an_unknown_run_is_one_clear_line(bench: B) -> None:
    for run_id in ("absent", "../../etc", ""):
        with pytest.raises(StoreError):
            undo(bench.store, run_id)


def test_a_damaged_archive_is_never_restored_from(bench: B, make: B) -> None:
    """T44"""
    bench.write(A, make.decision_text())
    run(bench, make, ("MemoryEdit", {"kind": "decision", "slug": "use-a", "new_text": "More.", "reason": "news"}))
    (bench.root / "memory/_archive/run" / A).write_text("tampered")
    before = bench.records()
    with pytest.raises(StoreError, match="cannot be undone"):
        undo(bench.store, "run")
    assert bench.records() == before


def test_the_undoing_is_audited(bench: B, make: B) -> None:
    run(bench, make, ("MemoryWrite", {"kind": "summary", "body": "We use A."}))
    undo(bench.store, "run")
    last = json.loads(bench.store.layout.audit.read_text(encoding="utf-8").splitlines()[-1])
    assert (last["event"], last["undone"], last["restored"]) == ("undo", "run", ["memory/summary.md"])


def test_what_the_run_closed_is_staged_again(bench: B, make: B) -> None:
    """A run that is taken back loses no candidate, and the next one can decide them anew."""
    ref = "01970001-0000-7000-8000-000000000000/decisions/0"
    write = {"kind": "decision", "slug": "use-a", "body": "Body.", "fields": {"status": "open"}, "candidates": [ref]}
    run(bench, make, ("MemoryWrite", write))
    assert bench.store.staging().open == frozenset()
    result = undo(bench.store, "run")
    assert result.removed == (A,)
    assert result.reopened == (ref,)
    assert bench.store.staging().open == {ref}
    assert undo(bench.store, "run").nothing
    bench.run(make.scripted([("MemoryWrite", write)]), run_id="again")
    assert bench.store.staging().open == frozenset()
    assert A in bench.records()


def test_a_candidate_whose_record_stays_remains_closed(bench: B, make: B) -> None:
    ref = "01970001-0000-7000-8000-000000000000/decisions/0"
    write = {"kind": "decision", "slug": "use-a", "body": "Body.", "fields": {"status": "open"}, "candidates": [ref]}
    run(bench, make, ("MemoryWrite", write))
    bench.write(A, bench.read(A) + "A person's line.\n")
    assert undo(bench.store, "run").reopened == ()
    assert bench.store.staging().open == frozenset()


def test_a_run_that_only_closed_candidates_is_listed_and_taken_back(bench: B, make: B) -> None:
    """What a run discarded is not gone for good: nobody has to have written a record for that."""
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    given = {"id": ref.id, "action": "discarded", "reason": "not ours"}
    run = bench.run(make.scripted([("CloseCandidate", given)]))
    assert (run.status, run.changes) == ("committed", ())
    (listed,) = bench.store.runs()
    assert (listed.run_id, listed.files, listed.reason) == (run.run_id, 0, "closed 1 candidate")
    result = undo(bench.store, run.run_id, now=bench.now)
    assert result.reopened == (ref.id,)
    assert bench.store.staging().open == {ref.id}
    assert bench.store.runs() == []


def test_the_runs_are_listed_newest_first(bench: B, make: B) -> None:
    run(bench, make, ("MemoryWrite", {"kind": "summary", "body": "We use A."}))
    result = undo(bench.store, "run")
    assert {(r.run_id, r.files) for r in bench.store.runs()} == {("run", 1), (result.run_id, 1)}


B_PATH = "memory/decisions/use-b.md"


def renamed(bench: B) -> None:
    """`use-a` became `use-b`, and the note that refers to it follows."""
    text = bench.read(A)
    changes = ChangeSet({A: FileChange(A, text, None), B_PATH: FileChange(B_PATH, None, text)})
    changes = changes.with_file("knowledge/mine.md", bench.read("knowledge/mine.md"), make_note("use-b"))
    assert not bench.store.commit(changes, run_id="rename", reason="rename").conflicts


def make_note(slug: str) -> str:
    return knowledge_text(f"See decisions/{slug}.\n")


def edited(bench: B) -> None:
    bench.write(B_PATH, bench.read(B_PATH) + "\nAsk Dana first.\n")


def renamed_again(bench: B) -> None:
    bench.write("memory/decisions/use-c.md", bench.read(B_PATH))
    (bench.root / B_PATH).unlink()


def removed(bench: B) -> None:
    (bench.root / B_PATH).unlink()


def name_taken(bench: B) -> None:
    bench.write(A, decision_text("# Use A for something else\n"))


def referred_to(bench: B) -> None:
    bench.write("memory/decisions/old.md", decision_text("# Old\n", status="replaced", replaced_by="use-b"))


@pytest.mark.parametrize("since", [edited, renamed_again, removed, name_taken, referred_to])
def test_the_halves_of_a_rename_go_back_together_or_not_at_all(bench: B, since: Callable[[B], None]) -> None:
    """The old name restored beside what became of the new one is two records of one decision: nothing ended both."""
    bench.write(A, decision_text())
    bench.write("knowledge/mine.md", make_note("use-a"))
    renamed(bench)
    since(bench)
    before = bench.records()
    result = undo(bench.store, "rename")
    assert bench.records() == before
    assert {A, B_PATH} <= set(result.conflicts)
    assert (result.removed, result.restored) == ((), ())


def test_a_rename_is_taken_back_and_its_undo_too(bench: B) -> None:
    bench.write(A, decision_text())
    bench.write("knowledge/mine.md", make_note("use-a"))
    before = bench.records()
    renamed(bench)
    after = bench.records()
    first = undo(bench.store, "rename", now=bench.now)
    assert bench.records() == before
    undo(bench.store, first.run_id, now=bench.now)
    assert bench.records() == after


def test_what_remains_of_a_rename_under_both_names_is_taken_back(bench: B) -> None:
    """Git brought the old name back; the new one goes."""
    bench.write(A, decision_text())
    bench.write("knowledge/mine.md", make_note("use-a"))
    before = bench.records()
    renamed(bench)
    bench.write(A, decision_text())
    undo(bench.store, "rename")
    assert bench.records() == before


def stage_two(bench: B, make: B) -> None:
    asked = make.staged(2, make.asked("Run slow tests", 9))
    bench.stage(make.staged(1, make.decided("Use SQLite for the queue")), asked)


def test_what_was_discarded_between_an_undo_and_its_undo_does_not_come_back(bench: B, make: B) -> None:
    bench.stage(
        make.staged(1, make.decided("Use SQLite for the queue")), make.staged(2, make.asked("Run slow tests", 9))
    )
    before = bench.records()
    done = bench.run(run_id="run")
    assert len(done.closed) == 2
    back = undo(bench.store, "run")
    assert bench.records() == before
    (decision,) = [how.candidate for how in done.closed if how.records[0].startswith("decision/")]
    bench.store.close(
        [Resolution(candidate=decision, action="discarded", reason="no", recorded_at="2026-05-01T00:00:00Z")]
    )
    redone = undo(bench.store, back.run_id)
    assert [why for path, why in redone.conflicts.items() if "decisions" in path] == [
        "rests on a candidate that was closed otherwise since"
    ]
    assert [path for path in bench.records() if "decisions" in path] == []
    assert [path for path in bench.records() if "requests" in path]
    assert bench.store.staging().open == frozenset()


def test_an_undo_and_its_undo_are_the_way_there_and_back_for_candidates_too(bench: B, make: B) -> None:
    bench.stage(
        make.staged(1, make.decided("Use SQLite for the queue")), make.staged(2, make.asked("Run slow tests", 9))
    )

    def state() -> Any:
        closed = sorted((how.candidate, how.action, how.reason, how.records) for how in bench.store.closed())
        return bench.records(), bench.store.staging().open, closed

    before = state()
    bench.run(run_id="run")
    after = state()
    assert after != before
    run_id = "run"
    for expected in (before, after, before, after):
        result = undo(bench.store, run_id)
        assert result.conflicts == {}
        assert state() == expected
        run_id = result.run_id
