"""A consolidation from lock to closed candidates: what is done in which order, so that a crash loses nothing.

Decides no content (a worker does, through the toolbox) and touches no file (the store does).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from contextlib import nullcontext
from datetime import datetime

from memory_core import tokens
from memory_core.changes import ChangeSet
from memory_core.config import Config
from memory_core.consolidate import figures, held, loss, offers
from memory_core.consolidate.buried import buried_under
from memory_core.consolidate.covered import covered_by
from memory_core.consolidate.draft import MAX_CHANGES, Draft, errors_in
from memory_core.consolidate.outcome import Decided, Outcome, decided_by_host, settle
from memory_core.consolidate.render import render_candidate, render_input
from memory_core.consolidate.schema import TOOLS
from memory_core.consolidate.task import ConsolidateInput, ConsolidateRun, ConsolidateWorker, RecordChange
from memory_core.consolidate.tidy import tidy_hints
from memory_core.consolidate.tools import ConsolidateToolbox
from memory_core.errors import Cancelled, LockHeld, ProviderError
from memory_core.ids import rfc3339
from memory_core.layout import record_at
from memory_core.lint.check import Severities
from memory_core.ports import OpenTexts, Progress, StagingArea, Store
from memory_core.prompts import Prompt, render
from memory_core.refactor.diff import unified
from memory_core.staging import CandidateRef, Resolution
from memory_core.worker import Limits, Work, WorkerReport

PROMPT = "consolidate_system"
INPUT_TOKENS = 24_000  # of candidates in one run of a model; the rest waits for the next run
TURNS = 60
LANGUAGES = {"en": "English", "ja": "Japanese", "zh": "Chinese", "ko": "Korean", "de": "German", "fr": "French"}


def consolidation_due(area: StagingArea, config: Config) -> str | None:
    """None when enough is staged for a run; else why it is not due."""
    files, size = config.memory.consolidation_threshold_files, config.memory.consolidation_threshold_bytes
    if not files and not size:
        return "automatic consolidation is off: both thresholds are 0"
    if not area.files:
        return _nothing(area)
    if (files and len(area.files) >= files) or (size and area.bytes >= size):
        return None
    parts = [f"{len(area.files)} of {files} files"] if files else []
    parts += [f"{area.bytes} of {size} bytes"] if size else []
    return f"not enough is staged: {', '.join(parts)}"


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
) -> ConsolidateRun:
    """One run over everything staged. Expected ends, a lost race among them, are the status of what is returned.

    Raises Cancelled when `progress` says so, StoreError when the disk refuses; then the candidates are still staged.
    `busy`: paths of records open with unsaved edits, asked at each write. `editor`: where open records are changed.
    `dry_run`: nothing is written, `diff` says what would be.
    """
    area = store.staging()
    if not area.files:
        return ConsolidateRun(run_id, "nothing", _nothing(area))
    consumed = [file.id for file in area.files]
    job = _Job(run_id, store, worker, config, progress, now, dry_run, busy, editor)
    try:
        with nullcontext() if dry_run else store.consolidation_lock(consumed):
            return await job.run(frozenset(consumed))
    except LockHeld as error:
        return ConsolidateRun(run_id, "failed", str(error), left=tuple(sorted(area.open)))


def _nothing(area: StagingArea) -> str:
    if area.invalid:
        names = ", ".join(name for name, _ in area.invalid[:3])
        return f"nothing is staged that can be read ({len(area.invalid)} files cannot: {names})"
    return "nothing is staged"


class _Job:
    """One run while it holds the lock."""

    def __init__(
        self,
        run_id: str,
        store: Store,
        worker: ConsolidateWorker,
        config: Config,
        progress: Progress,
        now: Callable[[], datetime],
        dry_run: bool,
        busy: Container[str],
        editor: OpenTexts | None,
    ) -> None:
        self.run_id = run_id
        self.store = store
        self.worker = worker
        self.config = config
        self.progress = progress
        self.now = now
        self.dry_run = dry_run
        self.busy = busy
        self.editor = editor

    async def run(self, consumed: frozenset[str]) -> ConsolidateRun:
        self.progress.report("Reading records and candidates")
        # Read again under the lock: whoever held it before may have closed some of them.
        area = self.store.staging()
        reviews = self.store.held()
        waiting = frozenset(candidate for run in reviews for candidate in run.candidates())
        candidates = [
            ref
            for file in area.files
            if file.id in consumed
            for ref in file.candidates()
            if ref.id in area.open and ref.id not in waiting
        ]
        if not candidates and waiting:
            names = ", ".join(run.run_id for run in reviews)
            return ConsolidateRun(
                self.run_id,
                "nothing",
                f"all that is staged waits for your review of {names} (`omoide consolidate --review`)",
                left=tuple(sorted(waiting)),
            )
        snapshot = self.store.load()
        covered = covered_by(candidates, snapshot)
        rest = [ref for ref in candidates if ref.id not in covered]
        by_host = decided_by_host(covered, buried_under(rest, self.store.tombstones()))
        asked = self._fitting([ref for ref in candidates if ref.id not in by_host])
        usage = list(self.store.usage_report().rows)
        severities = self.config.severities()
        draft = Draft(snapshot, self.now(), severities, MAX_CHANGES if self.worker.model else None)
        toolbox = ConsolidateToolbox(draft, asked, usage, severities, self.store.offers())
        language = _language(self.config, area)
        system = self._system(language)
        done = WorkerReport()
        if asked:
            refusal = self._over_budget()
            if refusal:
                return self._failed(refusal, candidates, system)
            view = ConsolidateInput(asked, snapshot, usage, language)
            text = self._input(view, severities) if self.worker.model else ""
            self.progress.report(f"Deciding {len(asked)} candidates")
            try:
                done = await self.worker.run(Work(system, text, toolbox, self._limits(), self.progress), view)
            except ProviderError as error:
                return self._failed(str(error), candidates, system)
            except Cancelled:
                self._audit(ConsolidateRun(self.run_id, "failed", "cancelled"), system, done, toolbox)
                raise
        if self.progress.cancelled:
            raise Cancelled("The consolidation was stopped: nothing was written, the candidates are still staged.")
        run = self._finish(toolbox, candidates, by_host, done)
        if run.status != "failed" and not self.dry_run:
            offers.keep(self.store, self.run_id, self.now(), run.offers)
        self._audit(run, system, done, toolbox)
        return run

    def _input(self, view: ConsolidateInput, severities: Severities) -> str:
        """The text a model is given."""
        hints = tidy_hints(view.snapshot, severities, self.config.memory, view.usage, self.now())
        return render_input(view, hints)

    def _finish(
        self,
        toolbox: ConsolidateToolbox,
        candidates: Sequence[CandidateRef],
        by_host: dict[str, Decided],
        done: WorkerReport,
    ) -> ConsolidateRun:
        draft = toolbox.draft
        everything = tuple(ref.id for ref in candidates)
        broken = errors_in(draft.preview, draft.changes.files, self.config.severities())
        if broken:
            lines = "; ".join(line for lines in broken.values() for line in lines)
            return ConsolidateRun(self.run_id, "failed", f"the result does not lint: {lines}", left=everything)
        if review := self._review(draft):
            return self._hold(toolbox, by_host, everything, done, review)
        outcome = settle(toolbox, by_host, self.store.conflicts(draft.changes, self.busy))
        if not self.dry_run:
            outcome = self._commit(toolbox, by_host, outcome)
        left = tuple(ref.id for ref in candidates if ref.id not in outcome.closing)
        status = "conflict" if outcome.conflicts else "committed"
        if not outcome.changes and not outcome.closing and status != "conflict":
            status = "failed" if done.stopped and not toolbox.offers else "nothing"
        return ConsolidateRun(
            self.run_id,
            status,  # type: ignore[arg-type]
            _reason(done, outcome),
            _record_changes(outcome),
            self._resolutions(outcome),
            left,
            tuple(sorted(outcome.conflicts)),
            done.usage,
            diff_of(draft, outcome),
            tuple(toolbox.offers),
            figures.churn(draft.base, draft.base.with_changes(outcome.changes), outcome.changes),
            figures.residency(draft.base, self.store.usage_report().rows),
        )

    def _review(self, draft: Draft) -> str | None:
        """Why a person has to see the run before it is written; None when it may go on."""
        if taken := loss.too_much(draft.base, draft.changes):
            return f"held for review: {taken}; nothing was written"
        if self.config.memory.consolidate_review == "preview" and draft.changes:
            return "held for review, as `consolidate_review` asks; nothing was written"
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
            closing = [r for r in self._resolutions(outcome) if r.action != "kept"]
            about = {"reason": reason, "provider": self.worker.name, "notes": draft.notes}
            self.store.hold(held.hold(self.run_id, self.now(), outcome.changes, closing, **about))
        return ConsolidateRun(
            self.run_id,
            "held",
            reason,
            left=everything,
            usage=done.usage,
            diff=diff_of(draft),
            offers=tuple(toolbox.offers),
        )

    def _commit(self, toolbox: ConsolidateToolbox, by_host: dict[str, Decided], outcome: Outcome) -> Outcome:
        """Records first, then how the candidates were closed: a crash in between leaves candidates that the next run
        finds covered, never a closed candidate without its record."""
        self.progress.report("Writing records")
        outcome, shown = self._in_editor(toolbox, by_host, outcome)
        rest = ChangeSet({path: change for path, change in outcome.changes.files.items() if path not in shown})
        reason = f"consolidate with {self.worker.name}"
        result = self.store.commit(rest, run_id=self.run_id, reason=reason, busy=self.busy, notes=toolbox.draft.notes)
        if result.conflicts:
            written = {*result.written, *shown}
            outcome = settle(toolbox, by_host, {**outcome.conflicts, **result.reasons}, written=written)
        outcome = outcome.unsaved(shown, toolbox.draft.cites)
        self.store.close(self._resolutions(outcome))
        return outcome

    def _in_editor(
        self, toolbox: ConsolidateToolbox, by_host: dict[str, Decided], outcome: Outcome
    ) -> tuple[Outcome, frozenset[str]]:
        """Have the editor change the records that are open there; the paths it changed. What it refuses is a conflict,
        and nothing that belongs to it is written."""
        editor = self.editor
        if editor is None:
            return outcome, frozenset()
        shown = {c.path: c for c in outcome.changes if c.op == "update" and editor.shows(c.path)}
        why = editor.apply(ChangeSet(shown)) if shown else None
        if why:
            return settle(toolbox, by_host, {**outcome.conflicts, **dict.fromkeys(shown, why)}), frozenset()
        return outcome, frozenset(shown)

    def _resolutions(self, outcome: Outcome) -> tuple[Resolution, ...]:
        at = rfc3339(self.now())
        return tuple(
            Resolution(
                candidate=candidate, action=action, reason=why, records=records, run_id=self.run_id, recorded_at=at
            )
            for candidate, (action, why, records) in outcome.decided.items()
        )

    def _fitting(self, candidates: list[CandidateRef]) -> list[CandidateRef]:
        """What one run of a model takes, in order; rules take everything."""
        if self.worker.model is None:
            return candidates
        taken: list[CandidateRef] = []
        size = 0
        for ref in candidates:
            size += tokens.estimate(render_candidate(ref))
            if taken and size > INPUT_TOKENS:
                break
            taken.append(ref)
        return taken

    def _system(self, language: str) -> Prompt:
        values = {
            "language": LANGUAGES.get(language, language),
            "today": rfc3339(self.now())[:10],
            "tools": "\n".join(f"- `{name}`: {text}" for name, (_, text) in TOOLS.items()),
        }
        return render(PROMPT, self.store.prompt_override(PROMPT), **values)

    def _limits(self) -> Limits:
        limit = self.config.provider.tokens_per_day
        rest = max(1, limit - self.store.tokens_spent_today()) if limit else 0
        return Limits(turns=TURNS, requests=self.config.provider.requests_per_run, tokens=rest)

    def _over_budget(self) -> str | None:
        limit = self.config.provider.tokens_per_day
        if self.worker.model is None or not limit:
            return None
        spent = self.store.tokens_spent_today()
        return f"the day's {limit} tokens are spent ({spent}): raise tokens_per_day or wait" if spent >= limit else None

    def _failed(self, reason: str, candidates: Sequence[CandidateRef], system: Prompt) -> ConsolidateRun:
        run = ConsolidateRun(self.run_id, "failed", reason, left=tuple(ref.id for ref in candidates))
        self._audit(run, system, WorkerReport(), None)
        return run

    def _audit(
        self, run: ConsolidateRun, system: Prompt, done: WorkerReport, toolbox: ConsolidateToolbox | None
    ) -> None:
        if self.dry_run:
            return
        fields = {
            **run.plain(),
            "closed": [
                r.model_dump(mode="json", include={"candidate", "action", "reason", "records"}) for r in run.closed
            ],
            "provider": self.worker.name,
            "model": self.worker.model,
            "prompt": {"name": system.name, "hash": system.hash},
            "usage": done.usage.plain(),
            "turns": done.turns,
            "stopped": done.stopped,
            "removed": dict(toolbox.deleted) if toolbox and toolbox.deleted else None,
        }
        self.store.append_audit("consolidate", fields)


def _language(config: Config, area: StagingArea) -> str:
    if config.memory.language != "auto":
        return config.memory.language
    counted = Counter(file.language for file in area.files if file.language)
    return min(counted, key=lambda code: (-counted[code], code)) if counted else "en"


def _reason(done: WorkerReport, outcome: Outcome) -> str:
    parts = [f"the worker stopped early: {done.stopped}"] if done.stopped else []
    parts += [f"{path} {why}" for path, why in sorted(outcome.conflicts.items())]
    if outcome.in_editor:
        names = ", ".join(sorted(outcome.in_editor))
        parts.append(f"{names} changed in your editor: save, and the next run closes the candidates")
    return "; ".join(parts)


def _record_changes(outcome: Outcome) -> tuple[RecordChange, ...]:
    found = []
    for change in outcome.changes:
        ref = record_at(change.path)
        if ref:
            found.append(RecordChange(change.op, str(ref.kind), ref.slug))
    return tuple(found)


def diff_of(draft: Draft, outcome: Outcome | None = None) -> str:
    """The changes as a unified diff, for people."""
    return unified(outcome.changes if outcome else draft.changes)
