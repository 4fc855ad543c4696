"""Tokens of a request and of its reply, counted here where whoever answers does not say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from memory_core.llm import ModelRequest, ToolCall
from memory_core.tokens import count

PER_MESSAGE = 4  # tokens of the frame round a message
PER_CALL = 8  # tokens of the frame round a call
MOST_MADE = 1_000_000  # tokens of one answer with what a model thought first; a figure above it is no count
_MORE, _FRAME = 10, 2_000  # how many times our count of a request, and tokens of its own, a server may add to it


def told_usage(given: Any, made: Any, request: ModelRequest, text: str, calls: Iterable[ToolCall]) -> tuple[int, int]:
    """Tokens (of the request, of the answer) as whoever answers says, each counted here where that is no count: one
    answer must not use up the day, nor fill the books with figures that nobody can add up."""
    own = request_tokens(request)
    read = given if type(given) is int and 0 < given <= _MORE * own + _FRAME else own
    return read, made if type(made) is int and 0 <= made <= MOST_MADE else reply_tokens(text, calls)


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
