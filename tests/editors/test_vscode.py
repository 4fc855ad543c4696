"""The VS Code extension, packed as it is published, in a real VS Code (code-server in a headless browser)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import zipfile
from dataclasses import fields
from functools import partial
from pathlib import Path

import pytest

from memory_core.store.discovery import create_root
from server.app import COMMANDS
from server.settings import Settings
from tests.editors.conftest import missing

HERE = Path(__file__).parent
EXTENSION = HERE.parents[1] / "editors/vscode"

pytestmark = pytest.mark.editor


def test_the_package_holds_bundles_and_no_sources(packed_extension):
    with zipfile.ZipFile(packed_extension) as vsix:
        names = {name.removeprefix("extension/") for name in vsix.namelist() if name.startswith("extension/")}
        manifest = json.loads(vsix.read("extension/package.json"))
        # The client library lies apart, so that it is read when a server is started and not before.
        bundle = vsix.read("extension/out/extension.js") + vsix.read("extension/out/client.js")
    steps = {f"walkthrough/{name}.md" for name in ("initialize", "extract", "consolidate", "use")}
    texts = {"package.json", "readme.md", "changelog.md", "LICENSE.txt"}
    code = {"out/extension.js", "out/client.js"}
    data = {"schemas/config.schema.json", "snippets/records.json"}
    shots = {f"media/screenshots/{shot.name}" for shot in (EXTENSION / "media/screenshots").glob("*.png")}
    assert names == {*texts, *steps, *data, *shots, *code, "media/icon.png", "media/memory.svg"}
    assert len(bundle) < 1_000_000
    assert (manifest["publisher"], manifest["name"]) == ("omoide", "omoide")
    assert str(HERE.parents[1]).encode() not in bundle


def test_a_program_to_start_is_never_taken_from_an_untrusted_workspace(packed_extension):
    with zipfile.ZipFile(packed_extension) as vsix:
        manifest = json.loads(vsix.read("extension/package.json"))
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    restricted = set(trust["restrictedConfigurations"])
    names = ("server.command", "interpreter", "provider", "model")
    assert restricted == {f"omoide.{name}" for name in names}
    settings = manifest["contributes"]["configuration"]["properties"]
    # What starts a program, names a provider or spends money is no setting that a folder may change unasked.
    assert {name for name, it in settings.items() if it["scope"] == "machine-overridable"} == restricted
    # Whether one is asked before money is spent is nothing that any folder says, trusted or not.
    assert settings["omoide.confirm"]["scope"] == "application"
    assert manifest["capabilities"]["virtualWorkspaces"]["supported"] is False


def test_the_settings_are_those_of_the_server_with_its_defaults():
    """A setting that one of the two does not know would silently do nothing."""
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    settings = manifest["contributes"]["configuration"]["properties"]
    own = {"omoide.server.command", "omoide.interpreter", "omoide.model", "omoide.trace.server"}
    theirs = {f"omoide.{field.name}": field.default for field in fields(Settings)}
    assert settings.keys() - own == theirs.keys()
    assert {name: settings[name]["default"] or None for name in theirs} == {k: v or None for k, v in theirs.items()}


def test_every_command_is_in_one_category_and_every_menu_names_one():
    contributed = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))["contributes"]
    commands = {it["command"]: it for it in contributed["commands"]}
    assert {it["category"] for it in commands.values()} == {"Omoide"}
    assert {item["command"] for menu in contributed["menus"].values() for item in menu} <= commands.keys()
    ours = {f"omoide.{name.removeprefix('omoide.')}" for name, _ in COMMANDS}
    assert commands.keys() & ours == set()  # the language client registers the server's names itself
    steps = contributed["walkthroughs"][0]["steps"]
    assert len(steps) == 4
    linked = {name for step in steps for name in re.findall(r"\(command:([\w.]+)\)", step["description"])}
    assert linked <= commands.keys()


def test_the_parts_that_need_no_editor_pass_their_own_tests():
    if not (EXTENSION / "node_modules/esbuild").exists():
        missing("node_modules")
    for script in ("check", "test"):
        done = subprocess.run(
            ["npm", "run", "-s", script], cwd=EXTENSION, capture_output=True, text=True, timeout=100, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def run(vscode, run_in_vscode):
    """Runs a script of vscode/ with the packed extension unpacked, and returns what it printed."""
    return partial(run_in_vscode, vscode)


def test_the_extension_works_in_vs_code(project, run):
    """F3, F1: the facts of vscode/suite/index.js, and what they left on disk."""
    run("run.mjs")
    uses = project.uses()
    assert ("EditorHover", "deploy-steps") in uses
    assert ("EditorOpen", "deploy-steps") in uses
    assert [*project.layout.root.glob("memory/decisions/*.md"), *project.layout.root.glob("memory/requests/*.md")]


def test_a_person_completes_hovers_and_consolidates_in_vs_code(project, run, tmp_path):
    """F3: by mouse and keys alone; typing `-` inside a slug neither closes nor repeats the list. OMOIDE_SHOTS keeps the
    pictures."""
    shots = Path(os.environ.get("OMOIDE_SHOTS", tmp_path / "shots")).absolute()
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "README.md").write_text("# Plain\n", encoding="utf-8")
    seen = json.loads(run("shot.mjs", SHOTS=str(shots), PLAIN=str(plain)))
    assert "no-such-slug" in seen["problem"]
    assert "How the service is deployed" in seen["hover"]
    assert {"#deploy-steps", "#deploy-window", "#oncall-rota"} <= set(seen["offered"])
    assert sorted(seen["through_hyphen"]) == ["#deploy-steps", "#deploy-window"]
    assert seen["completed"] == "Ask #deploy-window"
    # The list draws what is on the screen only; all commands are counted in the extension host.
    assert len(seen["commands"]) > 8
    assert all(title.startswith("Omoide: ") for title in seen["commands"])
    assert "staged from 1 session" in seen["extract"]
    assert "closed" in seen["consolidate"]
    assert any("#deploy-window" in row and "When a deploy is allowed" in row for row in seen["records"])
    assert "1 error in records" in seen["badge"]
    assert "as before" in seen["undone"]
    (filtered,) = seen["filtered"]
    assert filtered.startswith("#deploy-steps")
    assert len(seen["steps"]) == 4
    assert seen["report"] == "Use of records: shop"
    assert project.notes.read_text(encoding="utf-8").endswith("Ask #deploy-window")
    assert seen["unasked"] == []
    assert "omoide init" in seen["no_memory"]
    assert (plain / ".omoide/memory").is_dir()


def test_the_view_shows_and_decides_in_vs_code(project, run):
    """The facts of vscode/view-suite: candidates one by one, records by hand, runs."""
    run("run.mjs", SUITE="view-suite")
    assert not project.staged()


def test_without_a_server_and_a_memory_each_way_out_works(project, run, vscode, omoide, tmp_path):
    """The facts of vscode/bare-suite. `uv` is ours: it puts the real program where uv puts it."""
    plain, programs = tmp_path / "plain", tmp_path / "programs"
    for made in (plain, programs):
        made.mkdir()
    (plain / "README.md").write_text("# Plain\n", encoding="utf-8")
    bin_folder = project.home / ".local/bin"
    uv = programs / "uv"
    uv.write_text(f'#!/bin/sh\nmkdir -p "{bin_folder}" && ln -s "{omoide}" "{bin_folder}/omoide"\n', encoding="utf-8")
    uv.chmod(0o755)
    (programs / "node").symlink_to(vscode.node)
    path = os.pathsep.join([str(programs), "/usr/bin", "/bin"])
    run("run.mjs", SUITE="bare-suite", WORKSPACE=str(plain), PATH=path)
    assert (plain / ".omoide/memory").is_dir()


def test_several_folders_each_have_their_memory(project, run, tmp_path):
    """The facts of vscode/folders-suite."""
    site, plain = tmp_path / "site", tmp_path / "tools"
    for made in (site, plain):
        made.mkdir()
        (made / "README.md").write_text("# A folder\n", encoding="utf-8")
    create_root(site)
    places = [str(folder) for folder in (project.folder, site, plain)]
    window = tmp_path / "window.code-workspace"
    window.write_text(json.dumps({"folders": [{"path": place} for place in places]}), encoding="utf-8")
    run("run.mjs", SUITE="folders-suite", FOLDERS=str(window), PLACES=json.dumps(places))


def test_a_newcomer_gets_from_a_log_to_a_used_record(project, packed_extension, run, tmp_path):
    """A clean VS Code, the vsix, the walkthrough and the bundled example, by mouse and keys alone. OMOIDE_SHOTS keeps
    the pictures; those of the extension's README are among them."""
    shots = Path(os.environ.get("OMOIDE_SHOTS", tmp_path / "shots")).absolute() / "newcomer"
    seen = json.loads(run("newcomer.mjs", VSIX=str(packed_extension), SHOTS=str(shots)))
    assert "successfully installed" in seen["installed"]
    assert len(seen["before"]) == 4
    assert not any(step.startswith("✓") for step in seen["before"])
    assert "candidates staged from 2 sessions" in seen["extracted"]
    assert "#never-log-request-bodies is written" in seen["accepted"]
    assert "closed" in seen["consolidated"]
    assert seen["line"] == "Before you log anything, read #never-log-request-bodies."
    assert "Not even while debugging" in seen["hover"]
    assert any("hovered" in row for row in seen["view"])
    assert seen["after"] == [f"✓ {step}" for step in seen["before"]]
