"""Reads in the editor become usage events (D2, F2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
        client.at("definition", uri, 0, 3)
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
    assert "read once, last just now" in client.at("hover", uri, 0, 3)["contents"]["value"]
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
