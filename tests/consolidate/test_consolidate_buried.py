"""What was taken out of memory does not come back by itself from the same evidence."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.changes import ChangeSet
from memory_core.consolidate.undo import undo
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from tests.consolidate.conftest import NOW
from tests.consolidate.test_consolidate_job import close, write

B = Any
RULE = "Use SQLite for the queue"


def recorded(bench: B, make: B) -> str:
    """The path of a decision that the rules made of a candidate."""
    bench.stage(make.staged(1, make.decided(RULE, 3), session="s"))
    run = bench.run(run_id="first")
    (change,) = [change for change in run.changes if change.kind == "decision"]
    return record_path(RecordRef(Kind.DECISION, change.slug))


def removed(bench: B, path: str, reason: str = "archive: wrong") -> None:
    text = bench.read(path)
    bench.store.commit(ChangeSet().with_file(path, text, None), run_id="removal", reason=reason)


def test_a_record_that_a_person_removed_is_not_made_again_from_the_same_evidence(bench: B, make: B) -> None:
    """T31, T43, T62: deleting works, and the reason names the run that did it."""
    path = recorded(bench, make)
    removed(bench, path)
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    run = bench.run(run_id="second")
    assert [(r.action, r.records) for r in run.closed] == [("discarded", ())]
    assert "run removal removed (archive: wrong)" in run.closed[0].reason
    assert "omoide undo removal" in run.closed[0].reason
    assert path not in bench.records()
    assert bench.store.staging().open == frozenset()


def test_a_model_is_not_even_asked_about_it(bench: B, make: B) -> None:
    removed(bench, recorded(bench, make))
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    worker = make.scripted()
    bench.run(worker)
    assert worker.works == []


def test_new_evidence_for_it_is_decided_like_any(bench: B, make: B) -> None:
    path = recorded(bench, make)
    removed(bench, path)
    bench.stage(make.staged(2, make.decided(RULE, 8), session="another"))
    run = bench.run(run_id="second")
    assert [r.action for r in run.closed] == ["applied"]
    assert path in bench.records()


def test_another_decision_of_the_same_message_is_not_buried_with_it(bench: B, make: B) -> None:
    text = "Use SQLite for the queue, and name the branches after tickets."
    bench.stage(make.staged(1, make.decided(RULE, 3, text), session="s"))
    (change,) = bench.run(run_id="first").changes[:1]
    removed(bench, record_path(RecordRef(Kind.DECISION, change.slug)))
    bench.stage(make.staged(2, make.decided("Name the branches after tickets", 3, text), session="s"))
    assert [r.action for r in bench.run(run_id="second").closed] == ["applied"]


def test_a_person_has_it_back_by_undoing_the_removal(bench: B, make: B) -> None:
    path = recorded(bench, make)
    before = bench.read(path)
    removed(bench, path)
    undo(bench.store, "removal", now=lambda: NOW)
    assert bench.store.tombstones() == []
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    assert [r.action for r in bench.run(run_id="second").closed] == ["already_covered"]
    assert bench.read(path) == before


def test_a_person_has_it_back_by_writing_it_anew(bench: B, make: B) -> None:
    path = recorded(bench, make)
    removed(bench, path)
    bench.write(path, make.decision_text(f"# {RULE}\n"))
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    assert [r.action for r in bench.run(run_id="second").closed] == ["applied"]


def test_undoing_the_run_that_made_it_buries_nothing(bench: B, make: B) -> None:
    """The candidates are staged again on purpose; who wants them gone closes them."""
    path = recorded(bench, make)
    undo(bench.store, "first", now=lambda: NOW)
    assert path not in bench.records()
    assert bench.store.tombstones() == []
    assert bench.run(run_id="second").status == "committed"
    assert path in bench.records()


def test_a_rename_buries_nothing(bench: B, make: B) -> None:
    path = recorded(bench, make)
    text = bench.read(path)
    moved = ChangeSet().with_file(path, text, None).with_file("memory/decisions/renamed.md", None, text)
    bench.store.commit(moved, run_id="move", reason="rename")
    assert bench.store.tombstones() == []


def test_a_removal_by_a_run_counts_with_its_own_reason(bench: B, make: B) -> None:
    path = recorded(bench, make)
    slug = path.rsplit("/", 1)[1].removesuffix(".md")
    bench.write("knowledge/a.md", make.knowledge_text())
    bench.write("knowledge/b.md", make.knowledge_text())
    bench.write("knowledge/c.md", make.knowledge_text())
    file = make.staged(7, make.decided("Use another thing altogether", 9), session="other")
    bench.stage(file)
    (ref,) = file.candidates()
    delete = {"kind": "decision", "slug": slug, "reason": "outdated", "explanation": "The queue is gone altogether."}
    bench.write("memory/summary.md", "---\nupdated_at: 2026-01-01T00:00:00Z\n---\nNothing.\n")
    run = bench.run(make.scripted([("MemoryDelete", delete), write("other", ref.id), close(ref.id)]), run_id="tidy")
    assert run.status == "committed", run.reason
    (stone,) = bench.store.tombstones()
    assert (stone.path, stone.run_id) == (path, "tidy")
    assert stone.reason == "outdated: The queue is gone altogether."


@pytest.mark.parametrize("damage", ["{", "[]", '{"run_id": "x", "files": [{}]}'])
def test_a_damaged_archive_stops_no_run(bench: B, make: B, damage: str) -> None:
    removed(bench, recorded(bench, make))
    bench.write("memory/_archive/broken/manifest.json", damage)
    assert len(bench.store.tombstones()) == 1
    bench.write("memory/_archive/removal/manifest.json", damage)
    assert bench.store.tombstones() == []
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    assert bench.run().status == "committed"


def test_a_store_without_an_archive_has_no_tombstones_and_gets_none(bench: B) -> None:
    before = bench.everything()
    assert bench.store.tombstones() == []
    assert bench.everything() == before
