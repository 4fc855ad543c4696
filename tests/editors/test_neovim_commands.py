"""Every command of the Neovim plugin in a real Neovim, and what it says when something is missing.

What the server answers is tested over stdio; here is what a person sees of it. `test_neovim.py` has the way by keys.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from memory_core.store.discovery import create_root

HERE = Path(__file__).parent
PLUGIN = HERE.parents[1] / "editors/neovim"

pytestmark = pytest.mark.editor


@pytest.fixture
def drive(project, neovim, omoide, tmp_path):
    """Runs a scenario of `neovim/` in an editor that opens the first of the arguments, and gives what it saw."""

    def run(scenario, *arguments):
        result = tmp_path / "seen.json"
        command = [neovim, "--headless", "--clean", "-l", str(HERE / "neovim/run.lua"), scenario, str(result)]
        done = subprocess.run(
            [*command, *map(str, arguments)],
            cwd=project.folder,
            env=project.environment(OMOIDE_PLUGIN=str(PLUGIN)),
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )
        assert result.exists(), done.stdout + done.stderr
        found = json.loads(result.read_text(encoding="utf-8"))
        assert "trouble" not in found, found["trouble"]
        return found

    return run


def test_records_are_found_inserted_made_renamed_archived_and_taken_back(project, drive):
    seen = drive("records.lua", project.notes)
    knowledge = project.layout.absolute("knowledge")

    assert [line.split()[0] for line in seen["live"]] == ["#oncall-rota"]
    assert seen["inserted"].endswith("#oncall-rota")
    assert seen["windows"] == 1, "the floats of the search are closed"
    assert Path(seen["found"]) == knowledge / "oncall-rota.md"

    assert Path(seen["new"]) == knowledge / "cart-state.md"
    assert seen["new_text"].startswith("---\n")
    assert {"extract", "consolidate", "staging", "undo", "status"} <= set(seen["completion"]["commands"])
    assert seen["completion"]["ways"] == ["due", "dry-run", "review", "accept", "reject"]
    assert seen["completion"]["part"] == ["staging", "status"]
    assert seen["completion"]["records"] == ["knowledge/oncall-rota"]

    assert Path(seen["renamed"]) == knowledge / "release-steps.md"
    assert not (knowledge / "deploy-steps.md").exists()
    assert seen["moved"] == "ship-steps.md"
    assert not (knowledge / "release-steps.md").exists()
    assert "手順は #ship-steps を読む" in (knowledge / "deploy-window.md").read_text(encoding="utf-8")

    assert "takes it back" in seen["archived"][0]
    assert seen["gone"]
    assert "as before" in seen["undone"][0]
    assert seen["back"]
    assert "no `:Omoide frobnicate`" in seen["unknown"][0]
    assert "consolidate" in seen["unknown"][0]


def test_pages_show_what_the_server_knows(project, drive):
    seen = drive("pages.lua", project.notes)

    assert any("3 knowledge" in line for line in seen["status"])
    assert "#deploy-steps" in seen["register"]
    assert "Build the image" in seen["register"]
    assert seen["register"].splitlines() == seen["expanded"]
    assert "names no record" in seen["nothing_named"][0]
    assert any(line.startswith("knowledge deploy-steps") for line in seen["usage"])
    assert "code session" in seen["context"][0]
    assert any("deploy-steps" in line for line in seen["activity"])
    assert any(line.startswith("deploy-window.md: ") and "no-such-slug" in line for line in seen["lint"])
    assert "3 knowledge" in seen["reindex"][0]
    assert "must be one of chat" in seen["refused"][0]
    assert Path(seen["log"]).name == "lsp.log"


def test_a_session_becomes_records_under_a_persons_eyes(project, drive):
    """F3: candidates with their evidence, a dry run, a run that waits, undo, and closing with a reason."""
    seen = drive("staging.lua", project.notes)

    assert Path(seen["transcript"]).is_file()
    assert "tokens to extract" in seen["sessions"][0]
    assert "staged" in seen["extract"][0]
    assert any(line.startswith("decision: ") for line in seen["staged"])
    assert any(line.startswith("    > ") and "Postgres" in line for line in seen["staged"])
    assert seen["evidence"], "the transcript is shown at the entry"
    assert any(line.startswith("+++") for line in seen["dry_run"])
    assert any("Postgres" in line for line in seen["preview"])
    assert seen["before"] == [], "a preview writes no record"
    assert "dropped" in seen["rejected"][0]
    assert "changed" in seen["accepted"][0]
    assert seen["after"]
    assert "as before" in seen["undone"][0]
    assert seen["staged_again"] == 0
    number, left = seen["closed"]
    assert left.startswith(f"{number - 1} staged") or (number == 1 and left.startswith("Nothing is staged"))
    resolutions = project.layout.resolutions.read_text(encoding="utf-8").splitlines()
    assert json.loads(resolutions[-1])["reason"] == "not worth keeping"
    assert seen["offers"]


def test_lenses_actions_colors_and_hints_are_drawn_and_react(project, drive):
    seen = drive("drawn.lua", project.notes, project.layout.absolute("knowledge/deploy-window.md"))

    assert ["OmoideReference", "#deploy-steps"] in seen["tokens"], "the place is right behind an emoji"
    assert seen["lens"][1] == "omoide.showReferences"
    assert ["deploy-window.md", "#deploy-steps"] in seen["named_in"]
    assert any("Create" in title for title in seen["actions"])
    assert seen["created"]
    assert any("How the service is deployed" in hint for hint in seen["hints"])


def test_two_roots_restart_crash_and_an_old_server(project, drive, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    create_root(other)
    (other / "notes.md").write_text("Nothing yet.\n", encoding="utf-8")
    seen = drive("servers.lua", project.notes, other / "notes.md")

    assert list(map(Path, seen["roots"])) == [project.folder, other]
    assert {str(project.folder), str(other)} <= set(seen["status"])
    assert "no knowledge yet" in seen["records"][0], "the buffer's own root is asked"
    assert "no records" in seen["reindex"][0]
    assert sorted(map(Path, seen["asked"]["items"])) == sorted([project.folder, other])
    assert "restarted" in seen["restarted"][0]
    assert seen["anew"]
    assert any("ended" in line and ":Omoide restart" in line for line in seen["killed"])
    assert seen["restarted_again"]
    assert "upgrade" in seen["old"]
    assert "knows no `omoide.usageReport`" in seen["lacking"][0]
    assert "older than this plugin" in seen["health"]


def test_what_is_missing_is_told_with_its_remedy(project, drive, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    seen = drive("missing.lua", project.notes, plain)

    for told in (seen["missing"][0], seen["extract"][0], seen["init"][0]):
        assert "/nowhere/omoide` cannot be run" in told
        assert "pipx install omoide" in told
    assert "ERROR" in seen["health"]
    assert "`:Omoide init` makes one" in seen["no_memory"][0]
    assert (plain / ".omoide/memory").is_dir(), seen["made"]
    assert Path(seen["attached"]) == plain


def test_the_help_page_has_a_tag_for_every_command_and_for_nothing_else(neovim, project):
    page = (PLUGIN / "doc/omoide.txt").read_text(encoding="utf-8")
    names = "require('omoide.commands').names('')"
    script = f"vim.opt.rtp:prepend('{PLUGIN}') print(vim.json.encode({names}))"
    done = subprocess.run(
        [neovim, "--headless", "--clean", "-c", f"lua {script}", "-c", "qa!"],
        env=project.environment(),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    names = json.loads(done.stdout + done.stderr)
    tagged = [word.strip("*") for line in page.splitlines() for word in line.split() if word.startswith("*:Omoide-")]
    assert sorted(tagged) == [f":Omoide-{name}" for name in names]
