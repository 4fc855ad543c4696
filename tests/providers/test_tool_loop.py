"""The tool loop with scripted models: it always ends, and says why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from memory_core.counting import request_tokens
from memory_core.errors import Cancelled, InputTooLong, ProviderUnavailable
from memory_core.llm import ModelReply, ModelRequest, TokenUsage, ToolCall, ToolSpec
from memory_core.ports import Silent
from memory_core.prompts import Prompt
from memory_core.testing import ScriptedModel, tool_call
from memory_core.tool_loop import parse_call, run_tool_loop
from memory_core.worker import Ledger, Limits, ToolResult, Work, WorkerReport


class Box:
    """A toolbox of two tools: `look` accepts an object with `at`, `done` ends the run."""

    specs: Sequence[ToolSpec] = (ToolSpec("look", "Look.", {}), ToolSpec("done", "End.", {}))

    def __init__(self, answer: str = "seen") -> None:
        self.calls: list[tuple[str, Any]] = []
        self.finished = False
        self.answer = answer

    def call(self, name: str, arguments: Any) -> ToolResult:
        self.calls.append((name, arguments))
        if name == "done":
            self.finished = True
            return ToolResult("done")
        return (
            ToolResult(self.answer) if name == "look" and "at" in arguments else ToolResult("wants `at`", is_error=True)
        )


async def run(
    model: Any, box: Box | None = None, progress: Any = None, ledger: Ledger | None = None, **limits: Any
) -> WorkerReport:
    prompt = Prompt("p", "SYSTEM", "sha256:0")
    work = Work(prompt, "INPUT", box or Box(), Limits(**limits), progress or Silent(), ledger)
    return await run_tool_loop(model, work, "m")


async def test_tools_are_called_until_the_toolbox_is_finished() -> None:
    model, box = ScriptedModel([tool_call("look", {"at": 1}), tool_call("done", {})]), Box()
    report = await run(model, box)
    assert box.calls == [("look", {"at": 1}), ("done", {})]
    assert report == WorkerReport(TokenUsage(requests=2), turns=2)
    roles = [message.role for message in model.requests[1].messages]
    assert roles == ["system", "user", "assistant", "tool"]
    assert model.requests[1].messages[-1].tool_call_id == "call_1"


async def test_a_model_that_never_finishes_is_stopped_after_its_turns() -> None:
    """T01"""
    model = ScriptedModel([tool_call("look", {"at": 1})] * 99)
    report = await run(model, turns=5)
    assert len(model.requests) == report.turns == 5
    assert report.stopped == "the model did not finish within 5 turns"


async def test_requests_are_limited_with_those_that_a_model_repeated() -> None:
    """T01"""
    reply = ModelReply("", (ToolCall("c", "look", '{"at": 1}'),), TokenUsage(10, 1, 3))
    model = ScriptedModel([reply] * 99)
    report = await run(model, turns=50, requests=7)
    assert [request.metadata["requests_left"] for request in model.requests] == ["7", "4", "1"]
    assert report.stopped == "the model did not finish within 7 requests"


async def test_tokens_are_limited() -> None:
    """T03"""
    reply = ModelReply("", (ToolCall("c", "look", '{"at": 1}'),), TokenUsage(900, 100, 1))
    report = await run(ScriptedModel([reply] * 99), turns=50, tokens=3_000)
    assert report.turns == 3
    assert report.usage == TokenUsage(2_700, 300, 3)
    assert report.stopped is not None
    assert report.stopped.startswith("the model did not finish within 3000 tokens")
    assert report.at_fault is False, "the same again may end otherwise tomorrow"


async def test_a_request_that_would_go_beyond_the_tokens_is_not_sent() -> None:
    """T03: a budget that the last request may exceed is none."""
    model = ScriptedModel([tool_call("look", {"at": 1})] * 99)
    report = await run(model, Box(answer="word " * 500), turns=50, tokens=1_000)
    sent = [request_tokens(request) for request in model.requests]
    assert report.turns == 2
    assert sum(sent) < 1_000
    assert "the next request needs" in str(report.stopped)


class Day:
    """A ledger of a day on which others spend as well."""

    def __init__(self, left: int, others: int = 0) -> None:
        self.rest, self.others, self.spent = left, others, TokenUsage()

    def left(self) -> int | None:
        return self.rest - self.spent.input_tokens - self.spent.output_tokens

    def spend(self, usage: TokenUsage) -> None:
        self.spent += usage
        self.rest -= self.others


async def test_the_day_is_asked_before_each_request_and_told_after_it() -> None:
    """T03: what another process spends meanwhile counts at once."""
    reply = ModelReply("", (ToolCall("c", "look", '{"at": 1}'),), TokenUsage(900, 100, 1))
    model, day = ScriptedModel([reply] * 99), Day(5_000, others=1_500)
    report = await run(model, ledger=day, turns=50)
    assert (report.turns, day.spent) == (2, TokenUsage(1_800, 200, 2))
    assert "the day has 0 left (tokens_per_day)" in str(report.stopped)


async def test_what_tools_answer_is_bounded_for_the_whole_run() -> None:
    """T04: the input does not grow with each call; short answers are always given."""
    model = ScriptedModel([tool_call("look", {"at": 1})] * 12)
    await run(model, Box(answer="word " * 1_000), turns=12, answers=2_500)
    answers = [m.content for m in model.requests[-1].messages if m.role == "tool"]
    assert [text.startswith("word") for text in answers] == [True, True] + [False] * 9
    assert answers[-1] == "Not shown: this run has read as much as it may. Finish with what you know."
    assert request_tokens(model.requests[-1]) < 3_500


async def test_the_last_answer_is_kept_with_the_calls_as_they_were_sent() -> None:
    """T09: a call that cannot be read is what went wrong, so it is what is kept."""
    model = ScriptedModel([ModelReply("", (ToolCall("c", "done", '{"decisions": [,]}'),))] * 9)
    report = await run(model, invalid_calls=2)
    assert report.reply == 'done({"decisions": [,]})'


async def test_invalid_calls_in_a_row_end_the_run() -> None:
    """T06"""
    model = ScriptedModel([tool_call("look", {})] * 99)
    report = await run(model, turns=50, invalid_calls=4)
    assert report.turns == 4
    assert report.stopped == "the model made 4 invalid calls in a row"


async def test_invalid_calls_of_one_turn_count_each() -> None:
    """T06"""
    box = Box()
    await run(ScriptedModel([ModelReply("", tuple(ToolCall(f"c{n}", "look", "{}") for n in range(12)))]), box)
    assert len(box.calls) == 4


async def test_a_good_call_forgives_the_bad_ones_before_it() -> None:
    script = [*[tool_call("look", {})] * 3, tool_call("look", {"at": 1})] * 3
    report = await run(ScriptedModel([*script, tool_call("done", {})]), turns=50)
    assert report.stopped is None


async def test_text_without_a_call_is_answered_once_and_then_ends_the_run() -> None:
    """T09"""
    model = ScriptedModel([ModelReply("Here is my summary: nothing."), ModelReply("As I said.")])
    report = await run(model)
    assert report.stopped == "the model answered without calling a tool"
    assert report.reply == "As I said."
    assert "look, done" in model.requests[1].messages[-1].content


async def test_a_model_that_is_reminded_may_go_on() -> None:
    report = await run(ScriptedModel([ModelReply("Let me see."), tool_call("done", {})]))
    assert report.stopped is None


async def test_calls_behind_the_finishing_one_are_run_too() -> None:
    """A model makes several calls at once: what the second one hands in would be lost without a word."""
    box = Box()
    calls = (ToolCall("1", "done", "{}"), ToolCall("2", "look", '{"at": 1}'), ToolCall("3", "done", "{}"))
    report = await run(ScriptedModel([ModelReply("", calls)]), box)
    assert box.calls == [("done", {}), ("look", {"at": 1}), ("done", {})]
    assert (report.turns, report.stopped) == (1, None)


@pytest.mark.parametrize("then", [tool_call("look", {"at": 1}), ModelReply("That is all.")])
async def test_a_call_that_was_refused_beside_the_finishing_one_may_be_made_once_more(then: ModelReply) -> None:
    box = Box()
    calls = (ToolCall("1", "look", "{}"), ToolCall("2", "done", "{}"))
    report = await run(ScriptedModel([ModelReply("", calls), then]), box)
    assert (report.turns, report.stopped) == (2, None)
    assert box.calls[2:] == [(call.name, json.loads(call.arguments)) for call in then.tool_calls]


async def test_malformed_arguments_are_told_with_the_bad_part_and_never_shown_again() -> None:
    """T14 T16 T17"""
    box = Box()
    model = ScriptedModel([tool_call("look", '{"at": [1, 2'), tool_call("done", {})])
    await run(model, box)
    assert box.calls == [("done", {})]
    *_, assistant, answer = model.requests[1].messages
    assert assistant.tool_calls[0].arguments == "{}"
    assert answer.content.startswith("Error: look was not run: the arguments are not valid JSON")
    assert '{"at": [1, 2' in answer.content


async def test_an_answer_cut_off_at_its_limit_says_so() -> None:
    cut = ModelReply("", (ToolCall("c", "look", '{"at": "aaaa'),), finish_reason="length")
    model = ScriptedModel([cut, tool_call("done", {})])
    await run(model)
    assert "reached its length limit" in model.requests[1].messages[-1].content


async def test_a_flood_of_calls_in_one_turn_is_not_run() -> None:
    box = Box()
    flood = ModelReply("", tuple(ToolCall(f"c{n}", "look", '{"at": 1}') for n in range(200)))
    await run(ScriptedModel([flood]), box, turns=1)
    assert len(box.calls) == 16


async def test_a_failing_provider_is_a_report_with_what_was_spent() -> None:
    """T02"""
    error = ProviderUnavailable("The server is down.")
    error.attempts = 4
    first = ModelReply("", (ToolCall("c", "look", '{"at": 1}'),), TokenUsage(10, 1, 1))
    report = await run(ScriptedModel([first, error]))
    assert report.stopped == "The server is down."
    assert report.usage == TokenUsage(10, 1, 5)
    assert not report.too_long


async def test_an_input_that_does_not_fit_is_told_apart() -> None:
    """T10"""
    assert (await run(ScriptedModel([InputTooLong("Too long.")]))).too_long


class Stalled:
    """A model that never answers, and knows whether it was stopped."""

    def __init__(self, on_start: Any = None) -> None:
        self.stopped = False
        self.on_start = on_start

    async def complete(self, request: ModelRequest) -> ModelReply:
        if self.on_start:
            self.on_start()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True
        raise AssertionError("unreachable")


class Stoppable(Silent):
    cancelled = False


async def test_cancel_during_a_request_ends_it_within_a_second() -> None:
    progress = Stoppable()

    def press() -> None:
        progress.cancelled = True

    model = Stalled(press)
    started = asyncio.get_running_loop().time()
    with pytest.raises(Cancelled) as caught:
        await run(model, progress=progress)
    assert asyncio.get_running_loop().time() - started < 1
    assert model.stopped
    assert caught.value.usage.requests == 1  # type: ignore[attr-defined]


async def test_cancel_before_the_first_request_sends_none() -> None:
    progress = Stoppable()
    progress.cancelled = True
    model = ScriptedModel([])
    with pytest.raises(Cancelled):
        await run(model, progress=progress)
    assert not model.requests


async def test_the_time_of_a_run_is_limited_and_its_request_is_not_left_behind() -> None:
    model = Stalled()
    report = await run(model, seconds=0.1)
    assert report.stopped == "the model did not finish within 0.1 seconds"
    assert model.stopped


async def test_a_cancelled_task_takes_its_request_with_it() -> None:
    model = Stalled()
    task = asyncio.ensure_future(run(model))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.stopped


@pytest.mark.parametrize(
    ("text", "value"),
    [("{}", {}), ("", {}), ("  \n", {}), ('{"a": 1}', {"a": 1}), ('```json\n{"a": 1}\n```', {"a": 1})],
)
def test_arguments_that_can_be_read(text: str, value: dict[str, Any]) -> None:
    """T14"""
    assert parse_call(text) == (value, "")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1',
        "{'a': 1}",
        '[{"a": 1}]',
        '"{\\"a\\": 1}"',
        "null",
        "3",
        "Sure! Here is the JSON: {}",
        '{"a": 1} and more',
        "<tool>{}</tool>",
        "{" * 100_000,
        "[" * 100_000,
        '{"a": NaN, b}',
        "\ud800",
    ],
)
def test_arguments_that_cannot_are_refused_with_a_short_reason(text: str) -> None:
    """T14"""
    value, problem = parse_call(text)
    assert value is None
    assert 10 < len(problem) < 300


def test_a_reason_never_repeats_a_secret() -> None:
    """T36"""
    key = "sk-proj-" + "a1B2" * 8
    _, problem = parse_call(json.dumps({"key": key})[:-1])
    assert key not in problem
