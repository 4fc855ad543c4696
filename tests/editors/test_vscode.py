"""The VS Code extension, packed as it is published, in a real VS Code (code-server in a headless browser)."""

from __future__ import annotations

import json
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


def test_the_extension_works_in_vs_code(project, vscode, omoide, packed_extension, tmp_path):
    """F3, F1: the facts of vscode/suite/index.js, and what they left on disk."""
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(packed_extension) as vsix:
        vsix.extractall(unpacked)
    state = tmp_path / "state"
    state.mkdir()
    done = subprocess.run(
        [vscode.node, str(HERE / "vscode/run.mjs")],
        env=project.environment(
            CODE_SERVER=str(vscode.code_server),
            CHROMIUM=vscode.chromium,
            EXTENSION=str(unpacked / "extension"),
            INTERPRETER=sys.executable,
            WORKSPACE=str(project.folder),
            STATE=str(state),
        ),
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    uses = project.uses()
    assert ("EditorHover", "deploy-steps") in uses
    assert ("EditorOpen", "deploy-steps") in uses
    assert [*project.layout.root.glob("memory/decisions/*.md"), *project.layout.root.glob("memory/requests/*.md")]
