"""What all runs of a day may spend on a model, asked before each request and written down after it.

The audit log is the book: a run that is killed has paid for the requests it made, and two that go on at the same time
see each other's. Decides nothing about a run's own limits.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.llm import TokenUsage
from memory_core.ports import Store


@dataclass
class DayLedger:
    """The tokens of the UTC day, as one run sees them. `per_day`: 0 is no limit; `about`: whose requests these are, for
    the log; `written`: what this run wrote down."""

    store: Store
    per_day: int
    about: dict[str, str | None]
    written: TokenUsage = TokenUsage()

    def left(self) -> int | None:
        """Tokens that may still be spent today; None where there is no limit. Where nothing can be written down there
        are none: the limit would never come."""
        if not self.per_day:
            return None
        return max(0, self.per_day - self.store.tokens_spent_today()) if self.store.keeps_audit() else 0

    def spend(self, usage: TokenUsage) -> None:
        """One request was made."""
        self.written += usage
        self.store.append_audit("spent", {**self.about, "usage": usage.plain()})

    def covers(self, usage: TokenUsage) -> bool:
        """Whether all of a run's usage is written down already; a worker that asks in its own way may not have."""
        return 0 < usage.requests <= self.written.requests
