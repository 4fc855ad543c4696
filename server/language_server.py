"""The server object that handlers are given: pygls' transport plus our state and background workers.

Composition only; which handlers exist is said in `app`.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from server.diagnostics import DiagnosticsPublisher
from server.jobs import Jobs
from server.loading import Loader
from server.protocol import Protocol
from server.state import ServerState
from server.usage import UsageRecorder
from server.watcher import Watchers

if TYPE_CHECKING:
    from pygls.server import ServerErrors

log = logging.getLogger("server")

# stdin is read through the same pool that threaded handlers would use; we use none, and still keep room.
_WORKERS = 8


class Server(LanguageServer):
    """One server process, one client."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("omoide", _version(), protocol_cls=Protocol, max_workers=_WORKERS)
        self.state = ServerState()
        self.diagnostics = DiagnosticsPublisher(self)
        self.jobs = Jobs(self)
        self.usage = UsageRecorder()
        self.loader = Loader(self)
        self.watchers = Watchers(self)
        self.protocol.on_cancel_request = self.jobs.cancel_request  # type: ignore[method-assign]
        self.protocol.on_cancel_progress = self.jobs.cancel_token  # type: ignore[method-assign]

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Log it. pygls would also show it to the user, who can do nothing about a client's stray message."""
        log.error("%s: %s", getattr(source, "__name__", source), error)

    def say(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show a line to the person at the editor."""
        self.window_show_message(types.ShowMessageParams(kind, text))

    def note(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write a line to the editor's log of this server."""
        self.window_log_message(types.LogMessageParams(kind, text))


def _version() -> str:
    """The installed version, from the name of its metadata folder: `importlib.metadata` would load an e-mail parser
    before `initialize` is answered. `0` in a checkout that was never installed."""
    for folder in sys.path:
        for found in Path(folder).glob("omoide-*.dist-info"):
            return found.name.removeprefix("omoide-").removesuffix(".dist-info")
    return "0"
