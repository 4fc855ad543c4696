"""Tools for models whose server knows none: described in the prompt, called by one JSON object as the whole answer.

Pure but for the model it wraps. Decides nothing about the calls; the worker's loop checks them like any others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memory_core.llm import ModelReply, ModelRequest, ToolCall
from memory_core.model_text import json_value, unfenced, without_thoughts
from memory_core.ports import Model
from memory_core.tool_text import as_text

_NAMED = re.compile(r'\[?\s*\{\s*"tool"\s*:\s*"([A-Za-z_]{1,60})"')


class JsonToolsModel:
    """A `ports.Model` over another one that is never given tools."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def complete(self, request: ModelRequest) -> ModelReply:
        reply = await self._model.complete(as_text(request))
        return replace(reply, tool_calls=tuple(calls_in(reply.text, len(request.messages))))

    async def aclose(self) -> None:
        close = getattr(self._model, "aclose", None)
        if close is not None:
            await close()


def calls_in(text: str, turn: int) -> list[ToolCall]:
    """The calls in a model's answer: one object `{"tool", "arguments"}`, or a list of such. None where it is prose, so
    that the loop tells the model; text that begins as an object and is none stays a call, with its text as it is, so
    that the model is shown what is wrong with it."""
    answer = unfenced(without_thoughts(text))
    try:
        value = json_value(answer)
    except (ValueError, RecursionError):
        named = _NAMED.match(answer)
        return [ToolCall(f"call_{turn}_0", named[1], answer)] if named else []
    found = value if isinstance(value, list) else [value]
    return [call for number, item in enumerate(found) if (call := _call(item, f"call_{turn}_{number}"))]


def _call(item: Any, call_id: str) -> ToolCall | None:
    if not isinstance(item, Mapping) or not isinstance(item.get("tool"), str):
        return None
    arguments = item.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(call_id, item["tool"], text)
