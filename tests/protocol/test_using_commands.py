"""`omoide.expand` and `omoide.usageReport` over the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.protocol.raw_client import RawClient
from tests.protocol.test_commands import command, run
from tests.protocol.test_usage import events

pytestmark = pytest.mark.protocol


def test_a_turn_comes_back_with_the_records_it_names(client: RawClient, workspace: Path) -> None:
    answer = run(client, "omoide.expand", {"text": "use #api-keys and #api-kees", "session": "s-1"})
    assert answer["text"] == "use #api-keys and #api-kees"
    assert answer["expanded"].startswith("use #api-keys and #api-kees\n\n<omoide-memory")
    assert [(r["kind"], r["slug"]) for r in answer["records"]] == [("knowledge", "api-keys")]
    assert answer["unresolved"][0]["near"] == ["#api-keys"]
    (event,) = events(workspace)
    assert (event["source"], event["actor"], event["session_id"]) == ("KnowledgeRef", "human", "s-1")


def test_an_open_record_is_taken_as_the_editor_shows_it(client: RawClient, workspace: Path) -> None:
    path = workspace / ".omoide/knowledge/api-keys.md"
    client.open(path.as_uri(), path.read_text(encoding="utf-8") + "\nUnsaved words.\n")
    assert "Unsaved words." in run(client, "omoide.expand", {"text": "#api-keys"})["expanded"]


def test_the_usage_report_has_rows_and_lists(client: RawClient, workspace: Path) -> None:
    run(client, "omoide.expand", {"text": "#api-keys"})
    answer = run(client, "omoide.usageReport", {"html": True})
    (row,) = [row for row in answer["records"] if row["slug"] == "api-keys"]
    assert (row["use_count"], row["source_breakdown"]) == (1, {"KnowledgeRef": 1})
    assert [r["slug"] for r in answer["lists"]["protected"]] == ["api-keys"]
    assert answer["html"].startswith("<!doctype html>")
    assert answer["skipped_lines"] == 0


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("omoide.expand", [], "needs `text`"),
        ("omoide.expand", [{"text": "x", "slug": "y"}], "takes no `slug`"),
        ("omoide.expand", [{"text": "x", "actor": "robot"}], "must be one of human, agent"),
        ("omoide.usageReport", [{"html": "yes"}], "`html` must be a bool"),
    ],
)
def test_arguments_are_checked(client: RawClient, name: str, arguments: list[Any], message: str) -> None:
    answer = client.answer(client.begin("workspace/executeCommand", command(name, *arguments)))
    assert message in answer["error"]["message"]
