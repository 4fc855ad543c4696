"""Texts in the editor: encodings, edits, URIs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient

pytestmark = pytest.mark.protocol

BARS = {"kind": "knowledge", "slug": "bars"}
UNITS = {
    "utf-8": lambda text: len(text.encode()),
    "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "utf-32": len,
}


BEFORE = ["", "👩‍👩‍👧 ", "決定は", "e\u0301 ", "𠮷野家 → "]


@pytest.mark.parametrize("encoding", UNITS)
def test_positions_count_in_the_agreed_unit(new_client: NewClient, workspace: Path, encoding: str) -> None:
    """marksman#9, zk#317."""
    units = UNITS[encoding]
    client = new_client(workspace)
    capabilities = {"general": {"positionEncodings": [encoding]}}
    assert client.initialize(workspace, capabilities=capabilities)["capabilities"]["positionEncoding"] == encoding
    for number, before in enumerate(BEFORE):
        uri = (workspace / f"{number}.md").as_uri()
        client.open(uri, f"first 👋\n{before}#api-k and #api-limits")
        items = client.at("completion", uri, 1, units(f"{before}#ap"))["items"]
        item = next(item for item in items if item["label"] == "#api-keys")
        start = {"line": 1, "character": units(before)}
        end = {"line": 1, "character": units(f"{before}#api-k")}
        assert item["textEdit"] == {"range": {"start": start, "end": end}, "newText": "#api-keys"}
        client.change(uri, 2, {"range": item["textEdit"]["range"], "text": item["textEdit"]["newText"]})
        hover = client.at("hover", uri, 1, units(f"{before}#api-keys and #api"))
        assert hover["range"]["start"]["character"] == units(f"{before}#api-keys and ")
        assert "How much is allowed" in hover["contents"]["value"]


def test_the_clients_order_of_encodings_decides(new_client: NewClient, workspace: Path) -> None:
    """Neovim offers UTF-8 first."""
    client = new_client(workspace)
    result = client.initialize(workspace, capabilities={"general": {"positionEncodings": ["utf-8", "utf-16"]}})
    assert result["capabilities"]["positionEncoding"] == "utf-8"
    silent = new_client(workspace)
    assert silent.initialize(workspace, capabilities={"general": {}})["capabilities"]["positionEncoding"] == "utf-16"


def test_bug_47_only_lsp_line_ends_end_a_line(client: RawClient, workspace: Path) -> None:
    """Pitfall 2: with pygls' lines, line 2 would be `d`, and this edit would corrupt another line."""
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "a\u2028b\nc\x0cd\u0085\ne\r\nf\r#")
    start, end = {"line": 2, "character": 0}, {"line": 2, "character": 1}
    client.change(uri, 2, {"range": {"start": start, "end": end}, "text": "see #api-l"})
    assert [i["label"] for i in client.at("completion", uri, 2, 10)["items"]] == ["#api-limits"]
    assert client.at("completion", uri, 4, 1, context={"triggerKind": 1})["items"]


def test_bug_48_edits_apply_one_after_the_other(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "one\ntwo\n")

    def insert(line: int, character: int, text: str) -> dict[str, object]:
        at = {"line": line, "character": character}
        return {"range": {"start": at, "end": at}, "text": text}

    client.change(uri, 2, insert(1, 3, " x"), insert(0, 0, "zero\n"), insert(2, 5, " #api-"), insert(99, 0, "last"))
    assert [i["label"] for i in client.at("completion", uri, 2, 11)["items"]] == ["#api-keys", "#api-limits"]
    client.change(uri, 3, {"text": "whole #api-l"})
    assert [i["label"] for i in client.at("completion", uri, 0, 12)["items"]] == ["#api-limits"]


def test_a_heading_marker_opens_no_list_but_asking_does(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#")
    assert client.at("completion", uri, 0, 1, context={"triggerKind": 2, "triggerCharacter": "#"}) is None
    assert client.at("completion", uri, 0, 1, context={"triggerKind": 1})["items"]


def test_what_a_client_without_label_details_sees(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"textDocument": {}})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #api-k")
    item = client.at("completion", uri, 0, 10)["items"][0]
    assert "labelDetails" not in item
    assert item["detail"] == "policy · Where keys live"


@pytest.mark.parametrize("language", ["plaintext", "gitcommit", "python", ""])
def test_references_work_in_any_text(client: RawClient, workspace: Path, language: str) -> None:
    uri = (workspace / "COMMIT_EDITMSG").as_uri()
    client.open(uri, "Use the vault `see #api-keys`", language)
    assert "Where keys live" in client.at("hover", uri, 0, 22)["contents"]["value"]
    assert client.at("definition", uri, 0, 22)["uri"] == (workspace / ".omoide/knowledge/api-keys.md").as_uri()


def test_definition_links_where_the_client_takes_them(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"textDocument": {"definition": {"linkSupport": True}}})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "👋 #api-keys")
    (link,) = client.at("definition", uri, 0, 8)
    assert link["targetUri"] == (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    assert link["originSelectionRange"] == {
        "start": {"line": 0, "character": 3},
        "end": {"line": 0, "character": 12},
    }


def test_references_from_a_record(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys")
    found = client.at("references", uri, 0, 3, context={"includeDeclaration": False})
    assert [place["uri"] for place in found] == [(workspace / ".omoide/workflow/release.md").as_uri(), uri]


def test_unsaved_text_counts(client: RawClient, workspace: Path) -> None:
    """The index reads the open buffer, not the disk; a closed one is what lies on disk again."""
    record = workspace / ".omoide/knowledge/api-keys.md"
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys")
    client.open(record.as_uri(), knowledge("Being rewritten"))
    assert "Being rewritten" in client.at("hover", uri, 0, 3)["contents"]["value"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": record.as_uri()}})
    assert "Where keys live" in client.at("hover", uri, 0, 3)["contents"]["value"]


def test_a_new_record_is_offered_before_it_is_saved(client: RawClient, workspace: Path) -> None:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #api-n")
    client.open((workspace / ".omoide/knowledge/api-new.md").as_uri(), knowledge("New"))
    assert [i["label"] for i in client.at("completion", uri, 0, 10)["items"]] == ["#api-new"]


NAMES = ["plain", "with space", "a#b", "100%", "ü", "プロジェクト", "a;b", "(x)&y", "%20", "Case"]


def escaped_throughout(path: str) -> str:
    return "".join(c if c == "/" else "".join(f"%{byte:02x}" for byte in c.encode()) for c in path)


@pytest.mark.parametrize("style", ["as pathlib", "everything escaped", "nothing escaped"])
def test_uris_however_they_are_written(new_client: NewClient, tmp_path: Path, style: str) -> None:
    """The KeyErrors of marimo-lsp#441 and esbonio#60: open under one spelling, ask under another."""
    names = [*NAMES, "a?b"] if os.name == "posix" else NAMES
    folders = [make_root(tmp_path / name, {"knowledge/api-keys.md": knowledge()}) for name in names]
    client = new_client(tmp_path)
    client.initialize(*folders)
    for folder in folders:
        path = (folder / "note.md").as_posix()
        uri = {
            "as pathlib": (folder / "note.md").as_uri(),
            "everything escaped": "file://" + escaped_throughout(path),
            "nothing escaped": "file://" + path.replace("%", "%25"),
        }[style]
        client.open(uri, "see #ap")
        assert client.at("completion", (folder / "note.md").as_uri(), 0, 7)["items"]
        client.change(uri, 2, {"text": "see #api-keys"})
        target = client.at("definition", uri, 0, 8)["uri"]
        assert target == "file://" + quote((folder / ".omoide/knowledge/api-keys.md").as_posix(), safe="/")


@pytest.mark.skipif(os.name != "posix", reason="making links needs rights elsewhere")
def test_a_root_behind_a_symbolic_link(new_client: NewClient, workspace: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(workspace)
    client = new_client(workspace)
    client.initialize(link)
    record = link / ".omoide/knowledge/api-keys.md"
    client.open(record.as_uri(), knowledge("Through the link", "see #nowhere\n"))
    assert client.diagnostics(record.as_uri())["diagnostics"]
    client.open((workspace / "a.md").as_uri(), "#api-keys")
    hover = client.at("hover", (workspace / "a.md").as_uri(), 0, 3)
    assert "Through the link" in hover["contents"]["value"]


def test_an_untitled_buffer_is_no_error(client: RawClient) -> None:
    client.open("untitled:Untitled-1", "see #api-keys")
    assert client.at("completion", "untitled:Untitled-1", 0, 8) is None
    assert client.at("hover", "untitled:Untitled-1", 0, 8) is None


def test_five_hundred_edits_are_followed(client: RawClient, workspace: Path) -> None:
    """markdown-oxide#473: typing faster than diagnostics are made must not silence the server."""
    record = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(record, knowledge())
    for number in range(500):
        at = {"line": 9, "character": number}
        client.change(record, number + 2, {"range": {"start": at, "end": at}, "text": "x"})
    assert client.diagnostics(record)["version"] == 501
    assert client.shut_down() == 0


def test_a_record_that_shows_a_return_as_a_space_has_no_unsaved_edits(new_client: NewClient, workspace: Path) -> None:
    record = workspace / ".omoide" / "knowledge" / "bars.md"
    text = knowledge(body="A bar \r of progress.\n")
    record.write_bytes(text.encode())
    client = new_client(workspace)
    client.initialize(workspace, clientInfo={"name": "Neovim"})
    client.open(record.as_uri(), text)
    done = client.request("workspace/executeCommand", {"command": "omoide.archive", "arguments": [BARS]})
    assert "unsaved" not in json.dumps(done)
    assert not record.exists()


@pytest.mark.parametrize(("name", "line"), [("Neovim", 1), ("Visual Studio Code", 2)])
def test_a_lone_carriage_return_ends_a_line_where_the_client_says_so(
    new_client: NewClient, workspace: Path, name: str, line: int
) -> None:
    """LSP ends a line there, and no editor that can show one does: places behind it were a line too low."""
    client = new_client(workspace)
    client.initialize(workspace, clientInfo={"name": name})
    uri = (workspace / "n.md").as_uri()
    client.open(uri, "one\rtwo\nsee #api-keys\n")
    assert "In the vault" in client.at("hover", uri, line, 6)["contents"]["value"]
    end = {"line": line, "character": 13}
    client.change(uri, 2, {"range": {"start": end, "end": end}, "text": "\rmore\n#api-limits"})
    below = line + 1 + (name != "Neovim")
    assert "How much is allowed" in client.at("hover", uri, below, 3)["contents"]["value"]
    client.change(uri, 3, {"text": "only\rold ends\r#api-keys"})
    assert "In the vault" in client.at("hover", uri, 2, 3)["contents"]["value"]


def test_a_line_end_of_two_signs_that_is_joined_leaves_a_character(new_client: NewClient, workspace: Path) -> None:
    """Of a file of mixed line ends Vim shows the `^M`, and keeps it in the line when the line end goes."""
    client = new_client(workspace)
    client.initialize(workspace, clientInfo={"name": "Neovim"})
    uri = (workspace / "n.md").as_uri()
    client.open(uri, "one\r\nsee #api-keys here\nlast\n")
    start, end = {"line": 0, "character": 4}, {"line": 1, "character": 0}
    client.change(uri, 2, {"range": {"start": start, "end": end}, "text": ""})
    found = client.at("hover", uri, 0, 10)["range"]
    assert (found["start"]["character"], found["end"]["character"]) == (8, 17)
