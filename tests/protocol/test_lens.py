"""Code lenses over the protocol: counts, what a click does in which client, and when they are drawn again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import CAPABILITIES, Message, RawClient

pytestmark = pytest.mark.protocol

REFRESHED: Message = {
    **CAPABILITIES["workspace"],
    "codeLens": {"refreshSupport": True},
    "semanticTokens": {"refreshSupport": True},
}
OURS: Message = {"omoide": {"commands": ["omoide.showReferences"]}}
DECISION = (
    "---\ncreated_at: 2026-06-01T00:00:00Z\nupdated_at: 2026-06-10T00:00:00Z\nsources:\n"
    "  - session_id: s-1\n    range: [3, 17]\n    agent: codex\nstatus: open\n---\n\nWe keep #api-keys.\n"
)


def lenses(client: RawClient, uri: str) -> Any:
    found = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    return [lens if "command" in lens else client.request("codeLens/resolve", lens) for lens in found or ()]


def uri_in(workspace: Path, path: str) -> str:
    return (workspace / ".omoide" / path).as_uri()


def open_record(client: RawClient, workspace: Path, path: str) -> str:
    uri = uri_in(workspace, path)
    client.open(uri, (workspace / ".omoide" / path).read_text(encoding="utf-8"))
    return uri


def test_a_record_says_how_it_is_used(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    told = client.initialize(workspace, capabilities={"experimental": OURS})
    assert told["capabilities"]["codeLensProvider"] == {"resolveProvider": True}
    uri, notes = open_record(client, workspace, "knowledge/api-keys.md"), (workspace / "a.md").as_uri()
    (lens,) = lenses(client, uri)
    assert lens["command"]["title"] == "not read yet · named in 1 record"
    client.open(notes, "see #api-keys\n")
    client.at("hover", notes, 0, 6)
    (lens,) = lenses(client, uri)
    assert lens["command"] == {
        "title": "read once · named in 1 record",
        "command": "omoide.showReferences",
        "arguments": [uri, {"line": 0, "character": 0}],
    }


def test_in_other_editors_a_click_tells_who_names_it(client: RawClient, workspace: Path) -> None:
    uri = open_record(client, workspace, "knowledge/api-keys.md")
    (lens,) = lenses(client, uri)
    command = {key: value for key, value in lens["command"].items() if key != "title"}
    assert client.request("workspace/executeCommand", command) == {
        "kind": "knowledge",
        "slug": "api-keys",
        "use_count": 0,
        "named_in": [uri_in(workspace, "workflow/release.md")],
    }
    shown = client.notification("window/showMessage")["message"]
    assert shown == "Omoide: #api-keys: not read yet · named in 1 record: /release."
    quiet = {"command": command["command"], "arguments": [{**command["arguments"][0], "quiet": True}]}
    client.request("workspace/executeCommand", quiet)
    assert not [m for m in client.received if m.get("method") == "window/showMessage"]


@pytest.mark.parametrize("given", [{}, {"uri": "file:///nowhere/x.md"}, {"url": "x"}, {"uri": 5}])
def test_a_click_on_nothing_is_refused(client: RawClient, given: Message) -> None:
    answer = client.answer(
        client.begin("workspace/executeCommand", {"command": "omoide.showUses", "arguments": [given]})
    )
    assert answer["error"]["code"] in (-32602, -32803)


def test_a_decision_shows_its_evidence(new_client: NewClient, workspace: Path) -> None:
    (workspace / ".omoide/memory/decisions/keep.md").write_text(DECISION, encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace)
    uri = open_record(client, workspace, "memory/decisions/keep.md")
    use, evidence = lenses(client, uri)
    assert use["command"]["title"] == "not read yet · named in no other record"
    assert evidence["command"] == {
        "title": "evidence: codex s-1, entries 3-17",
        "command": "omoide.openTranscript",
        "arguments": [{"uri": uri, "session_id": "s-1", "entry": 3, "agent": "codex"}],
    }
    assert evidence["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}


def test_row_21_the_lens_of_a_hub(new_client: NewClient, tmp_path: Path) -> None:
    """foambubble/foam#1251."""
    records = {f"knowledge/r{n:04}.md": knowledge(body="see #hub\n") for n in range(3_000)}
    folder = make_root(tmp_path / "hub", {**records, "knowledge/hub.md": knowledge()})
    client = new_client(folder)
    client.initialize(folder)
    uri = open_record(client, folder, "knowledge/hub.md")
    lenses(client, uri)
    took = []
    for _ in range(5):
        began = time.perf_counter()
        (lens,) = lenses(client, uri)
        took.append(time.perf_counter() - began)
    assert lens["command"]["title"].endswith("named in 3,000 records")
    assert sorted(took)[2] < 0.1, took


def refreshes(client: RawClient) -> list[str]:
    """Which views the client was asked to draw again since it was looked at last."""
    asked = [m["method"].split("/")[1] for m in client.received if m.get("method", "").endswith("/refresh")]
    client.received.clear()
    return sorted(asked)


def meet(new_client: NewClient, workspace: Path, answer: Any, support: Message) -> RawClient:
    client = new_client(workspace)
    for view in ("codeLens", "semanticTokens"):
        client.answers[f"workspace/{view}/refresh"] = lambda _: answer
    client.initialize(workspace, capabilities={"workspace": support})
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    return client


def edited(client: RawClient, uri: str, version: int, body: str) -> list[str]:
    """What is drawn again for an edit: it is asked for before the diagnostics of that edit are told."""
    client.change(uri, version, {"text": knowledge(body=body)})
    while client.diagnostics(uri).get("version") != version:
        continue
    return refreshes(client)


def test_views_are_drawn_again_when_records_come_or_are_named(new_client: NewClient, workspace: Path) -> None:
    client = meet(new_client, workspace, None, REFRESHED)
    uri = open_record(client, workspace, "knowledge/api-limits.md")
    assert "codeLens" in edited(client, uri, 2, "now #gone\n")
    assert edited(client, uri, 3, "\n\nnow #gone!\n") == []  # nothing that others could see
    assert edited(client, uri, 4, "now #gone and #away\n") == ["codeLens"]  # no record came: colors are as they were
    other = uri_in(workspace, "knowledge/gone.md")
    client.open(other, knowledge())
    client.diagnostics(other)
    assert refreshes(client) == ["codeLens", "semanticTokens"]


def test_a_client_that_cannot_draw_again_is_not_asked(new_client: NewClient, workspace: Path) -> None:
    client = meet(new_client, workspace, None, CAPABILITIES["workspace"])
    assert edited(client, open_record(client, workspace, "knowledge/api-limits.md"), 2, "now #gone\n") == []


def test_a_refusal_to_draw_again_is_no_error(new_client: NewClient, workspace: Path) -> None:
    client = meet(new_client, workspace, ValueError("no"), REFRESHED)
    uri = open_record(client, workspace, "knowledge/api-limits.md")
    assert "codeLens" in edited(client, uri, 2, "now #gone\n")
    assert len(lenses(client, uri)) == 1
    client.shut_down()
    assert client.stderr == ""


def test_lenses_can_be_turned_off(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.initialize(workspace, initializationOptions={"lens": False})
    assert lenses(client, open_record(client, workspace, "knowledge/api-keys.md")) == []


@pytest.mark.parametrize("data", [None, 5, {}, {"uri": 5}, {"uri": "file:///never-opened.md"}])
def test_a_lens_that_is_not_ours_is_refused(client: RawClient, data: Any) -> None:
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    answer = client.answer(client.begin("codeLens/resolve", {"range": place, "data": data}))
    assert answer["error"]["code"] == -32602
