"""Commands of the VS Code extension with the questions they ask, in a real VS Code, answered by mouse and keys."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from memory_core.staging import StoredOffer
from memory_core.store.filestore import FileStore

HERE = Path(__file__).parent

pytestmark = pytest.mark.editor


@pytest.fixture
def drive(vscode, run_in_vscode):
    """Runs a suite of vscode/ by driven.mjs."""
    return lambda suite, **more: run_in_vscode(vscode, "driven.mjs", SUITE=suite, **more)


def test_commands_ask_and_do_what_is_answered(project, drive):
    """The facts of vscode/commands-suite."""
    store = FileStore(project.layout)
    for slug in ("cut-a-release", "rotate-keys"):
        workflow = f"---\ndescription: {slug}. Use when asked for.\n---\n\n1. Begin.\n2. End.\n"
        offer = {"slug": slug, "text": workflow, "reason": "Done three times.", "candidates": (), "run_id": "r"}
        store.keep_offer(StoredOffer(**offer, offered_at="2026-03-01T09:00:00Z"))
    drive("commands-suite")


def test_the_server_of_the_selected_python_environment_is_found(project, drive, omoide, tmp_path):
    """The facts of vscode/python-suite. The Python extension is played by vscode/python-environments."""
    environments = [tmp_path / name for name in ("first", "second", "empty")]
    for environment in environments:
        (environment / "bin").mkdir(parents=True)
        if environment.name != "empty":
            (environment / "bin/omoide").symlink_to(omoide)
    shutil.copytree(HERE / "vscode/python-environments", tmp_path / "state/extensions/ms-python.python-0.0.1")
    places = [str(it) for it in environments]
    drive("python-suite", ENVIRONMENTS=json.dumps(places), SELECTED=places[0])


def test_nothing_of_a_folder_is_run_before_it_is_trusted(project, drive):
    """The facts of vscode/restricted-suite. The folder's settings name programs that leave a file behind."""
    trap = project.folder / "trap.sh"
    trap.write_text(f'#!/bin/sh\ntouch "{project.folder}/sprung"\n', encoding="utf-8")
    trap.chmod(0o755)
    settings = {
        "omoide.server.command": [str(trap)],
        "omoide.interpreter": str(trap),
        "omoide.provider": "openai",
        "omoide.model": "copilot/none",
        "omoide.confirm": False,
        "omoide.diagnostics": "workspace",
    }
    (project.folder / ".vscode").mkdir()
    (project.folder / ".vscode/settings.json").write_text(json.dumps(settings), encoding="utf-8")
    drive("restricted-suite", RESTRICTED="yes")
    assert (project.folder / "sprung").exists(), "a folder that is trusted may name the program"
