"""A model as a worker: the conversation in which it calls the tools, turn by turn, until it is done or out of limits.

What is shared with rules in a model's place (tools, limits, reports) is `worker`. Knows no stage and no provider.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from memory_core.counting import request_tokens
from memory_core.errors import BadReply, Cancelled, InputTooLong, ProviderError
from memory_core.llm import Message, ModelReply, ModelRequest, TokenUsage, ToolCall
from memory_core.model_text import json_value, oversize, unfenced
from memory_core.ports import Model
from memory_core.redact import brief, part, redact
from memory_core.text import shorten
from memory_core.tokens import count
from memory_core.worker import CancelledRun, ToolResult, Work, WorkerReport

CALLS_PER_TURN = 16  # more calls than this in one reply are refused: reading goes step by step
SHORT_ANSWER = 200  # tokens; an answer this short is always given: it says what a call did, or what was wrong with it
REPLY_KEPT = 4_000  # characters of a model's last answer that are kept
POLL_SECONDS = 0.05  # how often a running request looks whether it should stop


async def run_tool_loop(model: Model, work: Work, model_name: str) -> WorkerReport:
    """Let a model call the toolbox until it is finished, or until a limit, a failure or nonsense ends the run.

    Failures of the provider are a report with `stopped`, so that what was spent is known. Raises CancelledRun.
    """
    loop = _Loop(model, work, model_name)
    stopped = None
    try:
        while stopped is None and (loop.owing or not work.toolbox.finished):
            stopped = loop.out_of_limits() or await loop.turn()
    except CancelledRun:
        raise
    except Cancelled as error:  # where the model is asked, a person said no
        loop.spend(TokenUsage(requests=1))
        raise CancelledRun(loop.usage) from error
    except ProviderError as error:
        loop.spend(TokenUsage(requests=max(1, error.attempts)))
        too_long, at_fault = isinstance(error, InputTooLong), isinstance(error, InputTooLong | BadReply)
        raw = redact(error.raw) if isinstance(error, BadReply) and error.raw else loop.reply
        return WorkerReport(loop.usage, loop.turns, str(error), too_long, raw, at_fault)
    stopped = None if work.toolbox.finished else stopped
    if stopped is None:
        return WorkerReport(loop.usage, loop.turns)
    return WorkerReport(loop.usage, loop.turns, stopped, reply=loop.reply, at_fault=not loop.out_of_tokens)


def parse_call(arguments: str) -> tuple[dict[str, Any] | None, str]:
    """The object that a call's argument text holds, or None and why not, quoting the bad part.

    A code fence round it is forgiven, nothing else is: a guess at broken JSON would put words into the model's mouth.
    """
    text = unfenced(arguments)
    if not text:
        return {}, ""
    try:
        value = json_value(text)
    except RecursionError:
        return None, "the arguments are nested too deeply"
    except ValueError as error:
        at = getattr(error, "pos", 0)
        reason = getattr(error, "msg", str(error))
        cut_off = " The text ends too early: write less in one call." if at >= len(text) - 1 else ""
        near = shorten(part(text, max(0, at - 40), at + 40), 80)
        return None, f"the arguments are not valid JSON ({reason} at character {at}, near `{near}`).{cut_off}"
    if not isinstance(value, dict):
        return None, f"the arguments must be one JSON object, not `{brief(text, 80)}`"
    return value, ""


def said_by(reply: ModelReply) -> str:
    """What a model answered, its calls as it sent them: for people who ask what went wrong. Short, without secrets."""
    calls = [f"{call.name}({call.arguments})" for call in reply.tool_calls]
    return brief("\n".join(part for part in (reply.text, *calls) if part), REPLY_KEPT)


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
    answered: int = 0  # tokens of tools' answers so far
    owing: bool = False  # a call of the last message was refused: it may be made once more, corrected
    out_of_tokens: bool = False
    reply: str | None = None

    def __post_init__(self) -> None:
        self.messages += [Message("system", self.work.system.text), Message("user", self.work.prompt)]
        self.specs = tuple(self.work.toolbox.specs)
        self.deadline = asyncio.get_running_loop().time() + self.work.limits.seconds

    def out_of_limits(self) -> str | None:
        limits = self.work.limits
        if self.work.progress.cancelled:
            raise CancelledRun(self.usage)
        if self.turns >= limits.turns:
            return f"the model did not finish within {limits.turns} turns"
        if self.usage.requests >= limits.requests:
            return f"the model did not finish within {limits.requests} requests"
        if self.invalid >= limits.invalid_calls:
            return f"the model made {self.invalid} invalid calls in a row"
        return None

    async def turn(self) -> str | None:
        """One request and the calls it asks for; the reason to stop, if there is one."""
        left = self.work.limits.requests - self.usage.requests
        request = ModelRequest(self.model_name, tuple(self.messages), self.specs, {"requests_left": str(left)})
        needed = request_tokens(request)
        if refused := self._too_dear(needed):
            self.out_of_tokens = True
            return refused
        reply = await self._within_limits(self.model.complete(request), TokenUsage(needed, 0, 1))
        if reply is None:
            return f"the model did not finish within {self.work.limits.seconds:g} seconds"
        self.turns += 1
        self.spend(TokenUsage(reply.usage.input_tokens, reply.usage.output_tokens, max(1, reply.usage.requests)))
        self.reply = said_by(reply) or self.reply
        if refused := oversize(reply.text, reply.tool_calls):
            return refused
        if not reply.tool_calls:
            return "the work is done" if self.work.toolbox.finished else self._nudge(reply)
        self.silent = 0
        self._run_calls(reply)
        return None

    def spend(self, usage: TokenUsage) -> None:
        """Count what a request took, here and for the day."""
        self.usage += usage
        if self.work.ledger is not None:
            self.work.ledger.spend(usage)

    def _too_dear(self, needed: int) -> str | None:
        """Why a request of so many tokens may not be sent; asked before each, so that no model can exceed a budget."""
        limit = self.work.limits.tokens
        left = limit - self.usage.input_tokens - self.usage.output_tokens
        if limit and needed > left:
            short = f"the next request needs {needed} of {max(0, left)} left"
            return f"the model did not finish within {limit} tokens: {short}"
        today = self.work.ledger.left() if self.work.ledger is not None else None
        if today is not None and needed > today:
            return f"the next request needs {needed} tokens, and the day has {today} left (tokens_per_day)"
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
        self.owing = False
        # All of them, also those behind one that finishes the work: models make several calls at once.
        for number, (call, value, problem) in enumerate(parsed):
            if self.work.progress.cancelled:
                raise CancelledRun(self.usage)
            if self.invalid >= self.work.limits.invalid_calls:
                return
            result = self._answer(call, value, problem, number, reply.finish_reason)
            self.owing = self.owing or result.is_error
            self.invalid = self.invalid + 1 if result.is_error else 0
            # A record may hold what somebody wrote into it by hand, and what is answered here leaves the process.
            text = self._bounded(redact(f"Error: {result.text}" if result.is_error else result.text))
            self.messages.append(Message("tool", text, tool_call_id=call.id))

    def _bounded(self, text: str) -> str:
        """A tool's answer, as long as the run has room for it: each further request sends it again (T04)."""
        size = count(text)
        if size > SHORT_ANSWER and self.answered + size > self.work.limits.answers:
            return "Not shown: this run has read as much as it may. Finish with what you know."
        self.answered += size
        return text

    def _answer(
        self, call: ToolCall, value: Mapping[str, Any] | None, problem: str, number: int, finish: str | None
    ) -> ToolResult:
        if number >= CALLS_PER_TURN:
            return ToolResult(f"At most {CALLS_PER_TURN} calls in one turn; this one was not run.", is_error=True)
        if value is None:
            cut = " Your answer reached its length limit." if finish == "length" else ""
            return ToolResult(f"{call.name} was not run: {problem}{cut}", is_error=True)
        return self.work.toolbox.call(call.name, value)

    async def _within_limits(self, request: Coroutine[Any, Any, ModelReply], cost: TokenUsage) -> ModelReply | None:
        """The reply; None when the time is over. The request is ended, not left behind, when the run is cancelled; what
        it `cost` is counted all the same, since a server may ask for it."""
        task = asyncio.ensure_future(request)
        try:
            while True:
                done, _ = await asyncio.wait({task}, timeout=POLL_SECONDS)
                if done:
                    return task.result()
                if self.work.progress.cancelled:
                    self.spend(cost)
                    raise CancelledRun(self.usage)
                if asyncio.get_running_loop().time() >= self.deadline:
                    self.spend(cost)
                    return None
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
