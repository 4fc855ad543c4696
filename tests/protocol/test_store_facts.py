"""What is only known of the whole store reaches the editor, behind the edits."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.protocol.conftest import NewClient, knowledge
from tests.protocol.raw_client import Message, RawClient

pytestmark = pytest.mark.protocol

NOTE = "We retry a failed request with a pause before giving up, and log each of the attempts.\n"
OTHER = "The search index is made anew every night, and the old one answers until then.\n"


def codes(params: Message) -> list[str]:
    return [found["code"] for found in params["diagnostics"]]


def record(workspace: Path, slug: str) -> str:
    return (workspace / f".omoide/knowledge/{slug}.md").as_uri()


def test_two_records_that_say_the_same(client: RawClient, workspace: Path) -> None:
    one, other = record(workspace, "api-keys"), record(workspace, "api-limits")
    client.open(one, knowledge("One thing", NOTE))
    assert codes(client.diagnostics(one)) == []
    client.open(other, knowledge("Another", NOTE))
    assert codes(client.diagnostics(other)) == []  # at once, before all others were compared
    told = client.diagnostics(other)
    assert codes(told) == ["near-duplicate"]
    assert codes(client.diagnostics(one)) == ["near-duplicate"]
    assert "`#api-keys`" in told["diagnostics"][0]["message"]
    client.change(other, 2, {"text": knowledge("Another", OTHER)})
    assert codes(client.diagnostics(one)) == []


def test_a_record_that_does_not_fit_into_the_budget(new_client: NewClient, workspace: Path) -> None:
    (workspace / ".omoide/config.toml").write_text("[memory]\nresident_token_budget = 20\n", encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace)
    uri = record(workspace, "api-keys")
    text = knowledge("Where the keys of every service live, and who may read them when.").replace(
        "model_invokation: false", "model_invokation: true"
    )
    client.open(uri, text)
    assert codes(client.diagnostics(uri)) == []
    assert codes(client.diagnostics(uri)) == ["over-resident-budget"]
    client.change(uri, 2, {"text": text.replace("model_invokation: true", "model_invokation: false")})
    assert codes(client.diagnostics(uri)) == []


def test_sources_are_compared_with_the_logs_of_open_records(client: RawClient, workspace: Path) -> None:
    """T48: evidence that is gone or does not say so any more is seen while it is read."""
    log = workspace / ".omoide/sessions/s-1.jsonl"
    log.parent.mkdir()
    entries = [
        {"kind": "session_start", "id": "e0", "ts": "2026-06-01T00:00:00Z", "session_id": "s-1", "agent": "omoide"},
        {"kind": "user_message", "id": "e1", "ts": "2026-06-01T00:00:01Z", "text": "Keep the keys in the vault."},
    ]
    log.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    digest = hashlib.sha256(b"something else").hexdigest()
    sources = (
        "last_sources:\n"
        f"  - session_id: s-1\n    range: [1, 1]\n    anchors:\n      - entry_range: [1, 1]\n        sha256: {digest}\n"
        "  - session_id: s-2\n    range: [0, 3]\n"
    )
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge().replace("last_sources: []\n", sources))
    assert codes(client.diagnostics(uri)) == []
    assert codes(client.diagnostics(uri)) == ["source-changed", "source-gone"]


def test_what_is_turned_off_is_not_worked_out(new_client: NewClient, workspace: Path) -> None:
    (workspace / ".omoide/config.toml").write_text('[lint]\nnear-duplicate = "off"\n', encoding="utf-8")
    for slug in ("api-keys", "api-limits"):
        (workspace / f".omoide/knowledge/{slug}.md").write_text(knowledge(slug, NOTE), encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace, initializationOptions={"diagnostics": "workspace"})
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge("x", NOTE))
    assert codes(client.diagnostics(uri)) == []
    with pytest.raises(AssertionError, match="no such message"):
        client.diagnostics(uri, timeout=1.5)


def test_a_closed_record_follows_in_the_whole_workspace(new_client: NewClient, workspace: Path) -> None:
    closed = workspace / ".omoide/knowledge/api-limits.md"
    closed.write_text(knowledge("Another", NOTE + "See #soon.\n"), encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace, initializationOptions={"diagnostics": "workspace"})
    assert codes(client.diagnostics(closed.as_uri())) == ["unknown-reference"]
    soon = record(workspace, "soon")
    client.open(soon, knowledge("Soon", OTHER))
    assert codes(client.diagnostics(closed.as_uri())) == []
    client.change(soon, 2, {"text": knowledge("Soon", NOTE + "See this.\n")})
    client.notify("textDocument/didClose", {"textDocument": {"uri": soon}})
    assert codes(client.diagnostics(closed.as_uri())) == ["unknown-reference"]
