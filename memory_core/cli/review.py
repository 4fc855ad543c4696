"""Runs that wait for a person: shown change by change with what each rests on, accepted or rejected."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.changes import ChangeSet
from memory_core.cli.app import Context
from memory_core.cli.columns import minute
from memory_core.consolidate import held
from memory_core.consolidate.review import because, plain, said, staged_in
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.refactor.diff import unified
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.consolidate.task import ConsolidateRun
    from memory_core.staging import StagingSource
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
        context.echo(f"{run.run_id}  {minute(run.created_at)}  {run.reason}", bold=True)
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
        context.print_json(run.plain() | ({"changed_since": run.diff} if run.status == "conflict" else {}))
    else:
        _print_accepted(context, run)
    if run.status != "committed":
        raise SystemExit(1)


def _print_accepted(context: Context, run: ConsolidateRun) -> None:
    context.echo(f"{run.status}: {run.reason}")
    root = context.workspace().layout.root.name
    for change in run.changes:
        context.echo(f"  {change.op:<6} {root}/{record_path(RecordRef(Kind(change.kind), change.slug))}")
    if run.status == "committed" and run.changes:
        context.echo(f"Undo with `omoide undo {run.run_id}`.")
        return
    if run.diff:
        context.echo("\nWhat changed since the run was made:\n")
        context.echo(run.diff.rstrip("\n"))
        context.echo()
    if run.status != "committed":
        context.echo(
            "The run still waits. Undo that change and accept again, or drop the run, and the next consolidation"
        )
        context.echo(f"decides its candidates anew: omoide consolidate --reject {run.run_id}")


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


def offers_facts(workspace: Workspace) -> list[dict[str, Any]]:
    """What `omoide status` says of workflows that were offered and that nobody took or refused."""
    from memory_core.consolidate import offers

    waiting = offers.waiting(workspace.store)
    return [{"slug": offer.slug, "reason": offer.reason, "answer": offer.answer} for offer in waiting]


def failed_facts(workspace: Workspace, known: Container[str]) -> list[dict[str, Any]]:
    """What `omoide status` says of slices that could not be extracted. `known`: ids of the sessions there are;
    `log_found`: whether `omoide extract --retry` can read the session."""

    def found(source: StagingSource) -> bool:
        return source.session_id in known or bool(source.log and Path(source.log).exists())

    return [
        {
            "id": letter.id,
            "session_id": letter.source.session_id,
            "range": list(letter.source.range),
            "tries": letter.tries,
            "reason": letter.reason,
            "log_found": found(letter.source),
        }
        for letter in workspace.store.dead_letters()
    ]
