"""Work-done progress over `$/progress`: one token per piece of work, forgotten at its end.

pygls' own helper never forgets a token and fails when one comes back. Everything here runs on the event loop.
"""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING

from lsprotocol import types

from server.told import unlinked

if TYPE_CHECKING:
    from server.language_server import Server

# A client that does not answer `create` gets no progress; the work does not wait for it.
_CREATE_TIMEOUT_S = 2.0


class ProgressReporter:
    """The progress of one piece of work. Before `begin` came through, and after `end`, reports go nowhere."""

    def __init__(self, server: Server, token: types.ProgressToken | None = None) -> None:
        """`token`: one that the client sent with its request and that needs no creating."""
        self._server = server
        self.token: types.ProgressToken = str(uuid.uuid4()) if token is None else token
        self._given = token is not None
        self._open = False
        self._ended = False

    async def begin(self, title: str, *, cancellable: bool) -> None:
        """Show the work, if the client can show it."""
        if not self._given and not await self._create():
            return
        if self._ended:
            return
        self._open = True
        self._send(types.WorkDoneProgressBegin(title=unlinked(title), cancellable=cancellable))

    def report(self, message: str, fraction: float | None = None) -> None:
        """`fraction` from 0 to 1, where it is known."""
        if self._open:
            percentage = None if fraction is None else max(0, min(100, round(fraction * 100)))
            self._send(types.WorkDoneProgressReport(message=unlinked(message), percentage=percentage))

    def end(self, message: str | None = None) -> None:
        self._ended = True
        if self._open:
            self._open = False
            self._send(types.WorkDoneProgressEnd(message=message and unlinked(message)))

    async def _create(self) -> bool:
        if not self._server.state.client.work_done_progress:
            return False
        params = types.WorkDoneProgressCreateParams(self.token)
        answer = asyncio.wrap_future(self._server.window_work_done_progress_create(params))
        # Waited for without cancelling: pygls fails on an answer to a cancelled request of ours.
        done, _ = await asyncio.wait({answer}, timeout=_CREATE_TIMEOUT_S)
        return bool(done) and answer.exception() is None

    def _send(
        self, value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd
    ) -> None:
        self._server.protocol.notify(types.PROGRESS, types.ProgressParams(self.token, value))
