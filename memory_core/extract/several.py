"""The extract of several sessions, one after the other: a failure of one keeps none of the others waiting.

What one session's extract does is in `job`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_core.config import Config
from memory_core.extract.job import extract_session
from memory_core.extract.task import ExtractRun, ExtractWorker
from memory_core.ports import Progress, Store
from memory_core.sessions.model import Session


async def extract_sessions(
    sessions: Sequence[Session],
    *,
    store: Store,
    worker: ExtractWorker,
    config: Config,
    progress: Progress,
    now: Callable[[], datetime],
    if_due: bool = False,
    dry_run: bool = False,
    retry: bool = False,
) -> list[ExtractRun]:
    """The runs of all sessions in order; see `extract_session`. Progress counts the sessions. Raises Cancelled."""
    runs: list[ExtractRun] = []
    for number, session in enumerate(sessions):
        one = OneOfSeveral(progress, number, len(sessions), session.agent)
        runs += await extract_session(
            session,
            store=store,
            worker=worker,
            config=config,
            progress=one,
            now=now,
            if_due=if_due,
            dry_run=dry_run,
            retry=retry,
        )
        if (done := sum(sum((run.counts or {}).values()) for run in runs)) and len(sessions) > 1:
            progress.report(
                f"{number + 1} of {len(sessions)} sessions done, {done} staged", (number + 1) / len(sessions)
            )
    return runs


@dataclass(frozen=True)
class OneOfSeveral:
    """The progress of one session as a part of the whole."""

    whole: Progress
    number: int
    count: int
    agent: str

    def report(self, message: str, fraction: float | None = None) -> None:
        if self.count == 1:
            self.whole.report(message, fraction)
            return
        done = (self.number + (fraction or 0.0)) / self.count
        self.whole.report(f"session {self.number + 1} of {self.count}, {self.agent} {message}", done)

    @property
    def cancelled(self) -> bool:
        return self.whole.cancelled
