"""Runs that wait for a person: shown change by change with what each rests on, accepted or rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_core.changes import ChangeSet
from memory_core.cli.app import Context
from memory_core.consolidate import held
from memory_core.consolidate.review import because, plain, said, staged_in
from memory_core.refactor.diff import unified
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.workspace import Workspace


def review(context: Context, run_id: str) -> None:
    """One run with its diffs and their evidence; all that wait where `run_id` is `all`."""
    workspace = context.workspace()
    runs = workspace.store.held() if run_id == "all" else [held.find(workspace.store, run_id)]
    staged = staged_in(workspace.store.staging().files)
    if context.as_json:
        context.print_json({"held": [plain(run, staged) for run in runs]})
        return
    for run in runs:
        context.echo(f"{run.run_id}  {run.created_at[:16].replace('T', ' ')}  {run.reason}", bold=True)
        for change in held.change_set(run):
            context.echo()
            context.echo(unified(ChangeSet({change.path: change})).rstrip("\n"))
            for line in because(run, change.path, staged):
                context.echo(f"  {line}")
        others = [r for r in run.closed if not r.records]
        if others:
            context.echo()
        for resolution in others:
            context.echo(f"{resolution.action}: {said(resolution.candidate, staged)} ({resolution.reason})")
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
        if run.status == "committed" and run.changes:
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
