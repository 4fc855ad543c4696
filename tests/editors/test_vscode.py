"""The VS Code extension, packed as it is published, in a real VS Code (code-server in a headless browser)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent

pytestmark = pytest.mark.editor


def test_the_package_holds_one_bundle_and_no_sources(packed_extension):
    with zipfile.ZipFile(packed_extension) as vsix:
        names = {name.removeprefix("extension/") for name in vsix.namelist() if name.startswith("extension/")}
        manifest = json.loads(vsix.read("extension/package.json"))
        bundle = vsix.read("extension/out/extension.js")
    assert names == {"package.json", "readme.md", "LICENSE.txt", "out/extension.js"}
    assert (manifest["publisher"], manifest["name"]) == ("omoide", "omoide")
    assert str(HERE.parents[1]).encode() not in bundle


def test_a_program_to_start_is_never_taken_from_an_untrusted_workspace(packed_extension):
    with zipfile.ZipFile(packed_extension) as vsix:
        manifest = json.loads(vsix.read("extension/package.json"))
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    assert {"omoide.server.command", "omoide.interpreter"} <= set(trust["restrictedConfigurations"])


@pytest.fixture
def run_in_vscode(project, vscode, omoide, packed_extension, tmp_path):
    """Runs a script of vscode/ with the packed extension unpacked, and returns what it printed."""

    def run(script: str, **more: str) -> str:
        with zipfile.ZipFile(packed_extension) as vsix:
            vsix.extractall(tmp_path / "unpacked")
        environment = project.environment(
            CODE_SERVER=str(vscode.code_server),
            CHROMIUM=vscode.chromium,
            EXTENSION=str(tmp_path / "unpacked/extension"),
            INTERPRETER=sys.executable,
            WORKSPACE=str(project.folder),
            STATE=str(tmp_path / "state"),
            **more,
        )
        done = subprocess.run(
            [vscode.node, str(HERE / "vscode" / script)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=115,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_the_extension_works_in_vs_code(project, run_in_vscode):
    """F3, F1: the facts of vscode/suite/index.js, and what they left on disk."""
    run_in_vscode("run.mjs")
    uses = project.uses()
    assert ("EditorHover", "deploy-steps") in uses
    assert ("EditorOpen", "deploy-steps") in uses
    assert [*project.layout.root.glob("memory/decisions/*.md"), *project.layout.root.glob("memory/requests/*.md")]


def test_a_person_completes_hovers_and_consolidates_in_vs_code(project, run_in_vscode, tmp_path):
    """F3: by mouse and keys alone; typing `-` inside a slug neither closes nor repeats the list. OMOIDE_SHOTS keeps the
    pictures."""
    shots = Path(os.environ.get("OMOIDE_SHOTS", tmp_path / "shots")).absolute()
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "README.md").write_text("# Plain\n", encoding="utf-8")
    seen = json.loads(run_in_vscode("shot.mjs", SHOTS=str(shots), PLAIN=str(plain)))
    assert "no-such-slug" in seen["problem"]
    assert "How the service is deployed" in seen["hover"]
    assert {"#deploy-steps", "#deploy-window", "#oncall-rota"} <= set(seen["offered"])
    assert sorted(seen["through_hyphen"]) == ["#deploy-steps", "#deploy-window"]
    assert seen["completed"] == "Ask #deploy-window"
    assert {"Omoide: Extract Sessions", "Omoide: Consolidate", "Omoide: Restart Server", "Omoide: Show Log"} <= set(
        seen["commands"]
    )
    assert "staged from 1 session" in seen["extract"]
    assert "closed" in seen["consolidate"]
    assert project.notes.read_text(encoding="utf-8").endswith("Ask #deploy-window")
    assert seen["unasked"] == []
    assert "omoide init" in seen["no_memory"]
    assert (plain / ".omoide/memory").is_dir()
