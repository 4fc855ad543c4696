"""Roots that come, go and break while the server runs."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient
from tests.protocol.test_commands import run, write_session

pytestmark = pytest.mark.protocol


def until(wanted: Callable[[], Any], seconds: float = 10.0) -> Any:
    """What `wanted` gives once it gives something: changes on disk are noticed in their own time."""
    deadline = time.monotonic() + seconds
    while not (found := wanted()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)
    return found


def offered(client: RawClient, uri: str) -> list[str]:
    found = client.at("completion", uri, 0, 7)
    return [item["label"] for item in found["items"]] if found else []


@pytest.fixture
def note(client: RawClient, workspace: Path) -> str:
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #ap")
    assert offered(client, uri) == ["#api-keys", "#api-limits"]
    return uri


def test_a_root_that_is_deleted_and_made_again_is_read_again(client: RawClient, workspace: Path, note: str) -> None:
    """A change of branch. The system's watch dies with the folder, and the old records were shown for ever."""
    run(client, "omoide.reindex")
    shutil.rmtree(workspace / ".omoide")
    until(lambda: not offered(client, note))
    make_root(workspace, {"knowledge/api-new.md": knowledge()})
    until(lambda: offered(client, note) == ["#api-new"])
    (workspace / ".omoide/knowledge/api-newer.md").write_text(knowledge(), encoding="utf-8")
    until(lambda: offered(client, note) == ["#api-new", "#api-newer"])
    client.shut_down()
    assert client.stderr == ""


def test_a_deleted_root_is_not_made_again_by_a_command(client: RawClient, workspace: Path, note: str) -> None:
    run(client, "omoide.reindex")
    record = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    client.open(record, knowledge())
    shutil.rmtree(workspace / ".omoide")
    until(lambda: not offered(client, note))
    client.change(record, 2, {"text": knowledge(body="see #nowhere\n")})
    for command in ("omoide.reindex", "omoide.extract", "omoide.consolidate", "omoide.status"):
        client.answer(client.begin("workspace/executeCommand", {"command": command}))
    client.notify("textDocument/didClose", {"textDocument": {"uri": record}})
    assert client.shut_down() == 0
    assert not (workspace / ".omoide").exists()


def test_a_root_that_was_found_by_a_question_is_watched_too(new_client: NewClient, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    client = new_client(folder)
    client.initialize(folder)
    uri = (folder / "a.md").as_uri()
    client.open(uri, "see #ap")
    assert offered(client, uri) == []
    make_root(folder, {"knowledge/api-keys.md": knowledge()})
    until(lambda: offered(client, uri) == ["#api-keys"])
    run(client, "omoide.reindex")
    (folder / ".omoide/knowledge/api-later.md").write_text(knowledge(), encoding="utf-8")
    until(lambda: offered(client, uri) == ["#api-keys", "#api-later"])


def test_a_deletion_seen_by_the_client_only_empties_the_root(new_client: NewClient, workspace: Path) -> None:
    """The event names a folder that no longer has the mark of a root."""
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #ap")
    assert len(offered(client, uri)) == 2
    shutil.rmtree(workspace / ".omoide")
    changes = [{"uri": (workspace / ".omoide").as_uri(), "type": 3}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    until(lambda: run(client, "omoide.status")["roots"][0]["records"] == {})


def test_a_record_that_became_a_folder_under_its_open_buffer(client: RawClient, workspace: Path, note: str) -> None:
    record = workspace / ".omoide/knowledge/api-keys.md"
    client.open(record.as_uri(), knowledge("Being typed"))
    client.open(note, "see #api-keys")
    record.unlink()
    record.mkdir()
    run(client, "omoide.reindex")
    assert "Being typed" in client.at("hover", note, 0, 6)["contents"]["value"]
    client.notify("textDocument/didSave", {"textDocument": {"uri": record.as_uri()}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": record.as_uri()}})
    shown = until(lambda: client.at("hover", note, 0, 6))["contents"]["value"]
    assert "is a folder" in shown
    client.shut_down()
    assert client.stderr == ""


@pytest.mark.parametrize("text", [b"[memory\n", b"\xff\xfe", b"x=" * 100_000, b"[memory]\nrecord_hover = 'x'\n", None])
def test_broken_settings_break_no_answer(client: RawClient, workspace: Path, note: str, text: bytes | None) -> None:
    config = workspace / ".omoide/config.toml"
    config.mkdir() if text is None else config.write_bytes(text)
    run(client, "omoide.reindex")
    client.open(note, "see #api-keys")
    assert client.at("hover", note, 0, 6)
    assert offered(client, note)
    told = [m for m in client.received if m.get("method") == "window/showMessage"]
    assert len(told) <= 1
    client.shut_down()
    assert client.stderr == ""


def test_the_root_of_a_removed_folder_goes(new_client: NewClient, tmp_path: Path) -> None:
    """It stayed, so that every command asked which of two workspaces was meant, one of them closed."""
    one = make_root(tmp_path / "one", {"knowledge/api-keys.md": knowledge()})
    two = make_root(tmp_path / "two", {"knowledge/api-limits.md": knowledge(body="see #nowhere\n")})
    client = new_client(one)
    client.initialize(one, two, initializationOptions={"diagnostics": "workspace"})
    wrong = (two / ".omoide/knowledge/api-limits.md").as_uri()
    assert client.diagnostics(wrong)["diagnostics"]
    removed = [{"uri": two.as_uri(), "name": "two"}]
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": removed}})
    assert client.diagnostics(wrong)["diagnostics"] == []
    assert run(client, "omoide.reindex")["workspace"] == str(one)
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": removed, "removed": []}})
    assert client.diagnostics(wrong)["diagnostics"]
    assert len(run(client, "omoide.status")["roots"]) == 2


def test_the_root_of_a_removed_folder_stays_while_a_file_of_it_is_open(new_client: NewClient, tmp_path: Path) -> None:
    one = make_root(tmp_path / "one", {"knowledge/api-keys.md": knowledge("Of one")})
    two = make_root(tmp_path / "two", {"knowledge/api-keys.md": knowledge("Of two")})
    client = new_client(one)
    client.initialize(one, two)
    uri = (two / "a.md").as_uri()
    client.open(uri, "see #api-keys")
    removed = [{"uri": two.as_uri(), "name": "two"}]
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": removed}})
    assert "Of two" in client.at("hover", uri, 0, 6)["contents"]["value"]
    assert len(run(client, "omoide.status")["roots"]) == 2


def test_two_servers_share_a_store(new_client: NewClient, workspace: Path) -> None:
    """marksman#406: two windows. Each session is extracted once, each candidate consolidated once."""
    write_session(workspace)
    clients = [new_client(workspace), new_client(workspace)]
    for client in clients:
        client.initialize(workspace)
    for command in ("omoide.extract", "omoide.consolidate"):
        begun = [client.begin("workspace/executeCommand", {"command": command}) for client in clients]
        answers = [client.answer(number) for client, number in zip(clients, begun, strict=True)]
        assert any("result" in answer for answer in answers)
        assert all(not m.stderr for m in clients)
    assert list((workspace / ".omoide/memory/_staging").glob("*.json")) == []
    decisions = list((workspace / ".omoide/memory/decisions").glob("*.md"))
    assert len(decisions) == 1
    uri = (workspace / "a.md").as_uri()
    for client in clients:
        client.open(uri, "x")
        until(lambda client=client: run(client, "omoide.status")["roots"][0]["records"].get("decision") == 1)
