"""Requests and answers of the chat completions API: ours as theirs, and theirs as ours. Sends nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from memory_core.counting import told_usage
from memory_core.errors import BadReply
from memory_core.ids import utc_now
from memory_core.llm import Message, ModelReply, ModelRequest, TokenUsage, ToolCall
from memory_core.model_text import oversize
from memory_core.redact import brief

KEPT = 4_000  # bytes of an answer that cannot be read; they are kept for whoever asks what went wrong


def body_of(request: ModelRequest) -> dict[str, Any]:
    """What is sent for a request."""
    body: dict[str, Any] = {"model": request.model, "messages": [_message(message) for message in request.messages]}
    if request.tools:
        body["tools"] = [{"type": "function", "function": tool.plain()} for tool in request.tools]
        body["tool_choice"] = "auto"
    return body


def _message(message: Message) -> dict[str, Any]:
    # The text is made writable here as well: JSON with half a surrogate pair cannot be sent as UTF-8.
    data: dict[str, Any] = {"role": message.role, "content": message.content.encode("utf-8", "replace").decode()}
    if message.tool_calls:
        data["content"] = data["content"] or None
        data["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        data["tool_call_id"] = message.tool_call_id
    return data


def reply_of(raw: Any, request: ModelRequest, attempts: int) -> ModelReply:
    """The SDK's answer as ours. The SDK does not check what a server sends, so every part may be missing, or anything.
    BadReply where it is no answer, or more than one of a model; other errors are for the caller to take as that."""
    choices = getattr(raw, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    if message is None:
        problem = BadReply("The server's reply holds no message: is `base_url` an OpenAI-compatible address?")
        problem.raw = brief(str(getattr(raw, "model_extra", None) or raw), KEPT)
        raise problem
    text = message.content if isinstance(getattr(message, "content", None), str) else ""
    calls = _calls(getattr(message, "tool_calls", None), len(request.messages))
    if too_much := oversize(text, calls):
        raise BadReply(too_much)
    usage, reason = getattr(raw, "usage", None), getattr(choice, "finish_reason", None)
    given, made = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    spent = TokenUsage(*told_usage(given, made, request, text, calls), attempts)
    return ModelReply(text, tuple(calls), spent, reason if isinstance(reason, str) else None)


def _calls(asked: Any, turn: int) -> list[ToolCall]:
    calls: list[ToolCall] = []
    seen: set[str] = set()
    for number, call in enumerate(asked if isinstance(asked, list) else ()):
        function = getattr(call, "function", None)
        given = getattr(call, "id", None)
        given = given if isinstance(given, str) and given else f"call_{turn}_{number}"
        name = f"{given}_{number}" if given in seen else given  # an answer must find its call
        seen.add(name)
        arguments = getattr(function, "arguments", None)
        if arguments is not None and not isinstance(arguments, str):  # some servers send the object itself
            arguments = json.dumps(arguments, default=str)
        calls.append(ToolCall(name, str(getattr(function, "name", "") or ""), arguments or ""))
    return calls


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            return max(0.0, float(value) / scale)
        except ValueError:
            pass
        try:
            return max(0.0, (parsedate_to_datetime(value) - utc_now()).total_seconds())
        except (ValueError, TypeError):
            continue
    return None
