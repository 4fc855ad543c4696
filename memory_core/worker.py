"""A worker: a model, or rules in its place, calling a stage's tools until the stage has what it needs.

The tools are the only way in and out of a worker, so rules and models pass the same checks. Knows no stage; how a model
is led through its turns is `tool_loop`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from memory_core.errors import Cancelled
from memory_core.llm import TokenUsage, ToolSpec
from memory_core.ports import Progress
from memory_core.prompts import Prompt


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answers: text a model can act on. `is_error`: the call was refused and changed nothing."""

    text: str
    is_error: bool = False


def refused(text: str) -> ToolResult:
    """The answer to a call that changed nothing, with what is wrong with it."""
    return ToolResult(text, is_error=True)


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
    """What one run may spend. `invalid_calls`: refused calls in a row that end it; `tokens`: of all its requests, 0 is
    no limit; `answers`: tokens of what tools answer, which each further request sends again."""

    turns: int = 8
    requests: int = 30
    seconds: float = 600.0
    tokens: int = 0
    invalid_calls: int = 4
    answers: int = 32_000


class Ledger(Protocol):
    """What all runs of a day share."""

    def left(self) -> int | None:
        """Tokens that may still be spent; None where there is no limit."""
        ...

    def spend(self, usage: TokenUsage) -> None:
        """One request was made."""
        ...


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """How a worker ended. `stopped`: why it ended before the toolbox was finished, None where it finished.
    `too_long`: because the input does not fit the model. `at_fault`: because of what the worker did or the input is, so
    that the same again would end the same way; not a server that is down or a limit of the day. `reply`: the last text
    of the model, short, for the audit. `noticed`: what the worker saw and left to people, a line each."""

    usage: TokenUsage = TokenUsage()
    turns: int = 0
    stopped: str | None = None
    too_long: bool = False
    reply: str | None = None
    at_fault: bool = False
    noticed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Work:
    """What every worker is given: the system prompt, the input text, the tools, the limits, where to report, and what
    the day has left for models."""

    system: Prompt
    prompt: str
    toolbox: Toolbox
    limits: Limits
    progress: Progress
    ledger: Ledger | None = None


class CancelledRun(Cancelled):
    """A run stopped on request, with what it had spent by then."""

    def __init__(self, usage: TokenUsage) -> None:
        super().__init__("The run was cancelled; nothing of it was written.")
        self.usage = usage
