"""A record whose file is gone though no run removed it: somebody deleted it, or it lies on another branch. It is not
made again by itself, and nothing that was said is lost."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.consolidate.undo import undo
from tests.consolidate.test_consolidate_buried import RULE, recorded

B = Any


def deleted(bench: B, make: B) -> str:
    """The path of a record that was made, and whose file is gone."""
    path = recorded(bench, make)
    (bench.root / path).unlink()
    return path


def again(bench: B, make: B, entry: int = 3, session: str = "s", only: set[str] | None = None) -> Any:
    """A run after RULE was extracted once more, from a fork of its session."""
    bench.stage(make.staged(2, make.decided(RULE, entry), session=session))
    return bench.run(run_id="second", only=only)


def test_what_went_into_it_waits_for_a_person(bench: B, make: B) -> None:
    path = deleted(bench, make)
    run = again(bench, make)
    assert path not in bench.records()
    assert [(how.action, "use-sqlite-for-queue before, which is gone" in how.reason) for how in run.closed] == [
        ("kept", True)
    ]
    assert "1 candidate stays staged, their record is gone and no run removed it" in run.reason
    assert len(bench.store.staging().open) == 1


def test_a_model_is_not_asked_about_it(bench: B, make: B) -> None:
    deleted(bench, make)
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    worker = make.scripted()
    bench.run(worker)
    assert worker.works == []


def test_a_person_who_accepts_it_has_it_recorded(bench: B, make: B) -> None:
    deleted(bench, make)
    (ref,) = make.staged(2, make.decided(RULE, 3), session="s").candidates()
    assert [how.action for how in again(bench, make, only={ref.id}).closed] == ["applied"]


@pytest.mark.parametrize("back", ["as it was", "written anew", "under another name"])
def test_where_there_is_a_record_again_it_is_decided_like_any(bench: B, make: B, back: str) -> None:
    path = recorded(bench, make)
    text = bench.read(path)
    (bench.root / path).unlink()
    again(bench, make)
    bench.write("memory/decisions/other.md" if back == "under another name" else path,
                make.decision_text(f"# {RULE}\n") if back == "written anew" else text)  # fmt: skip
    assert [how.action for how in bench.run(run_id="third").closed] == [
        "applied" if back == "written anew" else "already_covered"
    ]


def test_new_evidence_for_it_is_recorded(bench: B, make: B) -> None:
    path = deleted(bench, make)
    assert [how.action for how in again(bench, make, 8, "another").closed] == ["applied"]
    assert path in bench.records()


def test_another_thing_that_was_said_in_the_same_words_is_recorded(bench: B, make: B) -> None:
    text = f"{RULE}, and name the branches after tickets."
    bench.stage(make.staged(1, make.decided(RULE, 3, text), session="s"))
    bench.run(run_id="first")
    for path in (bench.root / "memory/decisions").iterdir():
        path.unlink()
    bench.stage(make.staged(2, make.decided("Name the branches after tickets", 3, text), session="s"))
    assert [how.action for how in bench.run(run_id="second").closed] == ["applied"]


def test_what_is_staged_again_by_an_undo_is_recorded(bench: B, make: B) -> None:
    path = recorded(bench, make)
    undo(bench.store, "first", now=bench.now)
    assert bench.run(run_id="second").status == "committed"
    assert path in bench.records()
