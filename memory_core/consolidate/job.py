"""A consolidation from lock to closed candidates: what is done in which order, so that a crash loses nothing.

Decides no content (a worker does, through the toolbox) and touches no file (the store does).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from memory_core.config import Config
from memory_core.consolidate import figures, held, instructions, loss, offers
from memory_core.consolidate.budget import fitting, limits, spent_up
from memory_core.consolidate.covered import covered_by
from memory_core.consolidate.doubt import LogOf, doubts
from memory_core.consolidate.draft import MAX_CHANGES, Draft, errors_in
from memory_core.consolidate.due import consolidation_due, nothing_staged
from memory_core.consolidate.ending import audit_fields, reason_of, record_changes, resolutions, tidied, told
from memory_core.consolidate.in_editor import change_there, without
from memory_core.consolidate.instructions import language_of, system_prompt
from memory_core.consolidate.outcome import Decided, Outcome, decided_by_host, leaned_on_meanwhile, settle
from memory_core.consolidate.removed import GONE, said_again, vanished
from memory_core.consolidate.render import render_input
from memory_core.consolidate.task import ConsolidateInput, ConsolidateRun, ConsolidateWorker
from memory_core.consolidate.tidy import tidy_hints
from memory_core.consolidate.tools import ConsolidateToolbox
from memory_core.errors import Cancelled, LockHeld, ProviderError
from memory_core.ledger import DayLedger
from memory_core.ports import OpenTexts, Progress, StagingArea, Store
from memory_core.prompts import Prompt
from memory_core.refactor.diff import unified
from memory_core.snapshot import Snapshot
from memory_core.staging import CandidateRef, words_hash
from memory_core.worker import CancelledRun, Work, WorkerReport

__all__ = ["consolidate", "consolidation_due"]


async def consolidate(
    run_id: str,
    *,
    store: Store,
    worker: ConsolidateWorker,
    config: Config,
    progress: Progress,
    now: Callable[[], datetime],
    dry_run: bool = False,
    busy: Container[str] = frozenset(),
    editor: OpenTexts | None = None,
    only: Container[str] | None = None,
    if_due: bool = False,
    log_of: LogOf = lambda _: None,
) -> ConsolidateRun:
    """One run over everything staged. Expected ends, a lost race among them, are the status of what is returned.

    Raises Cancelled when `progress` says so, StoreError when the disk refuses; then the candidates are still staged.
    `busy`: paths of records open with unsaved edits, asked at each write. `editor`: where open records are changed.
    `dry_run`: nothing is written, `diff` says what would be. `only`: the ids of the candidates that it is about; the
    others stay as they are. `if_due`: nobody asked for this run, so another one that is going on is no failure.
    `log_of`: the logs in which candidates' evidence is looked up once more.
    """
    area = store.staging()
    # Rules tidy for nothing; a model is asked only where there is something to decide.
    tidies = worker.model is None and only is None and not area.invalid
    if not area.files and not tidies:
        return ConsolidateRun(run_id, "nothing", nothing_staged(area))
    consumed = [file.id for file in area.files]
    job = _Job(run_id, store, worker, config, progress, now, dry_run, busy, editor, only, log_of)
    try:
        with nullcontext() if dry_run else store.consolidation_lock(consumed):
            return await job.run(frozenset(consumed))
    except LockHeld as error:
        status: Literal["nothing", "failed"] = "nothing" if if_due else "failed"
        return ConsolidateRun(run_id, status, str(error), left=tuple(sorted(area.open)))


@dataclass
class _Job:
    """One run while it holds the lock."""

    run_id: str
    store: Store
    worker: ConsolidateWorker
    config: Config
    progress: Progress
    now: Callable[[], datetime]
    dry_run: bool
    busy: Container[str]
    editor: OpenTexts | None
    only: Container[str] | None = None
    log_of: LogOf = lambda _: None

    def __post_init__(self) -> None:
        about = {"run_id": self.run_id, "provider": self.worker.name, "model": self.worker.model}
        self.ledger = DayLedger(self.store, self.config.provider.tokens_per_day, about)
        self.said: dict[str, str] = {}
        self.leaned_on: dict[str, str] = {}

    async def run(self, consumed: frozenset[str]) -> ConsolidateRun:
        self.progress.report("Reading records and candidates")
        # Read again under the lock: whoever held it before may have closed some of them.
        area, reviews = self.store.staging(), self.store.held()
        waiting = frozenset(candidate for run in reviews for candidate in run.candidates())
        candidates = self._candidates(area, consumed, waiting)
        self.said = {ref.id: words_hash(ref.candidate) for ref in candidates}
        if not candidates and waiting:
            names = ", ".join(run.run_id for run in reviews)
            reason = f"all that is staged waits for your review of {names} (`omoide consolidate --review`)"
            return ConsolidateRun(self.run_id, "nothing", reason, left=tuple(sorted(waiting)))
        snapshot = self.store.load()
        covered = covered_by(candidates, snapshot)
        rest = [ref for ref in candidates if ref.id not in covered]
        by_host = decided_by_host(covered, said_again(self.store, rest, snapshot, self.progress.report), rest)
        open_ones = [ref for ref in candidates if ref.id not in by_host]
        doubted = await asyncio.to_thread(doubts, open_ones, self.log_of, self._go_on) if open_ones else {}
        sure = [ref for ref in open_ones if ref.id not in doubted]
        gone = vanished(self.store, sure, snapshot) if self.only is None else {}
        asked = fitting([ref for ref in sure if ref.id not in gone], self.worker.model, self.store.resolutions)
        usage, language = list(self.store.usage_report().rows), language_of(self.config.memory.language, area.files)
        view = ConsolidateInput(asked, snapshot, usage, language, self.now(), tidy=self.only is None)
        view = view.for_one_scope() if self.worker.model is not None else view
        toolbox = self._toolbox(view, snapshot)
        system = system_prompt(language, self.now(), self.store.prompt_override(instructions.NAME))
        done = WorkerReport()
        if asked or (self.worker.model is None and self.only is None):
            try:
                done = await self._ask(view, toolbox, system)
            except ProviderError as error:
                return self._failed(str(error), candidates, system)
        self._go_on()
        run = told(self._finish(toolbox, candidates, by_host, done), doubted, self.now())
        run = told(run, gone, self.now(), GONE)
        if not area.files and run.status == "nothing":
            return replace(run, reason=nothing_staged(area))
        if run.status != "failed" and not self.dry_run:
            offers.keep(self.store, self.run_id, self.now(), run.offers)
        self._audit(run, system, done, toolbox)
        return run

    def _candidates(self, area: StagingArea, consumed: frozenset[str], waiting: frozenset[str]) -> list[CandidateRef]:
        """What this run is about: open, not decided in a run that waits for review, and among those asked for."""
        refs = [ref for file in area.files if file.id in consumed for ref in file.candidates()]
        asked_for = [ref for ref in refs if self.only is None or ref.id in self.only]
        return [ref for ref in asked_for if ref.id in area.open and ref.id not in waiting]

    def _toolbox(self, view: ConsolidateInput, snapshot: Snapshot) -> ConsolidateToolbox:
        severities = self.config.severities()
        draft = Draft(snapshot, self.now(), severities, MAX_CHANGES if self.worker.model else None)
        return ConsolidateToolbox(draft, view.candidates, view.usage, severities, self.store.offers(), view.reach)

    async def _ask(self, view: ConsolidateInput, toolbox: ConsolidateToolbox, system: Prompt) -> WorkerReport:
        """Let the worker decide. ProviderError where it cannot, or may not any more today; Cancelled where the run was
        stopped, with what it had spent by then in the audit log."""
        if refusal := spent_up(self.config, self.worker.model, self.store.tokens_spent_today()):
            raise ProviderError(refusal)
        text = self._input(view) if self.worker.model else ""
        self.progress.report(f"Deciding {len(view.candidates)} candidates")
        try:
            work = Work(system, text, toolbox, limits(self.config), self.progress, self.ledger)
            return await self.worker.run(work, view)
        except Cancelled as error:
            done = WorkerReport(error.usage) if isinstance(error, CancelledRun) else WorkerReport()
            self._audit(ConsolidateRun(self.run_id, "failed", "cancelled"), system, done, toolbox)
            raise

    def _go_on(self) -> None:
        if self.progress.cancelled:
            raise Cancelled("The consolidation was stopped: nothing was written, the candidates are still staged.")

    def _input(self, view: ConsolidateInput) -> str:
        """The text a model is given."""
        hints = tidy_hints(view.snapshot, self.config.severities(), self.config.memory, view.usage, self.now())
        return render_input(view, hints)

    def _finish(
        self,
        toolbox: ConsolidateToolbox,
        candidates: Sequence[CandidateRef],
        by_host: dict[str, Decided],
        done: WorkerReport,
    ) -> ConsolidateRun:
        draft = toolbox.draft
        toolbox.withdrawn = self._closed_meanwhile()
        everything = tuple(ref.id for ref in candidates if ref.id not in toolbox.withdrawn)
        broken = errors_in(draft.preview, draft.changes.files, self.config.severities())
        if broken:
            lines = "; ".join(line for lines in broken.values() for line in lines)
            return ConsolidateRun(self.run_id, "failed", f"the result does not lint: {lines}", left=everything)
        if review := self._review(draft):
            return self._hold(toolbox, by_host, everything, done, review)
        self.leaned_on = leaned_on_meanwhile(self.store, toolbox, by_host)
        outcome = settle(toolbox, by_host, {**self.leaned_on, **self.store.conflicts(draft.changes, self.busy)})
        if not self.dry_run:
            outcome = self._commit(toolbox, by_host, outcome)
        left = tuple(one for one in everything if one not in outcome.closing)
        status = "conflict" if outcome.conflicts else "committed"
        if not outcome.changes and not outcome.closing and status != "conflict":
            status = "failed" if done.stopped and not toolbox.offers else "nothing"
        return ConsolidateRun(
            self.run_id,
            status,  # type: ignore[arg-type]
            reason_of(done, outcome, toolbox.withdrawn),
            record_changes(outcome.changes),
            resolutions(outcome, self.run_id, self.now(), self.said),
            left,
            tuple(sorted(outcome.conflicts)),
            done.usage,
            unified(outcome.changes),
            tuple(toolbox.offers),
            figures.churn(draft.base, draft.base.with_changes(outcome.changes), outcome.changes),
            figures.residency(draft.base, self.store.usage_report().rows),
            tidied(draft, outcome.changes),
            done.noticed,
        )

    def _closed_meanwhile(self) -> frozenset[str]:
        """The run's candidates that somebody closed since it read them: a person's word counts."""
        closed = ((how.candidate, how.said) for how in self.store.closed())
        return frozenset(one for one, said in closed if one in self.said and said in (None, self.said[one]))

    def _review(self, draft: Draft) -> str | None:
        """Why a person has to see the run before it is written; None when it may go on."""
        if taken := loss.too_much(draft.base, draft.changes):
            return f"held for review: {taken}; nothing was written"
        if self.config.memory.consolidate_review == "preview" and draft.changes:
            return "held for review, as you asked; nothing was written"
        return None

    def _hold(
        self,
        toolbox: ConsolidateToolbox,
        by_host: dict[str, Decided],
        everything: tuple[str, ...],
        done: WorkerReport,
        reason: str,
    ) -> ConsolidateRun:
        """Keep the finished run as it is, for a person to accept or reject."""
        draft = toolbox.draft
        outcome = settle(toolbox, by_host, {})
        if not self.dry_run:
            closing = [r for r in resolutions(outcome, self.run_id, self.now(), self.said) if r.action != "kept"]
            about = {"reason": reason, "provider": self.worker.name, "notes": draft.notes}
            self.store.hold(held.hold(self.run_id, self.now(), outcome.changes, closing, **about))
        return ConsolidateRun(
            self.run_id,
            "held",
            reason,
            left=everything,
            usage=done.usage,
            diff=unified(draft.changes),
            offers=tuple(toolbox.offers),
            tidied=tidied(draft, draft.changes),
            noticed=done.noticed,
        )

    def _commit(self, toolbox: ConsolidateToolbox, by_host: dict[str, Decided], outcome: Outcome) -> Outcome:
        """Records first, then how the candidates were closed: a crash in between leaves candidates that the next run
        finds covered, never a closed candidate without its record."""
        self.progress.report("Writing records")
        shown, refused = change_there(self.editor, outcome.changes)
        if refused:  # nothing that belongs to what the editor refused is written
            outcome = settle(toolbox, by_host, {**self.leaned_on, **outcome.conflicts, **refused})
        rest = without(outcome.changes, shown)
        reason = f"consolidate with {self.worker.name}"
        result = self.store.commit(rest, run_id=self.run_id, reason=reason, busy=self.busy, notes=toolbox.draft.notes)
        if result.conflicts:
            written = {*result.written, *shown}
            outcome = settle(
                toolbox, by_host, {**self.leaned_on, **outcome.conflicts, **result.reasons}, written=written
            )
        outcome = outcome.unsaved(shown, toolbox.draft.cites)
        late = self.store.close(resolutions(outcome, self.run_id, self.now(), self.said))
        return replace(outcome, late=late)

    def _failed(self, reason: str, candidates: Sequence[CandidateRef], system: Prompt) -> ConsolidateRun:
        run = ConsolidateRun(self.run_id, "failed", reason, left=tuple(ref.id for ref in candidates))
        self._audit(run, system, WorkerReport(), None)
        return run

    def _audit(
        self, run: ConsolidateRun, system: Prompt, done: WorkerReport, toolbox: ConsolidateToolbox | None
    ) -> None:
        if self.dry_run:
            return
        fields = audit_fields(
            run,
            system,
            done,
            provider=self.worker.name,
            model=self.worker.model,
            removed=dict(toolbox.deleted) if toolbox else {},
            counted=self.ledger.covers(done.usage),
        )
        self.store.append_audit("consolidate", fields)
