"""Completion, hover and inlay hints over the wire: encodings, what each client can take, `resolve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient, knowledge
from tests.protocol.raw_client import RawClient

pytestmark = pytest.mark.protocol

ENCODINGS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
WIDE = "日本語 👩‍👩‍👧 é ﷽ "


def units(text: str, encoding: str) -> int:
    codec = encoding if encoding == "utf-8" else f"{encoding}-le"
    return len(text.encode(codec)) // ENCODINGS[encoding]


def connect(new_client: NewClient, workspace: Path, encoding: str = "utf-16", **completion: Any) -> RawClient:
    client = new_client(workspace)
    client.initialize(
        workspace,
        capabilities={
            "general": {"positionEncodings": [encoding]},
            "textDocument": {"completion": completion, "hover": {"contentFormat": ["markdown"]}},
        },
        initializationOptions={"inlay_hints": True},
    )
    return client


def item(found: dict[str, Any], label: str) -> dict[str, Any]:
    return next(item for item in found["items"] if item["label"] == label)


@pytest.mark.parametrize("encoding", list(ENCODINGS))
def test_bug_07_17_ranges_count_in_the_agreed_unit(new_client: NewClient, workspace: Path, encoding: str) -> None:
    """marksman#9, zk#317: completion, hover and inlay hints on one line of wide characters."""
    client = connect(new_client, workspace, encoding)
    uri = (workspace / "a.md").as_uri()
    line = f"{WIDE}#api-keys {WIDE}#ap"
    client.open(uri, f"first\n{line}")
    start = units(f"{WIDE}#api-keys {WIDE}", encoding)
    found = client.at("completion", uri, 1, units(line, encoding))
    assert [item["label"] for item in found["items"]] == ["#api-keys", "#api-limits"]
    span = found["items"][0]["textEdit"]["range"]
    assert (span["start"], span["end"]["character"]) == ({"line": 1, "character": start}, units(line, encoding))
    hover = client.at("hover", uri, 1, units(f"{WIDE}#api", encoding))
    assert hover["range"]["start"]["character"] == units(WIDE, encoding)
    assert hover["range"]["end"]["character"] == units(f"{WIDE}#api-keys", encoding)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    (hint,) = client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})
    assert hint["position"] == {"line": 1, "character": units(f"{WIDE}#api-keys", encoding)}
    assert hint["label"] == "Where keys live"


def test_what_all_items_share_is_said_once(new_client: NewClient, workspace: Path) -> None:
    defaults = ["editRange", "insertTextFormat", "data"]
    client = connect(new_client, workspace, completionList={"itemDefaults": defaults})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #apis")
    found = client.at("completion", uri, 0, 7)
    assert found["itemDefaults"] == {
        "editRange": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 9}},
        "insertTextFormat": 1,
        "data": {"uri": uri, "kind": "knowledge"},
    }
    for one in found["items"]:
        assert set(one) == {"label", "kind", "sortText", "filterText", "detail"}
    resolved = client.request("completionItem/resolve", {**found["items"][0], "data": found["itemDefaults"]["data"]})
    assert "Where keys live" in resolved["documentation"]["value"]


def test_a_client_that_knows_no_defaults_gets_whole_items(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #ap")
    found = client.at("completion", uri, 0, 7)
    assert "itemDefaults" not in found
    assert found["isIncomplete"] is True
    for one in found["items"]:
        assert one["textEdit"]["newText"] == one["label"]
        assert one["insertTextFormat"] == 1
        assert one["data"] == {"uri": uri, "kind": "knowledge"}


def test_the_card_is_made_when_an_item_is_looked_at(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #ap")
    one = item(client.at("completion", uri, 0, 7), "#api-keys")
    assert "documentation" not in one
    resolved = client.request("completionItem/resolve", one)
    assert resolved["documentation"]["kind"] == "markdown"
    assert "In the vault." in resolved["documentation"]["value"]
    assert {key: value for key, value in resolved.items() if key in one} == one


@pytest.mark.parametrize(
    "data", [None, 5, {}, {"uri": "file:///nowhere.md", "kind": "knowledge"}, {"uri": 1, "kind": 2}]
)
def test_an_item_that_is_not_ours_comes_back_as_it_went(client: RawClient, data: Any) -> None:
    assert client.request("completionItem/resolve", {"label": "#x", "data": data})["label"] == "#x"


def test_an_item_whose_record_is_gone_has_no_card(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #ap")
    for kind, label in (("knowledge", "#gone"), ("nonsense", "#api-keys")):
        found = client.request("completionItem/resolve", {"label": label, "data": {"uri": uri, "kind": kind}})
        assert "documentation" not in found


def test_insert_and_replace_are_told_apart_where_another_word_stands_behind(
    new_client: NewClient, workspace: Path
) -> None:
    client = connect(new_client, workspace, completionItem={"insertReplaceSupport": True})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #apDeploy and #api-ke")
    edit = item(client.at("completion", uri, 0, 7), "#api-keys")["textEdit"]
    assert (edit["insert"]["end"]["character"], edit["replace"]["end"]["character"]) == (7, 13)
    # A piece of the slug itself is always replaced: kept, it would stand there twice.
    edit = item(client.at("completion", uri, 0, 22), "#api-keys")["textEdit"]
    assert edit["range"]["end"]["character"] == 25
    edit = item(client.at("completion", uri, 0, 25), "#api-keys")["textEdit"]
    assert edit["range"]["end"]["character"] == 25


def test_kind_and_use_count_stand_beside_the_label_or_in_the_detail(new_client: NewClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    for able in (True, False):
        client = connect(new_client, workspace, completionItem={"labelDetailsSupport": able})
        client.open(uri, "#api-keys #ap")
        client.request("workspace/executeCommand", {"command": "omoide.reindex"})
        client.at("hover", uri, 0, 3)
        one = item(client.at("completion", uri, 0, 13), "#api-keys")
        uses = "1 use" if able else "2 uses"
        if able:
            assert one["labelDetails"] == {"detail": " policy", "description": uses}
            assert one["detail"] == "Where keys live"
        else:
            assert "labelDetails" not in one
            assert one["detail"] == f"policy · {uses} · Where keys live"
        client.shut_down()


def test_snippets_are_for_clients_that_have_them(new_client: NewClient, workspace: Path) -> None:
    path = workspace / ".omoide/knowledge/new.md"
    texts = {}
    for able in (True, False):
        client = connect(new_client, workspace, completionItem={"snippetSupport": able})
        client.open(path.as_uri(), "")
        (one,) = client.at("completion", path.as_uri(), 0, 0)["items"]
        texts[able] = one["textEdit"]["newText"]
        assert one["insertTextFormat"] == (2 if able else 1)
        assert one["kind"] == 15
        client.shut_down()
    assert "${" in texts[True]
    assert "$" not in texts[False]


def test_a_replaced_decision_is_offered_as_deprecated(new_client: NewClient, workspace: Path) -> None:
    folder = workspace / ".omoide/memory/decisions"
    head = "created_at: 2026-06-01T00:00:00Z\nupdated_at: 2026-06-01T00:00:00Z\nsources: []\n"
    (folder / "old.md").write_text(f"---\n{head}status: replaced\nreplaced_by: \n---\n", encoding="utf-8")
    (folder / "gone.md").write_text(f"---\n{head}status: replaced\nreplaced_by: old\n---\n", encoding="utf-8")
    client = connect(new_client, workspace, completionItem={"tagSupport": {"valueSet": [1]}})
    uri = (folder / "old.md").as_uri()
    client.open(uri, (folder / "old.md").read_text(encoding="utf-8"))
    (one,) = client.at("completion", uri, 5, len("replaced_by: "))["items"]
    assert (one["label"], one["tags"]) == ("gone", [1])


@pytest.mark.parametrize(
    ("name", "language", "text", "labels"),
    [
        ("prompts/agent.txt", "plaintext", "see #ap", ["#api-keys", "#api-limits"]),
        (".git/COMMIT_EDITMSG", "gitcommit", "Fix, see #ap", ["#api-keys", "#api-limits"]),
        ("src/a.py", "python", "# see #ap", ["#api-keys", "#api-limits"]),
        ("src/a.ts", "typescript", "// see #ap", ["#api-keys", "#api-limits"]),
        ("a.md", "markdown", "run /rel", ["/release"]),
        ("CLAUDE.md", "markdown", "`#ap`", None),
    ],
)
def test_references_complete_in_any_text_of_the_workspace(
    client: RawClient, workspace: Path, name: str, language: str, text: str, labels: list[str] | None
) -> None:
    """F1"""
    uri = (workspace / name).as_uri()
    client.open(uri, text, language)
    found = client.at("completion", uri, 0, len(text))
    assert (found and [one["label"] for one in found["items"]]) == labels


def test_bug_29_a_typed_trigger_at_the_start_of_a_line_opens_no_list(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#")
    typed = {"context": {"triggerKind": 2, "triggerCharacter": "#"}}
    assert client.at("completion", uri, 0, 1, **typed) is None
    assert client.at("completion", uri, 0, 1, context={"triggerKind": 1})["items"]


def test_bug_42_neither_hyphen_nor_slash_triggers(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    offered = client.initialize(workspace)["capabilities"]["completionProvider"]
    assert offered == {"triggerCharacters": ["#"], "resolveProvider": True}


def test_inlay_hints_are_off_until_turned_on(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    asked = {"textDocument": {"uri": uri}, "range": whole}
    assert client.request("textDocument/inlayHint", asked) is None
    client.notify("workspace/didChangeConfiguration", {"settings": {"omoide": {"inlay_hints": True}}})
    assert client.request("textDocument/inlayHint", asked) == [
        {"position": {"line": 0, "character": 9}, "label": "Where keys live", "paddingLeft": True}
    ]


def test_a_change_of_the_setting_makes_the_client_ask_again(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.answers["workspace/inlayHint/refresh"] = lambda _: None
    client.initialize(workspace, capabilities={"workspace": {"inlayHint": {"refreshSupport": True}}})
    client.notify("workspace/didChangeConfiguration", {"settings": {"omoide": {"inlay_hints": True}}})
    client.wait(lambda message: message.get("method") == "workspace/inlayHint/refresh")


def test_frontmatter_explains_itself_and_counts_as_no_read(client: RawClient, workspace: Path) -> None:
    uri = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(uri, knowledge("Where keys live"))
    shown = client.at("hover", uri, 3, 1)
    assert shown["contents"]["value"].startswith("**`kind`** (required in a knowledge)")
    assert shown["range"] == {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 4}}
    client.shut_down()
    assert not (workspace / ".omoide/memory/_usage/events.jsonl").exists()


def test_settings_complete_and_explain_themselves(client: RawClient, workspace: Path) -> None:
    uri = (workspace / ".omoide/config.toml").as_uri()
    client.open(uri, "[memory]\nresident_tok\nlanguage = 'en'\n# see #ap", "toml")
    (one,) = client.at("completion", uri, 1, 12)["items"]
    assert one["textEdit"]["newText"] == "resident_token_budget = 5000"
    assert client.at("hover", uri, 2, 3)["contents"]["value"].startswith("**`language`**")
    assert [one["label"] for one in client.at("completion", uri, 3, 9)["items"]] == ["#api-keys", "#api-limits"]
