"""Symbols, links, highlights, folding and semantic tokens as a client sees them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import CAPABILITIES, Message, RawClient

pytestmark = pytest.mark.protocol

TEXT = "👋 see #api-keys, `#api-keys`, #gone and /release\n"
NESTED: Message = {
    **CAPABILITIES["textDocument"],
    "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    "documentLink": {"tooltipSupport": True},
}


def of(client: RawClient, method: str, uri: str, **more: Any) -> Any:
    return client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})


def symbols(client: RawClient, query: str) -> list[str]:
    found = client.request("workspace/symbol", {"query": query})
    return [f"{symbol['containerName']}/{symbol['name']}" for symbol in found]


def test_the_capabilities_are_announced(new_client: NewClient, workspace: Path) -> None:
    told = new_client(workspace).initialize(workspace)["capabilities"]
    assert told["semanticTokensProvider"]["legend"] == {
        "tokenTypes": ["variable", "function", "comment"],
        "tokenModifiers": ["deprecated", "unresolved"],
    }
    assert told["semanticTokensProvider"]["full"]
    assert told["semanticTokensProvider"]["range"]
    for name in ("documentSymbol", "workspaceSymbol", "documentLink", "documentHighlight", "foldingRange"):
        assert told[f"{name}Provider"] not in (None, False)


def test_records_are_found_by_their_slugs(client: RawClient, workspace: Path) -> None:
    assert symbols(client, "api") == ["knowledge/api-keys", "knowledge/api-limits"]
    assert symbols(client, "/rel") == ["workflow/release"]
    (found,) = client.request("workspace/symbol", {"query": "api-keys"})
    assert found["location"]["uri"] == (workspace / ".omoide/knowledge/api-keys.md").as_uri()


def test_row_4_a_symbol_query_is_quick_and_capped(new_client: NewClient, tmp_path: Path) -> None:
    """artempyanykh/marksman#54; also while the index is being built, and with a file that is no record about."""
    records = {f"knowledge/r{n:04}.md": knowledge() for n in range(1_000)}
    folder = make_root(tmp_path / "many", records | {"knowledge/odd.md": "\0"})
    client = new_client(folder)
    client.initialize(folder)
    client.request("workspace/symbol", {"query": ""})
    took = []
    for query in ("", "r", "r05", "99", "0r", "r09"):
        began = time.perf_counter()
        found = client.request("workspace/symbol", {"query": query})
        took.append(time.perf_counter() - began)
        assert len(found) <= 200
    assert sorted(took)[3] < 0.1, took


def test_symbols_of_several_workspaces_say_which(new_client: NewClient, workspace: Path, tmp_path: Path) -> None:
    other = make_root(tmp_path / "other", {"knowledge/api-other.md": knowledge()})
    client = new_client(workspace)
    client.initialize(workspace, other)
    assert symbols(client, "api-") == [
        "knowledge · project/api-keys", "knowledge · project/api-limits", "knowledge · other/api-other"
    ]  # fmt: skip


@pytest.mark.parametrize("nested", [True, False])
def test_the_outline_of_a_record(new_client: NewClient, workspace: Path, nested: bool) -> None:
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"textDocument": NESTED if nested else CAPABILITIES["textDocument"]})
    file = workspace / ".omoide/knowledge/api-keys.md"
    client.open(file.as_uri(), file.read_text(encoding="utf-8"))
    found = of(client, "documentSymbol", file.as_uri())
    if nested:
        assert [symbol["name"] for symbol in found] == ["frontmatter", "Keys"]
        assert found[0]["children"][3] == {
            "name": "description",
            "kind": 20,
            "detail": '"Where keys live"',
            "range": {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 30}},
            "selectionRange": {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 11}},
        }
    else:
        assert len(found) == 9
        assert found[4]["containerName"] == "frontmatter"


def test_headings_are_left_to_vs_code(new_client: NewClient, workspace: Path) -> None:
    """Its own outline has them already, and marksman turned its own off there for that reason."""
    client = new_client(workspace)
    client.initialize(workspace, clientInfo={"name": "Visual Studio Code"}, capabilities={"textDocument": NESTED})
    file = workspace / ".omoide/knowledge/api-keys.md"
    client.open(file.as_uri(), file.read_text(encoding="utf-8"))
    assert [symbol["name"] for symbol in of(client, "documentSymbol", file.as_uri())] == ["frontmatter"]


@pytest.mark.parametrize(("encoding", "start"), [("utf-8", 9), ("utf-16", 7), ("utf-32", 6)])
def test_row_35_everything_behind_an_emoji_is_in_place(
    new_client: NewClient, workspace: Path, encoding: str, start: int
) -> None:
    """Automattic/harper#609."""
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"general": {"positionEncodings": [encoding]}, "textDocument": NESTED})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, TEXT)
    first = {"start": {"line": 0, "character": start}, "end": {"line": 0, "character": start + 9}}
    links = of(client, "documentLink", uri)
    assert (links[0]["range"], links[0]["target"].rpartition("/")[2]) == (first, "api-keys.md")
    assert links[0]["tooltip"].startswith("knowledge api-keys")
    assert len(links) == 2
    assert [found["range"] for found in client.at("documentHighlight", uri, 0, start + 2)] == [first]
    data = of(client, "semanticTokens/full", uri)["data"]
    assert data == [0, start, 9, 0, 0, 0, 24, 5, 2, 2, 0, 10, 8, 1, 0]
    assert of(client, "semanticTokens/range", uri, range={**first, "start": first["end"]})["data"] == data[:5]
    assert of(client, "semanticTokens/range", uri, range={"start": first["end"], "end": {"line": 9, "character": 0}})


def test_the_frontmatter_of_a_record_folds(client: RawClient, workspace: Path) -> None:
    record, other = (workspace / ".omoide/knowledge/api-keys.md").as_uri(), (workspace / "a.md").as_uri()
    client.open(record, knowledge())
    client.open(other, knowledge())
    assert of(client, "foldingRange", record) == [{"startLine": 0, "endLine": 8}]
    assert of(client, "foldingRange", other) is None


@pytest.mark.parametrize("language", ["python", "c", "shellscript"])
def test_in_program_code_folds_and_colors_are_left_to_the_language(
    client: RawClient, workspace: Path, language: str
) -> None:
    """VS Code draws the tokens of one provider and folds by indentation only where no provider answers."""
    uri = (workspace / "a.py").as_uri()
    client.open(uri, "# see #api-keys\n", language)
    assert of(client, "semanticTokens/full", uri) is None
    assert of(client, "foldingRange", uri) is None
    assert len(of(client, "documentLink", uri)) == 1


def test_a_long_text_keeps_nobody_waiting(client: RawClient, workspace: Path) -> None:
    """Its references are looked up on a thread; what is asked meanwhile is answered first."""
    long, short = (workspace / "long.md").as_uri(), (workspace / "short.md").as_uri()
    client.open(long, "- see #api-keys and `code` and #gone\n" * 10_000)
    client.open(short, "#api-keys\n")
    tokens = client.begin("textDocument/semanticTokens/full", {"textDocument": {"uri": long}})
    links = client.begin("textDocument/documentLink", {"textDocument": {"uri": long}})
    assert client.at("hover", short, 0, 3)
    waiting = [m["id"] for m in client.received if m.get("id") in (tokens, links)]
    assert waiting == []
    assert len(client.answer(links)["result"]) == 10_000
    assert len(client.answer(tokens)["result"]["data"]) == 5 * 20_000


QUESTIONS: list[tuple[str, Message]] = [
    ("documentSymbol", {}),
    ("documentLink", {}),
    ("foldingRange", {}),
    ("semanticTokens/full", {}),
    ("semanticTokens/range", {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 30, "character": 0}}}),
    ("documentHighlight", {"position": {"line": 9, "character": 8}}),
]


def test_where_there_is_no_memory_nothing_is_drawn(new_client: NewClient, tmp_path: Path) -> None:
    client = new_client(tmp_path)
    client.initialize(tmp_path)
    uri = (tmp_path / "a.md").as_uri()
    client.open(uri, TEXT)
    for method, more in QUESTIONS:
        assert of(client, method, uri, **more) is None
        assert of(client, method, (tmp_path / "never-opened.md").as_uri(), **more) is None
    assert client.request("workspace/symbol", {"query": ""}) == []
    client.shut_down()
    assert client.stderr == ""


@pytest.mark.parametrize(
    ("setting", "silent"),
    [
        ("symbols", {"documentSymbol", "foldingRange"}),
        ("navigation", {"documentLink", "documentHighlight"}),
        ("tokens", {"semanticTokens/full", "semanticTokens/range"}),
    ],
)
def test_each_can_be_left_to_another_server(
    new_client: NewClient, workspace: Path, setting: str, silent: set[str]
) -> None:
    client = new_client(workspace)
    client.initialize(workspace, initializationOptions={setting: False})
    uri = (workspace / ".omoide/knowledge/here.md").as_uri()
    client.open(uri, knowledge(body=TEXT + "# A\n"))
    for method, more in QUESTIONS:
        assert (of(client, method, uri, **more) is None) == (method in silent), method
    assert (client.request("workspace/symbol", {"query": ""}) is None) == (setting == "symbols")
