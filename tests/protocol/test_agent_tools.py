"""`omoide.agentSearch` and `omoide.agentRead`, as the editor's agent mode calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import RawClient
from tests.protocol.test_commands import command, run
from tests.protocol.test_record_commands import DECISION

pytestmark = pytest.mark.protocol


def opened(new_client: NewClient, workspace: Path) -> RawClient:
    (workspace / ".omoide/memory/decisions/use-toml.md").write_text(DECISION, encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace)
    return client


def events(workspace: Path) -> list[Any]:
    log = workspace / ".omoide/memory/_usage/events.jsonl"
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def test_an_agent_finds_names_that_it_can_read(new_client: NewClient, workspace: Path) -> None:
    client = opened(new_client, workspace)
    text = run(client, "omoide.agentSearch", {"query": "vault"})["text"]
    assert text.startswith('<omoide-memory kind="search">\n#api-keys (knowledge')
    assert run(client, "omoide.agentRead", {"names": ["#api-keys"]})["read"] == 1
    assert len(run(client, "omoide.agentSearch", {"query": "key", "limit": 1})["text"].split("\n#")) == 2
    assert len(events(workspace)) == 1  # a search is no use


def test_an_agent_reads_records_of_any_kind_by_name(new_client: NewClient, workspace: Path) -> None:
    client = opened(new_client, workspace)
    answer = run(client, "omoide.agentRead", {"names": ["#api-keys", "decision/use-toml", "/release", "#none-such"]})
    assert answer["read"] == 3
    assert "In the vault." in answer["text"]
    assert "`#none-such` names no record." in answer["text"]
    assert [(e["event"], e["source"], e["actor"], e["records"][0]["slug"]) for e in events(workspace)] == [
        ("use", "MemoryRead", "agent", slug) for slug in ("api-keys", "use-toml", "release")
    ]


def test_what_is_open_is_read_as_the_editor_shows_it(new_client: NewClient, workspace: Path) -> None:
    client = opened(new_client, workspace)
    path = workspace / ".omoide/knowledge/api-keys.md"
    client.open(path.as_uri(), path.read_text(encoding="utf-8").replace("In the vault.", "In the new vault."))
    assert "In the new vault." in run(client, "omoide.agentRead", {"names": ["#api-keys"]})["text"]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("omoide.agentRead", {}),
        ("omoide.agentRead", {"names": []}),
        ("omoide.agentRead", {"names": "#api-keys"}),
        ("omoide.agentRead", {"names": ["#api-keys", 7]}),
        ("omoide.agentRead", {"names": ["#api-keys"], "tokens": 0}),
        ("omoide.agentSearch", {"query": "x" * 3_000}),
        ("omoide.agentSearch", {"query": "x", "limit": -1}),
        ("omoide.agentSearch", {"query": "x", "limit": True}),
    ],
)
def test_what_is_no_input_is_refused_and_counts_as_nothing(
    client: RawClient, workspace: Path, name: str, given: Any
) -> None:
    error = client.answer(client.begin("workspace/executeCommand", command(name, given)))["error"]
    assert error["code"] == -32602
    assert name in error["message"]
    assert events(workspace) == []
