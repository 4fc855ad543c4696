"""What was removed or discarded in one work tree of a repository does not come back in another one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from memory_core.consolidate.undo import undo
from memory_core.records.schema import Kind
from memory_core.store.discovery import create_root
from tests.consolidate.test_consolidate_buried import RULE, discard, recorded, removed, renamed

B = Any


@pytest.fixture
def linked(bench: B, tmp_path: Path) -> B:
    """A store in a linked work tree of the repository that `bench` lies in."""
    main, tree = bench.root.parent, tmp_path / "tree"
    kept = main / ".git/worktrees/tree"
    kept.mkdir(parents=True)
    (kept / "gitdir").write_text(f"{tree}/.git\n")
    (kept / "commondir").write_text("../..\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {kept}\n")
    create_root(tree)
    return type(bench)(tree / ".omoide")


def again(bench: B, make: B) -> list[tuple[str, str]]:
    """What becomes of RULE where it is extracted once more."""
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    return [(how.action, how.reason) for how in bench.run(run_id="second").closed]


@pytest.mark.parametrize("way", ["from the linked one", "from the main one"])
def test_a_record_that_was_removed_in_another_work_tree_is_not_made_again(
    bench: B, linked: B, make: B, way: str
) -> None:
    there, here = (linked, bench) if way == "from the linked one" else (bench, linked)
    removed(there, recorded(there, make))
    ((action, reason),) = again(here, make)
    assert action == "discarded"
    where, at = (
        ("", "") if there is linked else (f" in {there.root.parent}", " there")
    )  # a linked one tells the main one
    assert f"run removal removed{where} (archive: wrong); `omoide undo removal`{at} brings it back" in reason


def test_a_record_that_stands_here_is_not_gone_because_it_was_removed_there(bench: B, linked: B, make: B) -> None:
    path = recorded(linked, make)
    bench.write(path, linked.read(path))
    removed(linked, path)
    assert [action for action, _ in again(bench, make)] == ["already_covered"]


def test_what_a_person_discarded_in_another_work_tree_is_not_recorded(bench: B, linked: B, make: B) -> None:
    first = make.staged(1, make.decided(RULE, 3), session="s")
    linked.stage(first)
    discard(linked, f"{first.id}/decisions/0")
    ((action, reason),) = again(bench, make)
    assert (action, "a person discarded the same" in reason) == ("discarded", True)


def test_what_another_work_tree_recorded_and_keeps_is_recorded_here_too(bench: B, linked: B, make: B) -> None:
    recorded(linked, make)
    assert [action for action, _ in again(bench, make)] == ["applied"]


def test_new_evidence_is_decided_whatever_was_removed_there(bench: B, linked: B, make: B) -> None:
    removed(linked, recorded(linked, make))
    bench.stage(make.staged(2, make.decided(RULE, 8), session="another"))
    assert [how.action for how in bench.run().closed] == ["applied"]


def test_another_work_tree_that_cannot_be_read_stops_no_run(bench: B, linked: B, make: B) -> None:
    removed(bench, recorded(bench, make))
    shutil.rmtree(bench.root / "memory/_archive")
    bench.write("memory/_archive", "no folder")
    assert [action for action, _ in again(linked, make)] == ["applied"]


def test_a_folder_that_only_says_to_be_a_work_tree_decides_nothing(bench: B, linked: B, make: B) -> None:
    """An archive that somebody unpacked may name any project."""
    (bench.root.parent / ".git/worktrees/tree/gitdir").write_text("/elsewhere/.git\n")
    removed(linked, recorded(linked, make))
    assert [action for action, _ in again(bench, make)] == ["applied"]
    assert linked.store.beside() == []


def taken_away(bench: B, linked: B) -> None:
    """As `git worktree remove` does it."""
    shutil.rmtree(linked.root.parent)
    shutil.rmtree(bench.root.parent / ".git/worktrees")


def test_what_was_removed_in_a_work_tree_is_known_once_that_is_taken_away(bench: B, linked: B, make: B) -> None:
    removed(linked, recorded(linked, make))
    taken_away(bench, linked)
    ((action, reason),) = again(bench, make)
    assert (action, "run removal removed (archive: wrong)" in reason) == ("discarded", True)
    undo(bench.store, "removal", now=bench.now)
    assert [document.ref.kind for document in bench.store.load().documents.values()] == [Kind.DECISION]


@pytest.mark.parametrize("others", [0, 1])
def test_what_was_discarded_in_a_work_tree_is_known_once_that_is_taken_away(
    bench: B, linked: B, make: B, others: int
) -> None:
    more = [make.decided("Write the docs in English", 5)] * others
    first = make.staged(1, make.decided(RULE, 3), *more, session="s")
    linked.stage(first)
    for number in range(others + 1):
        discard(linked, f"{first.id}/decisions/{number}")
    taken_away(bench, linked)
    ((action, reason),) = again(bench, make)
    assert (action, "a person discarded the same" in reason) == ("discarded", True)


def test_a_rename_in_a_work_tree_is_no_removal(bench: B, linked: B, make: B) -> None:
    renamed(linked, recorded(linked, make), "memory/decisions/renamed.md")
    assert not (bench.root / "memory/_archive").exists()


def test_a_main_work_tree_that_takes_nothing_stops_no_removal(bench: B, linked: B, make: B) -> None:
    bench.write("memory/_archive", "no folder")
    path = recorded(linked, make)
    removed(linked, path)
    assert path not in linked.records()
