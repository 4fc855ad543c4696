"""Rename over the wire: edits with versions, the move of the file, refusals, file operations, the note in the log."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from memory_core.ids import utc_now
from memory_core.layout import Layout
from memory_core.records.schema import Kind, RecordRef
from memory_core.store.filestore import FileStore
from memory_core.usage import use_event
from server.convert.columns import Encoding, from_code_points
from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient

pytestmark = pytest.mark.protocol

FULL: dict[str, Any] = {
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "changeAnnotationSupport": {"groupsOnLabel": True},
        },
        "fileOperations": {"willRename": True, "didRename": True, "didCreate": True, "didDelete": True},
    },
    "textDocument": {"rename": {"prepareSupport": True}, "publishDiagnostics": {}},
}
NO_OPERATIONS: dict[str, Any] = {"workspace": {"workspaceEdit": {"documentChanges": True}}}


def uri(workspace: Path, path: str) -> str:
    return (workspace / ".omoide" / path).as_uri()


def met(new_client: NewClient, workspace: Path, capabilities: dict[str, Any], encoding: str = "utf-16") -> RawClient:
    client = new_client(workspace)
    client.initialize(workspace, capabilities={**capabilities, "general": {"positionEncodings": [encoding]}})
    return client


def opened(client: RawClient, workspace: Path, path: str, text: str | None = None) -> str:
    address = uri(workspace, path)
    client.open(address, (workspace / ".omoide" / path).read_text(encoding="utf-8") if text is None else text)
    return address


def refusal(client: RawClient, method: str, params: Any) -> str:
    answer = client.answer(client.begin(method, params))
    assert "error" in answer, answer
    assert answer["error"]["code"] == -32803
    return str(answer["error"]["message"])


def at(address: str, line: int, character: int, **more: Any) -> dict[str, Any]:
    return {"textDocument": {"uri": address}, "position": {"line": line, "character": character}, **more}


def applied(workspace: Path, edit: dict[str, Any], texts: dict[str, str], encoding: Encoding) -> None:
    """Carry an edit out on disk as an editor would. `texts`: what is open, by URI."""
    from urllib.parse import unquote, urlsplit

    def path_of(address: str) -> Path:
        return Path(unquote(urlsplit(address).path))

    for change in edit["documentChanges"]:
        if change.get("kind") == "rename":
            assert not path_of(change["newUri"]).exists()
            path_of(change["oldUri"]).rename(path_of(change["newUri"]))
            continue
        path = path_of(change["textDocument"]["uri"])
        text = texts.get(change["textDocument"]["uri"]) or path.read_bytes().decode("utf-8")
        lines = text.split("\n")

        def offset(place: dict[str, int], lines: list[str] = lines) -> int:
            line = lines[place["line"]]
            column = next(n for n in range(len(line) + 1) if from_code_points(line, n, encoding) == place["character"])
            return sum(len(x) + 1 for x in lines[: place["line"]]) + column

        spans = sorted(
            ((offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in change["edits"]),
            reverse=True,
        )
        for start, end, new in spans:
            text = text[:start] + new + text[end:]
        path.write_bytes(text.encode("utf-8"))


WIDE = "😀 日本 é #api-keys, 決定は#api-keys"


@pytest.mark.parametrize("encoding", list(Encoding))
def test_a_rename_edits_all_references_and_moves_the_file_at_the_end(
    new_client: NewClient, workspace: Path, encoding: Encoding
) -> None:
    """Row 7: the same in every unit of columns, with wide characters in front."""
    make_root(workspace, {"knowledge/wide.md": knowledge("Wide", f"# T\n\n{WIDE}\n")})
    client = met(new_client, workspace, FULL, encoding.value)
    address = opened(client, workspace, "knowledge/wide.md")
    line = 11
    column = from_code_points(WIDE, WIDE.index("#api") + 3, encoding)
    found = client.at("prepareRename", address, line, column)
    assert found["placeholder"] == "api-keys"
    assert found["range"]["start"]["character"] == from_code_points(WIDE, WIDE.index("#api") + 1, encoding)
    edit = client.at("rename", address, line, column, newName="vault-keys")
    kinds = [(c.get("kind"), c.get("textDocument", {}).get("version")) for c in edit["documentChanges"]]
    assert kinds == [(None, 1), (None, None), ("rename", None)]
    assert edit["documentChanges"][-1]["newUri"] == uri(workspace, "knowledge/vault-keys.md")
    assert edit["changeAnnotations"] == {"omoide": {"label": "Rename #api-keys to #vault-keys"}}
    applied(workspace, edit, {}, encoding)
    root = workspace / ".omoide"
    assert WIDE.replace("api-keys", "vault-keys") in (root / "knowledge/wide.md").read_text("utf-8")
    assert "requires: [vault-keys]" in (root / "workflow/release.md").read_text("utf-8")
    assert (root / "knowledge/vault-keys.md").exists()


def test_versions_and_texts_are_those_of_the_editor(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, FULL)
    address = opened(client, workspace, "knowledge/api-limits.md")
    text = knowledge("How much is allowed", "Unsaved #api-keys.\n")
    client.change(address, 7, {"text": text})
    edit = client.at("rename", address, 9, 12, newName="vault")
    by_uri = {c["textDocument"]["uri"]: c for c in edit["documentChanges"] if "textDocument" in c}
    assert by_uri[address]["textDocument"]["version"] == 7
    assert by_uri[address]["edits"][0]["range"]["start"] == {"line": 9, "character": 8}


@pytest.mark.parametrize("encoding", list(Encoding))
def test_an_open_text_that_is_no_record_follows_too(new_client: NewClient, workspace: Path, encoding: Encoding) -> None:
    """Whoever renames at a `#slug` of a note must not be left with the old name there."""
    client = met(new_client, workspace, FULL, encoding.value)
    note = workspace / "notes.md"
    note.write_text(f"Say {WIDE} and `#api-keys` in code.\n", encoding="utf-8")
    address = note.as_uri()
    client.open(address, note.read_text(encoding="utf-8"))
    column = from_code_points(f"Say {WIDE}", 4 + WIDE.index("#api") + 2, encoding)
    edit = client.at("rename", address, 0, column, newName="vault-keys")
    assert edit["documentChanges"][0]["textDocument"] == {"uri": address, "version": 1}
    applied(workspace, edit, {}, encoding)
    said = WIDE.replace("api-keys", "vault-keys")
    assert note.read_text(encoding="utf-8") == f"Say {said} and `#api-keys` in code.\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("api-limits", "exists already"),
        ("Not A Slug", "must be lower-case"),
        ("con", "device name"),
        ("api-keys", "has this name already"),
        ("#", "is empty"),
    ],
)
def test_a_bad_name_is_refused_with_its_reason(new_client: NewClient, workspace: Path, name: str, words: str) -> None:
    client = met(new_client, workspace, FULL)
    address = opened(client, workspace, "workflow/release.md")
    assert words in refusal(client, "textDocument/rename", at(address, 2, 13, newName=name))


def test_a_place_without_a_name_is_refused_with_what_to_do(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, FULL)
    address = opened(client, workspace, "workflow/release.md")
    assert "put the cursor on" in refusal(client, "textDocument/prepareRename", at(address, 4, 1))
    assert "put the cursor on" in refusal(client, "textDocument/rename", at(address, 4, 1, newName="x"))


def test_a_client_without_document_changes_is_sent_to_the_command(new_client: NewClient, workspace: Path) -> None:
    for capabilities in ({}, NO_OPERATIONS):
        client = met(new_client, workspace, capabilities)
        address = opened(client, workspace, "workflow/release.md")
        found = refusal(client, "textDocument/rename", at(address, 2, 13, newName="vault"))
        assert "omoide.rename" in found
        assert "omoide rename knowledge api-keys vault" in found
    assert (workspace / ".omoide/knowledge/api-keys.md").exists()


def test_the_edit_has_no_annotation_where_a_client_knows_none(new_client: NewClient, workspace: Path) -> None:
    plain = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]}}}
    client = met(new_client, workspace, plain)
    address = opened(client, workspace, "workflow/release.md")
    edit = client.at("rename", address, 2, 13, newName="vault")
    assert "changeAnnotations" not in edit
    assert all("annotationId" not in e for c in edit["documentChanges"] for e in [c, *c.get("edits", [])])


def audit(workspace: Path, timeout: float = 10.0) -> list[dict[str, Any]]:
    """The renames that were noted down, as soon as there is one."""
    path = workspace / ".omoide/memory/_logs/audit.jsonl"
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        if found := [event for line in lines if (event := json.loads(line))["event"] == "rename"]:
            return found
        time.sleep(0.02)
    return []


def test_a_rename_is_noted_down_when_the_editor_says_it_happened(new_client: NewClient, workspace: Path) -> None:
    """What was counted as a use before follows the record."""
    store = FileStore(Layout(workspace / ".omoide"))
    ref = RecordRef(Kind.KNOWLEDGE, "api-keys")
    store.append_usage(use_event(ref, "text", source="EditorOpen", actor="human", session_id=None, now=utc_now()))
    client = met(new_client, workspace, FULL)
    address = opened(client, workspace, "workflow/release.md")
    edit = client.at("rename", address, 2, 13, newName="vault")
    assert audit(workspace, 0.4) == []
    applied(workspace, edit, {}, Encoding.UTF16)
    files = [{"oldUri": uri(workspace, "knowledge/api-keys.md"), "newUri": uri(workspace, "knowledge/vault.md")}]
    client.notify("workspace/didRenameFiles", {"files": files})
    assert [(e["slug"], e["new_slug"]) for e in audit(workspace)] == [("api-keys", "vault")]
    assert [record.slug for event in store.usage()[0] for record in event.records] == ["vault"]


def test_a_rename_is_noted_down_in_an_editor_that_never_says_it_happened(
    new_client: NewClient, workspace: Path
) -> None:
    """Neovim 0.11 applies the move and sends no file operations."""
    quiet = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]}}}
    client = met(new_client, workspace, quiet)
    address = opened(client, workspace, "workflow/release.md")
    edit = client.at("rename", address, 2, 13, newName="vault")
    applied(workspace, edit, {}, Encoding.UTF16)
    assert [(e["slug"], e["new_slug"]) for e in audit(workspace)] == [("api-keys", "vault")]


def will_rename(client: RawClient, *files: tuple[str, str]) -> Any:
    return client.request("workspace/willRenameFiles", {"files": [{"oldUri": a, "newUri": b} for a, b in files]})


def test_the_server_asks_for_record_files_only(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    found = client.initialize(workspace, capabilities=FULL)["capabilities"]["workspace"]["fileOperations"]
    assert set(found) == {"willRename", "didRename", "didCreate", "didDelete"}
    globs = [f["pattern"]["glob"] for f in found["willRename"]["filters"]]
    assert all(f["scheme"] == "file" for f in found["willRename"]["filters"])
    assert all("{.omoide,.yoi}" in glob for glob in globs)


def test_row_38_only_what_resolves_to_the_file_follows_it(new_client: NewClient, workspace: Path) -> None:
    body = "See #api-keys, `#api-keys`, #api-keys-old, /api-keys and https://x.org/#api-keys.\n"
    make_root(workspace, {"knowledge/other.md": knowledge("Other", body)})
    client = met(new_client, workspace, FULL)
    edit = will_rename(client, (uri(workspace, "knowledge/api-keys.md"), uri(workspace, "knowledge/vault.md")))
    found = {c["textDocument"]["uri"]: [e["newText"] for e in c["edits"]] for c in edit["documentChanges"]}
    assert found == {
        uri(workspace, "knowledge/other.md"): ["#vault"],
        uri(workspace, "workflow/release.md"): ["vault"],
    }


def test_row_38_a_file_that_is_no_record_takes_nothing_along(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, FULL)
    assert will_rename(client, ((workspace / "api-keys.md").as_uri(), (workspace / "vault.md").as_uri())) is None


def test_row_25_a_folder_rename_changes_paths_and_no_slug(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, FULL)
    assert will_rename(client, (uri(workspace, "knowledge"), uri(workspace, "knowledge-2"))) is None
    said = client.notification("window/showMessage")["message"]
    assert "What refers to knowledge/api-keys stays as it is" in said
    assert will_rename(client, (workspace.as_uri(), (workspace.parent / "moved").as_uri())) is None


def test_row_24_a_case_only_rename_keeps_all_backlinks(new_client: NewClient, workspace: Path) -> None:
    root = workspace / ".omoide"
    make_root(workspace, {"knowledge/one.md": knowledge("One", "See #foo.\n"), "knowledge/Foo.md": knowledge("Foo")})
    client = met(new_client, workspace, FULL)
    address = opened(client, workspace, "knowledge/one.md")
    assert client.at("definition", address, 9, 6) is None
    upper, lower = uri(workspace, "knowledge/Foo.md"), uri(workspace, "knowledge/foo.md")
    assert will_rename(client, (upper, lower)) is None
    (root / "knowledge/Foo.md").rename(root / "knowledge/foo.md")
    client.notify("workspace/didRenameFiles", {"files": [{"oldUri": upper, "newUri": lower}]})
    end = time.monotonic() + 10
    while (found := client.at("definition", address, 9, 6)) is None and time.monotonic() < end:
        time.sleep(0.02)
    assert found["uri"] == lower
    places = client.at("references", address, 9, 6, context={"includeDeclaration": False})
    assert [place["uri"] for place in places] == [address]


def test_two_records_that_move_at_once_share_one_edit_a_document(new_client: NewClient, workspace: Path) -> None:
    make_root(workspace, {"knowledge/both.md": knowledge("Both", "See #api-limits and #api-keys.\n")})
    client = met(new_client, workspace, FULL)
    edit = will_rename(
        client,
        (uri(workspace, "knowledge/api-keys.md"), uri(workspace, "knowledge/a.md")),
        (uri(workspace, "knowledge/api-limits.md"), uri(workspace, "knowledge/b.md")),
    )
    both = [c for c in edit["documentChanges"] if c["textDocument"]["uri"] == uri(workspace, "knowledge/both.md")]
    assert [[e["newText"] for e in c["edits"]] for c in both] == [["#b", "#a"]]


def test_a_move_onto_another_record_is_not_followed_and_said(new_client: NewClient, workspace: Path) -> None:
    client = met(new_client, workspace, FULL)
    keys, limits = uri(workspace, "knowledge/api-keys.md"), uri(workspace, "knowledge/api-limits.md")
    assert will_rename(client, (keys, limits)) is None
    assert "exists already" in client.notification("window/showMessage")["message"]


def test_row_46_addresses_may_be_written_in_other_ways(new_client: NewClient, tmp_path: Path) -> None:
    """A folder with a space, a `#` and a colon, escaped or not."""
    records = {"knowledge/a.md": knowledge("A"), "knowledge/b.md": knowledge("B", "See #a.\n")}
    workspace = make_root(tmp_path / "my #1 c: project", records)
    client = met(new_client, workspace, FULL)
    raw = f"file://{workspace}/.omoide/knowledge"
    for old, new in (
        (uri(workspace, "knowledge/a.md"), uri(workspace, "knowledge/c.md")),
        (f"{raw}/a.md", f"{raw}/c.md"),
    ):
        edit = will_rename(client, (old, new))
        assert [c["textDocument"]["uri"].lower() for c in edit["documentChanges"]] == [
            uri(workspace, "knowledge/b.md").replace(":", "%3A").replace("file%3A", "file:").lower()
        ]


def test_a_deleted_record_leaves_a_diagnostic_where_it_was_named(new_client: NewClient, workspace: Path) -> None:
    make_root(workspace, {"knowledge/one.md": knowledge("One", "See #api-limits.\n")})
    client = met(new_client, workspace, FULL)
    address = opened(client, workspace, "knowledge/one.md")
    assert [d["code"] for d in client.diagnostics(address)["diagnostics"]] == []
    (workspace / ".omoide/knowledge/api-limits.md").unlink()
    client.notify("workspace/didDeleteFiles", {"files": [{"uri": uri(workspace, "knowledge/api-limits.md")}]})
    codes = [d["code"] for d in client.diagnostics(address)["diagnostics"]]
    assert codes == ["unknown-reference"]


def test_a_created_record_resolves_at_once(new_client: NewClient, workspace: Path) -> None:
    make_root(workspace, {"knowledge/one.md": knowledge("One", "See #later.\n")})
    client = met(new_client, workspace, FULL)
    address = opened(client, workspace, "knowledge/one.md")
    assert client.diagnostics(address)["diagnostics"]
    make_root(workspace, {"knowledge/later.md": knowledge("Later")})
    client.notify("workspace/didCreateFiles", {"files": [{"uri": uri(workspace, "knowledge/later.md")}]})
    assert client.diagnostics(address)["diagnostics"] == []
