"""Changes on disk that the editor did not make: told by the client where it watches, else watched for here.

Neovim on Linux refuses to watch for servers, so the server must be able to do it itself.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.layout import ROOT_NAMES
from server.loading import log_failure

if TYPE_CHECKING:
    from server.language_server import Server
    from server.state import Root

log = logging.getLogger(__name__)

# Folders under a root that hold machinery, which changes often and changes no answer.
_MACHINERY = ("sessions/", "cache/", "memory/_")


class Watchers:
    """Sees to it that every root is watched, by one side."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._watched: set[Root] = set()
        self._refused = False

    async def register(self) -> None:
        """Ask the client to watch, where it can."""
        if not self._server.state.client.registers_watchers:
            return
        watchers = [types.FileSystemWatcher(glob_pattern=f"**/{name}/**") for name in ROOT_NAMES]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration("omoide-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        answer = asyncio.wrap_future(self._server.client_register_capability(types.RegistrationParams([registration])))
        await asyncio.wait({answer})
        if answer.exception():
            log.info("The editor refused to watch files: %s", answer.exception())
            self._refused = True
            for root in self._server.state.roots.values():
                self.watch(root)

    def watch(self, root: Root) -> None:
        """Watch a root from here, unless the client does or it is watched already."""
        by_client = self._server.state.client.registers_watchers and not self._refused
        if by_client or root in self._watched:
            return
        self._watched.add(root)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._run, args=(root, loop), name="omoide-watch", daemon=True).start()

    def changed(self, paths: set[Path]) -> None:
        """Files changed on disk; on the event loop."""
        by_root: dict[Root, set[str]] = {}
        for path in paths:
            found = self._server.state.find_root(path)
            if not found:
                continue
            root, new = found
            if new:
                self.watch(root)
            relative = root.relative(path)
            if relative and not relative.startswith(_MACHINERY) and not path.name.startswith("."):
                by_root.setdefault(root, set()).add(relative)
        for root, relatives in by_root.items():
            task = asyncio.create_task(self._server.loader.refresh(root, relatives), name=f"Refreshing {root.real}")
            task.add_done_callback(log_failure)

    def _run(self, root: Root, loop: asyncio.AbstractEventLoop) -> None:
        from watchfiles import watch

        try:
            for changes in watch(root.real, watch_filter=None, debounce=200, step=50, raise_interrupt=False):
                loop.call_soon_threadsafe(self.changed, {Path(path) for _, path in changes})
        except RuntimeError:
            return  # the event loop is closed: the server is going
        except OSError as error:
            log.warning("%s is not watched (%s): changes made elsewhere show after a reindex.", root.real, error)
