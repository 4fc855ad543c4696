"""Models of the editor that a run was started from, for people whose subscription of a chat is their only key.

The editor answers one turn at a time; the loop, the tools and the budgets stay here. Knows no protocol: what is sent
and what comes back is plain data, and nothing of what comes back is believed.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from memory_core.counting import told_usage
from memory_core.errors import (
    BadReply,
    Cancelled,
    InputTooLong,
    MemoryCoreError,
    ProviderError,
    ProviderUnavailable,
)
from memory_core.llm import ModelReply, ModelRequest, TokenUsage, ToolCall
from memory_core.model_text import oversize
from memory_core.ports import EditorTurns
from memory_core.redact import brief

NAME = "editor"
ONLY_THERE = (
    "The provider `editor` asks a model of the editor and works only there, in an editor that offers its models to "
    "Omoide (VS Code does): start the step there, or use another provider, `builtin` or `openai` ([provider] name, "
    "OMOIDE_PROVIDER, or the setting `omoide.provider`)."
)
MAX_ATTEMPTS = 4
FIRST_WAIT = 0.5  # seconds; doubled with each attempt, with jitter
_GRACE_S = 2.0  # the editor ends a turn at its time limit by itself; this is for one that does not
_ELSE = "choose another model (`Omoide: Choose Model`) or another provider"

Sleep = Callable[[float], Awaitable[None]]


class Nobody:
    """`ports.EditorTurns` where no editor is, for what makes a worker and calls no model."""

    async def describe(self, model: str | None) -> Any:  # noqa: ARG002 - there is nobody to ask
        raise ProviderUnavailable(ONLY_THERE)

    async def turn(self, turn: Mapping[str, Any]) -> Any:  # noqa: ARG002
        raise ProviderUnavailable(ONLY_THERE)


class EditorModel:
    """`ports.Model` over an editor. `answered_by`: the model that gave the last answer, as the editor names it."""

    def __init__(
        self,
        turns: EditorTurns,
        *,
        timeout_s: float = 120.0,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._turns, self._timeout, self._sleep, self._jitter = turns, timeout_s, sleep, jitter
        self.answered_by: str | None = None

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One reply, after at most MAX_ATTEMPTS turns, and never more than `metadata["requests_left"]`."""
        attempts = min(MAX_ATTEMPTS, int(request.metadata.get("requests_left", MAX_ATTEMPTS)))
        asked = turn_of(request, self._timeout)
        for attempt in range(1, attempts + 1):
            try:
                reply, model = reply_of(await self._turn(asked), request, attempt)
            except ProviderError as error:
                error.attempts = attempt
                if not isinstance(error, _Passing):
                    raise
                if attempt == attempts:
                    raise _final(error) from error
                await self._sleep(FIRST_WAIT * 2 ** (attempt - 1) * (0.5 + self._jitter() / 2))
                continue
            self.answered_by = model or self.answered_by
            return reply
        raise ProviderError("No request is left in this run (requests_per_run).")

    async def _turn(self, asked: Mapping[str, Any]) -> Any:
        try:
            async with asyncio.timeout(self._timeout + _GRACE_S):
                return await self._turns.turn(asked)
        except TimeoutError as error:
            raise _Passing(_silent(self._timeout)) from error


class _Passing(ProviderUnavailable):
    """A failure that another attempt may mend."""


def _final(error: ProviderError) -> ProviderError:
    last = ProviderUnavailable(f"{error} ({error.attempts} attempts)" if error.attempts > 1 else str(error))
    last.attempts = error.attempts
    return last


def turn_of(request: ModelRequest, timeout_s: float) -> dict[str, Any]:
    """A request as it is sent. Arguments of earlier calls are objects there, as the editors' models take them."""
    return {
        "model": request.model or None,
        "timeout_s": timeout_s,
        "messages": [
            {
                "role": message.role,
                "content": message.content,
                "tool_calls": [
                    {"id": call.id, "name": call.name, "arguments": json.loads(call.arguments or "{}")}
                    for call in message.tool_calls
                ],
                "tool_call_id": message.tool_call_id,
            }
            for message in request.messages
        ],
        "tools": [
            {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
            for tool in request.tools
        ],
    }


def model_named(answer: Any) -> str:
    """The model that an editor says would answer. Raises what its refusal means."""
    return _name(_fields(answer).get("model")) or "a model of the editor"


def reply_of(answer: Any, request: ModelRequest, attempts: int) -> tuple[ModelReply, str | None]:
    """An editor's answer to a turn as a reply, and the model that gave it. Raises what its refusal means, and BadReply
    for what is no answer at all."""
    fields = _fields(answer)
    text = fields.get("text")
    if text is not None and not isinstance(text, str):
        raise BadReply("The editor's answer holds no text: `text` must be a string.")
    given = fields.get("tool_calls")
    if given is not None and not isinstance(given, list):
        raise BadReply("The editor's answer is not usable: `tool_calls` must be a list.")
    calls = _calls(given or (), len(request.messages))
    if too_much := oversize(text or "", calls):
        raise BadReply(too_much)
    clean = _writable(text or "")
    reason = fields.get("finish_reason")
    reply = ModelReply(
        clean,
        tuple(calls),
        _usage(fields.get("usage"), request, clean, calls, attempts),
        reason if isinstance(reason, str) else None,
    )
    return reply, _name(fields.get("model"))


def _fields(answer: Any) -> Mapping[str, Any]:
    if not isinstance(answer, dict):
        raise BadReply("The editor did not answer as this version of Omoide expects: update its extension.")
    error = answer.get("error")
    if error is None:
        return answer
    if not isinstance(error, dict):
        raise BadReply("The editor's refusal is not readable: update its extension.")
    raise refusal(error.get("code"), error.get("message"))


def refusal(code: Any, message: Any) -> MemoryCoreError:
    """What an editor's refusal means: the words for people, with a remedy, as the error that the loop acts on."""
    said = brief(_writable(message), 200).rstrip(".") if isinstance(message, str) and message.strip() else ""
    why = f" ({said})" if said else ""
    match code:
        case "cancelled":
            return Cancelled("The call of the editor's model was cancelled there.")
        case "tooLarge":
            return InputTooLong(f"The input is too long for the editor's model{why}.")
        case "noModel":
            return ProviderUnavailable(
                f"The editor has no language model for this{why}: sign in there to a provider of models, such as "
                f"GitHub Copilot, or {_ELSE}."
            )
        case "untrusted":
            return ProviderUnavailable("The editor calls no model in Restricted Mode: trust this folder there first.")
        case "noConsent":
            return ProviderUnavailable(
                "The editor asks for your consent when its model is used the first time, and only when you start the "
                "step yourself: run `Omoide: Extract Sessions` once. Until then nothing is started by itself."
            )
        case "denied":
            return ProviderUnavailable(
                f"The editor's model may not be used by Omoide{why}: allow it there (Manage Language Model Access), "
                f"or {_ELSE}."
            )
        case "quota":
            return ProviderUnavailable(
                f"The quota of the editor's model is used up, or it is asked too often{why}: try later, or {_ELSE}."
            )
        case "offline":
            return _Passing(f"The editor's model cannot be reached{why}: try later.")
        case "timeout":
            return _Passing(f"The editor's model did not answer in time{why}: try later, or raise timeout_s.")
        case _:
            return ProviderError(f"The editor's model failed{why}: try again, or {_ELSE}.")


def _silent(timeout_s: float) -> str:
    return f"The editor did not answer within {timeout_s:g} s (timeout_s)."


def _calls(given: Any, turn: int) -> list[ToolCall]:
    calls: list[ToolCall] = []
    seen: set[str] = set()
    for number, item in enumerate(given):
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            raise BadReply("A tool call in the editor's answer has no name.")
        named = item.get("id")
        call_id = _writable(named)[:200] if isinstance(named, str) and named else f"call_{turn}_{number}"
        call_id = f"{call_id}_{number}" if call_id in seen else call_id  # an answer must find its call
        seen.add(call_id)
        calls.append(ToolCall(call_id, _writable(item["name"])[:200], _arguments(item.get("arguments"))))
    return calls


def _arguments(value: Any) -> str:
    """The text of a call's arguments: an editor sends the object that a model's text was read as."""
    if value is None:
        return ""
    try:
        return _writable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    except RecursionError as error:
        raise BadReply("The arguments of a tool call are nested too deeply.") from error


def _usage(given: Any, request: ModelRequest, text: str, calls: list[ToolCall], attempts: int) -> TokenUsage:
    told = given if isinstance(given, dict) else {}
    return TokenUsage(*told_usage(told.get("input_tokens"), told.get("output_tokens"), request, text, calls), attempts)


def _name(value: Any) -> str | None:
    return brief(_writable(value), 120) if isinstance(value, str) and value.strip() else None


def _writable(text: str) -> str:
    """Without halves of surrogate pairs, which JSON can carry and no file can."""
    return text.encode("utf-8", "replace").decode("utf-8")
