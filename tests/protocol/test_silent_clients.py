"""Clients that leave questions unanswered, live in another container, or send what is nearly JSON."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from memory_core.layout import Layout
from server import stdio
from server.app import create_server
from server.stdio import Unreadable
from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import RawClient
from tests.protocol.test_roots import until

pytestmark = pytest.mark.protocol


def raw(client: RawClient, body: bytes) -> None:
    assert client.process.stdin
    client.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    client.process.stdin.flush()


class SilentClient(RawClient):
    """It asks, and answers nothing."""

    def send(self, message: dict[str, Any]) -> None:
        if "method" in message:
            super().send(message)


def test_a_client_that_answers_nothing_is_watched_for_and_asked_to_ask_for_diagnostics(
    home: Path, workspace: Path
) -> None:
    """Nobody watched the disk while it was not known whether the client does, and one question waited for another."""
    client = SilentClient(workspace, environment={"HOME": str(home), "OMOIDE_CONFIG": str(home / "omoide.toml")})
    try:
        able = {
            "workspace": {
                "configuration": True,
                "didChangeWatchedFiles": {"dynamicRegistration": True},
                "diagnostics": {"refreshSupport": True},
            },
            "textDocument": {"diagnostic": {"dynamicRegistration": True}},
        }
        client.initialize(workspace, capabilities=able)
        wanted = "textDocument/diagnostic"
        client.wait(
            lambda m: (
                m.get("method") == "client/registerCapability" and m["params"]["registrations"][0]["method"] == wanted
            )
        )
        (workspace / ".omoide/knowledge/late-record.md").write_text(knowledge(), encoding="utf-8")
        until(lambda: client.request("workspace/symbol", {"query": "late-record"}), 20)
        assert client.shut_down() == 0
    finally:
        client.close()


def test_a_question_for_settings_that_a_newer_one_overtook_is_taken_back(home: Path, workspace: Path) -> None:
    """Each stayed in memory until it was answered, and a late answer replaced newer settings."""
    client = SilentClient(workspace, environment={"HOME": str(home), "OMOIDE_CONFIG": str(home / "omoide.toml")})
    try:
        client.initialize(workspace, capabilities={"workspace": {"configuration": True}})
        asked = []
        for _ in range(3):
            asked.append(client.wait(lambda m: m.get("method") == "workspace/configuration")["id"])
            client.notify("workspace/didChangeConfiguration", {"settings": None})
        for number in asked:
            assert client.notification("$/cancelRequest")["id"] == number
    finally:
        client.close()


@pytest.mark.parametrize("process_id", [-1, -(2**31), 2**31 - 1, 0])
def test_a_number_that_names_nobody_ends_no_server(new_client: NewClient, workspace: Path, process_id: int) -> None:
    """An editor outside of our container has a number that is nobody's in here: `initialize` was never answered."""
    client = new_client(workspace)
    client.initialize(workspace, processId=process_id)
    assert client.request("workspace/symbol", {"query": "api"})
    assert client.shut_down() == 0


def test_what_json_cannot_say_is_not_answered(client: RawClient) -> None:
    """`1e400` is JSON, the infinity that Python makes of it is none: a client of ours would have broken on it."""
    raw(client, b'{"jsonrpc":"2.0","id":1e400,"method":"workspace/symbol","params":{"query":"api"}}')
    answered = client.wait(lambda m: isinstance(m.get("id"), float))
    assert json.loads(json.dumps(answered["id"], allow_nan=False)) > 1e300
    raw(client, b'{"jsonrpc":"2.0","id":NaN,"method":"workspace/symbol","params":{"query":"api"}}')
    assert client.wait(lambda m: "error" in m)["id"] is None


@pytest.mark.parametrize("broken", [b"caf\xe9", b'a"b', b"a\nb"])
def test_behind_a_change_that_is_no_json_nothing_is_applied_before_the_whole_text(
    client: RawClient, workspace: Path, broken: bytes
) -> None:
    """It was refused and forgotten, and every change behind it went into another text than the editor's."""
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "see #api-keys\n")
    assert client.at("hover", uri, 0, 6)
    place = b'{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}'
    raw(
        client,
        b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"%b","version":2},'
        b'"contentChanges":[{"range":%b,"text":"%b"}]}}' % (uri.encode(), place, broken),
    )
    start = {"line": 0, "character": 0}
    client.change(uri, 3, {"range": {"start": start, "end": start}, "text": "\n\n"})
    assert client.at("hover", uri, 0, 6)  # of the text before, whose version the editor does not have any more
    client.change(uri, 4, {"text": "now #api-limits\n"})
    assert client.at("hover", uri, 0, 6)["range"]["start"]["character"] == 4


def test_messages_that_wait_are_counted_as_what_they_take_in_memory(tmp_path: Path) -> None:
    """A client that wrote 300 MB of small requests and read nothing made a server of 2.4 GB."""
    messages = b"".join(_frame(number) for number in range(200))
    pipe = tmp_path / "messages"
    pipe.write_bytes(messages)

    async def read() -> int:
        with pipe.open("rb") as source:
            inbox = stdio.Inbox(source, lambda: None)
            await asyncio.to_thread(until, lambda: len(inbox._waiting) == 201)
            return inbox._size

    assert asyncio.run(read()) > 20 * len(messages)


def _frame(number: int) -> bytes:
    body = b'{"jsonrpc":"2.0","id":%d,"method":"workspace/symbol","params":{"query":"a"}}' % number
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def test_an_unreadable_change_names_its_document() -> None:
    body = b'{"method" : "textDocument/didChange", "params": {"textDocument": {"uri": "file:///a\\u00e9.md"}, "x": \xff'
    found = stdio._parsed(body)
    assert isinstance(found, Unreadable)
    assert found.changed == "file:///a\u00e9.md"
    other = stdio._parsed(b'{"method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///a.md"}')
    assert isinstance(other, Unreadable)
    assert other.changed is None


# Roots that go


def test_the_end_of_a_watch_brings_no_root_back(tmp_path: Path) -> None:
    """Its last word was that something changed, by which the root was found anew and watched again: each folder that
    was closed left two threads and three descriptors behind, for ever."""
    folder = make_root(tmp_path / "project", {"knowledge/a.md": knowledge()})

    async def close() -> list[Path]:
        server = create_server()
        root, _ = server.state.add_root(Layout(folder / ".omoide"))
        before = set(threading.enumerate())
        server.watchers.watch(root)
        watching = set(threading.enumerate()) - before
        assert watching
        server.state.drop_root(root)
        server.watchers.forget(root)
        for thread in watching:
            await asyncio.to_thread(thread.join, 20)
        await asyncio.sleep(0)  # what the thread told last is done in the next round of the loop
        return list(server.state.roots)

    assert asyncio.run(close()) == []


def test_a_folder_whose_root_is_gone_from_the_disk_takes_it_along(new_client: NewClient, tmp_path: Path) -> None:
    """It was asked of the disk which root a closed folder had, and a deleted one was kept for ever."""
    kept, gone = (make_root(tmp_path / name, {"knowledge/a.md": knowledge()}) for name in ("kept", "gone"))
    client = new_client(tmp_path)
    client.initialize(kept, gone)
    status = {"command": "omoide.status"}
    until(lambda: len(client.request("workspace/executeCommand", status)["roots"]) == 2)
    shutil.rmtree(gone)
    removed = {"event": {"added": [], "removed": [{"uri": gone.as_uri(), "name": "gone"}]}}
    client.notify("workspace/didChangeWorkspaceFolders", removed)
    left = client.request("workspace/executeCommand", status)["roots"]
    assert [root["workspace"] for root in left] == [str(kept)]


def test_of_the_roots_that_somebody_looked_into_few_are_kept(client: RawClient, tmp_path: Path) -> None:
    """Each kept its records, two threads and three descriptors, for ever."""
    folders = [make_root(tmp_path / f"p{number}", {"knowledge/a.md": knowledge()}) for number in range(20)]
    for folder in folders:
        uri = (folder / ".omoide/knowledge/a.md").as_uri()
        client.open(uri, knowledge())
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def roots() -> list[str]:
        told = client.request("workspace/executeCommand", {"command": "omoide.status"})
        return [root["workspace"] for root in told["roots"]]

    until(lambda: len(roots()) == 9)  # a moment after the last one was closed
    assert roots() == [str(tmp_path / "project"), *map(str, folders[-8:])]


def test_a_change_of_branch_asks_the_disk_once_for_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each of thousands of files it was looked for the root in every folder above, on the event loop."""
    folder = make_root(tmp_path / "project", {"knowledge/a.md": knowledge()})
    asked: list[Path] = []
    server = create_server()
    find = server.state.find_root
    monkeypatch.setattr(server.state, "find_root", lambda path: (asked.append(path), find(path))[1])

    async def change() -> None:
        root, _ = server.state.add_root(Layout(folder / ".omoide"))
        server.watchers.changed({folder / f".omoide/knowledge/{number}.md" for number in range(5_000)} | {folder})
        assert list(server.state.roots.values()) == [root]
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(change())
    assert len(asked) == 2


async def test_of_a_client_that_answers_no_request_to_draw_again_few_are_waited_for() -> None:
    """It has nothing to say to them, and all of a long day were kept."""
    server = create_server()
    sent = [server.workspace_code_lens_refresh(None) for _ in range(100)]
    for request in sent:
        server.protocol.keep_few("code_lens", request)
    assert [request.cancelled() for request in sent] == [True] * 84 + [False] * 16
    assert len(server.protocol._request_futures) == 16
