"""The server object that handlers are given: pygls' protocol over our pipe, plus our state and background workers.

Composition only; which handlers exist is said in `app`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from server import errors
from server.background import Traffic
from server.convert.places import KeptLocations
from server.diagnostics import DiagnosticsPublisher
from server.editor_models import ModelConsent
from server.jobs import Jobs
from server.lazy_hooks import converter
from server.lifetime import leave
from server.loading import Loader
from server.protocol import Protocol
from server.session_watch import SessionWatches
from server.state import ServerState
from server.status import StatusNotifier
from server.stdio import END, Inbox, Outbox, Unreadable
from server.told import unlinked
from server.usage import UsageRecorder
from server.view_refresh import ViewRefresher
from server.watcher import Watchers

if TYPE_CHECKING:
    from pygls.server import ServerErrors

    from memory_core.records.schema import RecordRef
    from server.state import Root

log = logging.getLogger("server")

_BEGINNING = b"content-"  # of the header before each message
_LAST_ANSWERS_S = 0.4  # how long answers that are under way may take when the client is gone


class Server(LanguageServer):
    """One server process, one client."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("omoide", _version(), protocol_cls=Protocol, converter_factory=converter)
        self.state = ServerState()
        self.traffic = Traffic()
        self.diagnostics = DiagnosticsPublisher(self)
        self.jobs = Jobs(self)
        self.status = StatusNotifier(self)
        self.views = ViewRefresher(self)
        self.usage = UsageRecorder()
        self.loader = Loader(self)
        self.watchers = Watchers(self)
        self.session_watches = SessionWatches(self)
        self.model_consent = ModelConsent()
        self.kept_locations = KeptLocations()
        self.settings_asked: Future[Any] | None = None  # the newest question for the editor's settings
        # Renames that were handed out as edits and may still be applied; the newest ones, at the end.
        self.expected_renames: dict[tuple[Root, RecordRef, RecordRef], asyncio.Task[None]] = {}
        self.idle_look: asyncio.TimerHandle | None = None  # for roots that nothing is open in any more
        self.protocol.on_cancel_request = self.jobs.cancel_request  # type: ignore[method-assign]
        self.protocol.on_cancel_progress = self.jobs.cancel_token  # type: ignore[method-assign]
        self.protocol.on_lost_change = self.state.lose_text  # type: ignore[method-assign]

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve the client until it leaves, and end the process then."""
        asyncio.run(self._serve(stdin or sys.stdin.buffer, stdout or sys.stdout.buffer))

    def start_loopback(self, port: int) -> None:
        """Serve one client on a port of this machine, for debugging; 0 takes a free one. Says on stderr which.

        Bound to the loopback address and nothing else: whoever reaches the port reads the records and can spend money.
        """
        with socket.create_server(("127.0.0.1", port)) as listening:
            sys.stderr.write(f"Omoide listens on 127.0.0.1:{listening.getsockname()[1]} for one client.\n")
            sys.stderr.flush()
            connection, source = _first_client(listening)
        # Small answers are not held back for more of them.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.start_io(source, connection.makefile("wb"))

    async def _serve(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        self.protocol.set_writer(Outbox(stdout, self.leave))
        inbox = Inbox(stdin, self.leave)
        while (message := await inbox.get()) is not END:
            self.traffic.asked()
            if isinstance(message, Unreadable):
                if message.changed is not None:
                    self.state.lose_text(message.changed)
                self.protocol.refuse(None, errors.PARSE_ERROR, f"The message cannot be read: {message.reason}")
            elif inbox.given_up(message) and self.protocol.refuse_given_up(message):
                continue
            elif isinstance(message, dict) and message.get("method") == types.EXIT:
                break
            else:
                self._handle(message)
        if not self.protocol.stopping:  # a script as a client: what it asked before it closed the pipe is answered
            await self.protocol.settle(_LAST_ANSWERS_S)
        # From in here: to close the loop is to cancel what is under way, and pygls reports that as errors.
        self.leave()

    def _handle(self, message: Any) -> None:
        try:
            self.protocol.handle_message(message)
        except Exception:  # one message that nobody thought of must not end the session
            log.exception("A message could not be handled.")

    def leave(self) -> None:
        """End the process now, in order where the client had asked for it."""
        leave(0 if self.protocol.stopping else 1, lambda: self.usage.close(0.3))

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Log it. pygls would also show it to the user, who can do nothing about a client's stray message."""
        log.error("%s: %s", getattr(source, "__name__", source), error)

    def say(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show a line to the person at the editor."""
        self.window_show_message(types.ShowMessageParams(kind, unlinked(text)))

    def show(self, uri: str, selection: types.Range | None = None) -> None:
        """Open a file before the person's eyes, where the editor can be asked to."""
        if self.state.client.show_document:
            self.window_show_document(types.ShowDocumentParams(uri, take_focus=True, selection=selection))

    def note(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write a line to the editor's log of this server."""
        self.window_log_message(types.LogMessageParams(kind, text))


def _first_client(listening: socket.socket) -> tuple[socket.socket, BinaryIO]:
    """The first one that begins as a client of the protocol does, and what it sends. A page in a browser can have
    requests sent to this port, whose headers and body would do as messages."""
    while True:
        connection, _ = listening.accept()
        source = connection.makefile("rb")
        with contextlib.suppress(OSError):
            head = source.peek(1)[: len(_BEGINNING)]
            if head and _BEGINNING.startswith(head.lower()):
                return connection, source
        log.warning("Somebody who is no client of this protocol connected: ignored.")
        source.close()
        connection.close()


def _version() -> str:
    """The installed version, from the name of its metadata folder: `importlib.metadata` would load an e-mail parser
    before `initialize` is answered. `0` in a checkout that was never installed."""
    for folder in sys.path:
        for found in Path(folder).glob("omoide-*.dist-info"):
            return found.name.removeprefix("omoide-").removesuffix(".dist-info")
    return "0"
