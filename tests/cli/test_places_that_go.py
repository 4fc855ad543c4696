"""Sessions of a work tree that was removed, and of a project that was moved, stay sessions of the project."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from memory_core.store.known_places import known_places
from memory_core.workspace import Workspace, open_workspace
from tests.cli.conftest import Run


def log(home: Path, cwd: Path, name: str) -> None:
    """A transcript of Claude Code, which lies in a folder named after where it worked."""
    line = {"type": "user", "sessionId": name, "cwd": str(cwd), "message": {"role": "user", "content": "Use SQLite."}}
    path = home / ".claude/projects" / str(cwd).replace("/", "-") / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**line, "uuid": name, "timestamp": "2026-06-01T09:00:00Z"}) + "\n")


def link(main: Path, tree: Path) -> Path:
    """A linked work tree, as `git worktree add` leaves it; what git keeps of it."""
    kept = main / ".git/worktrees" / tree.name
    kept.mkdir(parents=True)
    (kept / "gitdir").write_text(f"{tree}/.git\n")
    (kept / "commondir").write_text("../..\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {kept}\n")
    return kept


def opened(workspace: Path, home: Path) -> Workspace:
    return open_workspace(workspace, {"HOME": str(home)})


def ids(workspace: Path, home: Path) -> set[str]:
    return {ref.session_id for ref in opened(workspace, home).sessions()}


def test_a_work_tree_that_git_removed_keeps_its_sessions(workspace: Path, home: Path, tmp_path: Path) -> None:
    tree = tmp_path / "feature"
    kept = link(workspace, tree)
    log(home, tree, "s1")
    assert ids(workspace, home) == {"s1"}
    shutil.rmtree(tree)
    shutil.rmtree(kept)
    log(home, tree, "s2")
    assert ids(workspace, home) == {"s1", "s2"}


def test_a_project_that_was_moved_keeps_its_sessions(workspace: Path, home: Path, tmp_path: Path) -> None:
    log(home, workspace, "s1")
    assert ids(workspace, home) == {"s1"}
    once, twice = tmp_path / "renamed", tmp_path / "renamed again"
    workspace.rename(once)
    log(home, once, "s2")
    assert ids(once, home) == {"s1", "s2"}
    once.rename(twice)
    assert ids(twice, home) == {"s1", "s2"}


def test_a_place_where_something_else_is_now_is_not_the_projects(
    workspace: Path,
    home: Path,
    tmp_path: Path,
) -> None:
    log(home, workspace, "s1")
    ids(workspace, home)
    moved = tmp_path / "renamed"
    workspace.rename(moved)
    workspace.mkdir()
    assert ids(moved, home) == set()
    workspace.rmdir()
    assert ids(moved, home) == set(), "nor when that is gone too"


def test_a_copy_and_what_came_with_a_repository_name_no_place(workspace: Path, home: Path, tmp_path: Path) -> None:
    """A file that names a place of another project's would make its sessions known here."""
    log(home, workspace, "s1")
    ids(workspace, home)
    copy = tmp_path / "copy"
    shutil.copytree(workspace, copy)
    shutil.rmtree(workspace)
    assert ids(copy, home) == set()


@pytest.mark.parametrize(
    "text", ["{", "[]", "3", '{"folder": 1}', '{"folder": null, "here": 3, "once": 4}', "[" * 9999]
)
def test_a_damaged_file_of_places_stops_nothing(workspace: Path, home: Path, text: str) -> None:
    log(home, workspace, "s1")
    (workspace / ".omoide/cache").mkdir(exist_ok=True)
    (workspace / ".omoide/cache/places.json").write_text(text)
    assert ids(workspace, home) == {"s1"}
    assert known_places(workspace) == [workspace]


def test_a_second_look_writes_nothing(workspace: Path, home: Path) -> None:
    ids(workspace, home)
    path = workspace / ".omoide/cache/places.json"
    before = path.stat().st_mtime_ns, path.stat().st_ino
    ids(workspace, home)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before


@pytest.mark.parametrize("command", ["sessions", "status"])
def test_a_folder_that_is_gone_and_may_have_been_the_projects_is_named_with_the_remedy(
    omoide: Run,
    workspace: Path,
    home: Path,
    tmp_path: Path,
    command: str,
) -> None:
    """Nobody looked before it went: nothing can be remembered."""
    gone = tmp_path / f"{workspace.name}-feature"
    log(home, gone, "s1")
    said = omoide(command).err
    assert f"1 log of {gone}, which is gone" in said
    assert f"omoide sessions places --former {gone}" in said
    assert omoide("sessions", "places", "--former", str(gone)).code == 0
    assert omoide("sessions", "--json").json["sessions"][0]["session_id"] == "s1"
    assert "which is gone" not in omoide(command).err


def test_a_folder_beside_the_project_is_named_where_there_is_no_session_at_all(
    omoide: Run,
    workspace: Path,
    home: Path,
    tmp_path: Path,
) -> None:
    log(home, tmp_path / "before", "s1")
    log(home, tmp_path.parent / "unrelated", "s2")
    assert f"1 log of {tmp_path}/before" in omoide("sessions").err
    assert "unrelated" not in omoide("sessions").err
    log(home, workspace, "s3")
    assert "which is gone" not in omoide("sessions").err


def test_a_folder_that_is_there_is_no_former_place(omoide: Run, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    done = omoide("sessions", "places", "--former", str(tmp_path / "other"))
    assert (done.code, "is there" in done.err) == (2, True)
