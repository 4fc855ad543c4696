"""Changes on disk that the editor did not make: told by the client where it watches, else watched for here.

Neovim on Linux refuses to watch for servers, so the server must be able to do it itself.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.layout import ROOT_NAMES
from server.loading import log_failure
from server.polling import Poller

if TYPE_CHECKING:
    from server.language_server import Server
    from server.state import Root

log = logging.getLogger(__name__)

# Folders under a root that hold machinery, which changes often and changes no answer.
_MACHINERY = ("sessions/", "cache/", "memory/_")

_ROOT_NAMES = frozenset(ROOT_NAMES)

# How often a watched root is looked at itself.
_LOOK_EVERY_S = 1.0

# Roots that the operating system is asked to watch. On Linux a user may have 128 watches, and each editor and container
# takes some: the files of other roots are looked at.
_MOST_WATCHED = 16

# How long a client may think about watching. One that says yes later is a second watcher, which does no harm.
_PATIENCE_S = 5.0


def matters(relative: str) -> bool:
    """Whether a path below a root, `.` for the root itself, may change an answer. Machinery does not, nor does its
    folder when it is first made; nor do hidden files and what lies in hidden folders, as in a `.git` of its own."""
    return relative == "." or not (f"{relative}/".startswith(_MACHINERY) or "/." in f"/{relative}")


class Watchers:
    """Sees to it that every root is watched, by one side."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._watched: dict[Root, threading.Event] = {}
        self._refused = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._poller = Poller(self._tell, matters)

    async def register(self) -> None:
        """Ask the client to watch, where it can."""
        if not self._server.state.client.registers_watchers:
            return
        watchers = [types.FileSystemWatcher(glob_pattern=f"**/{name}/**") for name in ROOT_NAMES]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration("omoide-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        answer = asyncio.wrap_future(self._server.client_register_capability(types.RegistrationParams([registration])))
        await asyncio.wait({answer}, timeout=_PATIENCE_S)
        if not answer.done():
            self._watch_here("it does not answer")
        elif answer.exception():
            self._watch_here(str(answer.exception()))

    def _watch_here(self, why: str) -> None:
        log.info("The editor does not watch files: %s", why)
        self._refused = True
        for root in list(self._server.state.roots.values()):
            self.watch(root)
            self._server.loader.load(root)  # what changed while nobody watched made no event

    def watch(self, root: Root) -> None:
        """Watch a root from here, unless the client does or it is watched already."""
        by_client = self._server.state.client.registers_watchers and not self._refused
        if by_client or root in self._watched:
            return
        loop = self._loop = asyncio.get_running_loop()
        stop = self._watched[root] = threading.Event()
        if len(self._watched) > _MOST_WATCHED:
            self._poller.add(root)
            return
        threading.Thread(target=self._run, args=(root, loop, stop), name="omoide-watch", daemon=True).start()

    def forget(self, root: Root) -> None:
        """Watch a root no longer."""
        if stop := self._watched.pop(root, None):
            stop.set()
        self._poller.forget(root)

    def changed(self, paths: set[Path]) -> None:
        """Files changed on disk; on the event loop."""
        by_root: dict[Root, set[str]] = {}
        roots: dict[Path, tuple[Root, bool] | None] = {}
        for path in paths:
            # Of a root's files, which a change of branch names by the thousand, once for a folder: it is asked of the
            # disk, for every folder above.
            folder = path.parent if _ROOT_NAMES.intersection(path.parts[:-1]) else path
            if folder not in roots:
                roots[folder] = self._server.state.find_root(path)
            found = roots[folder]
            if found and found[1]:
                self.watch(found[0])
            # What was deleted may have taken the mark of its root along.
            root = found[0] if found else self._known_root(path)
            if root is None:
                continue
            relative = root.relative(path)
            if relative and matters(relative):
                by_root.setdefault(root, set()).add(relative)
        for root, relatives in by_root.items():
            task = asyncio.create_task(self._server.loader.refresh(root, relatives), name=f"Refreshing {root.real}")
            task.add_done_callback(log_failure)

    def _seen(self, root: Root, paths: set[Path]) -> None:
        """Files changed in a root that is watched here. What is told of one that was forgotten meanwhile, the end of
        its watch for one, would bring it back."""
        if root in self._watched:
            self.changed(paths)

    def _tell(self, root: Root, paths: set[Path]) -> None:
        if self._loop:
            self._loop.call_soon_threadsafe(self._seen, root, paths)

    def _known_root(self, path: Path) -> Root | None:
        roots = self._server.state.roots.values()
        return next((root for root in roots if root.relative(path) is not None), None)

    def _run(self, root: Root, loop: asyncio.AbstractEventLoop, stop: threading.Event) -> None:
        """Watch until told to stop. A root that is deleted, by a change of branch say, is watched for until it is back:
        the operating system's watch dies with the folder."""
        known = _identity(root.real)
        try:
            while not stop.is_set():
                here = _identity(root.real)
                if here:
                    self._watch_until_gone(root, here, loop, stop, again=here != known)
                    known = None  # so that what comes back counts as new
                    loop.call_soon_threadsafe(self._seen, root, {root.real})
                stop.wait(_LOOK_EVERY_S)
        except (OSError, RuntimeError) as error:  # watchfiles calls most of its own errors a RuntimeError
            if loop.is_closed() or stop.is_set():
                return  # the server is going
            log.warning("%s cannot be watched (%s): its files are looked at instead.", root.real, error)
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._poll, root)

    def _poll(self, root: Root) -> None:
        if root in self._watched:
            self._poller.add(root)

    def _watch_until_gone(
        self, root: Root, here: tuple[int, int], loop: asyncio.AbstractEventLoop, stop: threading.Event, *, again: bool
    ) -> None:
        from watchfiles import Change, watch

        events = watch(
            root.real,
            watch_filter=None,
            debounce=200,
            step=50,
            raise_interrupt=False,
            stop_event=stop,
            rust_timeout=int(_LOOK_EVERY_S * 1_000),
            yield_on_timeout=True,
        )
        try:
            for changes in events:
                # What came back before anybody watched made no event.
                paths = {Path(path) for _, path in changes} | ({root.real} if again else set())
                again = False
                if paths:
                    loop.call_soon_threadsafe(self._seen, root, paths)
                # Both: the number of a folder that was deleted is often given to the next one made.
                if _identity(root.real) != here or (Change.deleted, str(root.real)) in changes:
                    return
        except FileNotFoundError:
            return  # gone between the look and the watch


def _identity(folder: Path) -> tuple[int, int] | None:
    """What tells a folder from another of the same name; None where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
