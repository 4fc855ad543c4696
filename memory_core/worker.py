"""A worker: a model, or rules in its place, calling a stage's tools until the stage has what it needs.

The tools are the only way in and out of a worker, so rules and models pass the same checks. Knows no stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from memory_core.llm import TokenUsage, ToolSpec
from memory_core.ports import Progress
from memory_core.prompts import Prompt


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
    """How a worker ended. `stopped`: why it ended before the toolbox was finished, None where it finished."""

    usage: TokenUsage = TokenUsage()
    turns: int = 0
    stopped: str | None = None


@dataclass(frozen=True)
class Work:
    """What every worker is given: the system prompt, the input text, the tools, the limits, and where to report."""

    system: Prompt
    prompt: str
    toolbox: Toolbox
    limits: Limits
    progress: Progress
