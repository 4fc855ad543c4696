"""What a person says of a candidate while a run decides or waits for review counts: nothing is made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory_core.consolidate import held
from memory_core.staging import Resolution
from tests.consolidate.conftest import NOW
from tests.consolidate.test_consolidate_held import PREVIEW
from tests.consolidate.test_consolidate_job import close, write

B = Any


def discard(bench: B, candidate: str) -> None:
    """As `omoide staging close` does."""
    fields = {"candidate": candidate, "action": "discarded", "reason": "private", "recorded_at": "2026-06-01T09:00:00Z"}
    bench.store.close([Resolution.model_validate(fields)])


def standing(bench: B) -> dict[str, str]:
    return {how.candidate: how.action for how in bench.store.closed()}


def test_what_a_person_discards_while_a_run_decides_is_not_recorded(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"), make.decided("Use B", 2))
    bench.stage(file)
    gone, other = (ref.id for ref in file.candidates())
    calls = [write("use-a", gone), close(gone), write("use-b", other), close(other), lambda _: discard(bench, gone)]
    run = bench.run(make.scripted(calls))
    assert run.status == "committed"
    assert list(bench.records()) == ["memory/decisions/use-b.md"]
    assert standing(bench) == {gone: "discarded", other: "applied"}
    assert "1 candidate closed by somebody meanwhile" in run.reason
    assert (run.left, run.conflicts) == ((), ())


def test_what_stands_in_one_record_with_it_waits_for_the_next_run(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"), make.decided("Use B", 2))
    bench.stage(file)
    gone, other = (ref.id for ref in file.candidates())
    both = {"kind": "decision", "slug": "use-both", "body": "# Use both", "candidates": [gone, other]}
    worker = make.scripted([("MemoryWrite", both), close(gone), close(other), lambda _: discard(bench, gone)])
    run = bench.run(worker)
    assert not any(result.is_error for result in worker.results if result)
    assert (run.status, run.left) == ("nothing", (other,))
    assert bench.records() == {}
    assert bench.store.staging().open == {other}


def test_a_duplicate_of_it_waits_for_the_next_run(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"), make.decided("We use A", 2))
    bench.stage(file)
    gone, other = (ref.id for ref in file.candidates())
    same = ("CloseCandidate", {"id": other, "action": "duplicate", "reason": "the same", "records": [gone]})
    run = bench.run(make.scripted([write("use-a", gone), close(gone), same, lambda _: discard(bench, gone)]))
    assert bench.records() == {}
    assert run.left == (other,)
    assert bench.store.staging().open == {other}


def test_a_run_that_keeps_a_candidate_does_not_open_what_a_person_closed(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (gone,) = (ref.id for ref in file.candidates())
    keep = ("CloseCandidate", {"id": gone, "action": "kept", "reason": "not clear yet"})
    bench.run(make.scripted([keep, lambda _: discard(bench, gone)]))
    assert standing(bench) == {gone: "discarded"}


class AtEachLook:
    """The files open with unsaved edits, which are none; something happens whenever a run asks."""

    def __init__(self, happens: Callable[[], None]) -> None:
        self.happens = happens

    def __contains__(self, path: object) -> bool:
        self.happens()
        return False


def test_what_a_person_discards_while_it_is_written_stays_discarded_and_is_told(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (gone,) = (ref.id for ref in file.candidates())
    busy = AtEachLook(lambda: discard(bench, gone))
    run = bench.run(make.scripted([write("use-a", gone), close(gone)]), busy=busy)
    assert standing(bench) == {gone: "discarded"}
    assert f"{gone} was closed by somebody while it was written: look at decision/use-a" in run.reason


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_a_run_that_waits_is_not_accepted_once_a_candidate_of_it_was_discarded(bench: B, make: B, action: str) -> None:
    file = make.staged(1, make.decided("Use A"), make.decided("Use B", 2))
    bench.stage(file)
    gone, other = (ref.id for ref in file.candidates())
    calls = [write("use-a", gone), close(gone), write("use-b", other), close(other)]
    assert bench.run(make.scripted(calls), run_id="waits", config=PREVIEW).status == "held"
    discard(bench, gone)
    if action == "accept":
        run = held.accept(bench.store, "waits", PREVIEW, now=lambda: NOW)
        assert run.status == "failed"
        assert f"{gone} was closed since (discarded: private): reject it" in run.reason
    held.reject(bench.store, "waits")
    assert bench.records() == {}
    assert bench.store.staging().open == {other}
    assert standing(bench) == {gone: "discarded"}
