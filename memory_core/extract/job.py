"""One session's extract from pointer to staging: plan, ask the worker slice by slice, stage, advance.

Writes staging and the pointer, never memory. The staging file is written before the pointer; a run that dies in
between leaves a file that the next run takes over instead of asking again. Entries that arrive while a run is under
way are not looked at: a caller that wants them reads the log afresh and calls again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memory_core.config import Config
from memory_core.errors import Cancelled, LockHeld, MemoryCoreError
from memory_core.extract import instructions
from memory_core.extract.budget import limits, over_budget
from memory_core.extract.instructions import system_prompt
from memory_core.extract.letters import MOST_TRIES, Letters, given_up
from memory_core.extract.plan import due, has_messages, plan_slices, unextracted_tokens
from memory_core.extract.preview import dry_run_of, planned, rendered_inputs
from memory_core.extract.render import render
from memory_core.extract.takeover import staged_at
from memory_core.extract.task import ExtractRun, ExtractWorker, Found, SetAside, Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.ids import rfc3339, uuid7
from memory_core.ledger import DayLedger
from memory_core.llm import TokenUsage
from memory_core.ports import Progress, Store
from memory_core.sessions.anchors import entry_hash
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.staging import StagingFile, StagingSource, headline
from memory_core.tokens import count
from memory_core.worker import CancelledRun, Work, WorkerReport

__all__ = ["MOST_TRIES", "due", "extract_session", "planned", "rendered_inputs", "unextracted_tokens"]

# A slice that a model's window refuses is planned again at half the size, down to this many tokens.
SMALLEST_SLICE = 1_000


async def extract_session(
    session: Session,
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
    """Extract what follows a session's pointer; one run per slice, in order, ending with the first that failed.

    A failure is a run's status, and the slices before it stay done. Raises Cancelled. `if_due`: only when the
    threshold is reached. `dry_run`: say what would be sent; the worker is not asked and nothing is written. `retry`:
    also where the next slice failed MOST_TRIES times.
    """
    if if_due and due(session, store.pointer(session), config) is None:
        return [_skipped(session, _not_due(session, store.pointer(session), config))]
    if dry_run:
        override = store.prompt_override(instructions.NAME)
        return [dry_run_of(session, store.pointer(session), config, override, worker.model)]
    try:
        with store.extract_lock(session.session_id):
            return await _Extract(session, store, worker, config, progress, now, retry).run()
    except LockHeld as error:
        return [_skipped(session, f"already running: {error}")]


def _skipped(session: Session, reason: str) -> ExtractRun:
    return ExtractRun(session.session_id, None, "skipped", reason, agent=session.agent, title=session.title)


def _not_due(session: Session, pointer: Pointer, config: Config) -> str:
    threshold = config.memory.extract_threshold
    if not threshold:
        return "not due: extract_threshold is 0, which turns it off"
    return f"not due: {unextracted_tokens(session, pointer)} of {threshold} tokens were said since the last extract"


@dataclass
class _Extract:
    """One session's extract under its lock."""

    session: Session
    store: Store
    worker: ExtractWorker
    config: Config
    progress: Progress
    now: Callable[[], datetime]
    retry: bool = False

    def __post_init__(self) -> None:
        self.run_id = uuid7(self.now())
        self.pointer = self.store.pointer(self.session)
        self.limit = self.config.memory.extract_worker_max_input_tokens
        self.spent = TokenUsage()
        self.letters = Letters(self.store.dead_letters(), self.session)

    async def run(self) -> list[ExtractRun]:
        runs: list[ExtractRun] = []
        try:
            runs += self._take_over()
            if (letter := self.letters.at(self.pointer.processed_through_entry + 1)) is not None:
                if letter.tries >= MOST_TRIES and not self.retry:
                    return [*runs, self._run(letter.source.range, "skipped", given_up(letter))]
                self.limit = max(SMALLEST_SLICE, self.limit >> letter.tries)  # a smaller part may go through
            await self._all_slices(runs)
        except Cancelled:
            raise
        except MemoryCoreError as error:  # the store refused; what is in `runs` is done all the same
            runs.append(self._ended(None, "failed", str(error)))
        return runs or [self._run(None, "nothing", "no new entries")]

    async def _all_slices(self, runs: list[ExtractRun]) -> None:
        slices = self._plan()
        while slices:
            view, *slices = slices
            fraction = view.start / max(1, len(self.session.entries))
            self.progress.report(f"{self.session.session_id[:8]}: entries {view.start} to {view.end}", fraction)
            run, report = await self._slice(view)
            if report.too_long and self.limit // 2 >= SMALLEST_SLICE:
                self.limit //= 2
                slices = self._plan()
                continue
            runs.append(run)
            if run.status in ("failed", "skipped"):
                return

    def _bury(self, view: Slice, reason: str, reply: str | None) -> None:
        """Keep what went wrong with a slice, so that it is known, counted, and not tried without end."""
        instant, by = self.now(), (self.worker.name, self.worker.model)
        about: Any = {"new_id": uuid7(instant), "run_id": self.run_id, "at": rfc3339(instant), "by": by}
        self.store.bury(self.letters.another(self._source(view), reason, reply, **about))

    def _plan(self) -> list[Slice]:
        return plan_slices(self.session, self.pointer, self.limit, self.config.memory.language)

    def _take_over(self) -> list[ExtractRun]:
        """Advance over what an earlier run staged without getting to its pointer."""
        runs: list[ExtractRun] = []
        # What a pointer was written for is done. Where its entries are to be read again, the log was written anew
        # since, or its last entry has grown, and that was never staged.
        done = self.store.pointed_at(self.session)
        files = [file for file in self.store.staging().files if file.id not in done]
        while True:
            staged = staged_at(files, self.session, self.pointer.processed_through_entry + 1)
            if staged is None:
                return runs
            self._advance(Pointer(staged.source.range[1], staged.id))
            reason = "staged by an earlier run that ended before it could note how far it was"
            runs.append(self._ended(staged.source.range, "staged", reason, file=staged))

    async def _slice(self, view: Slice) -> tuple[ExtractRun, WorkerReport]:
        nothing = WorkerReport()
        if self.progress.cancelled:
            raise Cancelled("The extract was cancelled; what was staged before stays.")
        if not has_messages(view):
            self._advance(Pointer(view.end, None))
            return self._ended((view.start, view.end), "nothing", "nobody said anything in these entries"), nothing
        toolbox = ExtractToolbox(view)
        place = (view.start, view.end)
        fields: dict[str, Any] = {}
        ledger = self._ledger()
        try:
            system = system_prompt(view.language, toolbox.specs, self.store.prompt_override(instructions.NAME))
            prompt = render(view, self.limit)
            if self.worker.model is not None:
                fields["prompt"] = {"name": system.name, "hash": system.hash}
                needed = count(system.text) + count(prompt)
                if refused := over_budget(self.config, self.spent, self.store.tokens_spent_today(), needed):
                    return self._ended(place, "skipped", refused), nothing
            allowed = limits(self.config, self.spent)
            report = await self.worker.run(Work(system, prompt, toolbox, allowed, self.progress, ledger), view)
        except CancelledRun as error:
            counted = ledger.covers(error.usage) or None
            self._ended(place, "failed", "cancelled", usage=error.usage, counted=counted, **fields)
            raise
        except Cancelled:
            self._ended(place, "failed", "cancelled", **fields)
            raise
        except MemoryCoreError as error:
            return self._ended(place, "failed", str(error), **fields), nothing
        self.spent += report.usage
        counted = ledger.covers(report.usage) or None
        fields |= {"usage": report.usage, "counted": counted, "turns": report.turns}
        fields |= {"refused_calls": toolbox.refused or None}
        if toolbox.result is None:
            reason = report.stopped or "the worker ended without a result"
            if report.at_fault and not (report.too_long and self.limit // 2 >= SMALLEST_SLICE):
                self._bury(view, reason, report.reply)
            return self._ended(place, "failed", reason, reply=report.reply, **fields), report
        return self._finish(view, toolbox, fields), replace(report, too_long=False)

    def _ledger(self) -> DayLedger:
        about = {"run_id": self.run_id, "provider": self.worker.name, "model": self.worker.model}
        return DayLedger(self.store, self.config.provider.tokens_per_day, about)

    def _finish(self, view: Slice, toolbox: ExtractToolbox, fields: dict[str, Any]) -> ExtractRun:
        """Stage what was handed in, then advance."""
        place = (view.start, view.end)
        notes = [*toolbox.flags, *([f"{len(toolbox.dropped)} set aside"] if toolbox.dropped else [])]
        doubts = f" ({'; '.join(notes)})" if notes else ""
        fields |= {"dropped": toolbox.dropped}
        empty = not any((toolbox.result or {}).values())
        file = self._staging_file(view, toolbox)
        try:
            if not empty:
                self.store.stage(file)
            self._advance(Pointer(view.end, None if empty else file.id))
        except MemoryCoreError as error:
            return self._ended(place, "failed", str(error), **fields)
        if empty:
            return self._ended(place, "nothing", "nothing worth keeping was found" + doubts, **fields)
        found = sum(file.counts().values())
        reason = f"{found} candidate{'s' * (found != 1)} staged{doubts}"
        return self._ended(place, "staged", reason, file=file, **fields)

    def _staging_file(self, view: Slice, toolbox: ExtractToolbox) -> StagingFile:
        instant = self.now()
        source = self._source(view)
        return StagingFile.model_validate(
            {
                "id": uuid7(instant),
                "run_id": self.run_id,
                "created_at": rfc3339(instant),
                "source": source,
                "language": view.language,
                **(toolbox.result or {}),
            }
        )

    def _source(self, view: Slice) -> StagingSource:
        return StagingSource(
            session_id=self.session.session_id,
            range=(view.start, view.end),
            through=entry_hash(self.session.entries[view.end]),
            agent=self.session.agent,
            log=str(self.session.path) if self.session.path else None,
            scope=dict(self.session.scope) or None,
        )

    def _advance(self, pointer: Pointer) -> None:
        self.store.advance(self.session, pointer)
        self.pointer = pointer
        if passed := self.letters.passed(pointer.processed_through_entry):
            self.store.unbury(passed)

    def _ended(
        self,
        place: tuple[int, int] | None,
        status: str,
        reason: str,
        *,
        file: StagingFile | None = None,
        usage: TokenUsage | None = None,
        dropped: tuple[SetAside, ...] = (),
        **fields: Any,
    ) -> ExtractRun:
        """The run, written to the audit log."""
        run = self._run(place, status, reason, file, usage or TokenUsage(), dropped)
        counts = file.counts() if file else None
        # What was staged stands in the staging file; the log need not say it again.
        plain = run.plain() | {"usage": usage.plain() if usage else None, "counts": counts, "candidates": None}
        provider = {"provider": self.worker.name, "model": self.worker.model}
        self.store.append_audit("extract", {"run_id": self.run_id, **plain, **provider, **fields})
        return run

    def _run(
        self,
        place: tuple[int, int] | None,
        status: str,
        reason: str,
        file: StagingFile | None = None,
        usage: TokenUsage = TokenUsage(),
        dropped: tuple[SetAside, ...] = (),
    ) -> ExtractRun:
        found = [Found(ref.id, ref.array[:-1], headline(ref.candidate)) for ref in file.candidates()] if file else []
        return ExtractRun(
            self.session.session_id,
            place,
            status,  # type: ignore[arg-type]
            reason,
            file.id if file else None,
            file.counts() if file else None,
            usage,
            dropped,
            self.session.agent,
            tuple(found),
            self.session.title,
        )
