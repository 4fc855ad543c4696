"""Watches the logs of a root's sessions, and starts an extract at the end of a run that made one due.

Only where `extract_threshold` says so. Decides nothing about what is due (`extract.trigger`), and starts no call that
may cost money unless the person turned the question before it off (`omoide.confirm`).
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memory_core.errors import MemoryCoreError
from memory_core.extract.trigger import ExtractTrigger
from memory_core.unchosen import unchosen
from server.background import in_thread
from server.editor_models import models_of
from server.extracted import reported
from server.loading import log_failure
from server.session_tally import Tally

if TYPE_CHECKING:
    from memory_core.config import Config
    from memory_core.extract.task import ExtractRun
    from memory_core.ports import Progress
    from memory_core.store.session_meter import Reading
    from memory_core.workspace import Workspace
    from server.language_server import Server
    from server.settings import Settings
    from server.state import Root

log = logging.getLogger(__name__)

_STEP_MS = 400  # how long the watch sleeps between two looks at what the operating system told it
_FOLDERS_EVERY_MS = 15_000  # how often it is looked whether a folder that was not there has come
_BUSY_S = 3.0  # how long a due extract waits for one that a person started
_FREE = "builtin"
_EDITOR = "editor"


def may_call(config: Config, settings: Settings) -> bool:
    """Whether an extract may run without asking: rules are free, a model only where nobody wants to be asked, and where
    all of it is the person's choice."""
    free = (settings.provider or config.provider.name) == _FREE
    return free or not (settings.confirm or unchosen(config, "extract", settings.provider))


class SessionWatch:
    """The sessions of one root, as long as it is open and its settings stay as they are."""

    def __init__(self, server: Server, root: Root, workspace: Workspace) -> None:
        self._server = server
        self._root = root
        self.workspace = workspace
        self._tally = Tally(workspace)
        self._trigger = ExtractTrigger(workspace.config.memory.extract_threshold)
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._timer: asyncio.TimerHandle | None = None
        threading.Thread(target=self._run, name="omoide-sessions", daemon=True).start()

    @property
    def pending(self) -> int:
        """Activity tokens that no extract has seen, of the sessions that are watched."""
        return self._trigger.pending

    def stop(self) -> None:
        self._stop.set()
        if self._timer:
            self._timer.cancel()

    # On the watching thread

    def _run(self) -> None:
        try:
            self._measure(self._tally.recent())
            while not self._stop.is_set():
                folders = [folder for folder in self.workspace.session_folders() if folder.is_dir()]
                if folders:
                    self._watch(folders)
                else:
                    self._stop.wait(_FOLDERS_EVERY_MS / 1_000)
        except RuntimeError:
            return  # the event loop is closed: the server is going
        except (OSError, MemoryCoreError) as error:
            log.warning("The sessions of %s are not watched: %s", self._root.layout.workspace, error)

    def _watch(self, folders: list[Path]) -> None:
        """Until told to stop, or until there is another folder to watch."""
        from watchfiles import watch

        events = watch(
            *folders,
            watch_filter=None,
            step=_STEP_MS,
            debounce=4 * _STEP_MS,
            raise_interrupt=False,
            stop_event=self._stop,
            rust_timeout=_FOLDERS_EVERY_MS,
            yield_on_timeout=True,
        )
        try:
            for changes in events:
                self._measure(self._tally.ours({Path(path) for _, path in changes}))  # of nothing when time went by
                if [folder for folder in self.workspace.session_folders() if folder.is_dir()] != folders:
                    return
        except FileNotFoundError:
            return  # a folder went between the look and the watch

    def _measure(self, paths: Iterable[Path]) -> None:
        for path in paths:
            if self._stop.is_set():
                return
            self._loop.call_soon_threadsafe(self._measured, path, self._tally.measure(path))

    # On the event loop

    def _measured(self, path: Path, reading: Reading | None) -> None:
        if self._stop.is_set():
            return
        if reading is None:
            self._trigger.gone(path)
        else:
            self._trigger.seen(path, reading.tokens, finished=reading.finished, now=self._loop.time())
        self._server.status.changed(self._root)
        self._look()

    def _look(self) -> None:
        """Start what is due, or come back when waiting alone may make something due. One extract at a time."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._stop.is_set() or not self._may_call():
            return
        now = self._loop.time()
        due = self._trigger.due(now)
        if due and "extract" in self._server.jobs.kinds(self._root):
            self._timer = self._loop.call_later(_BUSY_S, self._look)
        elif due:
            self._trigger.started(due[0])
            # In a context of its own: what led here may be a request of the client, whose progress this is not.
            task = self._loop.create_task(self._extract(due[0]), name="Extracting", context=contextvars.Context())
            task.add_done_callback(log_failure)
        elif (wait := self._trigger.next_look(now)) is not None:
            self._timer = self._loop.call_later(wait + 0.01, self._look)

    def _may_call(self) -> bool:
        if self._provider() == _EDITOR and self._server.model_consent.missing:
            return False
        return may_call(self.workspace.config, self._server.state.settings)

    def _provider(self) -> str:
        return self._server.state.settings.provider or self.workspace.config.provider.name

    async def _extract(self, path: Path) -> None:
        provider = self._provider()
        workspace = replace(self.workspace, models=models_of(self._server, asked=False))

        async def work(progress: Progress) -> list[ExtractRun]:
            session = self._tally.read(path)
            return await workspace.extract([session], provider=provider, if_due=True, progress=progress)

        try:
            runs = await self._server.jobs.run("extract", self._root, "Omoide: extract", work)
        except (JsonRpcException, MemoryCoreError) as error:  # cancelled, or refused: the words stay pending
            log.info("The extract of %s ended early: %s", path, error)
        else:
            self._tell(runs)
        reading = await in_thread("measure", lambda: self._tally.extracted(path))
        self._trigger.ended(path, reading.tokens if reading else 0, self._loop.time())
        self._server.status.staging_changed(self._root)
        self._look()

    def _tell(self, runs: list[ExtractRun]) -> None:
        """A failure is said, for nobody sees it otherwise; a success shows in the status, and all of it in the log."""
        failed = [run for run in runs if run.status == "failed"]
        reported(self._server, runs)
        if failed:
            self._server.say(f"Omoide: an extract failed: {failed[0].reason}", types.MessageType.Warning)


class SessionWatches:
    """Which roots have their sessions watched."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._watches: dict[Root, SessionWatch] = {}

    def opened(self, root: Root) -> None:
        """The settings of a root were read, for the first time or again; on the event loop."""
        workspace, running = root.workspace, self._watches.get(root)
        if workspace is None or not self._server.state.holds(root):
            return  # the second: its folder was closed while it was being read
        if running and running.workspace.config == workspace.config:
            return
        self.forget(root)
        if workspace.config.memory.extract_threshold > 0 and not self._server.state.client.restricted:
            self._watches[root] = SessionWatch(self._server, root, workspace)

    def forget(self, root: Root) -> None:
        """A root was closed, or is to be watched anew."""
        if watch := self._watches.pop(root, None):
            watch.stop()

    def pending(self, root: Root) -> dict[str, int] | None:
        """How much was said that no extract has seen, and how much makes one due; None where nothing is watched."""
        watch = self._watches.get(root)
        if watch is None:
            return None
        return {"tokens": watch.pending, "threshold": watch.workspace.config.memory.extract_threshold}
