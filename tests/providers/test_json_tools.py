"""Models behind servers without tool calls: one strict JSON object is a call, and goes through the same loop."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_core.config import Config, MemorySettings, ProviderSettings
from memory_core.llm import Message, ModelReply, ModelRequest, ToolCall, ToolSpec
from memory_core.ports import Silent
from memory_core.prompts import Prompt
from memory_core.providers.json_tools import JsonToolsModel, as_text, calls_in
from memory_core.providers.registry import extract_worker
from memory_core.testing import HttpReply, ScriptedModel, ScriptedOpenAI
from memory_core.tool_loop import run_tool_loop
from memory_core.worker import Limits, ToolResult, Work

LOOK = ToolSpec("look", "Look at things.", {"type": "object", "properties": {"at": {"type": "string"}}})


class Box:
    """A toolbox with one tool that is done when it is called with the right argument."""

    specs = (LOOK,)

    def __init__(self) -> None:
        self.finished = False
        self.calls: list[tuple[str, Any]] = []

    def call(self, name: str, arguments: Any) -> ToolResult:
        self.calls.append((name, arguments))
        self.finished = arguments == {"at": "it"}
        return ToolResult("seen" if self.finished else "look elsewhere", not self.finished)


async def run(*answers: str) -> tuple[Box, ScriptedModel, Any]:
    box, model = Box(), ScriptedModel([ModelReply(text) for text in answers])
    work = Work(Prompt("p", "You look.", "sha256:0"), "Go.", box, Limits(), Silent())
    return box, model, await run_tool_loop(JsonToolsModel(model), work, "m")


async def test_one_object_is_a_call_and_its_answer_comes_back_as_a_message() -> None:
    box, model, report = await run(
        '{"tool": "look", "arguments": {"at": "that"}}', '{"tool": "look", "arguments": {"at": "it"}}'
    )
    assert box.calls == [("look", {"at": "that"}), ("look", {"at": "it"})]
    assert report.stopped is None
    first, second = model.requests
    assert first.tools == ()
    assert '"properties"' in first.messages[0].content
    assert "### look" in first.messages[0].content
    assert [message.role for message in second.messages] == ["system", "user", "assistant", "user"]
    assert json.loads(second.messages[2].content) == {"tool": "look", "arguments": {"at": "that"}}
    assert "look elsewhere" in second.messages[3].content


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"tool": "look", "arguments": {"at": "it"}}\n```',
        '<think>hm {"tool": 1}</think>\n{"tool": "look", "arguments": {"at": "it"}}',
        '[{"tool": "look", "arguments": {"at": "it"}}]',
        '{"tool": "look", "arguments": "{\\"at\\": \\"it\\"}"}',
    ],
)
async def test_shapes_that_say_the_same(text: str) -> None:
    box, _, report = await run(text)
    assert box.calls == [("look", {"at": "it"})]
    assert report.stopped is None


async def test_prose_is_told_how_to_go_on_and_ends_the_run_the_second_time() -> None:
    _, model, report = await run("I would look at it.", "Really.")
    assert report.stopped == "the model answered without calling a tool"
    assert "look" in model.requests[1].messages[-1].content


async def test_a_torn_object_is_shown_what_is_wrong_with_it() -> None:
    """T16"""
    box, model, _ = await run('{"tool": "look", "arguments": {"at": ', '{"tool": "look", "arguments": {"at": "it"}}')
    assert box.calls == [("look", {"at": "it"})]
    assert "not valid JSON" in model.requests[1].messages[-1].content


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "[1, null]", '{"tool": 7}', '{"arguments": {}}', "[" * 5000, "\ud800"]
)
def test_what_is_no_call_gives_none(text: str) -> None:
    assert calls_in(text, 3) == []


def test_two_messages_of_one_role_become_one() -> None:
    calls = (ToolCall("a", "look", "{}"), ToolCall("b", "look", "{}"))
    request = ModelRequest(
        "m",
        (
            Message("system", "S"),
            Message("user", "U"),
            Message("assistant", "", calls),
            Message("tool", "one", tool_call_id="a"),
            Message("tool", "two", tool_call_id="b"),
        ),
        (LOOK,),
    )
    told = as_text(request).messages
    assert [message.role for message in told] == ["system", "user", "assistant", "user"]
    assert "one" in told[-1].content
    assert "two" in told[-1].content


async def test_the_setting_makes_a_real_server_see_no_tools() -> None:
    answer = {"choices": [{"message": {"role": "assistant", "content": '{"tool": "look", "arguments": {"at": "it"}}'}}]}
    with ScriptedOpenAI([HttpReply(answer)]) as server:
        settings = ProviderSettings(name="openai", base_url=server.url, tool_calls="json")
        worker = extract_worker(Config(memory=MemorySettings(extract_model="m"), provider=settings), {})
        box = Box()
        work = Work(Prompt("p", "You look.", "sha256:0"), "Go.", box, Limits(), Silent())
        report = await worker.run(work, None)  # type: ignore[arg-type]
        assert report.stopped is None
        assert box.calls == [("look", {"at": "it"})]
        (body,) = server.requests
        assert "tools" not in body
        assert "### look" in body["messages"][0]["content"]
