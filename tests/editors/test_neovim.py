"""The Neovim plugin in a real Neovim, driven by keys. The server's answers are tested in detail over stdio."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PLUGIN = HERE.parents[1] / "editors/neovim"

pytestmark = pytest.mark.editor


@pytest.fixture
def seen(project, neovim, omoide, silent_model, tmp_path):
    """What the drive saw: one run for all facts below would be faster, but a test should not lean on another."""
    result = tmp_path / "seen.json"
    script, record = HERE / "neovim/run.lua", project.layout.absolute("knowledge/deploy-window.md")
    command = [neovim, "--headless", "--clean", "-l", *map(str, (script, "drive.lua", result, project.notes, record))]
    done = subprocess.run(
        command,
        cwd=project.folder,
        env=project.environment(OMOIDE_PLUGIN=str(PLUGIN), **silent_model),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert result.exists(), done.stdout + done.stderr
    found = json.loads(result.read_text(encoding="utf-8"))
    assert "trouble" not in found, found["trouble"]
    return found


def test_a_person_completes_hovers_follows_and_extracts_in_neovim(project, seen):
    """F3, F1: the whole way through one editor session."""
    assert Path(seen["client"]["root"]) == project.folder

    unknown = [it for it in seen["diagnostics"] if it["code"] == "unknown-reference"]
    assert [it["marked"] for it in unknown] == ["#no-such-slug"]
    assert "no-such-slug" in unknown[0]["message"]

    assert "How the service is deployed" in seen["hover"]

    assert {"#deploy-steps", "#deploy-window", "#oncall-rota"} <= set(seen["offered"])
    assert seen["narrowed"] == ["#deploy-window"]
    assert seen["completed"] == "Ask #deploy-window"
    assert seen["at_the_start"] == ["#oncall-rota"]
    assert seen["completed_at_the_start"] == "#oncall-rota"

    assert Path(seen["definition"]) == project.layout.absolute("knowledge/deploy-steps.md")

    assert "may cost money" in seen["question"]["prompt"]
    assert seen["question"]["items"] == ["Call the model", "Cancel"]
    assert seen["refused"] == ["Omoide: nothing is running."]
    assert "extract" in seen["progress"]
    assert "extract" in seen["statusline"]
    assert seen["cancel"] == {"said": ["Omoide: stopped: extract."], "staged": 0}
    assert "staged" in seen["extract"]["said"][0]
    assert seen["extract"]["staged"] == 1
    assert "closed" in seen["consolidate"]["said"][0]
    assert seen["consolidate"]["staged"] == 0
    assert [*project.layout.root.glob("memory/decisions/*.md"), *project.layout.root.glob("memory/requests/*.md")]

    uses = project.uses()
    assert ("EditorHover", "deploy-steps") in uses
    assert ("EditorOpen", "deploy-steps") in uses

    assert "running: version" in seen["health"]
    assert "knows all" in seen["health"]
    assert " in the index" in seen["health"]
    assert "WARN" not in seen["health"]
    assert "ERROR" not in seen["health"]


def test_memory_is_found_above_a_file_and_through_a_linked_worktree(project, neovim, tmp_path):
    """The server must start where the core would find a root, and stay away from everything else."""
    worktree, plain = tmp_path / "worktree", tmp_path / "plain/.omoide"
    (project.folder / ".git/worktrees/worktree").mkdir(parents=True)
    for folder in (worktree / "docs", plain):
        folder.mkdir(parents=True)
    (worktree / ".git").write_text(f"gitdir: {project.folder}/.git/worktrees/worktree\n", encoding="utf-8")
    (project.folder / ".git/worktrees/worktree/gitdir").write_text(f"{worktree}/.git\n", encoding="utf-8")
    # An archive may name any project in a file `.git`; that project names no such work tree.
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    (unpacked / ".git").write_text(f"gitdir: {project.folder}/.git/worktrees/worktree\n", encoding="utf-8")
    led, waiting = tmp_path / "led", tmp_path / "waiting"
    for folder in (led, waiting):
        folder.mkdir()
    (led / ".git").symlink_to(worktree / ".git")
    os.mkfifo(waiting / ".git")
    places = {
        project.folder / "docs/a/deep.md": str(project.folder),
        led / "notes.md": "nil",
        waiting / "notes.md": "nil",
        worktree / "docs/here.md": str(worktree),
        unpacked / "notes.md": "nil",
        plain.parent / "notes.md": "nil",  # `.omoide` without a memory marks nothing
    }
    script = f"vim.opt.rtp:prepend('{PLUGIN}') for _, it in ipairs(_G.arg) do print(require('omoide').root(it)) end"
    (tmp_path / "roots.lua").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [neovim, "--headless", "--clean", "-l", str(tmp_path / "roots.lua"), *map(str, places)],
        env=project.environment(),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert (done.stdout + done.stderr).split() == list(places.values())
