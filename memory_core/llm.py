"""Talking to a model, as values: messages, tools, replies. Sends nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool offered to a model: `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    def plain(self) -> dict[str, Any]:
        """The tool as servers are told of it."""
        return {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's call. `arguments` is the text as sent: it may be no JSON at all."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation with a model; `tool_call_id` ties a tool's answer to its call."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one or more requests. `requests` counts every request sent, failed ones too."""

    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.requests + other.requests,
        )

    def plain(self) -> dict[str, int]:
        return {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens, "requests": self.requests}


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request: the whole conversation so far and the tools."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's answer. `usage.input_tokens` is estimated where the server does not say."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: TokenUsage = TokenUsage()
    finish_reason: str | None = None
