"""A worker that is a language model: the same loop for both steps, over whatever model it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from memory_core.ports import Model
from memory_core.tool_loop import run_tool_loop
from memory_core.worker import Work, WorkerReport


@runtime_checkable
class _Closing(Protocol):
    async def aclose(self) -> None: ...


class ModelWorker:
    """An extract or consolidate worker. `name`: of the provider; `model_name`: what the server calls the model, None
    where it chooses; `answered_by`: tells which one it was, once it answered."""

    def __init__(
        self, model: Model, name: str, model_name: str | None, answered_by: Callable[[], str | None] = lambda: None
    ) -> None:
        self._model = model
        self.name = name
        self.model: str | None = model_name or f"chosen by the {name}"
        self._model_name = model_name or ""
        self._answered_by = answered_by

    async def run(self, work: Work, view: Any) -> WorkerReport:  # noqa: ARG002 - a model sees the prompt, not the view
        """Run the tool loop; the model's connections are closed when it ends, however it ends."""
        try:
            return await run_tool_loop(self._model, work, self._model_name)
        finally:
            self.model = self._answered_by() or self.model
            if isinstance(self._model, _Closing):
                await self._model.aclose()
