"""The commands that list, make, move and take back: typed arguments, and who writes what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.app import COMMANDS
from tests.protocol.conftest import NewClient, knowledge
from tests.protocol.raw_client import Message, RawClient
from tests.protocol.test_commands import command, run, write_session

pytestmark = pytest.mark.protocol

EDITS = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
    },
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
}
DECISION = """\
---
created_at: 2026-06-01T00:00:00Z
updated_at: 2026-06-10T00:00:00Z
sources: []
status: resolved
description: Settings are TOML. Read it before you touch them.
---
# Use TOML

Comments survive a round trip. See #api-keys.
"""


def refused(client: RawClient, name: str, *arguments: Any) -> Message:
    return client.answer(client.begin("workspace/executeCommand", command(name, *arguments)))["error"]


@pytest.fixture
def editing(new_client: NewClient, workspace: Path) -> RawClient:
    """A client that applies edits and shows documents."""
    (workspace / ".omoide/memory/decisions/use-toml.md").write_text(DECISION, encoding="utf-8")
    client = new_client(workspace)
    client.answers["window/showDocument"] = lambda _: {"success": True}
    client.answers["workspace/applyEdit"] = lambda _: {"applied": True}
    client.initialize(workspace, capabilities=EDITS)
    return client


@pytest.mark.parametrize("name", sorted(name for name, _ in COMMANDS))
def test_an_unknown_key_is_refused_by_every_command(client: RawClient, name: str) -> None:
    error = refused(client, name, {"workspce": "x"})
    assert error["code"] == -32602
    assert "`workspce`" in error["message"]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("omoide.new", {}, "needs `kind`"),
        ("omoide.new", {"kind": "knowlege", "slug": "x"}, "`kind` must be one of"),
        ("omoide.new", {"kind": "knowledge"}, "needs `slug` for a knowledge"),
        ("omoide.new", {"kind": "knowledge", "slug": "Two Words"}, "the slug `Two Words`"),
        ("omoide.new", {"kind": "summary", "slug": "other"}, "there is one summary"),
        ("omoide.rename", {"kind": "knowledge", "slug": "api-keys"}, "needs `new_slug`"),
        ("omoide.promote", {"kind": "decision"}, "needs `slug`"),
        ("omoide.closeCandidate", {"candidate": "x"}, "needs `action` and `reason`"),
        ("omoide.closeCandidate", {"candidate": "x", "action": "kept", "reason": "y"}, "`action` must be one of"),
        ("omoide.undo", {"run_id": 7}, "`run_id` must be a str"),
    ],
)
def test_arguments_are_typed(client: RawClient, name: str, given: Message, message: str) -> None:
    error = refused(client, name, given)
    assert error["code"] == -32602
    assert message in error["message"]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("omoide.new", {"kind": "knowledge", "slug": "api-keys"}, "exists already"),
        ("omoide.rename", {"kind": "knowledge", "slug": "api-keys", "new_slug": "api-limits"}, "exists already"),
        ("omoide.rename", {"kind": "knowledge", "slug": "api-kys", "new_slug": "x"}, "There is no knowledge/api-kys"),
        ("omoide.archive", {"kind": "knowledge", "slug": "api-keys"}, "is referred to by"),
        ("omoide.promote", {"kind": "knowledge", "slug": "api-keys"}, "cannot be promoted"),
        ("omoide.staging", {"candidate": "nothing"}, "no open candidate `nothing`"),
        ("omoide.closeCandidate", {"candidate": "x", "action": "discarded", "reason": "y"}, "no open candidate `x`"),
        ("omoide.undo", {"run_id": "never"}, "no run `never`"),
    ],
)
def test_what_the_core_refuses_is_said_and_nothing_written(
    client: RawClient, workspace: Path, name: str, given: Message, message: str
) -> None:
    before = {path: path.read_bytes() for path in (workspace / ".omoide").rglob("*.md")}
    error = refused(client, name, given)
    assert error["code"] == -32803
    assert message in error["message"]
    assert {path: path.read_bytes() for path in (workspace / ".omoide").rglob("*.md")} == before


def test_a_new_record_is_written_shown_and_undone(editing: RawClient, workspace: Path) -> None:
    made = run(editing, "omoide.new", {"kind": "knowledge", "slug": "#api-quotas", "description": "Quotas."})
    path = workspace / ".omoide/knowledge/api-quotas.md"
    assert made["status"] == "committed"
    assert made["uri"] == path.as_uri()
    assert "description: Quotas." in path.read_text(encoding="utf-8")
    assert editing.wait(lambda m: m.get("method") == "window/showDocument")["params"]["uri"] == path.as_uri()
    assert run(editing, "omoide.undo")["runs"][0]["run_id"] == made["run_id"]
    undone = run(editing, "omoide.undo", {"run_id": made["run_id"][:13]})  # the beginning will do
    assert undone["removed"] == ["knowledge/api-quotas.md"]
    assert not path.exists()
    assert "1 record as before" in editing.notification("window/showMessage")["message"]


def test_a_dry_run_writes_nothing_and_shows_the_diff(editing: RawClient, workspace: Path) -> None:
    given = {"kind": "knowledge", "slug": "api-keys", "new_slug": "key-store", "dry_run": True}
    done = run(editing, "omoide.rename", given)
    assert done["status"] == "dry-run"
    assert "+++ b/knowledge/key-store.md" in done["diff"]
    assert (workspace / ".omoide/knowledge/api-keys.md").exists()


def test_a_rename_of_closed_files_is_one_run_of_the_store(editing: RawClient, workspace: Path) -> None:
    done = run(editing, "omoide.rename", {"kind": "knowledge", "slug": "api-keys", "new_slug": "key-store"})
    assert done["status"] == "committed"
    assert "requires: [key-store]" in (workspace / ".omoide/workflow/release.md").read_text(encoding="utf-8")
    note = (workspace / "a.md").as_uri()
    editing.open(note, "see #key-store")
    assert "Where keys live" in editing.at("hover", note, 0, 6)["contents"]["value"]


def test_a_rename_that_touches_an_open_file_is_the_editors(editing: RawClient, workspace: Path) -> None:
    """Its undo takes it back, its versions are checked, and nothing is written behind its back."""
    record = workspace / ".omoide/workflow/release.md"
    editing.open(record.as_uri(), record.read_text(encoding="utf-8"))
    done = run(editing, "omoide.rename", {"kind": "knowledge", "slug": "api-keys", "new_slug": "key-store"})
    assert done["status"] == "applied"
    assert done["run_id"] is None
    edit = editing.wait(lambda m: m.get("method") == "workspace/applyEdit")["params"]["edit"]
    texts = {c["textDocument"]["uri"]: c for c in edit["documentChanges"] if "textDocument" in c}
    assert texts[record.as_uri()]["textDocument"]["version"] == 1
    (moved,) = [change for change in edit["documentChanges"] if change.get("kind") == "rename"]
    assert moved["oldUri"].endswith("/knowledge/api-keys.md")
    assert moved["newUri"].endswith("/knowledge/key-store.md")
    assert (workspace / ".omoide/knowledge/api-keys.md").exists()


def test_an_edit_that_the_editor_refuses_fails_the_command(editing: RawClient, workspace: Path) -> None:
    editing.answers["workspace/applyEdit"] = lambda _: {"applied": False, "failureReason": "read-only"}
    record = workspace / ".omoide/workflow/release.md"
    editing.open(record.as_uri(), record.read_text(encoding="utf-8"))
    given = {"kind": "knowledge", "slug": "api-keys", "new_slug": "key-store"}
    assert "read-only" in refused(editing, "omoide.rename", given)["message"]


def test_an_editor_without_edits_is_told_to_close_the_file(client: RawClient, workspace: Path) -> None:
    record = workspace / ".omoide/workflow/release.md"
    client.open(record.as_uri(), record.read_text(encoding="utf-8"))
    given = {"kind": "knowledge", "slug": "api-keys", "new_slug": "key-store"}
    assert "save and close" in refused(client, "omoide.rename", given)["message"]
    assert (workspace / ".omoide/knowledge/api-keys.md").exists()


def test_a_decision_is_promoted(editing: RawClient, workspace: Path) -> None:
    done = run(editing, "omoide.promote", {"kind": "decision", "slug": "use-toml", "new_slug": "settings-format"})
    assert done["knowledge"] == "settings-format"
    text = (workspace / ".omoide/knowledge/settings-format.md").read_text(encoding="utf-8")
    assert "Comments survive" in text
    assert (workspace / ".omoide/memory/decisions/use-toml.md").exists()


def test_archiving_keeps_the_text_and_spares_unsaved_edits(editing: RawClient, workspace: Path) -> None:
    record = workspace / ".omoide/knowledge/api-limits.md"
    editing.open(record.as_uri(), knowledge(body="Being typed.\n"))
    given = {"kind": "knowledge", "slug": "api-limits", "reason": "outdated"}
    assert "unsaved edits" in refused(editing, "omoide.archive", given)["message"]
    assert record.exists()
    editing.notify("textDocument/didClose", {"textDocument": {"uri": record.as_uri()}})
    done = run(editing, "omoide.archive", given)
    assert not record.exists()
    assert (workspace / f".omoide/memory/_archive/{done['run_id']}/knowledge/api-limits.md").exists()


def test_an_undo_spares_unsaved_edits(editing: RawClient, workspace: Path) -> None:
    made = run(editing, "omoide.new", {"kind": "knowledge", "slug": "api-quotas"})
    editing.open(made["uri"], "being typed\n")
    assert "unsaved edits" in refused(editing, "omoide.undo", {"run_id": made["run_id"]})["message"]
    assert (workspace / ".omoide/knowledge/api-quotas.md").exists()


def test_candidates_are_listed_with_their_evidence_and_closed(client: RawClient, workspace: Path) -> None:
    write_session(workspace)
    run(client, "omoide.extract", {"quiet": True})
    listed = run(client, "omoide.staging")["candidates"]
    decision = next(it for it in listed if it["kind"] == "decision")
    assert "TOML" in decision["headline"]
    assert decision["evidence"][0]["speaker"] == "human"
    assert decision["source"]["session_id"] == "talk-1"
    one = run(client, "omoide.staging", {"candidate": decision["id"]})["candidates"]
    assert [it["id"] for it in one] == [decision["id"]]
    assert run(client, "omoide.status")["roots"][0]["pending"] == {"files": 1, "candidates": len(listed)}
    closing = {"candidate": decision["id"], "action": "discarded", "reason": "a test"}
    assert run(client, "omoide.closeCandidate", closing)["closed"] == [closing]
    assert decision["id"] not in [it["id"] for it in run(client, "omoide.staging")["candidates"]]
    assert run(client, "omoide.status")["roots"][0]["pending"]["candidates"] == len(listed) - 1


def test_lint_counts_and_shows_what_is_wrong_in_files_that_are_not_open(client: RawClient, workspace: Path) -> None:
    wrong = workspace / ".omoide/knowledge/api-wrong.md"
    wrong.write_text(knowledge(body="see #nowhere\n"), encoding="utf-8")
    done = run(client, "omoide.lint")
    assert done["counts"]["files"] == 4
    assert done["counts"]["errors"] == 1
    assert {"path": "knowledge/api-wrong.md", "problems": 1} in done["files"]
    assert "1 error" in client.notification("window/showMessage")["message"]
    assert [d["code"] for d in client.diagnostics(wrong.as_uri())["diagnostics"]] == ["unknown-reference"]
    assert run(client, "omoide.status")["roots"][0]["problems"]["errors"] == 1


def test_lint_reports_its_progress(client: RawClient, workspace: Path) -> None:
    client.request("workspace/executeCommand", command("omoide.lint", workDoneToken="lint-1"))
    steps = [m["params"]["value"] for m in client.received if m.get("method") == "$/progress"]
    assert any(step.get("percentage") == 0 for step in steps)
