"""Code actions as different clients see them: what is offered, what is resolved, what an editor can carry out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_core.ide.actions import KINDS
from memory_core.text import LineIndex, TextEdit, apply_edits
from server.convert.columns import Encoding
from server.convert.from_lsp import range_of
from server.features.code_action import OPTIONS
from tests.protocol.conftest import HEAD, NewClient, knowledge
from tests.protocol.raw_client import CAPABILITIES, Message, RawClient

pytestmark = pytest.mark.protocol

LITERALS: Message = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}}}
RESOLVES: Message = {**LITERALS, "isPreferredSupport": True, "dataSupport": True,
                     "resolveSupport": {"properties": ["edit"]}}  # fmt: skip
FILES: Message = {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]}
# Neovim 0.11 resolves edits and makes files; eglot 1.9 resolves nothing and makes none; the last takes edits only.
CLIENTS: dict[str, tuple[Message, Message]] = {
    "vscode": (RESOLVES, {**FILES, "changeAnnotationSupport": {"groupsOnLabel": True}}),
    "neovim": ({**LITERALS, "dataSupport": True, "resolveSupport": {"properties": ["edit", "command"]}}, FILES),
    "no-resolve": (LITERALS, FILES),
    "eglot": (LITERALS, {"documentChanges": True}),
    "plain": (LITERALS, {}),
}


def met(new_client: NewClient, workspace: Path, name: str, **options: Any) -> RawClient:
    actions, edits = CLIENTS[name]
    client = new_client(workspace)
    text = {**CAPABILITIES["textDocument"], "codeAction": actions}
    capabilities = {"textDocument": text, "workspace": {**CAPABILITIES["workspace"], "workspaceEdit": edits}}
    client.initialize(workspace, capabilities=capabilities, **options)
    return client


def ask(client: RawClient, uri: str, span: Any, told: list[Any] | None = None, **context: Any) -> Any:
    params = {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": told or [], **context}}
    return client.request("textDocument/codeAction", params)


def span(line: int, start: int, last: int | None = None, end: int | None = None) -> Message:
    finish = {"line": line if last is None else last, "character": start if end is None else end}
    return {"start": {"line": line, "character": start}, "end": finish}


def chosen(client: RawClient, actions: list[Any], title: str) -> Any:
    """An action with its edit, resolved where it has none."""
    (action,) = [action for action in actions if action["title"] == title]
    return action if "edit" in action or "command" in action else client.request("codeAction/resolve", action)


def applied(edit: Message, texts: dict[str, str]) -> dict[str, str]:
    """The texts by URI after a workspace edit, as an editor that counts in UTF-16 applies it."""
    texts = dict(texts)
    changes = edit.get("documentChanges") or [
        {"textDocument": {"uri": uri}, "edits": edits} for uri, edits in edit.get("changes", {}).items()
    ]
    for change in changes:
        if change.get("kind") == "create":
            assert change["uri"] not in texts
            texts[change["uri"]] = ""
            continue
        assert "kind" not in change, change
        lines = LineIndex(texts[change["textDocument"]["uri"]])
        edits = [TextEdit(range_of(lines, _Range(e["range"]), Encoding.UTF16), e["newText"]) for e in change["edits"]]  # type: ignore[arg-type]
        texts[change["textDocument"]["uri"]] = apply_edits(lines.text, edits)
    return texts


class _Range:
    def __init__(self, data: Message) -> None:
        self.start, self.end = (type("At", (), data[key])() for key in ("start", "end"))


def uri_in(workspace: Path, path: str) -> str:
    return (workspace / ".omoide" / path).as_uri()


@pytest.mark.parametrize("name", CLIENTS)
def test_row_35_a_fix_of_a_published_problem_behind_an_emoji(new_client: NewClient, workspace: Path, name: str) -> None:
    """Automattic/harper#609: what was published comes back and is mended at exactly its place."""
    client = met(new_client, workspace, name)
    uri, text = uri_in(workspace, "knowledge/here.md"), knowledge(body="👋 see #api-keyz 日本\n")
    client.open(uri, text)
    told = client.diagnostics(uri)["diagnostics"]
    found = ask(client, uri, told[0]["range"], told, only=["quickfix"])
    action = chosen(client, found, "Change to `#api-keys`")
    assert action["diagnostics"] == told
    assert action["kind"] == "quickfix"
    assert action.get("isPreferred") == (True if name == "vscode" else None)
    assert applied(action["edit"], {uri: text})[uri] == text.replace("keyz", "keys")


@pytest.mark.parametrize("name", CLIENTS)
def test_a_missing_record_is_created_by_every_client(new_client: NewClient, workspace: Path, name: str) -> None:
    client = met(new_client, workspace, name)
    uri = (workspace / "notes.md").as_uri()
    client.open(uri, "see #gone-by\n")
    action = chosen(client, ask(client, uri, span(0, 6)), "Create the knowledge record `#gone-by`")
    target = uri_in(workspace, "knowledge/gone-by.md")
    if name in ("eglot", "plain"):  # no file of theirs can be made, so the server makes it
        assert action["command"]["command"] == "omoide.new"
        client.request("workspace/executeCommand", {k: v for k, v in action["command"].items() if k != "title"})
        text = (workspace / ".omoide/knowledge/gone-by.md").read_text(encoding="utf-8")
    else:
        text = applied(action["edit"], {uri: "see #gone-by\n"})[target]
    client.open(target, text)
    assert client.diagnostics(target)["diagnostics"] == []
    assert ask(client, uri, span(0, 6)) == []


@pytest.mark.parametrize("name", ["vscode", "neovim", "no-resolve"])
def test_a_selection_becomes_a_record(new_client: NewClient, workspace: Path, name: str) -> None:
    client = met(new_client, workspace, name)
    uri, text = (workspace / "notes.md").as_uri(), "👋 Keys live in the vault. And so on.\n"
    client.open(uri, text)
    found = ask(client, uri, span(0, 3, 0, 27), only=["refactor.extract"])
    action = chosen(client, found, "Extract the selection to knowledge `#keys-live-in-the-vault`")
    after = applied(action["edit"], {uri: text})
    assert after[uri] == "👋 #keys-live-in-the-vault And so on.\n"
    assert "\n\nKeys live in the vault.\n" in after[uri_in(workspace, "knowledge/keys-live-in-the-vault.md")]
    source = [
        change for change in action["edit"]["documentChanges"] if change.get("textDocument", {}).get("uri") == uri
    ]
    assert source[0]["textDocument"]["version"] == 1


@pytest.mark.parametrize("name", ["eglot", "plain"])
def test_a_client_that_makes_no_files_is_offered_no_extraction(
    new_client: NewClient, workspace: Path, name: str
) -> None:
    client = met(new_client, workspace, name)
    uri = (workspace / "notes.md").as_uri()
    client.open(uri, "Keys live in the vault.\n")
    assert ask(client, uri, span(0, 0, 0, 23)) == []


def test_a_selection_that_changed_meanwhile_is_not_extracted(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, "vscode")
    uri = (workspace / "notes.md").as_uri()
    client.open(uri, "Keys live in the vault.\n")
    (action,) = ask(client, uri, span(0, 0, 0, 23))
    client.change(uri, 2, {"text": "Something else entirely.\n"})
    answer = client.answer(client.begin("codeAction/resolve", action))
    assert answer["error"]["code"] == -32801


DIRTY = HEAD.format(description="x").replace("user_invocable: true", "user_invocable: yes").replace(
    "model_invokation: false", "model_invocation: false"
) + "# T\n\nText.\n"  # fmt: skip


@pytest.mark.parametrize("name", CLIENTS)
def test_fix_all_on_save(new_client: NewClient, workspace: Path, name: str) -> None:
    client = met(new_client, workspace, name)
    uri = uri_in(workspace, "knowledge/here.md")
    client.open(uri, DIRTY)
    found = ask(client, uri, span(0, 0, 20, 0), only=["source.fixAll"])
    assert [action["kind"] for action in found] == ["source.fixAll.omoide"]
    action = chosen(client, found, found[0]["title"])
    after = applied(action["edit"], {uri: DIRTY})[uri]
    assert "user_invocable: true\n" in after
    assert "model_invokation: false\n" in after
    client.change(uri, 2, {"text": after})
    again = ask(client, uri, span(0, 0), only=["source.fixAll.omoide"])
    if "resolveSupport" in CLIENTS[name][0]:
        assert applied(chosen(client, again, again[0]["title"])["edit"], {uri: after}) == {uri: after}
    else:
        assert again == []


def test_row_36_the_menu_is_quick_for_a_long_record(new_client: NewClient, workspace: Path) -> None:
    """Automattic/harper#1142, #1331: with nothing told, a menu costs no lint; each of 50 is answered."""
    client = met(new_client, workspace, "vscode")
    uri = uri_in(workspace, "knowledge/here.md")
    client.open(uri, knowledge(body="# T\n\n" + "words and `code` and more\n" * 12_000))
    ask(client, uri, span(40, 0))
    numbers = []
    for line in range(50):
        params = {"textDocument": {"uri": uri}, "range": span(40 + line, 0), "context": {"diagnostics": []}}
        numbers.append(client.begin("textDocument/codeAction", params))
    assert all(client.answer(number, timeout=5)["result"] == [] for number in numbers)


def test_row_36_a_record_beyond_the_limit_is_named_in_the_log(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, "vscode")
    uri = uri_in(workspace, "knowledge/here.md")
    client.open(uri, DIRTY + "word " * 110_000)
    assert ask(client, uri, span(0, 0), only=["source.fixAll"]) == []
    told = client.wait(lambda m: m.get("method") == "window/logMessage" and "characters" in m["params"]["message"])
    assert told["params"]["message"].startswith("knowledge/here.md has more than 500,000 characters")


def test_a_decision_is_promoted_and_archived(new_client: NewClient, workspace: Path) -> None:
    path = "memory/decisions/retry.md"
    dates = "created_at: 2026-06-01T00:00:00Z\nupdated_at: 2026-06-10T00:00:00Z\n"
    text = f"---\n{dates}sources: []\nstatus: open\n---\n\nTwice.\n"
    (workspace / ".omoide" / path).write_text(text, encoding="utf-8")
    client = met(new_client, workspace, "vscode")
    uri = uri_in(workspace, path)
    client.open(uri, text)
    found = ask(client, uri, span(0, 0), only=["refactor"])
    assert [action["kind"] for action in found] == ["refactor.rewrite", "refactor.move"]
    promoted = applied(chosen(client, found, found[0]["title"])["edit"], {uri: text})
    assert "kind: policy" in promoted[uri_in(workspace, "knowledge/retry.md")]
    command = chosen(client, found, found[1]["title"])["command"]
    assert (command["command"], command["arguments"]) == (
        "omoide.archive",
        [{"uri": uri, "kind": "decision", "slug": "retry"}],
    )
    client.request("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
    assert not (workspace / ".omoide" / path).exists()


def test_a_client_that_knows_no_actions_but_commands_is_sent_none(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "notes.md").as_uri()
    client.open(uri, "see #gone\n")
    assert ask(client, uri, span(0, 6)) is None


def test_actions_can_be_left_to_others(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, "vscode", initializationOptions={"actions": False})
    uri = (workspace / "notes.md").as_uri()
    client.open(uri, "see #gone\n")
    assert ask(client, uri, span(0, 6)) is None


FOREIGN = [
    {"range": span(0, 4, 0, 9), "message": "x"},
    {"range": span(0, 4, 0, 9), "message": "x", "code": 5, "source": "other"},
    {"range": span(90, 4, 91, 9), "message": "", "code": "unknown-reference", "source": "omoide"},
    {"range": span(0, 9, 0, 4), "message": "y", "code": "missing-field", "source": "omoide"},
]


def test_what_others_tell_is_no_concern_of_ours(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, "vscode")
    uri = uri_in(workspace, "knowledge/here.md")
    client.open(uri, knowledge(body="# T\n" + "words\n" * 30))
    assert ask(client, uri, span(30, 0), FOREIGN) == [
        {"title": "Fix all certain problems of this record", "kind": "source.fixAll.omoide",
         "data": {"uri": uri, "version": 1, "plan": {"do": "fix-all"}}}
    ]  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        None,
        5,
        {},
        {"uri": 5},
        {"uri": "file:///never-opened.md", "plan": {"do": "fix-all"}},
        {"plan": {"do": "create", "kind": "knowledge", "slug": "../../x"}},
        {"plan": {"do": "create", "kind": "nothing", "slug": "x"}},
        {"plan": {"do": "rm"}},
        {"plan": {"do": "extract", "at": [0, 0, "x", 1], "slug": "x"}},
    ],
)
def test_an_action_that_is_not_ours_is_refused(new_client: NewClient, workspace: Path, data: Any) -> None:
    client = met(new_client, workspace, "vscode")
    uri = (workspace / "notes.md").as_uri()
    client.open(uri, "see #gone\n")
    if isinstance(data, dict) and "plan" in data:
        data = {"uri": uri, "version": 1, **data}
    answer = client.answer(client.begin("codeAction/resolve", {"title": "x", "data": data}))
    assert answer["error"]["code"] == -32602
    client.shut_down()
    assert client.stderr == ""


def test_the_kinds_told_are_those_the_core_offers() -> None:
    assert OPTIONS.code_action_kinds
    assert tuple(str(getattr(kind, "value", kind)) for kind in OPTIONS.code_action_kinds) == KINDS
