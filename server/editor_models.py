"""The language models of the editor as the core's port: `omoide/model` and `omoide/modelTurn`, requests to the client.

Translation only: what an answer means is `memory_core.providers.editor`'s to say. Called on a job's thread, it asks on
the server's event loop; a run that is given up takes its question back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memory_core.errors import ProviderUnavailable

if TYPE_CHECKING:
    from server.language_server import Server

MODEL = "omoide/model"
TURN = "omoide/modelTurn"


class EditorModels:
    """`ports.EditorTurns` over the connected client; made on the server's event loop. `asked`: a person started the
    run, so that the editor may ask them for their consent."""

    def __init__(self, ls: Server, *, asked: bool) -> None:
        self._ls = ls
        self._asked = asked
        self._loop = asyncio.get_running_loop()

    async def describe(self, model: str | None) -> Any:
        return await self._ask(MODEL, {"model": model, "asked": self._asked})

    async def turn(self, turn: Mapping[str, Any]) -> Any:
        answer = await self._ask(TURN, {**turn, "asked": self._asked})
        consent = self._ls.model_consent
        if isinstance(answer, dict) and isinstance(error := answer.get("error"), dict):
            consent.missing = consent.missing or error.get("code") == "noConsent"
        elif self._asked:
            consent.missing = False
        return answer

    async def _ask(self, method: str, params: Mapping[str, Any]) -> Any:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._send(method, params), self._loop))

    async def _send(self, method: str, params: Mapping[str, Any]) -> Any:
        request = self._ls.protocol.ask(method, params)
        answer = await self._ls.protocol.answer_to(request)
        if error := answer.exception():
            raise ProviderUnavailable(f"The editor could not ask its model ({error}): see its log.") from error
        return answer.result()


class ModelConsent:
    """Whether the editor said that it needs a person's word before its models are used. While it is `missing`, nothing
    is started by itself; a run that a person starts gets it, or does not."""

    missing = False


def models_of(ls: Server, *, asked: bool) -> EditorModels | None:
    """The models of the client; None where it offers none."""
    return EditorModels(ls, asked=asked) if ls.state.client.offers_models else None
