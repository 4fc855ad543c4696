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
from memory_core.extract.instructions import system_prompt
from memory_core.extract.plan import due, has_messages, plan_slices, unextracted_tokens
from memory_core.extract.preview import dry_run_of, planned, rendered_inputs
from memory_core.extract.render import render
from memory_core.extract.task import ExtractRun, ExtractWorker, SetAside, Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.ids import rfc3339, uuid7
from memory_core.llm import TokenUsage
from memory_core.ports import Progress, Store
from memory_core.sessions.anchors import entry_hash
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.staging import Anchor, DeadLetter, StagingFile, StagingSource
from memory_core.tokens import count
from memory_core.worker import CancelledRun, Limits, Work, WorkerReport

__all__ = ["due", "extract_session", "planned", "rendered_inputs", "unextracted_tokens"]

# A slice that failed this often is left alone until somebody asks for another try: it would cost the same each time.
MOST_TRIES = 3
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
        return [ExtractRun(session.session_id, None, "skipped", _not_due(session, store.pointer(session), config))]
    if dry_run:
        override = store.prompt_override(instructions.NAME)
        return [dry_run_of(session, store.pointer(session), config, override, worker.model)]
    try:
        with store.extract_lock(session.session_id):
            return await _Extract(session, store, worker, config, progress, now, retry).run()
    except LockHeld as error:
        return [ExtractRun(session.session_id, None, "skipped", f"already running: {error}")]


def _not_due(session: Session, pointer: Pointer, config: Config) -> str:
    threshold = config.memory.extract_threshold
    if not threshold:
        return "not due: extract_threshold is 0, which turns it off"
    return f"not due: {unextracted_tokens(session, pointer)} of {threshold} activity tokens since the last extract"


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
        self.letters = [letter for letter in self.store.dead_letters() if self._is_mine(letter.source)]

    async def run(self) -> list[ExtractRun]:
        runs: list[ExtractRun] = []
        try:
            runs += self._take_over()
            if (letter := self._letter(self.pointer.processed_through_entry + 1)) is not None:
                if letter.tries >= MOST_TRIES and not self.retry:
                    return [*runs, self._given_up(letter)]
                self.limit = max(SMALLEST_SLICE, self.limit >> letter.tries)  # a smaller part may go through
            await self._all_slices(runs)
        except Cancelled:
            raise
        except MemoryCoreError as error:  # the store refused; what is in `runs` is done all the same
            runs.append(self._ended(None, "failed", str(error)))
        return runs or [ExtractRun(self.session.session_id, None, "nothing", "no new entries")]

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

    def _is_mine(self, source: StagingSource) -> bool:
        return source.session_id == self.session.session_id and source.agent in (None, self.session.agent)

    def _letter(self, start: int) -> DeadLetter | None:
        """The letter of the slice that begins at an entry; the latest, where there are several."""
        mine = [letter for letter in self.letters if letter.source.range[0] == start]
        return mine[-1] if mine else None

    def _given_up(self, letter: DeadLetter) -> ExtractRun:
        reason = (
            f"{letter.tries} tries failed, the last one because {letter.reason}; `omoide extract --retry` tries again"
        )
        return ExtractRun(self.session.session_id, letter.source.range, "skipped", reason)

    def _bury(self, view: Slice, reason: str, reply: str | None) -> None:
        """Keep what went wrong with a slice, so that it is known, counted, and not tried without end."""
        before = self._letter(view.start)
        instant = self.now()
        letter = DeadLetter(
            id=before.id if before else uuid7(instant),
            run_id=self.run_id,
            created_at=rfc3339(instant),
            source=self._source(view),
            reason=reason,
            tries=before.tries + 1 if before else 1,
            reply=reply,
            provider=self.worker.name,
            model=self.worker.model,
        )
        self.store.bury(letter)
        self.letters = [*(kept for kept in self.letters if kept.id != letter.id), letter]

    def _plan(self) -> list[Slice]:
        return plan_slices(self.session, self.pointer, self.limit, self.config.memory.language)

    def _take_over(self) -> list[ExtractRun]:
        """Advance over what an earlier run staged without getting to its pointer."""
        runs: list[ExtractRun] = []
        mine = [f for f in self.store.staging().files if _is_of(f, self.session)]
        while True:
            start = self.pointer.processed_through_entry + 1
            staged = next((f for f in mine if f.source.range[0] <= start <= f.source.range[1]), None)
            if staged is None:
                return runs
            self._advance(Pointer(staged.source.range[1], staged.id))
            reason = "staged by an earlier run that ended before its pointer was written"
            runs.append(
                self._ended(staged.source.range, "staged", reason, staging_id=staged.id, counts=staged.counts())
            )

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
        try:
            system = system_prompt(view.language, toolbox.specs, self.store.prompt_override(instructions.NAME))
            prompt = render(view, self.limit)
            if self.worker.model is not None:
                fields["prompt"] = {"name": system.name, "hash": system.hash}
                if refused := self._over_budget(count(system.text) + count(prompt)):
                    return self._ended(place, "skipped", refused), nothing
            report = await self.worker.run(Work(system, prompt, toolbox, self._limits(), self.progress), view)
        except CancelledRun as error:
            self._ended(place, "failed", "cancelled", usage=error.usage, **fields)
            raise
        except Cancelled:
            self._ended(place, "failed", "cancelled", **fields)
            raise
        except MemoryCoreError as error:
            return self._ended(place, "failed", str(error), **fields), nothing
        self.spent += report.usage
        fields |= {"usage": report.usage, "turns": report.turns, "refused_calls": toolbox.refused or None}
        if toolbox.result is None:
            reason = report.stopped or "the worker ended without a result"
            if report.at_fault and not (report.too_long and self.limit // 2 >= SMALLEST_SLICE):
                self._bury(view, reason, report.reply)
            return self._ended(place, "failed", reason, reply=report.reply, **fields), report
        return self._finish(view, toolbox, fields), replace(report, too_long=False)

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
        return self._ended(place, "staged", reason, staging_id=file.id, counts=file.counts(), **fields)

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
            agent=self.session.agent,
            log=str(self.session.path) if self.session.path else None,
            scope=dict(self.session.scope) or None,
        )

    def _advance(self, pointer: Pointer) -> None:
        self.store.advance(self.session, pointer)
        self.pointer = pointer
        passed = [letter for letter in self.letters if letter.source.range[0] <= pointer.processed_through_entry]
        if passed:
            self.store.unbury(letter.id for letter in passed)
            self.letters = [letter for letter in self.letters if letter not in passed]

    def _limits(self) -> Limits:
        per_day = self.config.provider.tokens_per_day
        return Limits(
            turns=self.config.memory.extract_worker_max_turns,
            requests=max(0, self.config.provider.requests_per_run - self.spent.requests),
            tokens=max(1, per_day - self.store.tokens_spent_today()) if per_day else 0,
        )

    def _over_budget(self, tokens: int) -> str | None:
        """Why a slice may not be sent now; asked before anything is."""
        per_day, per_run = self.config.provider.tokens_per_day, self.config.provider.requests_per_run
        if self.spent.requests >= per_run:
            return f"the {per_run} requests of a run are used up (requests_per_run); the next run goes on from here"
        today = self.store.tokens_spent_today() if per_day else 0
        if per_day and today + tokens > per_day:
            return f"{today} of {per_day} tokens of today are spent (tokens_per_day), this slice needs {tokens}"
        return None

    def _ended(
        self,
        place: tuple[int, int] | None,
        status: str,
        reason: str,
        *,
        staging_id: str | None = None,
        counts: dict[str, int] | None = None,
        usage: TokenUsage | None = None,
        dropped: tuple[SetAside, ...] = (),
        **fields: Any,
    ) -> ExtractRun:
        """The run, written to the audit log."""
        run = ExtractRun(
            self.session.session_id,
            place,
            status,  # type: ignore[arg-type]
            reason,
            staging_id,
            counts,
            usage or TokenUsage(),
            dropped,
        )
        plain = run.plain() | {"usage": usage.plain() if usage else None, "counts": counts}
        provider = {"provider": self.worker.name, "model": self.worker.model}
        self.store.append_audit("extract", {"run_id": self.run_id, **plain, **provider, **fields})
        return run


def _is_of(file: StagingFile, session: Session) -> bool:
    """Whether a staged slice is of this session as it is now. A log that was cut or written anew since then is another
    one, and what it says now was never staged."""
    source = file.source
    if source.session_id != session.session_id or source.agent not in (None, session.agent):
        return False
    if not 0 <= source.range[0] <= source.range[1] < len(session.entries):
        return False
    anchors = [anchor for ref in file.candidates() for anchor in ref.candidate.evidence]
    return not anchors or any(_holds(anchor, session) for anchor in anchors)


def _holds(anchor: Anchor, session: Session) -> bool:
    """Whether an entry that an anchor names still is the one it was made from; an edited line keeps its id or time."""
    first, last = anchor.entry_range
    return any(
        entry_hash(entry) == anchor.sha256
        or (anchor.native_id is not None and entry.native_id == anchor.native_id)
        or (anchor.ts is not None and entry.ts == anchor.ts)
        for entry in session.entries[max(0, first) : last + 1]
    )
