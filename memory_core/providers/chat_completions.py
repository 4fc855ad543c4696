"""Requests and answers of the chat completions API: ours as theirs, and theirs as ours. Sends nothing."""

from __future__ import annotations

import json
from typing import Any

from memory_core.counting import reply_tokens, request_tokens
from memory_core.errors import BadReply
from memory_core.llm import Message, ModelReply, ModelRequest, TokenUsage, ToolCall
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
    """The SDK's answer as ours. The SDK does not check what a server sends, so every part may be missing."""
    choices = getattr(raw, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    if message is None:
        problem = BadReply("The server's reply holds no message: is `base_url` an OpenAI-compatible address?")
        problem.attempts = attempts
        problem.raw = brief(str(getattr(raw, "model_extra", None) or raw), KEPT)
        raise problem
    text = message.content if isinstance(getattr(message, "content", None), str) else ""
    calls = []
    seen: set[str] = set()
    asked = getattr(message, "tool_calls", None)
    for number, call in enumerate(asked if isinstance(asked, list) else ()):
        function = getattr(call, "function", None)
        given = getattr(call, "id", None) or f"call_{len(request.messages)}_{number}"
        name = f"{given}_{number}" if given in seen else given  # an answer must find its call
        seen.add(name)
        arguments = getattr(function, "arguments", None)
        if arguments is not None and not isinstance(arguments, str):  # some servers send the object itself
            arguments = json.dumps(arguments, default=str)
        calls.append(ToolCall(name, str(getattr(function, "name", "") or ""), arguments or ""))
    return ModelReply(
        text, tuple(calls), _usage(raw, request, text, calls, attempts), getattr(choice, "finish_reason", None)
    )


def _usage(raw: Any, request: ModelRequest, text: str, calls: list[ToolCall], attempts: int) -> TokenUsage:
    usage = getattr(raw, "usage", None)
    given, made = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if not isinstance(given, int) or given <= 0:
        given = request_tokens(request)
    if not isinstance(made, int) or made < 0:
        made = reply_tokens(text, calls)
    return TokenUsage(given, made, attempts)
