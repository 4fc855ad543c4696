"""Every command of the Neovim plugin in a real Neovim, and what it says when something is missing.

What the server answers is tested over stdio; here is what a person sees of it. `test_neovim.py` has the way by keys.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from memory_core.staging import StoredOffer
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore

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
    assert seen["moved_along"] == ["typed above", True], "what is typed before the answer moves the place along"
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
    assert seen["near"][0].endswith("there is no `:Omoide serach`: did you mean `:Omoide search`?")
    assert seen["alone"].startswith("omoide.txt 5. COMMANDS")


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
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d  [0-9a-f]{8}-[0-9a-f]{4}  \d", run) for run in seen["runs"]), seen[
        "runs"
    ]
    assert "as before" in seen["undone"][0]
    assert seen["staged_again"] == 0
    assert any("memory/decisions/" in line for line in seen["alone"])
    assert not any("memory/requests/" in line for line in seen["alone"]), "the other candidate is no part of it"
    assert "1 candidate closed" in seen["taken"][0]
    assert len(seen["one_record"]) == 1
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
    assert "no records" in seen["of_folder"][0], "the root of the current folder is asked"
    assert "no records" in seen["reindex"][0]
    assert sorted(map(Path, seen["asked"]["items"])) == sorted([project.folder, other])
    assert "restarted" in seen["restarted"][0]
    assert seen["anew"]
    assert any("ended" in line and ":Omoide restart" in line for line in seen["killed"])
    assert seen["restarted_again"]
    assert "upgrade" in seen["old"]
    assert "knows no `omoide.usageReport`" in seen["lacking"]
    assert "older than this plugin" in seen["health"]


def test_what_is_missing_is_told_with_its_remedy(project, drive, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    old = tmp_path / "omoide"
    old.write_text("#!/bin/sh\necho 'omoide, version 0.0.9'\n", encoding="utf-8")
    old.chmod(0o755)
    seen = drive("missing.lua", project.notes, plain, old)

    for told in (seen["missing"][0], seen["extract"][0], seen["init"][0]):
        assert "/nowhere/omoide` cannot be run" in told
        assert "pipx install omoide" in told
    assert "ERROR" in seen["health"]
    assert "`:Omoide init` makes one" in seen["no_memory"][0]
    assert (plain / ".omoide/memory").is_dir(), seen["made"]
    assert Path(seen["attached"]) == plain
    assert "is version 0.0.9, this plugin needs" in seen["old"]
    assert "pipx upgrade omoide" in seen["old"]
    assert "the server is not enabled" in seen["disabled"]
    assert "vim.lsp.enable('omoide')" in seen["not_enabled"][0]


def test_a_persons_answers_count(project, drive):
    """Runs by their id, offered workflows, a promotion, trust, and the evidence above a decision."""
    config = project.layout.config
    text = '[memory]\nconsolidate_review = "preview"\n\n[provider]\nbase_url = "http://127.0.0.1:9/v1"\n'
    config.write_text(text, encoding="utf-8")
    store = FileStore(project.layout)
    for slug in ("cut-a-release", "rotate-keys"):
        workflow = f"---\ndescription: {slug}. Use when asked for.\n---\n\n1. Begin.\n2. End.\n"
        store.keep_offer(
            StoredOffer(
                slug=slug,
                text=workflow,
                reason="Done three times.",
                candidates=(),
                run_id="r",
                offered_at="2026-03-01T09:00:00Z",
            )
        )
    seen = drive("answers.lua", project.folder / "program.lua", project.notes)

    assert seen["before"] == 0
    assert "staged" in seen["extract"][0]
    assert seen["clients"] == 1, "the server that a command started is the one of the buffer"
    assert seen["local_command"]

    assert "Postgres" in seen["candidate"]
    assert "kept as" in seen["kept"][0]
    assert seen["typed_on"] == ["A second thought", True], (
        "what is typed behind a write is not taken away by its answer"
    )
    assert "the server does not run" in seen["unkept"][0]
    assert seen["unkept"][1], "what is typed stays where no server keeps it"
    assert seen["closed"]
    assert any(line.startswith("decision: ") and "PostgreSQL 16" in line for line in seen["reworded"])

    assert len(seen["held"]) == 1
    assert any("Postgres" in line for line in seen["review"])
    assert seen["folds"], "anchors are folded away"
    assert seen["page_command"]
    assert seen["evidence"].startswith("## ")
    assert seen["page_stays"]
    assert "dropped" in seen["rejected"][0]
    assert "changed" in seen["accepted"][0]
    assert "none waits" in seen["accepted_again"][0]
    assert seen["runs"]
    assert seen["sessions"] == ["3f0c2a44-6d1e-4c55-9a31-0b7c5d2e8f10"]

    assert any(title.startswith("evidence: claude-code") for title in seen["lenses"])
    assert seen["clicked"].startswith("## ")
    assert Path(seen["promoted"]) == project.layout.absolute("knowledge/cart-in-postgres.md")
    assert "kind:" in seen["promoted_text"]
    assert seen["decision_stays"]
    assert Path(seen["created"]) == project.layout.absolute("workflow/cut-a-release.md")
    assert seen["workflow"]
    assert "no workflow is offered" in seen["no_offers"][0]

    assert "not trusted" in seen["untrusted"]
    assert ":Omoide trust" in seen["untrusted"]
    assert str(project.folder) in seen["question"]["prompt"]
    assert seen["not_trusted"]
    assert "is trusted" in seen["trusted"][0]
    assert "trusted already" in seen["trusted_again"][0]
    assert "not trusted" not in seen["trusted_health"]
    own = (project.home / ".config/omoide/config.toml").read_text(encoding="utf-8")
    assert str(project.folder) in own


def test_the_quick_tour_leads_from_a_log_to_a_used_record(project, drive):
    """F3: the steps of the help page, typed as they stand there."""
    seen = drive("tour.lua", project.notes)
    assert "`:help omoide-tour`" in seen["example"][0]
    assert "9 candidates staged" in seen["extract"][0]
    assert seen["staged"][0].startswith("9 staged")
    assert seen["evidence"].startswith("## ")
    assert "7 records changed, 9 candidates closed" in seen["accepted"][0]
    assert "#never-log-request-bodies" in seen["reference"]
    assert "Never log request bodies" in seen["hover"]
    assert seen["definition"].endswith("shop/.omoide/knowledge/never-log-request-bodies.md")
    assert any(line.startswith("knowledge never-log-request-bodies") for line in seen["usage"])
    assert "as before" in seen["undone"][0]

    page = (PLUGIN / "doc/omoide.txt").read_text(encoding="utf-8")
    tour = page.partition("*omoide-tour*")[2].partition("In a project of your own")[0]
    script = (HERE / "neovim/tour.lua").read_text(encoding="utf-8")
    for typed in re.findall(r"`:(\w+ [\w.]+)`", tour):
        assert typed in script, f"the page tells to type :{typed}, this test does not"
    for shown in ("9 candidates staged", "7 records changed, 9 candidates closed"):
        assert shown in tour


def test_the_help_page_has_a_tag_for_every_command_and_for_nothing_else(neovim, project):
    page = (PLUGIN / "doc/omoide.txt").read_text(encoding="utf-8")
    script = "print(vim.json.encode(require('omoide.commands').names('')))"
    names = json.loads(_printed(neovim, project, script))
    tagged = [word.strip("*") for line in page.splitlines() for word in line.split() if word.startswith("*:Omoide-")]
    assert sorted(tagged) == [f":Omoide-{name}" for name in names]


def test_the_help_page_is_found_in_a_folder_put_on_the_path_by_hand(neovim, project, tmp_path):
    """Nobody made its tags there; the plugin does, and lives on where it cannot."""
    plugin = tmp_path / "a copy"
    shutil.copytree(PLUGIN, plugin, ignore=shutil.ignore_patterns("tags"))
    script = f"""
    vim.opt.rtp:remove('{PLUGIN}')
    vim.opt.rtp:prepend('{str(plugin).replace(" ", chr(92) * 2 + " ")}')
    vim.g.loaded_omoide = nil
    vim.cmd('runtime plugin/omoide.lua')
    print(vim.json.encode(vim.fn.getcompletion('omoide-tour', 'help')))
    """
    assert "omoide-tour" in _printed(neovim, project, script)
    assert (plugin / "doc/tags").is_file()


def test_everything_a_configuration_can_use_has_a_tag(neovim, project, tmp_path):
    """Functions, options of `setup`, highlight groups; and `:helptags` has nothing to say about the page."""
    doc = tmp_path / "doc"
    doc.mkdir()
    shutil.copy(PLUGIN / "doc/omoide.txt", doc)
    script = f"""
    local said = vim.fn.execute('helptags {doc}')
    local omoide = require('omoide')
    require('omoide.attach')
    local functions = vim.tbl_filter(function(name) return type(omoide[name]) == 'function' end, vim.tbl_keys(omoide))
    local groups = vim.fn.getcompletion('Omoide', 'highlight')
    local options = vim.tbl_keys(omoide.options)
    print(vim.json.encode({{ said = said, functions = functions, options = options, groups = groups }}))
    """
    found = json.loads(_printed(neovim, project, script))
    assert found["said"] == ""
    tags = {line.split("\t")[0] for line in (doc / "tags").read_text(encoding="utf-8").splitlines()}
    wanted = {f"omoide.{name}()" for name in found["functions"]}
    wanted |= {f"omoide-option-{name}" for name in found["options"]} | {f"hl-{name}" for name in found["groups"]}
    assert wanted - tags == set()
    assert len(found["groups"]) == 4
    page = (PLUGIN / "doc/omoide.txt").read_text(encoding="utf-8")
    links = {link.strip("|") for link in re.findall(r"\|[^\s|]+\|", page) if "omoide" in link.lower()}
    assert links - tags == set(), "a link of the page leads nowhere"


def _printed(neovim, project, script):
    """What a Lua script prints in a Neovim with the plugin."""
    file = project.folder / "script.lua"
    file.write_text(f"vim.opt.rtp:prepend('{PLUGIN}') vim.cmd('runtime plugin/omoide.lua')\n{script}", encoding="utf-8")
    done = subprocess.run(
        [neovim, "--headless", "--clean", "-l", str(file)],
        env=project.environment(),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return done.stdout + done.stderr
