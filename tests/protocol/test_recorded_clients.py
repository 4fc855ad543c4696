"""The main conversation under the capabilities that real editors announce.

`clients/*.json` were recorded from the editors themselves (`scripts/editors/record_client.py`): VS Code 1.100.3 with
this project's extension (vscode-languageclient 9.0.1), Neovim 0.11.4, Emacs 28.2 with eglot 1.9, Vim 9.0 with ALE 3.3.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient, knowledge
from tests.protocol.raw_client import Message, RawClient
from tests.protocol.test_commands import command, run, write_session

pytestmark = pytest.mark.protocol

CLIENTS = sorted((Path(__file__).parent / "clients").glob("*.json"))


@dataclass
class Editor:
    """A server that met an editor's capabilities."""

    name: str
    raw: RawClient
    capabilities: Message
    server: Message
    folder: Path

    def can(self, path: str) -> Any:
        found: Any = self.capabilities
        for key in path.split("."):
            found = found.get(key) if isinstance(found, dict) else None
        return found

    @property
    def encoding(self) -> str:
        return (self.can("general.positionEncodings") or ["utf-16"])[0]

    @property
    def pulls(self) -> bool:
        return bool(self.can("textDocument.diagnostic") and self.can("workspace.diagnostics.refreshSupport"))

    def column(self, text: str) -> int:
        """How far into a line the end of `text` is, for this editor."""
        return len(text.encode("utf-8")) if self.encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


@pytest.fixture(params=CLIENTS, ids=[path.stem for path in CLIENTS])
def editor(request: pytest.FixtureRequest, new_client: NewClient, workspace: Path) -> Iterator[Editor]:
    recorded = json.loads(request.param.read_text(encoding="utf-8"))
    write_session(workspace)
    raw = new_client(workspace)
    raw.answers["workspace/configuration"] = lambda params: [None for _ in params["items"]]
    raw.answers["client/unregisterCapability"] = lambda _: None
    raw.answers["workspace/applyEdit"] = lambda _: {"applied": True}
    raw.answers["window/showDocument"] = lambda _: {"success": True}
    for refresh in ("diagnostic", "codeLens", "semanticTokens", "inlayHint", "foldingRange"):
        raw.answers[f"workspace/{refresh}/refresh"] = lambda _: None
    changes = {"clientInfo": recorded["clientInfo"]} if recorded["clientInfo"] else {}
    params = {
        "processId": None,
        "rootUri": workspace.as_uri(),
        "workspaceFolders": [{"uri": workspace.as_uri(), "name": "project"}],
        "capabilities": recorded["capabilities"],
        **changes,
    }
    server = raw.request("initialize", params)["capabilities"]
    raw.notify("initialized", {})
    yield Editor(request.param.stem, raw, recorded["capabilities"], server, workspace)
    raw.shut_down()
    assert "Traceback" not in raw.stderr


def test_the_unit_of_columns_is_the_editors_first_choice(editor: Editor) -> None:
    assert editor.server["positionEncoding"] == editor.encoding


def test_completing_a_slug_behind_wide_characters_gives_the_exact_text(editor: Editor) -> None:
    uri, text = (editor.folder / "a.md").as_uri(), "手順 🙂 see #api-k"
    editor.raw.open(uri, text)
    found = editor.raw.at("completion", uri, 0, editor.column(text))
    item = found["items"][0]
    assert item["label"] == "#api-keys"
    if "itemDefaults" in found:
        assert editor.can("textDocument.completion.completionList.itemDefaults")
    span = item["textEdit"]["range"] if "textEdit" in item else found["itemDefaults"]["editRange"]
    assert span["start"]["character"] == editor.column("手順 🙂 see ")
    assert span["end"]["character"] == editor.column(text)
    assert item.get("filterText", item["label"]).startswith("#api-k")
    if "labelDetails" in item:
        assert editor.can("textDocument.completion.completionItem.labelDetailsSupport")


def test_a_hover_comes_in_a_format_that_the_editor_shows(editor: Editor) -> None:
    uri = (editor.folder / "a.md").as_uri()
    editor.raw.open(uri, "see #api-keys")
    contents = editor.raw.at("hover", uri, 0, 6)["contents"]
    assert contents["kind"] in editor.can("textDocument.hover.contentFormat")
    assert "Where keys live" in contents["value"]


def test_a_jump_is_a_link_only_where_the_editor_takes_links(editor: Editor) -> None:
    uri = (editor.folder / "a.md").as_uri()
    editor.raw.open(uri, "see #api-keys")
    found = editor.raw.at("definition", uri, 0, 6)
    target = (editor.folder / ".omoide/knowledge/api-keys.md").as_uri()
    if editor.can("textDocument.definition.linkSupport"):
        assert found[0]["targetUri"] == target
    else:
        assert found["uri"] == target


def test_a_problem_is_told_through_one_channel(editor: Editor) -> None:
    """Bugs 33 and 34: twice, or one over the other."""
    record = (editor.folder / ".omoide/knowledge/api-keys.md").as_uri()
    editor.raw.open(record, knowledge(body="see #nowhere\n"))
    document = {"textDocument": {"uri": record}}
    if editor.pulls:
        asked = editor.raw.request("textDocument/diagnostic", document)
        assert [it["code"] for it in asked["items"]] == ["unknown-reference"]
    else:
        assert [it["code"] for it in editor.raw.diagnostics(record)["diagnostics"]] == ["unknown-reference"]
        assert not editor.server.get("diagnosticProvider")
    run(editor.raw, "omoide.reindex")
    pushed = [m for m in editor.raw.received if m.get("method") == "textDocument/publishDiagnostics"]
    assert not (editor.pulls and pushed)
    registered = [
        registration["method"]
        for m in editor.raw.received
        if m.get("method") == "client/registerCapability"
        for registration in m["params"]["registrations"]
    ]
    if not editor.pulls:
        assert "textDocument/diagnostic" not in registered


def test_nothing_is_registered_or_asked_that_the_editor_does_not_know(editor: Editor) -> None:
    record = (editor.folder / ".omoide/knowledge/api-keys.md").as_uri()
    editor.raw.open(record, knowledge(body="see #nowhere\n"))
    run(editor.raw, "omoide.lint")
    needed = {
        "workspace/configuration": "workspace.configuration",
        "window/workDoneProgress/create": "window.workDoneProgress",
        "window/showDocument": "window.showDocument.support",
        "workspace/applyEdit": "workspace.applyEdit",
        "workspace/diagnostic/refresh": "workspace.diagnostics.refreshSupport",
        "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
        "workspace/semanticTokens/refresh": "workspace.semanticTokens.refreshSupport",
        "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
    }
    dynamic = {
        "workspace/didChangeWatchedFiles": "workspace.didChangeWatchedFiles.dynamicRegistration",
        "textDocument/diagnostic": "textDocument.diagnostic.dynamicRegistration",
    }
    for message in editor.raw.received:
        method = message.get("method", "")
        if method in needed:
            assert editor.can(needed[method]), method
        if method == "client/registerCapability":
            for registration in message["params"]["registrations"]:
                asked = dynamic.get(registration["method"])
                assert asked is None or editor.can(asked), registration
        assert not method.startswith("omoide/") or editor.can("experimental.omoide.status")


def test_extracting_and_consolidating_from_the_editor(editor: Editor) -> None:
    """F1."""
    runs = run(editor.raw, "omoide.extract")["runs"]
    assert [it["status"] for it in runs] == ["staged"]
    assert run(editor.raw, "omoide.consolidate")["status"] == "committed"
    shown = [m for m in editor.raw.received if m.get("method") == "window/showMessage"]
    assert len(shown) == 2
    progress = [m for m in editor.raw.received if m.get("method") == "$/progress"]
    assert bool(progress) == bool(editor.can("window.workDoneProgress"))


def test_a_rename_of_an_open_record_is_an_edit_or_a_clear_refusal(editor: Editor) -> None:
    record = editor.folder / ".omoide/knowledge/api-keys.md"
    editor.raw.open(record.as_uri(), record.read_text(encoding="utf-8"))
    given = {"kind": "knowledge", "slug": "api-keys", "new_slug": "key-store"}
    answer = editor.raw.answer(editor.raw.begin("workspace/executeCommand", command("omoide.rename", given)))
    if "rename" in (editor.can("workspace.workspaceEdit.resourceOperations") or ()):
        assert answer["result"]["status"] == "applied"
        edit = editor.raw.wait(lambda m: m.get("method") == "workspace/applyEdit")["params"]["edit"]
        assert [c["kind"] for c in edit["documentChanges"] if "kind" in c] == ["rename"]
    else:
        assert "save and close" in answer["error"]["message"]
    assert record.exists()
