"""What somebody types while a change is planned or the root is away, and what is kept of a root that goes: the real
server object on an event loop, without a client."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from memory_core.changes import ChangeSet
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot
from memory_core.store.discovery import create_root
from memory_core.text import LineIndex
from memory_core.workspace import Workspace
from server.commands.writing import Change, write
from server.convert.uris import from_path
from server.language_server import Server
from server.open_text import OpenText
from server.state import Root
from tests.protocol.conftest import knowledge

NOTE = "knowledge/note.md"


@pytest.fixture
async def ls(tmp_path: Path) -> AsyncIterator[Server]:
    layout, _ = create_root(tmp_path)
    path = layout.root / NOTE
    path.write_text(knowledge("A note", "See #old.\n"), encoding="utf-8")
    server = Server()
    await server.loader.load(server.state.add_root(layout)[0])
    text = LineIndex(path.read_text(encoding="utf-8"))
    server.state.put_text(OpenText(from_path(path), path, path.resolve(), "markdown", 1, text))
    yield server
    for root in server.state.roots.values():
        server.watchers.forget(root)


def renaming(ls: Server, types: Callable[[], bool]) -> tuple[Root, Change, list[str]]:
    """A change of every `#old`, during whose planning a line is typed at the top as often as `types` says so; and the
    texts that it was planned over."""
    loop, planned = asyncio.get_running_loop(), list[str]()

    async def typed() -> None:
        (text,) = ls.state.texts.values()
        ls.state.put_text(replace(text, lines=LineIndex(f"typed\n{text.text}"), version=text.version + 1))

    def plan(snapshot: Snapshot, _: Workspace) -> ChangeSet:
        text = snapshot.documents[NOTE].text
        planned.append(text)
        if types():
            asyncio.run_coroutine_threadsafe(typed(), loop).result(10)
        return ChangeSet().with_file(NOTE, text, text.replace("#old", "#new"))

    (root,) = ls.state.roots.values()
    return root, Change("rename", plan, {}), planned


async def test_a_change_is_planned_again_over_what_was_typed_meanwhile(ls: Server) -> None:
    """The edits were made of the old text and sent with the version of the new one, for which every editor takes
    them: they landed a line too high."""
    once = iter([True, False])
    root, change, planned = renaming(ls, lambda: next(once))
    done = await write(ls, root, change, dry_run=True)
    assert [text.count("typed") for text in planned] == [0, 1]
    assert done.diff
    assert "+See #new." in done.diff


async def test_a_change_of_a_text_in_which_somebody_types_all_the_time_is_given_up(ls: Server) -> None:
    root, change, planned = renaming(ls, lambda: True)
    with pytest.raises(JsonRpcException, match=rf"{NOTE} changed meanwhile, so nothing was done"):
        await write(ls, root, change)
    assert len(planned) == 3


async def test_a_change_is_planned_again_over_a_file_that_was_written_meanwhile(ls: Server) -> None:
    """A pull or an agent: no watcher told of it yet, and edits of a closed file have no version to be refused by."""
    (root,) = ls.state.roots.values()
    (text,) = ls.state.texts.values()
    ls.state.drop_text(text.uri)
    path, planned = root.real / NOTE, list[str]()

    def plan(snapshot: Snapshot, _: Workspace) -> ChangeSet:
        planned.append(snapshot.documents[NOTE].text)
        path.write_text(knowledge("A note", "A line more.\nSee #old.\n"), encoding="utf-8")
        return ChangeSet().with_file(NOTE, planned[-1], planned[-1].replace("#old", "#new"))

    done = await write(ls, root, Change("rename", plan, {}), dry_run=True)
    assert [text.count("A line more.") for text in planned] == [0, 1]
    assert done.diff
    assert " A line more.\n-See #old.\n+See #new." in done.diff


async def test_what_is_typed_while_the_folder_of_the_root_is_away_counts_when_it_is_back(ls: Server) -> None:
    """A change of branch and back: the records were shown as they were before, and a rename edited the wrong lines."""
    (root,) = ls.state.roots.values()
    (text,) = ls.state.texts.values()
    root.real.rename(root.real.with_name("away"))
    ls.state.put_text(replace(text, lines=LineIndex(f"typed\n{text.text}"), version=2))
    root.real.with_name("away").rename(root.real)
    await ls.loader.load(root)
    assert root.snapshot
    assert root.snapshot.documents[NOTE].text.startswith("typed\n")


async def test_nothing_is_kept_of_a_root_that_was_closed(ls: Server) -> None:
    """Whoever opens and closes folders all day paid for each of them; the next one at the same path is another."""
    (root,) = ls.state.roots.values()
    (text,) = ls.state.texts.values()
    ref = RecordRef(Kind.KNOWLEDGE, "note")
    assert ls.usage.record(root, ref, "EditorHover")
    ls.usage.order(root)
    await ls.diagnostics.check_all(root)
    ls.state.drop_text(text.uri)
    ls.state.drop_root(root)
    ls.watchers.forget(root)
    ls.diagnostics.drop(root)
    ls.status.drop(root)
    again, new = ls.state.add_root(root.layout)
    assert new
    await ls.diagnostics.check_all(root)
    gone = weakref.ref(root)
    del root
    ls.usage.close(10)
    async with asyncio.timeout(20):
        while gone():  # threads that end let it go
            gc.collect()
            await asyncio.sleep(0.05)
    assert ls.state.holds(again)
