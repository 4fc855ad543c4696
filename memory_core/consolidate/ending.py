"""How a run that came to its end is told: its reason, its records, its resolutions, its line in the audit log. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory_core.changes import ChangeSet
from memory_core.consolidate.draft import Draft
from memory_core.consolidate.in_editor import to_save
from memory_core.consolidate.outcome import Outcome
from memory_core.consolidate.task import ConsolidateRun, RecordChange, Tidied
from memory_core.ids import rfc3339
from memory_core.layout import record_at
from memory_core.prompts import Prompt
from memory_core.records.schema import name_of
from memory_core.staging import Resolution
from memory_core.text import counted
from memory_core.worker import WorkerReport


def reason_of(done: WorkerReport, outcome: Outcome, withdrawn: frozenset[str]) -> str:
    """Everything about a run that did not go through smoothly, in words. `withdrawn`: closed by somebody meanwhile."""
    parts = [f"the worker stopped early: {done.stopped}"] if done.stopped else []
    parts += [f"{path} {why}" for path, why in sorted(outcome.conflicts.items())]
    if withdrawn:
        parts.append(f"{counted(len(withdrawn), 'candidate')} closed by somebody meanwhile: nothing was made of that")
    for one in sorted(outcome.late):
        records = ", ".join(outcome.decided[one][2])
        parts.append(f"{one} was closed by somebody while it was written{f': look at {records}' if records else ''}")
    if outcome.in_editor:
        parts.append(to_save(outcome.in_editor))
    return "; ".join(parts)


def record_changes(changes: ChangeSet) -> tuple[RecordChange, ...]:
    """The records that a change set touches."""
    found = ((change, record_at(change.path)) for change in changes)
    return tuple(RecordChange(change.op, str(ref.kind), ref.slug) for change, ref in found if ref)


def tidied(draft: Draft, changes: ChangeSet) -> tuple[Tidied, ...]:
    """The steps of tidying that are part of a change set, in order, each once."""
    steps = ((record_at(path), reason) for path, reason in draft.tidied if path in changes.files)
    return tuple(dict.fromkeys(Tidied(name_of(ref), reason) for ref, reason in steps if ref))


def resolutions(outcome: Outcome, run_id: str, now: datetime, said: Mapping[str, str]) -> tuple[Resolution, ...]:
    """How the candidates are closed, as the store keeps it. `said`: `words_hash` of each as the run read it."""
    about = {"run_id": run_id, "recorded_at": rfc3339(now)}
    return tuple(
        Resolution(candidate=one, action=action, reason=why, records=records, said=said.get(one), **about)
        for one, (action, why, records) in outcome.decided.items()
    )


def told(
    run: ConsolidateRun, doubted: Mapping[str, str], now: datetime, what: str = "evidence does not hold"
) -> ConsolidateRun:
    """A run that also tells which candidates stay staged, because their evidence does not hold or whatever else there
    is to doubt. Nothing is written of them: the next run looks again."""
    if not doubted:
        return run
    kept = tuple(
        Resolution(candidate=candidate, action="kept", reason=why, run_id=run.run_id, recorded_at=rfc3339(now))
        for candidate, why in doubted.items()
    )
    stay = "1 candidate stays" if len(kept) == 1 else f"{len(kept)} candidates stay"
    reason = f"{stay} staged, {what}"
    return replace(run, closed=(*run.closed, *kept), reason="; ".join(filter(None, (run.reason, reason))))


def audit_fields(
    run: ConsolidateRun,
    prompt: Prompt,
    done: WorkerReport,
    *,
    provider: str,
    model: str | None,
    removed: dict[str, str],
    counted: bool,
) -> dict[str, Any]:
    """What the audit log keeps of a run. `removed`: why, by record; `counted`: the day's ledger has its requests."""
    closed = [r.model_dump(mode="json", include={"candidate", "action", "reason", "records"}) for r in run.closed]
    return {
        **run.plain(),
        "closed": closed,
        "provider": provider,
        "model": model,
        "prompt": {"name": prompt.name, "hash": prompt.hash},
        "usage": done.usage.plain(),
        "counted": counted or None,
        "turns": done.turns,
        "stopped": done.stopped,
        "removed": removed or None,
    }
