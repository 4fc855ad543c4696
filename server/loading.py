"""Roots come to life here: records listed, settings opened, records outlined, use counts collected, all on threads.

The list is enough for most answers, so requests wait a bounded time for it and are answered without records after that.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from lsprotocol import types

from memory_core.errors import MemoryCoreError
from server import errors, indexing
from server.background import in_thread
from server.editor_models import models_of
from server.progress import ProgressReporter
from server.use_counts import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory_core.layout import Layout
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace
    from server.language_server import Server
    from server.open_text import OpenText
    from server.state import Root

log = logging.getLogger(__name__)

PATIENCE_S = 1.0  # how long an answer may wait for records that are still being read
_SHOW_AFTER_S = 0.3  # faster loads flash no progress
# More changed files than this, and than this part of all, and reading everything again is no slower.
_MANY, _SHARE = 64, 50
_AT_ONCE = 4  # roots that are read while nothing in them is open


class Loader:
    """Loads and reloads roots. `_loading`: what reads a root, or some of its files. `_again`: roots to be read once
    more when that ends. `_meanwhile`: files that changed, to be looked at by it: in a large store that somebody
    works in, reading all of it again for them would never end."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._loading: dict[Root, asyncio.Task[None]] = {}
        self._again: set[Root] = set()
        self._meanwhile: dict[Root, set[str]] = {}
        self._turns = asyncio.Semaphore(_AT_ONCE)

    def load(self, root: Root) -> asyncio.Task[None]:
        """Read a root, or read it again; a load that runs is followed by one more."""
        task = self._loading.get(root)
        if task:
            self._again.add(root)
            return task
        task = self._begin(root, everything=True)
        self._server.status.changed(root)
        if self._server.state.holds(root):
            self._server.watchers.watch(root)  # whoever it was found by: a command, a file that was moved
        return task

    def _begin(self, root: Root, *, everything: bool) -> asyncio.Task[None]:
        task = asyncio.create_task(self._load(root, everything), name=f"Reading {root.layout.root}")
        self._loading[root] = task
        task.add_done_callback(log_failure)
        return task

    async def snapshot(self, root: Root) -> Snapshot | None:
        """The current snapshot, waited for a moment while it is first read; None when that takes longer."""
        if not root.loaded.is_set():
            if root not in self._loading:
                self.load(root)
            await _wait(root.loaded, PATIENCE_S)
        return root.snapshot

    async def asked_about(self, uri: str, *, wanted: bool) -> tuple[OpenText, Root, Snapshot] | None:
        """The open text that a feature is asked about, its root, and the root's records. None where one of these is
        missing, or the person does not want the feature: then nothing is answered."""
        text = self._server.state.text(uri)
        root = self._server.state.root_of(text) if text else None
        snapshot = await self.snapshot(root) if root and wanted else None
        return (text, root, snapshot) if text and root and snapshot else None

    async def linked(self, root: Root) -> Snapshot | None:
        """The current snapshot once it is known who names whom; None when that takes longer than a moment."""
        if await self.snapshot(root) and not (root.indexed.is_set() or root.unread):
            await _wait(root.indexed, PATIENCE_S)
        return root.snapshot if root.indexed.is_set() else None

    async def workspace(self, root: Root) -> Workspace:
        """The opened workspace; MemoryCoreError where it cannot be opened."""
        if root.workspace is None and root not in self._loading:
            self.load(root)
        await root.opened.wait()
        if root.workspace is None:
            raise MemoryCoreError(root.failure or f"{root.layout.workspace} cannot be opened.")
        return root.workspace

    async def refresh(self, root: Root, paths: set[str]) -> None:
        """Some files of a root, by path below it, changed on disk."""
        from memory_core.layout import is_memory_path

        if root.disk is None or not all(map(is_memory_path, paths)):
            await asyncio.shield(self.load(root))
            return
        # One look after the other: of two at once, the one that began first may end last, with what was there before.
        self._meanwhile.setdefault(root, set()).update(paths)
        await asyncio.shield(self._loading.get(root) or self._begin(root, everything=False))

    async def _take_in(self, root: Root, paths: set[str]) -> bool:
        """Look at some files alone; False where everything must be read again."""
        disk = root.disk
        if disk is None or len(paths) > max(_MANY, len(disk.documents) // _SHARE):
            return False
        try:
            found = await in_thread("read", lambda: indexing.changed_files(root.real, paths, disk.documents))
        except Exception as error:  # noqa: BLE001 - reading everything again says what is the matter
            log.warning("Changed files of %s could not be looked at: %s", root.layout.root, error)
            return False
        if found is None:
            return False
        self._server.state.update_disk(root, found)
        return True

    async def _load(self, root: Root, everything: bool) -> None:
        """Read a root, or only look at the files that are known to have changed, until nothing is left to be seen."""
        try:
            while True:
                if everything:
                    await self._in_turn(root)
                while root not in self._again and (paths := self._meanwhile.pop(root, None)):
                    if not await self._take_in(root, paths):
                        self._again.add(root)
                if root not in self._again:
                    break
                everything = True
        finally:
            self._meanwhile.pop(root, None)
            del self._loading[root]
            if everything:
                self._server.status.staging_changed(root)
        self._server.diagnostics.schedule(root, everything=everything)
        self._tell_enrichers(root)

    def _tell_enrichers(self, root: Root) -> None:
        """Have enrichers brought in step by a process of its own, where the settings name any."""
        workspace = root.workspace
        if workspace is not None and workspace.config.enricher:
            from memory_core.store.background import start_upkeep

            def run() -> None:
                if process := start_upkeep(workspace.layout, workspace.environment):
                    process.wait()

            in_thread("enrichers", run)

    async def _in_turn(self, root: Root) -> None:
        """Few roots are read at once: of a thousand threads at work, the one that answers would get its turn last."""
        opened = any(self._server.state.root_of(text) is root for text in self._server.state.texts.values())
        async with nullcontext() if opened else self._turns:
            self._again.discard(root)  # what was told until now is seen by what begins now
            self._meanwhile.pop(root, None)
            await self._read(root)

    async def _read(self, root: Root) -> None:
        """List the records for those who wait, open the settings, then find out what is in the records."""
        reporter = ProgressReporter(self._server)
        shown = asyncio.ensure_future(self._show_later(reporter))
        tick = indexing.ticker(asyncio.get_running_loop(), reporter.report)
        try:
            await self._read_all(root, tick)
            root.unread = None
        except Exception as error:  # noqa: BLE001 - who waits for the records is told why there are none
            self._unusable(root, "unread", error)
            if not root.opened.is_set():
                await self._open(root)
        finally:
            shown.cancel()
            reporter.end()

    async def _read_all(self, root: Root, tick: Callable[[int, int], None]) -> None:
        before, cache = root.disk, indexing.cache_of(root.layout, root.real)
        listed = await in_thread("list", lambda: indexing.listed(cache, first=before is None))
        if before is None:
            self._server.state.set_disk(root, listed.snapshot)
        await self._open(root)
        await self._count_uses(root)
        done = await in_thread("index", lambda: indexing.indexed(before, listed, cache, tick))
        if before is None:
            self._server.state.set_disk(root, done.snapshot)
        else:
            self._server.state.update_disk(root, done.changed)
        root.indexed.set()
        # Nobody waits for it, and a process that ends meanwhile leaves the old one.
        in_thread("save", lambda: done.outlines.save(cache))

    async def _open(self, root: Root) -> None:
        """The settings, without which nothing can be said about records."""
        try:
            first = root.workspace is None
            opened = await in_thread("open", lambda: _open(root.layout, first=first))
            root.workspace = replace(opened, models=models_of(self._server, asked=True))
            root.failure = None
            self._server.usage.release(root)
            self._server.session_watches.opened(root)
        except Exception as error:  # noqa: BLE001 - whatever it is, commands that wait for the workspace are told
            self._unusable(root, "failure", error)
        finally:
            root.opened.set()

    def _unusable(self, root: Root, what: Literal["failure", "unread"], error: Exception) -> None:
        """Keep why a root, or its records, cannot be used, and say it once."""
        reason = errors.reason_of(error)
        if reason is None:
            log.error("Reading %s failed.", root.layout.root, exc_info=error)
            reason = f"Omoide failed at reading {root.layout.root}; its log says where. {type(error).__name__}: {error}"
        if reason != getattr(root, what):
            self._server.say(reason, types.MessageType.Warning)
        setattr(root, what, reason)

    async def _count_uses(self, root: Root) -> None:
        """How often records were read, which orders lists and is a line of a card."""
        workspace = root.workspace
        if workspace is None:
            return
        try:
            self._server.usage.counted(root, await in_thread("usage", lambda: count(workspace)))
        except Exception as error:  # noqa: BLE001 - nothing else hangs on it
            log.warning("How often records were read is not known: %s", error)

    async def _show_later(self, reporter: ProgressReporter) -> None:
        await asyncio.sleep(_SHOW_AFTER_S)
        await reporter.begin("Omoide: reading records", cancellable=False)


def log_failure(task: asyncio.Task[None]) -> None:
    """For a task that nobody awaits."""
    if not task.cancelled() and (error := task.exception()):
        log.error("%s failed", task.get_name(), exc_info=error)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return


def _open(layout: Layout, *, first: bool) -> Workspace:
    with indexing.without_collections(first=first):
        from memory_core.workspace import open_root

        return open_root(layout)
