"""One channel for a client: pulled where it can be told to pull again, pushed otherwise, never both."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import CAPABILITIES, Message, RawClient

pytestmark = pytest.mark.protocol

PULLS = {
    "workspace": {"diagnostics": {"refreshSupport": True}},
    "textDocument": {**CAPABILITIES["textDocument"], "diagnostic": {"relatedDocumentSupport": True}},
}
REGISTERS = {
    **PULLS,
    "textDocument": {**CAPABILITIES["textDocument"], "diagnostic": {"dynamicRegistration": True}},
}
# As Neovim 0.11 says it: it asks, but cannot be told to ask again.
NO_REFRESH = {"textDocument": {**CAPABILITIES["textDocument"], "diagnostic": {"dynamicRegistration": False}}}


def pulling(new_client: NewClient, workspace: Path, **changes: Any) -> RawClient:
    client = new_client(workspace)
    client.answers["workspace/diagnostic/refresh"] = lambda _: None
    client.initialize(workspace, capabilities=changes.pop("capabilities", PULLS), **changes)
    return client


def pull(client: RawClient, uri: str, previous: str | None = None) -> Message:
    """A document's report; asked again where the server says that it came too early."""
    params = {"textDocument": {"uri": uri}, "previousResultId": previous}
    deadline = time.monotonic() + 10
    while True:
        answer = client.answer(client.begin("textDocument/diagnostic", params))
        if answer.get("error", {}).get("code") != -32802 or time.monotonic() > deadline:
            assert "error" not in answer, answer
            return dict(answer["result"])


def codes(report: Message) -> list[str]:
    return [found["code"] for found in report["items"]]


def pushed(client: RawClient) -> list[Message]:
    return [m for m in client.received if m.get("method") == "textDocument/publishDiagnostics"]


def refreshed(client: RawClient) -> Message:
    return client.wait(lambda m: m.get("method") == "workspace/diagnostic/refresh")


def record(workspace: Path, slug: str) -> str:
    return (workspace / f".omoide/knowledge/{slug}.md").as_uri()


@pytest.mark.parametrize("capabilities", [{}, NO_REFRESH])
def test_bug_33_a_client_that_is_sent_diagnostics_is_not_offered_to_ask(
    new_client: NewClient, workspace: Path, capabilities: Message
) -> None:
    """rumdl#182, neovim#29927: every problem was shown twice."""
    client = new_client(workspace)
    result = client.initialize(workspace, capabilities=capabilities)
    assert "diagnosticProvider" not in result["capabilities"]
    client.open(record(workspace, "api-keys"), knowledge(body="see #nowhere\n"))
    assert [d["code"] for d in client.diagnostics(record(workspace, "api-keys"))["diagnostics"]] == [
        "unknown-reference"
    ]
    asked = [
        m for m in client.received if m.get("method") in ("client/registerCapability", "workspace/diagnostic/refresh")
    ]
    assert asked == []


def test_bug_33_a_client_that_asks_is_sent_nothing(new_client: NewClient, workspace: Path) -> None:
    (workspace / ".omoide/config.toml").write_text("[memory]\nlanguage = 3\n", encoding="utf-8")
    client = new_client(workspace)
    client.answers["workspace/diagnostic/refresh"] = lambda _: None
    result = client.initialize(workspace, capabilities=PULLS, initializationOptions={"diagnostics": "workspace"})
    provider = result["capabilities"]["diagnosticProvider"]
    assert provider == {"identifier": "omoide", "interFileDependencies": True, "workspaceDiagnostics": True}
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge(body="see #nowhere\n"))
    assert codes(pull(client, uri)) == ["unknown-reference"]
    client.change(uri, 2, {"text": knowledge(body="see #elsewhere\n")})
    client.open(record(workspace, "nowhere"), knowledge())
    assert codes(pull(client, uri)) == ["unknown-reference"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    time.sleep(0.6)  # longer than the quiet time: what is to be sent is sent
    assert pushed(client) == []


def test_bug_34_the_answer_is_of_the_text_as_it_is(new_client: NewClient, workspace: Path) -> None:
    """neovim#37936: an older result wrote over a newer one."""
    client = pulling(new_client, workspace)
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge())
    for version in range(2, 12):
        wrong = version % 2
        client.change(uri, version, {"text": knowledge(body="see #nowhere\n" if wrong else "see #api-limits\n")})
        assert codes(pull(client, uri)) == (["unknown-reference"] if wrong else [])
    assert pushed(client) == []


def test_what_is_the_same_is_said_by_its_id(new_client: NewClient, workspace: Path) -> None:
    client = pulling(new_client, workspace)
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge(body="see #nowhere\n"))
    first = pull(client, uri)
    assert first["kind"] == "full"
    assert pull(client, uri, first["resultId"]) == {"kind": "unchanged", "resultId": first["resultId"]}
    client.change(uri, 2, {"text": knowledge(body="see #nowhere \n")})
    assert pull(client, uri, first["resultId"])["kind"] == "unchanged"
    client.change(uri, 3, {"text": knowledge(body="\nsee #nowhere\n")})
    moved = pull(client, uri, first["resultId"])
    assert moved["kind"] == "full"
    assert moved["resultId"] != first["resultId"]
    client.change(uri, 4, {"text": knowledge()})
    assert pull(client, uri, moved["resultId"])["items"] == []


def test_a_target_that_appears_or_goes_makes_the_client_ask_again(new_client: NewClient, workspace: Path) -> None:
    client = pulling(new_client, workspace)
    uri, soon = record(workspace, "api-keys"), record(workspace, "soon")
    client.open(uri, knowledge(body="see #soon\n"))
    first = pull(client, uri)
    assert codes(first) == ["unknown-reference"]
    client.open(soon, knowledge("Another thing", "Quite another.\n"))
    refreshed(client)
    assert codes(pull(client, uri, first["resultId"])) == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": soon}})
    refreshed(client)
    assert codes(pull(client, uri)) == ["unknown-reference"]


def test_nobody_is_asked_again_for_nothing(new_client: NewClient, workspace: Path) -> None:
    client = pulling(new_client, workspace)
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge(body="see #nowhere\n"))
    pull(client, uri)
    client.request("workspace/executeCommand", {"command": "omoide.reindex"})
    time.sleep(1.5)  # until the facts about the whole store are known, too
    client.received.clear()
    client.open(record(workspace, "other"), knowledge("Another thing", "Quite another.\n"))
    client.change(uri, 2, {"text": knowledge(body="see #nowhere.\n")})
    pull(client, uri)
    time.sleep(1.5)
    assert [m for m in client.received if m.get("method") == "workspace/diagnostic/refresh"] == []


def test_a_file_that_is_no_record_and_one_that_is_closed(new_client: NewClient, workspace: Path) -> None:
    client = pulling(new_client, workspace)
    (workspace / ".omoide/knowledge/api-limits.md").write_text(knowledge(body="see #nowhere\n"), encoding="utf-8")
    readme = (workspace / "README.md").as_uri()
    client.open(readme, "see #nowhere\n")
    assert codes(pull(client, readme)) == []
    assert codes(pull(client, record(workspace, "api-limits"))) == ["unknown-reference"]
    assert codes(pull(client, record(workspace, "no-such-file"))) == []
    assert codes(pull(client, "untitled:Untitled-1")) == []


def test_the_whole_workspace(new_client: NewClient, workspace: Path) -> None:
    (workspace / ".omoide/knowledge/api-limits.md").write_text(knowledge(body="see #nowhere\n"), encoding="utf-8")
    (workspace / ".omoide/config.toml").write_text("[memory]\nlanguage = 3\n", encoding="utf-8")
    client = pulling(new_client, workspace, initializationOptions={"diagnostics": "workspace"})
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge(body="see #gone\n"))
    pull(client, uri)
    first = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    config = (workspace / ".omoide/config.toml").as_uri()
    assert {item["uri"]: (item["version"], codes(item)) for item in first} == {
        uri: (1, ["unknown-reference"]),
        record(workspace, "api-limits"): (None, ["unknown-reference"]),
        config: (None, ["invalid-config"]),
    }
    known = [{"uri": item["uri"], "value": item["resultId"]} for item in first]
    client.change(uri, 2, {"text": knowledge()})
    second = client.request("workspace/diagnostic", {"previousResultIds": known})["items"]
    assert {item["uri"]: (item["kind"], item.get("items")) for item in second} == {
        uri: ("full", []),
        record(workspace, "api-limits"): ("unchanged", None),
        config: ("unchanged", None),
    }


def test_the_whole_workspace_in_parts(new_client: NewClient, tmp_path: Path) -> None:
    records = {f"knowledge/r-{n:03}-{n}.md": knowledge(f"No. {n}", f"see #gone-{n}\n") for n in range(250)}
    workspace = make_root(tmp_path / "many", records)
    client = pulling(new_client, workspace, initializationOptions={"diagnostics": "workspace"})
    pull(client, record(workspace, "r-000-0"))
    asked = {"previousResultIds": [], "partialResultToken": "parts"}
    assert client.request("workspace/diagnostic", asked) == {"items": []}
    parts = [
        m["params"]["value"]["items"]
        for m in client.received
        if m.get("method") == "$/progress" and m["params"]["token"] == "parts"
    ]
    assert [len(part) for part in parts] == [100, 100, 50]
    assert len({item["uri"] for part in parts for item in part}) == 250


def test_a_change_elsewhere_in_the_workspace_makes_the_client_ask_again(new_client: NewClient, workspace: Path) -> None:
    client = pulling(new_client, workspace, initializationOptions={"diagnostics": "workspace"})
    pull(client, record(workspace, "api-keys"))
    assert client.request("workspace/diagnostic", {"previousResultIds": []})["items"] == []
    client.received.clear()
    (workspace / ".omoide/knowledge/api-limits.md").write_text(knowledge(body="see #nowhere\n"), encoding="utf-8")
    refreshed(client)
    found = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert [item["uri"] for item in found] == [record(workspace, "api-limits")]


def test_a_client_that_registers_is_asked_to(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.answers["workspace/diagnostic/refresh"] = client.answers["client/unregisterCapability"] = lambda _: None
    assert "diagnosticProvider" not in client.initialize(workspace, capabilities=REGISTERS)["capabilities"]

    def registration() -> Message:
        return dict(client.wait(lambda m: m.get("method") == "client/registerCapability")["params"]["registrations"][0])

    first = registration()
    assert first["method"] == "textDocument/diagnostic"
    assert first["registerOptions"]["workspaceDiagnostics"] is False
    assert first["registerOptions"]["interFileDependencies"] is True
    assert "**/.omoide/**/*.md" in [f["pattern"] for f in first["registerOptions"]["documentSelector"]]
    client.notify("workspace/didChangeConfiguration", {"settings": {"omoide": {"diagnostics": "workspace"}}})
    gone = client.wait(lambda m: m.get("method") == "client/unregisterCapability")["params"]["unregisterations"]
    assert [g["id"] for g in gone] == [first["id"]]
    assert registration()["registerOptions"]["workspaceDiagnostics"] is True
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge(body="see #nowhere\n"))
    assert codes(pull(client, uri)) == ["unknown-reference"]
    client.notify("workspace/didChangeConfiguration", {"settings": {"omoide": {"diagnostics": "off"}}})
    refreshed(client)
    assert codes(pull(client, uri)) == []


def test_settings_files_come_with_a_record_and_by_themselves(new_client: NewClient, workspace: Path) -> None:
    config = workspace / ".omoide/config.toml"
    config.write_text("[memory]\nlanguage = 3\n", encoding="utf-8")
    client = pulling(new_client, workspace)
    uri = record(workspace, "api-keys")
    client.open(uri, knowledge())
    related = pull(client, uri)["relatedDocuments"]
    assert [codes(report) for report in related.values()] == [["invalid-config"]]
    assert list(related) == [config.as_uri()]
    client.received.clear()
    config.write_text("[memory]\n", encoding="utf-8")
    refreshed(client)
    assert pull(client, uri)["relatedDocuments"][config.as_uri()]["items"] == []
    client.open(config.as_uri(), "[memori]\n", "toml")
    assert codes(pull(client, config.as_uri())) == ["invalid-config"]
