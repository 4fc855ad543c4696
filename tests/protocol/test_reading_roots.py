"""How a root is read again and watched: the real server object on an event loop of its own, without a client."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from memory_core.records.schema import Kind, RecordRef
from memory_core.store.discovery import create_root
from server import indexing, loading, polling, watcher
from server.commands import arguments, roots
from server.features import roots_in_use
from server.features.file_operations import expect_rename
from server.language_server import Server
from server.state import Root
from server.status import status_of
from tests.protocol.conftest import knowledge

NOTE = "knowledge/note.md"


@pytest.fixture
async def ls(tmp_path: Path) -> AsyncIterator[Server]:
    layout, _ = create_root(tmp_path)
    (layout.root / NOTE).write_text(knowledge("zero", "0"), encoding="utf-8")
    server = Server()
    server.state.add_root(layout)
    yield server
    for root in server.state.roots.values():
        server.watchers.forget(root)


def root_of(ls: Server) -> Root:
    return next(iter(ls.state.roots.values()))


def seen(root: Root) -> str:
    assert root.snapshot
    return root.snapshot.documents[NOTE].text.splitlines()[-1]


async def until(fact: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not fact():  # noqa: ASYNC110 - many things make it true
            await asyncio.sleep(0.01)


async def test_a_look_that_ends_late_brings_nothing_back(ls: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two looks at once: the first one, which met slow files, ended last and put back what it had seen."""
    root, slow, looked = root_of(ls), threading.Event(), threading.Event()
    await ls.loader.load(root)
    real = indexing.changed_files

    def on_a_slow_disk(*arguments: Any) -> Any:
        found = real(*arguments)
        if not looked.is_set():
            looked.set()
            slow.wait(10)
        return found

    monkeypatch.setattr(loading.indexing, "changed_files", on_a_slow_disk)
    for text in "12":
        (root.real / NOTE).write_text(knowledge("more", text), encoding="utf-8")
        ls.watchers.changed({root.real / NOTE})
        await until(looked.is_set)
    await asyncio.sleep(0.1)  # a second look, were there one, would end in this time
    slow.set()
    await until(lambda: root not in ls.loader._loading)
    assert seen(root) == "2"


async def test_a_root_that_a_command_found_is_watched(ls: Server) -> None:
    """Only opening a text in it watched it: what others changed was never seen."""
    root = root_of(ls)
    await ls.loader.workspace(root)
    await until(lambda: root not in ls.loader._loading)
    (root.real / NOTE).write_text(knowledge("more", "1"), encoding="utf-8")
    await until(lambda: seen(root) == "1")


async def test_a_root_that_was_dropped_is_not_watched_again(ls: Server) -> None:
    root = root_of(ls)
    ls.state.drop_root(root)
    ls.watchers.forget(root)
    await ls.loader.load(root)
    assert root not in ls.watchers._watched


async def test_what_the_operating_system_will_not_watch_is_looked_at(
    ls: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A user may have few watches, and other programs take them: nothing was seen from then on, without a word."""

    def all_taken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("Error creating recommended watcher: Too many open files (os error 24)")

    monkeypatch.setattr("watchfiles.watch", all_taken)
    monkeypatch.setattr(polling, "EVERY_S", 0.05)
    root = root_of(ls)
    await ls.loader.load(root)
    await until(lambda: "looked at instead" in caplog.text)
    (root.real / NOTE).write_text(knowledge("more", "1"), encoding="utf-8")
    await until(lambda: seen(root) == "1")


async def test_of_many_roots_a_few_are_watched_and_all_are_seen(
    ls: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand roots took every watch that a user may have, two threads each, and were read all at once."""
    monkeypatch.setattr(watcher, "_MOST_WATCHED", 1)
    monkeypatch.setattr(polling, "EVERY_S", 0.05)
    for number in range(12):
        folder = tmp_path / f"more-{number}"
        folder.mkdir()
        layout, _ = create_root(folder)
        (layout.root / NOTE).write_text(knowledge("zero", "0"), encoding="utf-8")
        ls.state.add_root(layout)
    roots = list(ls.state.roots.values())
    await asyncio.gather(*map(ls.loader.load, roots))
    assert sum(thread.name == "omoide-watch" for thread in threading.enumerate()) <= 1
    for root in roots:
        (root.real / NOTE).write_text(knowledge("more", "now"), encoding="utf-8")
    await until(lambda: all(seen(root) == "now" for root in roots))
    for root in roots:
        (root.real / NOTE).unlink()
    await until(lambda: all(root.snapshot and NOTE not in root.snapshot.documents for root in roots))


async def test_of_renames_that_are_asked_for_at_every_key_few_are_waited_for(ls: Server) -> None:
    """Each looked at the disk four times a second for two minutes."""
    root, source = root_of(ls), RecordRef(Kind.KNOWLEDGE, "note")
    before = asyncio.all_tasks()
    for number in range(300):
        expect_rename(ls, root, source, RecordRef(Kind.KNOWLEDGE, f"name-{number % 100}"))
    await asyncio.sleep(0)
    waiting = asyncio.all_tasks() - before
    assert len(waiting) == 16
    assert {task.get_name().rpartition("-")[2] for task in waiting} == {str(number) for number in range(84, 100)}
    for task in waiting:
        task.cancel()
    await asyncio.sleep(0)


async def test_of_texts_that_are_closed_in_a_row_one_look_is_taken(
    ls: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With more than eight roots each of them asked the disk about all texts that were open still."""
    looks: list[Server] = []
    monkeypatch.setattr(roots_in_use, "close_idle", looks.append)
    monkeypatch.setattr(roots_in_use, "_QUIET_S", 0.05)
    for number in range(12):
        folder = tmp_path / f"more-{number}"
        folder.mkdir()
        ls.state.add_root(create_root(folder)[0])
    for _ in range(300):
        roots_in_use.text_closed(ls)
    assert looks == []
    await until(lambda: bool(looks))
    assert looks == [ls]


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied", "/a/file"), RuntimeError("odd")], ids=repr)
@pytest.mark.parametrize("step", ["indexing.listed", "_open", "count", "indexing.indexed"])
async def test_whatever_fails_while_a_root_is_read_is_said_and_nobody_waits(
    ls: Server, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception
) -> None:
    """Rename said for ever that records are still being read, and commands only that the folder cannot be opened."""

    def fail(*_: Any, **__: Any) -> Any:
        raise error

    told: list[str] = []
    monkeypatch.setattr(ls, "say", lambda text, *_: told.append(text))
    monkeypatch.setattr(f"server.loading.{step}", fail)
    root = root_of(ls)
    await ls.loader.load(root)
    await ls.loader.load(root)
    assert root.opened.is_set()
    assert not status_of(root).loading
    if step != "count":  # of which only an order of lists depends
        assert len(told) == 1
        assert ("/a/file: Permission denied" in told[0]) or ("its log says where" in told[0])
        assert status_of(root).problem == told[0]
        asked = arguments.workspace_of(ls, root) if step == "_open" else arguments.linked_of(ls, root)
        with pytest.raises(JsonRpcException, match=r"Permission denied|its log says where"):
            await asked
    monkeypatch.undo()
    await ls.loader.load(root)
    assert status_of(root).problem is None
    assert await ls.loader.linked(root)


async def test_changed_files_that_cannot_be_looked_at_have_everything_read_again(
    ls: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that had written was told of an internal error, and what it wrote was not seen."""
    root = root_of(ls)
    await ls.loader.load(root)
    (root.real / NOTE).write_text(knowledge("more", "1"), encoding="utf-8")

    def refused(*_: Any) -> Any:
        raise PermissionError(13, "Permission denied", "/a/file")

    monkeypatch.setattr(indexing, "changed_files", refused)
    await ls.loader.refresh(root, {NOTE})
    assert seen(root) == "1"


@pytest.mark.parametrize("command", [roots.reindex, roots.lint])
async def test_a_command_whose_folder_is_closed_meanwhile_is_refused(ls: Server, command: Callable[..., Any]) -> None:
    """It was answered with no records, as a fact."""
    root = root_of(ls)
    asked = asyncio.ensure_future(command(ls))
    await asyncio.sleep(0)
    ls.state.drop_root(root)
    with pytest.raises(JsonRpcException, match="was closed meanwhile"):
        await asked
