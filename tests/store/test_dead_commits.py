"""A commit whose process died: whole ones of people stay, half ones go back, and what goes back is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_core.changes import ChangeSet, FileChange
from memory_core.store import process, recovery
from memory_core.store.filestore import FileStore

A, B = "knowledge/a.md", "knowledge/b.md"


def died(store: FileStore, reason: str, *, written: int = 2) -> Path:
    """A run that renamed A to B and died before it said that it had ended; `written`: how many files it got to."""
    root, run = store.layout.root, store.layout.archive / "run"
    (root / A).write_bytes(b"words\n")
    changes = ChangeSet({A: FileChange(A, "words\n", None), B: FileChange(B, None, "words, renamed\n")})
    store.commit(changes, run_id="run", reason=reason)
    if written < 2:
        (root / A).write_bytes(b"words\n")
    manifest = json.loads((run / "manifest.json").read_bytes())
    for entry in manifest["files"]:
        entry["state"] = "planned"
    (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    marker = store.layout.archive / "_pending/run.json"
    marker.write_text(json.dumps({**process.identity(), "process_started": "long ago"}), encoding="utf-8")
    return run


@pytest.mark.parametrize("reason", ["import", "rename", "agent: the user said so", "undo of 0199"])
def test_a_whole_commit_of_a_person_is_counted_as_done(store: FileStore, reason: str) -> None:
    """It was taken back by the next consolidation, days later: an imported record was then nowhere."""
    run = died(store, reason)
    assert recovery.roll_back(store.layout) == []
    assert not (store.layout.root / A).exists()
    assert (store.layout.root / B).read_bytes() == b"words, renamed\n"
    assert {entry["state"] for entry in json.loads((run / "manifest.json").read_bytes())["files"]} == {"written"}
    assert not (store.layout.archive / "_pending/run.json").exists()
    assert [r.run_id for r in store.runs()] == ["run"]


@pytest.mark.parametrize(("reason", "written"), [("rename", 1), ("consolidate with builtin", 2)])
def test_what_goes_back_is_kept_in_the_archive(store: FileStore, reason: str, written: int) -> None:
    run = died(store, reason, written=written)
    assert recovery.roll_back(store.layout) == ["run"]
    assert (store.layout.root / A).read_bytes() == b"words\n"
    assert not (store.layout.root / B).exists()
    assert (run / "_taken_back" / B).read_bytes() == b"words, renamed\n"


def test_a_record_that_comes_back_is_named(store: FileStore, caplog: pytest.LogCaptureFixture) -> None:
    """The run was to remove it; where a person did, they see what to remove again."""
    died(store, "consolidate with builtin")
    recovery.roll_back(store.layout)
    assert f"{A} is back, which the unfinished run run was to remove." in caplog.messages


def test_nothing_goes_back_where_one_file_cannot(store: FileStore) -> None:
    """The new name was removed, and then the old one could not be restored."""
    run = died(store, "consolidate with builtin")
    (run / A).unlink()
    assert recovery.roll_back(store.layout) == []
    assert (store.layout.root / B).read_bytes() == b"words, renamed\n"
    assert (store.layout.archive / "_pending/run.json").exists()


def test_of_two_dead_commits_the_later_one_goes_back_first(store: FileStore) -> None:
    """It had written over what the earlier one left, which was then taken for changed since and stayed."""
    file = store.layout.root / A
    file.write_bytes(b"one\n")
    for run, before, after in (("run-1", "one\n", "two\n"), ("run-2", "two\n", "three\n")):
        store.commit(ChangeSet({A: FileChange(A, before, after)}), run_id=run, reason="consolidate with builtin")
        manifest = store.layout.archive / run / "manifest.json"
        manifest.write_text(manifest.read_text("utf-8").replace('"written"', '"planned"'), encoding="utf-8")
        marker = store.layout.archive / f"_pending/{run}.json"
        marker.write_text(json.dumps({**process.identity(), "process_started": "long ago"}), encoding="utf-8")
    assert recovery.roll_back(store.layout) == ["run-2", "run-1"]
    assert file.read_bytes() == b"one\n"
