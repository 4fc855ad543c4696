"""A root is found upwards, never made as a side effect."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from memory_core.errors import StoreError, WorkspaceError
from memory_core.layout import Layout
from memory_core.store.discovery import create_root, find_root, root_in, said_of_unused, unused_beside
from memory_core.store.git import git_root
from memory_core.store.worktrees import linked_worktrees
from memory_core.workspace import open_workspace


def test_the_nearest_ancestor_with_the_marker_wins(tmp_path: Path) -> None:
    (tmp_path / ".omoide/memory").mkdir(parents=True)
    inner = tmp_path / "a"
    (inner / ".omoide/memory").mkdir(parents=True)
    deep = inner / "b/c"
    deep.mkdir(parents=True)
    assert getattr(find_root(deep / "file.py"), "root", None) == inner / ".omoide"
    assert getattr(find_root(tmp_path), "root", None) == tmp_path / ".omoide"


def test_the_folder_alone_is_no_marker(tmp_path: Path) -> None:
    """A child worktree may carry `.omoide` or `.yoi` for other reasons."""
    (tmp_path / ".yoi/memory").mkdir(parents=True)
    child = tmp_path / "child"
    (child / ".omoide/workflow").mkdir(parents=True)
    (child / ".yoi/tickets").mkdir(parents=True)
    assert getattr(find_root(child), "root", None) == tmp_path / ".yoi"


def test_no_root_is_none_and_nothing_is_made(tmp_path: Path) -> None:
    assert find_root(tmp_path / "x/y") is None
    assert list(tmp_path.iterdir()) == []


def test_a_linked_worktree_uses_the_main_ones_root(tmp_path: Path) -> None:
    """T50: one store for a repository, worktrees included."""
    main, linked = tmp_path / "main", tmp_path / "linked"
    main.mkdir()
    git = ["git", "-C", str(main), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(linked)], check=True, capture_output=True)
    create_root(main)
    assert getattr(find_root(linked / "src"), "root", None) == main / ".omoide"
    create_root(linked)
    assert getattr(find_root(linked / "src"), "root", None) == linked / ".omoide"
    assert git_root(linked) == linked


def test_init_makes_a_whole_root_and_is_idempotent(tmp_path: Path) -> None:
    layout, created = create_root(tmp_path)
    assert (layout.root / "memory/decisions").is_dir()
    assert "/memory/_staging/" in (layout.root / ".gitignore").read_text()
    assert created
    layout.config.write_text("[memory]\n")
    (layout.root / "knowledge").rmdir()
    again, created = create_root(tmp_path)
    assert again == layout
    assert created == [layout.root / "knowledge"]
    assert layout.config.read_text() == "[memory]\n"


def test_a_clone_of_a_new_memory_is_one(tmp_path: Path) -> None:
    """git keeps no empty folders, and `memory` is what marks a root."""
    project, clone = tmp_path / "project", tmp_path / "clone"
    project.mkdir()
    create_root(project)
    for arguments in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *arguments], cwd=project, check=True)
    subprocess.run(["git", "clone", "-q", str(project), str(clone)], check=True)
    assert root_in(clone) == Layout(clone / ".omoide")


def test_init_completes_an_older_root_in_place(tmp_path: Path) -> None:
    (tmp_path / ".yoi/memory").mkdir(parents=True)
    layout, _ = create_root(tmp_path)
    assert layout.root == tmp_path / ".yoi"
    assert not (tmp_path / ".omoide").exists()


def test_a_workspace_that_cannot_hold_a_root_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="is not a folder"):
        create_root(tmp_path / "missing")
    (tmp_path / ".omoide").write_text("a file in the way")
    with pytest.raises(StoreError, match="is not a folder: move it away"):
        create_root(tmp_path)


def test_a_work_tree_that_the_main_one_does_not_know_has_no_part_in_its_memory(tmp_path: Path) -> None:
    """An archive may hold a file `.git` that names any project of the person who unpacks it."""
    project, unpacked = tmp_path / "project", tmp_path / "unpacked"
    (project / ".git/worktrees/other").mkdir(parents=True)
    unpacked.mkdir()
    create_root(project)
    for name in ("unpacked", "other"):
        (unpacked / ".git").write_text(f"gitdir: ../project/.git/worktrees/{name}\n")
        assert find_root(unpacked) is None
        assert linked_worktrees(unpacked) == []
    (unpacked / ".git").write_text("gitdir: //server.example/share/.git/worktrees/x\n")
    assert find_root(unpacked) is None


def test_a_repository_names_no_other_project_as_its_work_tree(tmp_path: Path) -> None:
    """Its sessions would be taken for those of this one."""
    project, unpacked, gone = tmp_path / "project", tmp_path / "unpacked", tmp_path / "gone"
    (project / ".git").mkdir(parents=True)
    for number, top in enumerate((project, gone)):
        pointer = unpacked / f".git/worktrees/{number}/gitdir"
        pointer.parent.mkdir(parents=True)
        pointer.write_text(f"{top}/.git\n")
    assert linked_worktrees(unpacked) == [gone]
    pointer.write_text(f"{project}/not-there/../.git\n")  # a folder that is not there, and leads to one that is
    assert linked_worktrees(unpacked) == []


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_git_folder_that_is_a_link_gives_no_part_in_another_project(tmp_path: Path) -> None:
    """Where both work trees name each other, the one that only shows the other's `.git` would be taken for it."""
    project, linked, unpacked = tmp_path / "project", tmp_path / "linked", tmp_path / "unpacked"
    kept = project / ".git/worktrees/linked"
    kept.mkdir(parents=True)
    (kept / "gitdir").write_text(f"{linked}/.git\n")
    create_root(project)
    for folder in (linked, unpacked):
        folder.mkdir()
    (linked / ".git").write_text(f"gitdir: {kept}\n")
    assert getattr(find_root(linked), "workspace", None) == project
    assert linked_worktrees(linked) == [linked]
    for led in (linked, project):
        (unpacked / ".git").symlink_to(led / ".git")
        assert find_root(unpacked) is None
        assert linked_worktrees(unpacked) == []
        (unpacked / ".git").unlink()


def test_a_root_that_came_as_a_link_to_another_project_is_none(tmp_path: Path) -> None:
    project, clone = tmp_path / "project", tmp_path / "clone"
    for folder in (project, clone):
        folder.mkdir()
    create_root(project)
    (clone / ".omoide").symlink_to("../project/.omoide")
    git = ["git", "-C", str(clone)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", ".omoide"], check=True)
    assert find_root(clone) is None
    with pytest.raises(WorkspaceError, match="link that leaves this project"):
        open_workspace(clone)
    subprocess.run([*git, "rm", "-q", "--cached", ".omoide"], check=True)
    assert getattr(find_root(clone), "root", None) == clone / ".omoide"  # a person's own link
    unpacked = clone / "vendor/unpacked"
    unpacked.mkdir(parents=True)
    (unpacked / ".omoide").symlink_to("../../../project/.omoide")
    assert root_in(unpacked) is None  # git knows nothing of what lies there
    (unpacked / "mine.txt").write_text("x")
    subprocess.run([*git, "add", "vendor/unpacked/mine.txt"], check=True)
    assert root_in(unpacked) is not None


def test_git_is_asked_once_of_a_link_and_again_when_it_tracks_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor's server looks for the root of a text at every key: no program may be started for each."""
    project, clone, programs, asked = (tmp_path / name for name in ("project", "clone", "programs", "asked"))
    for folder in (project, clone, programs):
        folder.mkdir()
    create_root(project)
    git = shutil.which("git")
    assert git is not None
    subprocess.run([git, "-C", clone, "init", "-q"], check=True)
    (clone / ".omoide").symlink_to("../project/.omoide")
    (clone / "a.txt").write_text("x")
    subprocess.run([git, "-C", clone, "add", "a.txt"], check=True)
    (programs / "git").write_text(f'#!/bin/sh\necho asked >> "{asked}"\nexec "{git}" "$@"\n')
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert root_in(clone) is not None
    once = asked.read_text()
    assert once
    for _ in range(5):
        assert root_in(clone) is not None
    assert asked.read_text() == once
    subprocess.run([git, "-C", clone, "add", ".omoide"], check=True)
    assert root_in(clone) is None
    assert asked.read_text() != once


@pytest.mark.parametrize(
    "settings", [["init", "-q", "--object-format=sha256"], ["-c", "core.splitIndex=true", "init", "-q"]]
)
def test_a_link_that_git_knows_is_known_however_git_lists_it(tmp_path: Path, settings: list[str]) -> None:
    """A list with longer hashes, read as one with the usual, holds other names: the link seemed a person's own."""
    project, clone = tmp_path / "project", tmp_path / "clone"
    for folder in (project, clone):
        folder.mkdir()
    create_root(project)
    git = ["git", "-C", str(clone)]
    subprocess.run([*git, *settings], check=True)
    (clone / ".omoide").symlink_to("../project/.omoide")
    (clone / "a.txt").write_text("x")
    subprocess.run([*git, "add", "a.txt"], check=True)
    if settings[0] != "init":
        subprocess.run([*git, "update-index", "--split-index"], check=True)
    assert root_in(clone) is not None
    subprocess.run([*git, "add", ".omoide"], check=True)
    assert root_in(clone) is None


@pytest.mark.skipif(os.name == "nt", reason="folders for everybody as POSIX has them")
def test_what_another_user_made_where_everybody_may_is_no_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `/tmp`: it would count for everybody who works below."""
    create_root(tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    assert find_root(work) is not None
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert find_root(work) is not None  # a folder of several people
    tmp_path.chmod(0o1777)
    assert find_root(work) is None
    tmp_path.chmod(0o777)
    assert find_root(work) is not None  # of who owns the folder, as on a drive of Windows or in a container


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root may give a folder away")
def test_what_a_third_user_made_where_everybody_may_is_no_root(tmp_path: Path) -> None:
    create_root(tmp_path)
    tmp_path.chmod(0o777)
    os.chown(tmp_path / ".omoide", 12345, 12345)
    assert find_root(tmp_path) is None
    tmp_path.chmod(0o755)
    assert find_root(tmp_path) is not None


def test_a_package_that_a_project_depends_on_brings_no_memory(tmp_path: Path) -> None:
    """An agent that changes into such a folder would be given its records, and what was said would be staged there."""
    package = tmp_path / "node_modules/package/src"
    package.mkdir(parents=True)
    create_root(package.parent)
    assert find_root(package) is None
    create_root(tmp_path)
    assert getattr(find_root(package), "root", None) == tmp_path / ".omoide"


@pytest.mark.parametrize("place", [".omoide", ".omoide/memory", ".omoide/knowledge"])
def test_init_makes_nothing_where_a_link_of_the_repository_leads(tmp_path: Path, place: str) -> None:
    clone, outside = tmp_path / "clone", tmp_path / "outside"
    outside.mkdir()
    (clone / place).parent.mkdir(parents=True)
    (clone / place).symlink_to(outside)
    subprocess.run(["git", "-C", str(clone), "init", "-q"], check=True)
    subprocess.run(["git", "-C", str(clone), "add", "."], check=True)
    with pytest.raises(StoreError, match="symbolic link that leaves"):
        create_root(clone)
    assert list(outside.iterdir()) == []


def test_a_second_memory_beside_the_one_that_is_used_is_told_of(tmp_path: Path) -> None:
    """As where a team moved `.yoi` to `.omoide`: somebody's candidates, which git does not know, stay behind."""
    layout, _ = create_root(tmp_path)
    assert unused_beside(layout) == {}
    for path in (".yoi/memory/_staging/a.json", ".yoi/knowledge/b.md", ".yoi/memory/.gitkeep", ".yoi/sessions/s.jsonl"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert unused_beside(layout) == {tmp_path / ".yoi": 2}
    (text,) = said_of_unused(layout)
    assert "`cp -Rn .yoi/. .omoide/` replaces nothing" in text
    shutil.rmtree(tmp_path / ".omoide")
    assert unused_beside(Layout(tmp_path / ".yoi")) == {}
