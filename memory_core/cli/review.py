"""Runs that wait for a person: shown change by change with what each rests on, accepted or rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_core.changes import ChangeSet
from memory_core.cli.app import Context
from memory_core.consolidate import held
from memory_core.refactor.diff import unified
from memory_core.staging import CandidateRef, HeldRun, headline
from memory_core.text import counted, shorten

if TYPE_CHECKING:
    from memory_core.workspace import Workspace


def review(context: Context, run_id: str) -> None:
    """One run with its diffs and their evidence; all that wait where `run_id` is `all`."""
    workspace = context.workspace()
    runs = workspace.store.held() if run_id == "all" else [held.find(workspace.store, run_id)]
    staged = {ref.id: ref for file in workspace.store.staging().files for ref in file.candidates()}
    if context.as_json:
        context.print_json({"held": [_plain(run, staged) for run in runs]})
        return
    for run in runs:
        context.echo(f"{run.run_id}  {run.created_at[:16].replace('T', ' ')}  {run.reason}", bold=True)
        for change in held.change_set(run):
            context.echo()
            context.echo(unified(ChangeSet({change.path: change})).rstrip("\n"))
            for line in _because(run, change.path, staged):
                context.echo(f"  {line}")
        others = [r for r in run.closed if not r.records]
        if others:
            context.echo()
        for resolution in others:
            context.echo(f"{resolution.action}: {_said(resolution.candidate, staged)} ({resolution.reason})")
        context.echo()
        context.echo(f"omoide consolidate --accept {run.run_id}   or   --reject {run.run_id}")
    if not runs:
        context.echo("No run waits for review.")


def accept(context: Context, run_id: str) -> None:
    """Write a run as it was shown; exit 1 where it could not be."""
    workspace = context.workspace()
    run = held.accept(workspace.store, run_id, workspace.config, now=workspace.now)
    if context.as_json:
        context.print_json(run.plain())
    else:
        context.echo(f"{run.status}: {run.reason}")
        for change in run.changes:
            context.echo(f"  {change.op:<6} {change.kind}/{change.slug}")
        if run.status == "committed":
            context.echo(f"Undo with `omoide undo {run.run_id}`.")
    if run.status != "committed":
        raise SystemExit(1)


def reject(context: Context, run_id: str) -> None:
    """Drop a run; its candidates stay staged."""
    workspace = context.workspace()
    run = held.reject(workspace.store, run_id)
    if context.as_json:
        context.print_json({"run_id": run.run_id, "status": "rejected", "left": sorted(run.candidates())})
    else:
        context.echo(f"{run.run_id} rejected: {counted(len(run.candidates()), 'candidate')} wait for the next run")


def held_facts(workspace: Workspace) -> list[dict[str, Any]]:
    """What `omoide status` says of runs that wait."""
    return [
        {"run_id": run.run_id, "created_at": run.created_at, "records": len(run.changes), "reason": run.reason}
        for run in workspace.store.held()
    ]


def _because(run: HeldRun, path: str, staged: dict[str, CandidateRef]) -> list[str]:
    lines = []
    for resolution in held.causes(run, path):
        lines.append(f"because of {_said(resolution.candidate, staged)}: {resolution.reason}")
        ref = staged.get(resolution.candidate)
        for anchor in ref.candidate.evidence if ref else ():
            place = f"session {ref.source.session_id if ref else ''}, entry {anchor.entry_range[0]}"
            lines.append(f"  {anchor.speaker}, {place}: {shorten(anchor.excerpt, 160)}")
    return lines


def _evidence(ref: CandidateRef | None) -> list[dict[str, Any]]:
    return [anchor.plain() for anchor in ref.candidate.evidence] if ref else []


def _said(candidate: str, staged: dict[str, CandidateRef]) -> str:
    ref = staged.get(candidate)
    return f"“{shorten(headline(ref.candidate), 80)}”" if ref else candidate


def _plain(run: HeldRun, staged: dict[str, CandidateRef]) -> dict[str, Any]:
    changes = []
    for change in held.change_set(run):
        because = [
            {
                "candidate": r.candidate,
                "reason": r.reason,
                "evidence": [a.plain() for a in staged[r.candidate].candidate.evidence]
                if r.candidate in staged
                else [],
            }
            for r in held.causes(run, change.path)
        ]
        diff = unified(ChangeSet({change.path: change}))
        changes.append({"op": change.op, "path": change.path, "diff": diff, "because": because})
    closed = [{"candidate": r.candidate, "action": r.action, "reason": r.reason} for r in run.closed]
    about = {"run_id": run.run_id, "created_at": run.created_at, "reason": run.reason}
    return {**about, "changes": changes, "closed": closed}
