"""Tokens of a request and of its reply, counted here where whoever answers does not say."""

from __future__ import annotations

import json
from collections.abc import Iterable

from memory_core.llm import ModelRequest, ToolCall
from memory_core.tokens import count

PER_MESSAGE = 4  # tokens of the frame round a message
PER_CALL = 8  # tokens of the frame round a call


def request_tokens(request: ModelRequest) -> int:
    """Tokens of a conversation and of the tools offered with it."""
    spoken = sum(
        count(message.content) + sum(count(call.arguments) + PER_CALL for call in message.tool_calls) + PER_MESSAGE
        for message in request.messages
    )
    return spoken + sum(count(tool.description) + count(json.dumps(dict(tool.parameters))) for tool in request.tools)


def reply_tokens(text: str, calls: Iterable[ToolCall]) -> int:
    """Tokens of an answer and of the calls in it."""
    return count(text) + sum(count(call.name) + count(call.arguments) + PER_CALL for call in calls)
