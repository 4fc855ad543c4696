"""Runs that wait for a person: what is accepted is what was shown, and nothing is decided twice meanwhile."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from memory_core.config import Config, MemorySettings
from memory_core.consolidate import held, review
from memory_core.consolidate.undo import undo
from memory_core.errors import StoreError
from memory_core.refactor.diff import unified
from memory_core.staging import HeldRun
from tests.consolidate.conftest import NOW, decision_text
from tests.consolidate.test_consolidate_job import close, write

B = Any
PREVIEW = Config(memory=MemorySettings(consolidate_review="preview"))


def now() -> Any:
    return NOW


def previewed(bench: B, make: B) -> tuple[HeldRun, str]:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    run = bench.run(make.scripted([write("use-a", ref.id), close(ref.id)]), config=PREVIEW)
    assert run.status == "held"
    assert run.left == (ref.id,)
    (waiting,) = bench.store.held()
    return waiting, ref.id


def test_a_previewed_run_writes_nothing_and_shows_what_it_would(bench: B, make: B) -> None:
    waiting, candidate = previewed(bench, make)
    assert not (bench.root / "memory/decisions/use-a.md").exists()
    assert candidate in bench.store.staging().open
    assert "+++ b/memory/decisions/use-a.md" in unified(held.change_set(waiting))
    assert [r.candidate for r in held.causes(waiting, "memory/decisions/use-a.md")] == [candidate]


def test_the_page_of_a_run_fetches_nothing(bench: B, make: B) -> None:
    """VS Code opens it in its preview, which loads pictures; a run and its candidates may come with a repository."""
    picture = "![x](https://tracker.example/x.png) <img src=y> `\n![x](z)"
    file = make.staged(1, make.decided(f"Use A {picture}"))
    bench.stage(file)
    (ref,) = file.candidates()
    bench.run(make.scripted([write("use-a", ref.id), close(ref.id)]), config=PREVIEW)
    (waiting,) = bench.store.held()
    alone = waiting.closed[0].model_copy(update={"records": (), "reason": picture})
    forged = waiting.model_copy(update={"reason": picture, "closed": (*waiting.closed, alone)})
    text = review.page(forged, review.staged_in(bench.store.staging().files))
    prose = re.sub(r"(?ms)^(`{3,})diff$.*?^\1$", "", text)
    assert prose.count("tracker.example") >= 3
    assert not re.search(r"(?<!\\)[\[\]<`]", prose)


def test_accepting_writes_exactly_what_was_shown_and_can_be_undone(bench: B, make: B) -> None:
    waiting, candidate = previewed(bench, make)
    run = held.accept(bench.store, waiting.run_id, PREVIEW, now=now)
    assert run.status == "committed"
    assert bench.read("memory/decisions/use-a.md") == waiting.changes[0].after
    assert bench.store.held() == []
    assert bench.store.staging().open == frozenset()
    result = undo(bench.store, waiting.run_id, now=now)
    assert (result.removed, result.reopened) == (("memory/decisions/use-a.md",), (candidate,))


def test_what_changed_meanwhile_stops_it_whole_and_it_keeps_waiting(bench: B, make: B) -> None:
    """T39, T40: both texts stay, and the outcome has its own name."""
    waiting, candidate = previewed(bench, make)
    bench.write("memory/decisions/use-a.md", decision_text("# Mine\n"))
    run = held.accept(bench.store, waiting.run_id, PREVIEW, now=now)
    assert (run.status, run.conflicts) == ("conflict", ("memory/decisions/use-a.md",))
    assert "# Mine" in bench.read("memory/decisions/use-a.md")
    assert bench.store.held() == [waiting]
    assert candidate in bench.store.staging().open


def test_a_record_open_with_unsaved_edits_is_a_conflict(bench: B, make: B) -> None:
    waiting, _ = previewed(bench, make)
    run = held.accept(bench.store, waiting.run_id, PREVIEW, now=now, busy={"memory/decisions/use-a.md"})
    assert run.status == "conflict"
    assert not (bench.root / "memory/decisions/use-a.md").exists()


def test_the_next_run_does_not_decide_the_same_candidates_again(bench: B, make: B) -> None:
    waiting, candidate = previewed(bench, make)
    again = bench.run(make.scripted(), config=PREVIEW)
    assert again.status == "nothing"
    assert waiting.run_id in again.reason
    assert again.left == (candidate,)
    assert len(bench.store.held()) == 1


def test_a_rejected_run_leaves_its_candidates_to_the_next_one(bench: B, make: B) -> None:
    waiting, candidate = previewed(bench, make)
    assert held.reject(bench.store, waiting.run_id) == waiting
    assert bench.store.held() == []
    run = bench.run(make.scripted([write("use-a", candidate), close(candidate)]))
    assert run.status == "committed"


def test_an_accept_that_died_after_writing_is_finished_by_the_next_one(bench: B, make: B) -> None:
    waiting, _ = previewed(bench, make)
    bench.store.commit(held.change_set(waiting), run_id=waiting.run_id, reason="accepted after review")
    run = held.accept(bench.store, waiting.run_id, PREVIEW, now=now)
    assert run.status == "committed"
    assert bench.store.held() == []
    assert bench.store.staging().open == frozenset()


@pytest.mark.parametrize("name", ["nothing", "", "../x"])
def test_an_unknown_run_is_named(bench: B, make: B, name: str) -> None:
    previewed(bench, make)
    with pytest.raises(StoreError, match="waits for review"):
        held.accept(bench.store, name, PREVIEW, now=now)


def test_a_file_that_cannot_be_read_stays_and_stops_nothing(bench: B, make: B) -> None:
    waiting, _ = previewed(bench, make)
    path = bench.store.layout.staging / "_held" / "broken.json"
    path.write_text("{", encoding="utf-8")
    assert bench.store.held() == [waiting]
    assert path.exists()
    assert json.loads(waiting.to_json())["run_id"] == waiting.run_id


def test_a_run_that_closes_a_candidate_as_applied_without_its_record_is_not_accepted(bench: B, make: B) -> None:
    waiting, candidate = previewed(bench, make)
    bench.store.hold(waiting.model_copy(update={"changes": ()}))
    run = held.accept(bench.store, waiting.run_id, PREVIEW, now=now)
    assert run.status == "failed"
    assert "without a record" in run.reason
    assert candidate in bench.store.staging().open


def test_a_run_that_closes_a_candidate_as_covered_by_what_went_meanwhile_is_not_accepted(bench: B, make: B) -> None:
    bench.write("memory/decisions/old.md", decision_text("# Use B\n"))
    file = make.staged(1, make.decided("Use A"), make.decided("Use B", 2))
    bench.stage(file)
    one, two = (ref.id for ref in file.candidates())
    calls = [write("use-a", one), close(one), close(two, "already_covered", "decision/old")]
    assert bench.run(make.scripted(calls), config=PREVIEW).status == "held"
    (bench.root / "memory/decisions/old.md").unlink()
    (waiting,) = bench.store.held()
    run = held.accept(bench.store, waiting.run_id, PREVIEW, now=now)
    assert (run.status, f"would close {two} without a record" in run.reason) == ("failed", True)
    assert bench.store.staging().open == {one, two}
