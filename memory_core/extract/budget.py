"""What the extract of one session may spend. Pure arithmetic on settings; `job` asks, the worker's loop enforces."""

from __future__ import annotations

from memory_core.config import Config
from memory_core.llm import TokenUsage
from memory_core.worker import Limits


def limits(config: Config, spent: TokenUsage) -> Limits:
    """What the next slice may spend. `spent`: by the slices before it. What tools answer is at most as much as the
    slice itself."""
    return Limits(
        turns=config.memory.extract_worker_max_turns,
        requests=max(0, config.provider.requests_per_run - spent.requests),
        answers=config.memory.extract_worker_max_input_tokens,
    )


def over_budget(config: Config, spent: TokenUsage, spent_today: int, needed: int) -> str | None:
    """Why a slice of `needed` tokens may not be sent now; None when it may."""
    per_day, per_run = config.provider.tokens_per_day, config.provider.requests_per_run
    if spent.requests >= per_run:
        return f"the {per_run} requests of a run are used up (requests_per_run); the next run goes on from here"
    if per_day and spent_today + needed > per_day:
        return f"{spent_today} of {per_day} tokens of today are spent (tokens_per_day), this part needs {needed}"
    return None
