"""Tools in words: a request for a model whose server knows no tool calls, which are then JSON in its text. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from memory_core import prompts
from memory_core.llm import Message, ModelRequest, ToolCall


def as_text(request: ModelRequest) -> ModelRequest:
    """The same request in words alone: the tools in the system prompt, earlier calls as the JSON they would be, their
    answers as messages of the user."""
    listed = "\n\n".join(
        f"### {tool.name}\n{tool.description}\nArguments: {json.dumps(dict(tool.parameters), ensure_ascii=False)}"
        for tool in request.tools
    )
    told = prompts.render("json_tools", tools=listed).text
    messages: list[Message] = []
    for message in request.messages:
        match message.role:
            case "system":
                messages.append(Message("system", f"{message.content}\n\n{told}"))
            case "assistant" if message.tool_calls:
                messages.append(Message("assistant", _shown(message.tool_calls)))
            case "tool":
                messages.append(Message("user", f"Answer of the tool:\n{message.content}"))
            case _:
                messages.append(message)
    return replace(request, messages=tuple(_joined(messages)), tools=())


def _shown(calls: Iterable[ToolCall]) -> str:
    found = [{"tool": call.name, "arguments": json.loads(call.arguments or "{}")} for call in calls]
    return json.dumps(found[0] if len(found) == 1 else found, ensure_ascii=False)


def _joined(messages: Iterable[Message]) -> Iterable[Message]:
    """Messages of one role in a row as one: some servers refuse two users' messages after each other."""
    last: Message | None = None
    for message in messages:
        if last and last.role == message.role:
            last = replace(last, content=f"{last.content}\n\n{message.content}")
            continue
        if last:
            yield last
        last = message
    if last:
        yield last
