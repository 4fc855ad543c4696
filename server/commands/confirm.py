"""The question before a model is called that may cost money. The builtin provider costs nothing and never asks.

Asked on the job's thread once there is something to send, so a run with nothing to do asks nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.errors import Cancelled, MemoryCoreError
from memory_core.text import counted
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.workspace import Workspace

GO, STOP = "Call the model", "Cancel"
FREE = "builtin"


class Confirmation:
    """Asks the person once; made on the server's event loop, awaited in the job's."""

    def __init__(self, ls: Server, workspace: Workspace, provider: str | None) -> None:
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._provider = provider or workspace.config.provider.name

    async def of(self, step: str, number: int, what: str, model: str | None, make: Callable[[], object]) -> None:
        """Go on only with the person's word. Cancelled without it; MemoryCoreError where nobody can be asked. `make`
        makes the worker: one that cannot be made is not worth a question."""
        if not number or self._provider == FREE or not self._ls.state.settings.confirm:
            return
        make()
        named = f"{self._provider}, {model}" if model else self._provider
        text = f"Omoide: {step} will send {counted(number, what)} to a model ({named}), which may cost money."
        answer = asyncio.run_coroutine_threadsafe(self._ask(text), self._loop)
        if not await asyncio.wrap_future(answer):
            raise Cancelled(f"The {step} was not confirmed.")

    async def _ask(self, text: str) -> bool:
        actions = [types.MessageActionItem(GO), types.MessageActionItem(STOP)]
        params = types.ShowMessageRequestParams(types.MessageType.Info, text, actions)
        request = self._ls.window_show_message_request(params)
        answer = asyncio.wrap_future(request)
        try:
            await asyncio.wait({answer})
        finally:
            if not answer.done():  # the job was given up: the question has become pointless
                self._ls.protocol.withdraw(request)
        if answer.exception():
            raise MemoryCoreError(
                f"Your editor could not ask whether a model may be called ({answer.exception()}): "
                "set `omoide.confirm` to false if it may."
            )
        chosen = answer.result()
        return chosen is not None and chosen.title == GO
