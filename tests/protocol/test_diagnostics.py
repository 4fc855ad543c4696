"""Pushed diagnostics: when, where, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocol.conftest import NewClient, knowledge
from tests.protocol.raw_client import Message, RawClient

pytestmark = pytest.mark.protocol


def codes(params: Message) -> list[str]:
    return [found["code"] for found in params["diagnostics"]]


def published(client: RawClient, uri: str) -> list[Message]:
    return [
        m["params"] for m in client.received
        if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri
    ]  # fmt: skip


def test_an_edit_is_checked_and_a_repair_clears(client: RawClient, workspace: Path) -> None:
    uri = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(uri, knowledge())
    assert codes(client.diagnostics(uri)) == []
    client.change(uri, 2, {"text": knowledge(body="👋 see #nowhere\n")})
    told = client.diagnostics(uri)
    assert codes(told) == ["unknown-reference"]
    assert told["version"] == 2
    problem = told["diagnostics"][0]
    assert problem["source"] == "omoide"
    assert problem["range"] == {"start": {"line": 9, "character": 7}, "end": {"line": 9, "character": 15}}
    client.change(uri, 3, {"text": knowledge(body="see #api-limits\n")})
    assert codes(client.diagnostics(uri)) == []


def test_the_same_is_not_said_twice_but_again_on_reopen(client: RawClient, workspace: Path) -> None:
    uri = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(uri, knowledge(body="see #nowhere\n"))
    assert codes(client.diagnostics(uri)) == ["unknown-reference"]
    client.change(uri, 2, {"text": knowledge(body="see #nowhere \n")})
    other = (workspace / ".omoide/knowledge/api-limits.md").as_uri()
    client.open(other, knowledge(body="see #elsewhere\n"))
    assert codes(client.diagnostics(other)) == ["unknown-reference"]
    assert published(client, uri) == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert codes(client.diagnostics(uri)) == []
    client.open(uri, knowledge(body="see #nowhere\n"))
    assert codes(client.diagnostics(uri)) == ["unknown-reference"]


def test_other_open_records_follow(client: RawClient, workspace: Path) -> None:
    first = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(first, knowledge(body="see #soon\n"))
    assert codes(client.diagnostics(first)) == ["unknown-reference"]
    client.open((workspace / ".omoide/knowledge/soon.md").as_uri(), knowledge())
    assert codes(client.diagnostics(first)) == []


def test_only_files_of_the_record_folders_are_checked(client: RawClient, workspace: Path) -> None:
    readme = (workspace / "README.md").as_uri()
    client.open(readme, "see #nowhere\n")
    record = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(record, knowledge(body="see #nowhere\n"))
    client.diagnostics(record)
    assert published(client, readme) == []


def test_a_misplaced_file_is_told_where_it_belongs(client: RawClient, workspace: Path) -> None:
    uri = (workspace / ".omoide/knowledge/Bad Name.md").as_uri()
    client.open(uri, knowledge())
    assert "invalid-slug" in codes(client.diagnostics(uri))


def test_a_file_that_appears_on_disk_is_noticed_without_the_client(client: RawClient, workspace: Path) -> None:
    """Neovim on Linux does not watch files for servers."""
    uri = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(uri, knowledge(body="see #soon\n"))
    assert codes(client.diagnostics(uri)) == ["unknown-reference"]
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    (workspace / ".omoide/knowledge/soon.md").write_text(knowledge(), encoding="utf-8")
    assert codes(client.diagnostics(uri)) == []
    (workspace / ".omoide/knowledge/soon.md").unlink()
    assert codes(client.diagnostics(uri)) == ["unknown-reference"]


def test_the_client_watches_where_it_can(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    asked = client.wait(lambda m: m.get("method") == "client/registerCapability")["params"]["registrations"][0]
    patterns = {watcher["globPattern"] for watcher in asked["registerOptions"]["watchers"]}
    assert patterns == {"**/.omoide/**", "**/.yoi/**"}
    uri = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(uri, knowledge(body="see #soon\n"))
    assert codes(client.diagnostics(uri)) == ["unknown-reference"]
    soon = workspace / ".omoide/knowledge/soon.md"
    soon.write_text(knowledge(), encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": soon.as_uri(), "type": 1}]})
    assert codes(client.diagnostics(uri)) == []


def test_a_client_that_refuses_to_watch_after_all(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.answers["client/registerCapability"] = lambda _: NotImplementedError("no")
    client.initialize(workspace, capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    uri = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(uri, knowledge(body="see #soon\n"))
    assert codes(client.diagnostics(uri)) == ["unknown-reference"]
    (workspace / ".omoide/knowledge/soon.md").write_text(knowledge(), encoding="utf-8")
    assert codes(client.diagnostics(uri)) == []


def test_an_event_for_an_open_file_does_not_undo_typing(client: RawClient, workspace: Path) -> None:
    record = workspace / ".omoide/knowledge/api-keys.md"
    client.open(record.as_uri(), knowledge("Being typed"))
    client.diagnostics(record.as_uri())
    record.write_text(knowledge("From elsewhere"), encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": record.as_uri(), "type": 2}]})
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys")
    assert "Being typed" in client.at("hover", uri, 0, 3)["contents"]["value"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": record.as_uri()}})
    assert "From elsewhere" in client.at("hover", uri, 0, 3)["contents"]["value"]


def test_settings_are_checked_and_taken_in_when_saved(client: RawClient, workspace: Path) -> None:
    config = workspace / ".omoide/config.toml"
    config.write_text("[memory]\nextract_treshold = 5\n", encoding="utf-8")
    client.open(config.as_uri(), config.read_text(encoding="utf-8"), "toml")
    client.notify("textDocument/didSave", {"textDocument": {"uri": config.as_uri()}})
    told = client.diagnostics(config.as_uri())
    assert codes(told) == ["invalid-config"]
    assert told["diagnostics"][0]["range"]["start"] == {"line": 1, "character": 0}
    record = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(record, knowledge(body="see #nowhere\n"))
    assert codes(client.diagnostics(record)) == ["unknown-reference"]
    repaired = '[lint]\nunknown-reference = "off"\n'
    client.change(config.as_uri(), 2, {"text": repaired})
    assert codes(client.diagnostics(config.as_uri())) == []  # as it stands in the editor
    config.write_text(repaired, encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": config.as_uri()}})
    assert codes(client.diagnostics(record)) == []


def test_settings_are_checked_while_they_are_typed(client: RawClient, workspace: Path) -> None:
    config = workspace / ".omoide/config.toml"
    client.open(config.as_uri(), "", "toml")
    assert codes(client.diagnostics(config.as_uri())) == []
    client.change(config.as_uri(), 2, {"text": "[memory]\nlanguage = 3\n[provider]\nbase_url = 'https://x.example'\n"})
    told = client.diagnostics(config.as_uri())
    assert [(d["code"], d["range"]["start"]["line"]) for d in told["diagnostics"]] == [
        ("invalid-config", 1), ("untrusted", 3),
    ]  # fmt: skip
    assert told["version"] == 2


def test_a_prompt_of_the_workspace_is_checked_for_its_placeholders(new_client: NewClient, workspace: Path) -> None:
    """A model that is told less than it was meant to be is told so to the person, closed or while it is typed."""
    prompt = workspace / ".omoide/prompts/extract_system.md"
    prompt.parent.mkdir()
    prompt.write_text("Find decisions.\nUse {{tools}} and {{nonsense}}.\n", encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace)
    told = client.diagnostics(prompt.as_uri())
    assert codes(told) == ["prompt-placeholder", "prompt-placeholder"]
    by_line = {d["range"]["start"]["line"]: (d["severity"], d["message"]) for d in told["diagnostics"]}
    assert by_line[1][0] == 1
    assert "{{nonsense}}" in by_line[1][1]
    assert by_line[0][0] == 2
    assert "{{language}}" in by_line[0][1]
    client.open(prompt.as_uri(), prompt.read_text(encoding="utf-8"), "markdown")
    client.change(prompt.as_uri(), 2, {"text": "{{language}} {{tools}} {{arrays}} {{limits}}\n"})
    while codes(client.diagnostics(prompt.as_uri())):
        pass


def test_settings_that_are_wrong_are_told_of_a_closed_file(new_client: NewClient, workspace: Path) -> None:
    config = workspace / ".omoide/config.toml"
    config.write_text("[memory]\nlanguage = 3\n", encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace)
    told = client.diagnostics(config.as_uri())
    assert codes(told) == ["invalid-config"]
    value = {"start": {"line": 1, "character": 11}, "end": {"line": 1, "character": 12}}
    assert told["diagnostics"][0]["range"] == value


def test_diagnostics_of_the_whole_workspace_on_request(new_client: NewClient, workspace: Path) -> None:
    closed = workspace / ".omoide/knowledge/api-limits.md"
    closed.write_text(knowledge(body="see #nowhere\n"), encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace, initializationOptions={"diagnostics": "workspace"})
    assert codes(client.diagnostics(closed.as_uri())) == ["unknown-reference"]
    client.notify("workspace/didChangeConfiguration", {"settings": {"omoide": {"diagnostics": "off"}}})
    assert codes(client.diagnostics(closed.as_uri())) == []
