"""The question before a model is called that may cost money. The builtin provider costs nothing and never asks.

Asked on the job's thread once there is something to send, so a run with nothing to do asks nobody. Of the editor's own
models it is first found out which one would answer; where there is none, a person may have the rules do it instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.errors import Cancelled, MemoryCoreError, ProviderError
from memory_core.text import counted
from memory_core.unchosen import Step, unchosen
from server.language_server import Server
from server.told import unlinked

if TYPE_CHECKING:
    from memory_core.workspace import Workspace

GO, STOP = "Call the model", "Cancel"
USE_RULES = "Use the Built-in Rules"
FREE = "builtin"
EDITOR = "editor"


class Confirmation:
    """Asks the person once; made on the server's event loop, awaited in the job's."""

    def __init__(self, ls: Server, workspace: Workspace, provider: str | None, *, by_itself: bool = False) -> None:
        """`by_itself`: no person started it, who would know the settings of a workspace that they do not trust."""
        self._by_itself = by_itself
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._workspace = workspace
        self._given = provider
        self._provider = provider or workspace.config.provider.name
        self._models = workspace.models

    async def of(self, step: Step, number: int, what: str, model: str | None, make: Callable[[], object]) -> str | None:
        """Go on only with the person's word. Answers the provider to use: the one that was asked for, or the rules
        where the person chose them for want of a model. Cancelled without their word; MemoryCoreError where nobody can
        be asked. `make` makes the worker: one that cannot be made is not worth a question."""
        foreign = self._by_itself and unchosen(self._workspace.config, step, self._given) is not None
        confirm = self._ls.state.settings.confirm or foreign
        if not number or self._provider == FREE or not (confirm or self._provider == EDITOR):
            return self._given
        make()
        if self._provider == EDITOR and self._models:
            try:
                model = await self._which(model)
            except ProviderError as error:
                if not await self._agreed(f"Omoide: {error} The {step} can be done by the built-in rules.", USE_RULES):
                    raise Cancelled(str(error)) from error
                return FREE
        named = f"{self._provider}, {model}" if model else self._provider
        text = f"Omoide: {step} will send {counted(number, what)} to a model ({named}), which may cost money."
        if confirm and not await self._agreed(text, GO):
            raise Cancelled(f"The {step} was not confirmed.")
        return self._given

    async def of_consolidation(self, only: frozenset[str] | None) -> str | None:
        """`of`, before a consolidation of all that is staged, or of `only` some candidates."""
        from memory_core.providers.registry import consolidate_worker

        workspace = self._workspace
        staged, model = workspace.store.staging().open, workspace.config.memory.consolidation_model
        number = len(staged if only is None else staged & only)
        make = partial(consolidate_worker, workspace.config, workspace.environment, self._given, workspace.models)
        return await self.of("consolidation", number, "candidate", model, make)

    async def _which(self, model: str | None) -> str:
        """The model that the editor would ask. ProviderError where it has none."""
        from memory_core.providers.editor import model_named

        return model_named(await self._models.describe(model)) if self._models else ""

    async def _agreed(self, text: str, go: str) -> bool:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._ask(text, go), self._loop))

    async def _ask(self, text: str, go: str) -> bool:
        actions = [types.MessageActionItem(go), types.MessageActionItem(STOP)]
        params = types.ShowMessageRequestParams(types.MessageType.Info, unlinked(text), actions)
        request = self._ls.window_show_message_request(params)
        answer = await self._ls.protocol.answer_to(request)
        if answer.exception():
            raise MemoryCoreError(
                f"Your editor could not ask whether a model may be called ({answer.exception()}): "
                "set `omoide.confirm` to false if it may."
            )
        chosen = answer.result()
        return chosen is not None and chosen.title == go
