"""Reads in the editor become usage events (D2, F2)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.ids import utc_now
from memory_core.records.schema import Kind, RecordRef
from memory_core.store.discovery import find_root
from memory_core.usage import use_event
from memory_core.workspace import open_root
from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import RawClient

pytestmark = pytest.mark.protocol


def events(workspace: Path) -> list[dict[str, Any]]:
    file = workspace / ".omoide/memory/_usage/events.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def test_a_hover_and_a_jump_count_once_a_minute(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys /release #nowhere #ap")
    for _ in range(5):
        client.at("hover", uri, 0, 3)
        jump(client, workspace, uri)
    wait_for(lambda: len(events(workspace)) == 2)
    client.at("hover", uri, 0, 12)
    client.at("hover", uri, 0, 22)
    client.at("completion", uri, 0, 31)
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    client.shut_down()
    found = [
        (e["event"], e["source"], e["actor"], e["records"][0]["kind"], e["records"][0]["slug"])
        for e in events(workspace)
    ]
    assert found == [
        ("use", "EditorHover", "human", "knowledge", "api-keys"),
        ("use", "EditorOpen", "human", "knowledge", "api-keys"),
        ("use", "EditorHover", "human", "workflow", "release"),
    ]
    record = events(workspace)[0]["records"][0]
    assert record["file_bytes"] == (workspace / ".omoide/knowledge/api-keys.md").stat().st_size


def jump(client: RawClient, workspace: Path, uri: str) -> str:
    """What an editor does for a person who goes to a definition; the URI of the record."""
    client.at("definition", uri, 0, 3)
    record = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(record, (workspace / ".omoide/knowledge/api-keys.md").read_text(encoding="utf-8"))
    return record


def wait_for(true: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)


def close(client: RawClient, uri: str) -> None:
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_a_definition_that_was_only_asked_for_is_no_open(client: RawClient, workspace: Path) -> None:
    """A modifier key held over a name asks for the definition, and may open the file for the preview."""
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys and #api-limits")
    for _ in range(3):
        close(client, jump(client, workspace, uri))
    client.at("hover", uri, 0, 16)
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    wait_for(lambda: len(events(workspace)) == 1)
    client.shut_down()
    assert [e["source"] for e in events(workspace)] == ["EditorHover"]


def test_a_client_that_opens_for_persons_only_is_believed(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"experimental": {"omoide": {"opened": True}}})
    record = workspace / ".omoide/knowledge/api-keys.md"
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys")
    client.at("hover", uri, 0, 3)
    client.open(record.as_uri(), record.read_text(encoding="utf-8"))
    wait_for(lambda: len(events(workspace)) == 2)
    assert [e["source"] for e in events(workspace)] == ["EditorHover", "EditorOpen"]


def test_what_another_program_records_shows_without_a_reload(client: RawClient, workspace: Path) -> None:
    """An agent's reads, counted apart from people's."""
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys and #api-limits")
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    assert "never read" in client.at("hover", uri, 0, 3)["contents"]["value"]
    wait_for(lambda: len(events(workspace)) == 1)
    store = open_root(find_root(workspace)).store  # type: ignore[arg-type]
    ref = RecordRef(Kind.KNOWLEDGE, "api-keys")
    for _ in range(3):
        event = use_event(ref, "x", source="MemoryRead", actor="agent", session_id="s", now=utc_now())
        store.append_usage(event)
    wait_for(lambda: "read 4 times (1 by people, 3 by agents)" in client.at("hover", uri, 0, 3)["contents"]["value"])
    with (workspace / ".omoide/memory/_usage/events.jsonl").open("a", encoding="utf-8") as log:
        log.write('{"id": "torn')  # an append that is under way
    assert "read 4 times" in client.at("hover", uri, 0, 3)["contents"]["value"]
    (workspace / ".omoide/memory/_usage/events.jsonl").unlink()
    store.append_usage(use_event(ref, "x", source="MemoryRead", actor="agent", session_id="s", now=utc_now()))
    wait_for(lambda: "read once (by an agent)" in client.at("hover", uri, 0, 3)["contents"]["value"])


def test_a_completion_list_is_no_use(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #ap")
    assert client.at("completion", uri, 0, 7)["items"]
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    client.shut_down()
    assert events(workspace) == []


def test_it_can_be_turned_off(client: RawClient, workspace: Path) -> None:
    (workspace / ".omoide/config.toml").write_text("[memory]\nrecord_hover = false\n", encoding="utf-8")
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys")
    assert client.at("hover", uri, 0, 3)
    client.shut_down()
    assert events(workspace) == []


def test_the_card_and_the_list_show_the_count(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-limits and #ap")
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    assert "never read" in client.at("hover", uri, 0, 3)["contents"]["value"]
    assert "read once (by a person), last just now" in client.at("hover", uri, 0, 3)["contents"]["value"]
    items = client.at("completion", uri, 0, 19)["items"]
    assert [(i["label"], i["labelDetails"].get("description")) for i in items] == [
        ("#api-limits", "1 use"),
        ("#api-keys", None),
    ]


def test_a_log_that_cannot_be_written_fails_no_read(client: RawClient, workspace: Path) -> None:
    (workspace / ".omoide/memory/_usage").write_text("in the way", encoding="utf-8")
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys")
    assert client.at("hover", uri, 0, 3)
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    assert client.shut_down() == 0
