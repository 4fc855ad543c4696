"""Git is asked without the settings that a repository brings, which could name programs for git to run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from memory_core.store import git
from memory_core.store.programs import program_named


def run(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """What a program of the repository would leave behind."""
    return tmp_path / "it-ran"


def watched_by_a_program(git_dir: Path, tree: Path, mark: Path) -> None:
    """Settings and a list of tracked files with which git starts a program whenever it looks at the list."""
    words = [f"--git-dir={git_dir}", f"--work-tree={tree}"]
    run(tree, *words, "add", "-f", ".")
    run(tree, *words, "update-index", "--fsmonitor")
    run(tree, *words, "config", "core.fsmonitor", f"touch {mark}; false")


def store_in(folder: Path) -> Path:
    root = folder / ".omoide"
    (root / "memory/_usage").mkdir(parents=True)
    (root / "memory/_usage/events.jsonl").write_text("{}\n")
    return root


def test_a_store_that_is_itself_a_repository_runs_no_program(tmp_path: Path, mark: Path) -> None:
    """A clone may bring such a folder: git takes any folder with HEAD, objects and refs for a repository."""
    root = store_in(tmp_path / "work")
    run(root, "init", "-q", "--bare", ".")
    run(root, "config", "core.bare", "false")
    run(root, "config", "core.worktree", str(root))
    watched_by_a_program(root, root, mark)
    assert git.tracked(root, ["memory"]) is None
    assert git.ignored(root, ["memory"]) is None
    assert not mark.exists()


def test_the_settings_of_a_repository_start_no_program(tmp_path: Path, mark: Path) -> None:
    work = tmp_path / "work"
    root = store_in(work)
    run(work, "init", "-q")
    watched_by_a_program(work / ".git", work, mark)
    mark.unlink(missing_ok=True)
    for name in ("cache", "sessions"):
        (root / name).mkdir()
    (work / ".gitignore").write_text("/.omoide/cache/\n")
    (work / ".git/info/exclude").write_text("/.omoide/sessions/\n")
    assert git.tracked(root, ["memory", "sessions"]) == ["memory/_usage/events.jsonl"]
    assert git.ignored(root, ["memory", "cache", "sessions"]) == ["cache", "sessions"]
    assert not mark.exists()


def test_what_is_missing_is_not_fetched_by_a_program_of_the_repository(tmp_path: Path, mark: Path) -> None:
    """A sparse list of tracked files is filled from objects, and a partial clone fetches those that it lacks."""
    work = tmp_path / "work"
    root = store_in(work)
    (work / "more").mkdir()
    (work / "more/x").write_text("x")
    run(work, "init", "-q")
    run(work, "add", "-f", ".")
    run(work, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "x")
    run(work, "sparse-checkout", "set", "--cone", "--sparse-index", ".omoide/memory/_usage")
    for loose in (work / ".git/objects").glob("??/*"):
        loose.unlink()
    for name, value in (("promisor", "true"), ("url", str(work)), ("uploadpack", f"touch {mark}; false")):
        run(work, "config", f"remote.origin.{name}", value)
    run(work, "config", "extensions.partialClone", "origin")
    run(work, "config", "core.repositoryFormatVersion", "1")
    git.tracked(root, ["memory"])
    git.ignored(root, ["memory"])
    assert not mark.exists()


def test_a_linked_work_tree_has_its_own_list_and_shares_what_is_excluded(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    main.mkdir()
    run(main, "init", "-q")
    run(main, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty", "-m", "x")
    run(main, "worktree", "add", "-q", str(linked))
    root = store_in(linked)
    run(linked, "add", "-f", ".")
    (main / ".git/info").mkdir(exist_ok=True)
    (main / ".git/info/exclude").write_text("/.omoide/cache\n")
    assert git.tracked(root, ["memory"]) == ["memory/_usage/events.jsonl"]
    assert git.ignored(root, ["cache", "knowledge"]) == ["cache"]


@pytest.mark.skipif(os.name == "nt", reason="programs have endings there")
def test_a_program_is_never_taken_from_the_folder_somebody_works_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows looks there first; elsewhere an empty or relative entry of PATH means it."""
    for folder in (tmp_path, tmp_path / "bin"):
        folder.mkdir(exist_ok=True)
        (folder / "git").write_text("#!/bin/sh\n")
        (folder / "git").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ":.:bin")
    assert program_named("git") is None
    monkeypatch.setenv("PATH", f":.:bin:{tmp_path / 'bin'}")
    assert program_named("git") == str(tmp_path / "bin/git")
