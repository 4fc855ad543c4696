"""A worker: a model, or rules in its place, calling a stage's tools until the stage has what it needs.

The tools are the only way in and out of a worker, so rules and models pass the same checks. Knows no stage.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from memory_core.errors import BadReply, Cancelled, InputTooLong, ProviderError
from memory_core.llm import Message, ModelReply, ModelRequest, TokenUsage, ToolCall, ToolSpec
from memory_core.ports import Model, Progress
from memory_core.prompts import Prompt
from memory_core.redact import redact
from memory_core.text import shorten

CALLS_PER_TURN = 16  # more calls than this in one reply are refused: reading goes step by step
POLL_SECONDS = 0.05  # how often a running request looks whether it should stop


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answers: text a model can act on. `is_error`: the call was refused and changed nothing."""

    text: str
    is_error: bool = False


class Toolbox(Protocol):
    """The tools of one run, with its state."""

    @property
    def specs(self) -> Sequence[ToolSpec]: ...

    @property
    def finished(self) -> bool:
        """Whether the run has its output and needs no further call."""
        ...

    def call(self, name: str, arguments: Any) -> ToolResult:
        """Run a tool. Never raises for what a model sent: an unknown name or bad arguments are an error result."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may spend. `invalid_calls`: refused calls in a row that end it; `tokens`: 0 is no limit."""

    turns: int = 8
    requests: int = 30
    seconds: float = 600.0
    tokens: int = 0
    invalid_calls: int = 4


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """How a worker ended. `stopped`: why it ended before the toolbox was finished, None where it finished.
    `too_long`: because the input does not fit the model. `at_fault`: because of what the worker did or the input is, so
    that the same again would end the same way; not a server that is down or a limit of the day. `reply`: the last text
    of the model, short, for the audit."""

    usage: TokenUsage = TokenUsage()
    turns: int = 0
    stopped: str | None = None
    too_long: bool = False
    reply: str | None = None
    at_fault: bool = False


@dataclass(frozen=True)
class Work:
    """What every worker is given: the system prompt, the input text, the tools, the limits, and where to report."""

    system: Prompt
    prompt: str
    toolbox: Toolbox
    limits: Limits
    progress: Progress


class CancelledRun(Cancelled):
    """A run stopped on request, with what it had spent by then."""

    def __init__(self, usage: TokenUsage) -> None:
        super().__init__("The run was cancelled; nothing of it was written.")
        self.usage = usage


async def run_tool_loop(model: Model, work: Work, model_name: str) -> WorkerReport:
    """Let a model call the toolbox until it is finished, or until a limit, a failure or nonsense ends the run.

    Failures of the provider are a report with `stopped`, so that what was spent is known. Raises CancelledRun.
    """
    loop = _Loop(model, work, model_name)
    stopped = None
    try:
        while stopped is None and not work.toolbox.finished:
            stopped = loop.out_of_limits() or await loop.turn()
    except ProviderError as error:
        loop.usage += TokenUsage(requests=max(1, error.attempts))
        too_long, at_fault = isinstance(error, InputTooLong), isinstance(error, InputTooLong | BadReply)
        return WorkerReport(loop.usage, loop.turns, str(error), too_long, loop.reply, at_fault)
    stopped = None if work.toolbox.finished else stopped
    return WorkerReport(loop.usage, loop.turns, stopped, reply=loop.reply, at_fault=stopped is not None)


def parse_call(arguments: str) -> tuple[dict[str, Any] | None, str]:
    """The object that a call's argument text holds, or None and why not, quoting the bad part.

    A code fence round it is forgiven, nothing else is: a guess at broken JSON would put words into the model's mouth.
    """
    text = arguments.strip()
    if fenced := _FENCED.fullmatch(text):
        text = fenced[1].strip()
    if not text:
        return {}, ""
    try:
        value = json.loads(text)
    except RecursionError:
        return None, "the arguments are nested too deeply"
    except ValueError as error:
        at = getattr(error, "pos", 0)
        reason = getattr(error, "msg", str(error))
        cut_off = " The text ends too early: write less in one call." if at >= len(text) - 1 else ""
        near = redact(shorten(text[max(0, at - 40) : at + 40], 80))
        return None, f"the arguments are not valid JSON ({reason} at character {at}, near `{near}`).{cut_off}"
    if not isinstance(value, dict):
        return None, f"the arguments must be one JSON object, not `{redact(shorten(text, 80))}`"
    return value, ""


_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?```", re.DOTALL | re.IGNORECASE)


@dataclass
class _Loop:
    """The conversation so far and what it has cost. One per run; not shared."""

    model: Model
    work: Work
    model_name: str
    messages: list[Message] = field(default_factory=list)
    usage: TokenUsage = TokenUsage()
    turns: int = 0
    invalid: int = 0
    silent: int = 0
    reply: str | None = None

    def __post_init__(self) -> None:
        self.messages += [Message("system", self.work.system.text), Message("user", self.work.prompt)]
        self.specs = tuple(self.work.toolbox.specs)
        self.deadline = asyncio.get_running_loop().time() + self.work.limits.seconds

    def out_of_limits(self) -> str | None:
        limits = self.work.limits
        spent = self.usage.input_tokens + self.usage.output_tokens
        if self.work.progress.cancelled:
            raise CancelledRun(self.usage)
        if self.turns >= limits.turns:
            return f"the model did not finish within {limits.turns} turns"
        if self.usage.requests >= limits.requests:
            return f"the model did not finish within {limits.requests} requests"
        if limits.tokens and spent >= limits.tokens:
            return f"the model did not finish within {limits.tokens} tokens"
        if self.invalid >= limits.invalid_calls:
            return f"the model made {self.invalid} invalid calls in a row"
        return None

    async def turn(self) -> str | None:
        """One request and the calls it asks for; the reason to stop, if there is one."""
        left = self.work.limits.requests - self.usage.requests
        request = ModelRequest(self.model_name, tuple(self.messages), self.specs, {"requests_left": str(left)})
        reply = await self._within_limits(self.model.complete(request))
        if reply is None:
            return f"the model did not finish within {self.work.limits.seconds:g} seconds"
        self.turns += 1
        self.usage += TokenUsage(reply.usage.input_tokens, reply.usage.output_tokens, max(1, reply.usage.requests))
        self.reply = redact(shorten(reply.text, 400)) or self.reply
        if not reply.tool_calls:
            return self._nudge(reply)
        self.silent = 0
        self._run_calls(reply)
        return None

    def _nudge(self, reply: ModelReply) -> str | None:
        self.silent += 1
        if self.silent > 1:
            return "the model answered without calling a tool"
        names = ", ".join(spec.name for spec in self.specs)
        self.messages += [
            Message("assistant", shorten(reply.text, 2_000) or "(no text)"),
            Message("user", f"Text is not recorded here. Go on by calling one of the tools: {names}."),
        ]
        return None

    def _run_calls(self, reply: ModelReply) -> None:
        parsed = [(call, *parse_call(call.arguments)) for call in reply.tool_calls]
        # Earlier calls go back as they were understood: a model copies the malformed ones it is shown.
        shown = tuple(
            ToolCall(call.id, call.name, json.dumps(value if value is not None else {}, ensure_ascii=False))
            for call, value, _ in parsed
        )
        self.messages.append(Message("assistant", shorten(reply.text, 2_000), shown))
        for number, (call, value, problem) in enumerate(parsed):
            if self.work.progress.cancelled:
                raise CancelledRun(self.usage)
            if self.work.toolbox.finished or self.invalid >= self.work.limits.invalid_calls:
                return
            result = self._answer(call, value, problem, number, reply.finish_reason)
            self.invalid = self.invalid + 1 if result.is_error else 0
            text = f"Error: {result.text}" if result.is_error else result.text
            self.messages.append(Message("tool", text, tool_call_id=call.id))

    def _answer(
        self, call: ToolCall, value: Mapping[str, Any] | None, problem: str, number: int, finish: str | None
    ) -> ToolResult:
        if number >= CALLS_PER_TURN:
            return ToolResult(f"At most {CALLS_PER_TURN} calls in one turn; this one was not run.", is_error=True)
        if value is None:
            cut = " Your answer reached its length limit." if finish == "length" else ""
            return ToolResult(f"{call.name} was not run: {problem}{cut}", is_error=True)
        return self.work.toolbox.call(call.name, value)

    async def _within_limits(self, request: Coroutine[Any, Any, ModelReply]) -> ModelReply | None:
        """The reply; None when the time is over. The request is ended, not left behind, when the run is cancelled."""
        task = asyncio.ensure_future(request)
        try:
            while True:
                done, _ = await asyncio.wait({task}, timeout=POLL_SECONDS)
                if done:
                    return task.result()
                if self.work.progress.cancelled:
                    raise CancelledRun(self.usage + TokenUsage(requests=1))
                if asyncio.get_running_loop().time() >= self.deadline:
                    self.usage += TokenUsage(requests=1)
                    return None
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
