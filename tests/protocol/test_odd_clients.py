"""Clients newer, older or sloppier than our types; messages that mean nothing; every request is answered."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import CAPABILITIES, Message, RawClient

pytestmark = pytest.mark.protocol

TEXT = {"position": {"line": 0, "character": 6}}


def text(**more: Any) -> Message:
    return {"textDocument": more}


@pytest.mark.parametrize(
    "changes",
    [
        {"capabilities": None},
        {"capabilities": []},
        {"capabilities": {"workspace": {"symbol": {"symbolKind": {"valueSet": [1, 999, 5, 1000]}}}}},
        {"capabilities": {"workspace": {"workspaceEdit": {"resourceOperations": ["create", "teleport"]}}}},
        {"capabilities": {"workspace": {"workspaceEdit": {"failureHandling": "whatever"}}}},
        {"capabilities": text(hover={"contentFormat": ["html", "markdown"]})},
        {"capabilities": text(hover={"contentFormat": "markdown"})},
        {"capabilities": text(completion=True)},
        {"capabilities": text(publishDiagnostics={"tagSupport": True})},
        {"capabilities": text(codeAction={"codeActionLiteralSupport": {}})},
        {"capabilities": text(semanticTokens={"requests": {}, "tokenTypes": [], "formats": ["odd"]})},
        {"capabilities": {"textDocument": [], "general": {"positionEncodings": ["utf-7"]}}},
        {"capabilities": {"textDocument": {"quantum": True}, "telepathy": {"range": 5}}},
        {"trace": "compact"},
        {"clientInfo": {}},
        {"rootUri": "http://[bad"},
        {"rootUri": ""},
        {"rootPath": 5},
        {"workspaceFolders": ["file:///x", {"uri": "file:///y"}, {"name": "z"}, 5]},
        {"processId": 2**40},
        {"initializationOptions": "x"},
    ],
)
def test_what_is_not_understood_of_initialize_is_left_out(
    new_client: NewClient, workspace: Path, changes: dict[str, Any]
) -> None:
    """One value of a newer protocol among a hundred capabilities kept the server from starting at all."""
    client = new_client(workspace)
    params = {"processId": os.getpid(), "rootUri": workspace.as_uri(), "capabilities": {}, **changes}
    result = client.request("initialize", params)
    assert result["capabilities"]["positionEncoding"] == "utf-16"
    client.notify("initialized", {})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #api-keys")
    assert "Where keys live" in client.at("hover", uri, 0, 6)["contents"]["value"]


def test_the_rest_of_the_capabilities_counts(new_client: NewClient, workspace: Path) -> None:
    odd = {"hover": {"contentFormat": ["html", "plaintext"]}, "definition": {"linkSupport": True}, "codeLens": 5}
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"general": {"positionEncodings": ["utf-32"]}, "textDocument": odd})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "👋 #api-keys")
    hover = client.at("hover", uri, 0, 4)
    assert hover["contents"]["kind"] == "plaintext"
    assert hover["range"]["start"]["character"] == 2
    assert "targetUri" in client.at("definition", uri, 0, 4)[0]


def test_a_folder_without_a_name_is_still_a_folder(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace.parent)
    client.initialize(workspaceFolders=[{"uri": workspace.as_uri()}])
    assert client.request("workspace/executeCommand", {"command": "omoide.reindex"})["records"]["knowledge"] == 2


def test_an_initialize_that_failed_can_be_sent_again(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    assert client.answer(client.begin("initialize", [1]))["error"]["code"] == -32602
    assert client.initialize(workspace)["capabilities"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"jsonrpc": None}, -32600),
        ({"jsonrpc": "1.0"}, -32600),
        ({"method": 5}, -32600),
        ({"method": [1]}, -32600),
        ({"method": None}, -32600),
        ({"method": ""}, -32601),
        ({"method": "$/nothing"}, -32601),
        ({"method": "textDocument/didSave"}, -32600),
        ({"params": None}, -32602),
        ({"params": []}, -32602),
        ({"params": "x"}, -32602),
        ({"params": {"textDocument": {"uri": "file:///x"}, "position": {"line": -1, "character": 0}}}, -32602),
        ({"params": {"textDocument": {"uri": "file:///x"}, "position": {"line": 2**40, "character": 0}}}, -32602),
    ],
)
def test_a_request_with_something_wrong_is_answered(client: RawClient, message: Message, code: int) -> None:
    params = {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}
    client.send({"id": "odd", "method": "textDocument/hover", "params": params, **message})
    answer = client.wait(lambda m: m.get("id") == "odd", timeout=5)
    assert answer["error"]["code"] == code
    assert "data" not in answer["error"]
    client.shut_down()
    assert "Traceback" not in client.stderr


@pytest.mark.parametrize("msg_id", [None, True, [1], {"a": 1}])
def test_an_id_that_is_none_is_refused_as_null(client: RawClient, msg_id: Any) -> None:
    client.send({"id": msg_id, "method": "workspace/executeCommand", "params": {"command": "omoide.status"}})
    assert client.wait(lambda m: "id" in m and m["id"] is None, timeout=5)["error"]["code"] == -32600


@pytest.mark.parametrize(
    "message",
    [
        {"method": "$/nothing", "params": {}},
        {"method": "$/setTrace", "params": {"value": "loud"}},
        {"method": "$/cancelRequest"},
        {"method": "$/cancelRequest", "params": {"id": [1]}},
        {"method": "$/cancelRequest", "params": {"id": "never-sent"}},
        {"method": "$/progress", "params": {"token": 1, "value": {}}},
        {"method": "window/workDoneProgress/cancel", "params": {"token": "never-made"}},
        {"id": "never-asked", "result": 5},
        {"id": "never-asked", "error": {"code": 1, "message": "x"}},
        {"id": [1], "result": 5},
        {"method": "initialized"},
        {"method": "textDocument/willSave", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///x"}}},
        {"method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///never"}}},
        {"method": "textDocument/didSave", "params": {"textDocument": {"uri": "file:///never"}}},
        {"method": "workspace/didChangeConfiguration", "params": {"settings": [1]}},
        {"method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "file:///a%00", "type": 3}]}},
        {"method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "file:///a", "type": 9}]}},
    ],
)
def test_a_notification_that_means_nothing_changes_nothing(client: RawClient, message: Message) -> None:
    client.send(message)
    status = client.request("workspace/executeCommand", {"command": "omoide.status"}, timeout=5)
    assert len(status["roots"]) == 1
    assert not [m for m in client.received if "error" in m or m.get("method") == "window/showMessage"]
    client.shut_down()
    assert "Traceback" not in client.stderr


URIS = [
    "",
    "untitled:Untitled-1",
    "vscode-notebook-cell:/a/b.ipynb#X0",
    "git:/a/b.md?%7B%22path%22%7D",
    "http://[bad",
    "http://example.org/a.md",
    "file:",
    "file:beside.md",
    "file:///a%00b.md",
    "file://host\u2100/x.md",
    "file:///%FF%FE.md",
    "file:///%zz",
    "file:///\ud83d.md",
    "file:///" + "y" * 300 + ".md",
    "file:///" + "d/" * 3_000 + "x.md",
    "\0",
]


@pytest.mark.parametrize("uri", URIS)
def test_a_document_that_is_no_file_is_no_error(client: RawClient, uri: str) -> None:
    """esbonio#60 and its kin; `file:beside.md` was taken for a file beside the server."""
    client.open(uri, "see #api-keys")
    client.change(uri, 2, {"text": "see  #api-keys"})
    assert client.at("hover", uri, 0, 6) is None
    assert client.at("completion", uri, 0, 8) is None
    assert client.at("definition", uri, 0, 6) is None
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.shut_down()
    assert client.stderr == ""


def test_an_untidy_uri_of_a_file_is_that_file(client: RawClient, workspace: Path) -> None:
    """A slash too many, the folder itself."""
    for uri in (workspace.as_uri(), workspace.as_uri() + "/", (workspace / "a.md").as_uri() + "/"):
        client.open(uri, "see #api-keys")
        assert client.at("hover", uri, 0, 6)


@pytest.mark.parametrize("version", [{}, {"version": None}])
def test_a_client_that_counts_no_versions(client: RawClient, workspace: Path, version: Message) -> None:
    """Allowed before LSP 3.16; a change that is not applied makes every later one wrong."""
    document = {"uri": (workspace / "a.md").as_uri(), **version}
    client.notify("textDocument/didOpen", {"textDocument": {**document, "text": "one\n"}})
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": "see #api-keys"}]})
    assert client.at("hover", document["uri"], 0, 6)


def test_answers_that_cannot_be_read_count_as_refusals(new_client: NewClient, workspace: Path) -> None:
    """Whoever awaits them is told; else nothing would watch the files, and the settings would be awaited for ever."""
    client = new_client(workspace)
    for method in ("client/registerCapability", "workspace/configuration", "window/workDoneProgress/create"):
        client.answers[method] = lambda _: {"junk": [1]}
    watching = {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}}
    client.initialize(workspace, capabilities={**CAPABILITIES, "workspace": watching})
    assert client.request("workspace/executeCommand", {"command": "omoide.extract"}) == {"runs": [], "report": []}
    assert client.shut_down() == 0
    assert "Traceback" not in client.stderr


def test_half_a_surrogate_pair_is_text_like_any_other(client: RawClient, workspace: Path) -> None:
    record = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(record, (workspace / ".omoide/knowledge/api-keys.md").read_text(encoding="utf-8") + "\ud83d #nowhere\n")
    found = {each["code"]: each["range"]["start"]["character"] for each in client.diagnostics(record)["diagnostics"]}
    assert found["unknown-reference"] == 2
    assert found["hidden-text"] == 0
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys #api-limits")
    assert client.at("hover", uri, 0, 3)
    assert client.at("hover", uri, 0, 15)
    client.shut_down()
    log = (workspace / ".omoide/memory/_usage/events.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["records"][0]["slug"] for line in log.splitlines()] == ["api-keys", "api-limits"]
    assert client.stderr == ""


def _edited(span: Any, new: str) -> Message:
    return {"range": span, "text": new}


LINE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


@pytest.mark.parametrize("far", [2**31, 2**32 - 1, 2**53, 1e308])
def test_a_change_to_the_largest_number_is_one_to_the_end(client: RawClient, workspace: Path, far: float) -> None:
    """It was not applied, and every change behind it went into another text than the editor's."""
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see nothing\nmore")
    client.change(uri, 2, _edited({**LINE, "end": {"line": 0, "character": far}}, "see #api-keys"))
    assert client.at("hover", uri, 0, 6)
    client.change(uri, 3, _edited({**LINE, "end": {"line": far, "character": 0}}, "of #api-keys"))
    assert client.at("hover", uri, 0, 5)
    client.change(uri, 4, _edited(None, "all #api-keys") | {"rangeLength": None})
    assert client.at("hover", uri, 0, 6)


@pytest.mark.parametrize(
    "broken",
    [
        _edited({**LINE, "end": {"line": 0, "character": -1}}, "x"),
        _edited({**LINE, "end": None}, "x"),
        {"text": None},
        {"text": 7},
        {"range": LINE},
        {"text": "x", "more": json.loads("[" * 300 + "]" * 300)},
    ],
)
def test_behind_a_change_that_cannot_be_read_nothing_is_applied_before_the_whole_text(
    client: RawClient, workspace: Path, broken: Message
) -> None:
    """The old text keeps its version: whatever is made from it is refused by the editor as of an old text."""
    uri = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(uri, "---\ndescription: x\n---\nsee #nowhere\n")
    assert client.diagnostics(uri)["version"] == 1
    client.change(uri, 2, broken)
    client.change(uri, 3, _edited(LINE, "# A heading that is not there\n"))
    assert "heading" not in json.dumps(client.request("textDocument/documentSymbol", text(uri=uri)))
    client.change(uri, 4, _edited(LINE, "x"), {"text": "see #elsewhere\n"}, _edited(LINE, "# Head\n"))
    assert "Head" in json.dumps(client.request("textDocument/documentSymbol", text(uri=uri)))
    assert client.wait(lambda m: m.get("params", {}).get("version") == 4)


@pytest.mark.parametrize("levels", [300, 950])
def test_a_request_that_is_nested_deeply_is_answered(client: RawClient, levels: int) -> None:
    """To answer it the server fell over its own recursion, and said nothing at all."""
    deep = "[" * levels + "]" * levels  # the encoder here could not write it either
    for method, params in (
        ("completionItem/resolve", f'{{"label":"x","data":{deep}}}'),
        ("workspace/executeCommand", f'{{"command":"omoide.status","arguments":[{deep}]}}'),
    ):
        body = f'{{"jsonrpc":"2.0","id":"{method}","method":"{method}","params":{params}}}'
        assert client.process.stdin
        client.process.stdin.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
        client.process.stdin.flush()
        assert client.wait(lambda m, it=method: m.get("id") == it, 5)["error"]["code"] == -32602
    assert client.shut_down() == 0
    assert "Traceback" not in client.stderr
