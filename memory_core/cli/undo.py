"""The way back from a run: what it changed is what it was, what it closed is staged again."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.columns import minute
from memory_core.text import counted
from memory_core.workspace import Workspace

if TYPE_CHECKING:
    from memory_core.consolidate.undo import UndoResult


@click.command()
@click.argument("run_id", required=False)
@pass_context
def undo(context: Context, run_id: str | None) -> None:
    """Take a run back: its records become what they were, its candidates are staged again. Without RUN_ID: the runs.

    The beginning of an id will do, where no other run's begins alike.
    """
    from memory_core.consolidate.undo import undo as take_back
    from memory_core.consolidate.undo import whole_id

    workspace = context.workspace()
    if run_id is None:
        _list_runs(context, workspace)
        return
    run_id = whole_id(workspace.store, run_id)
    result = take_back(workspace.store, run_id, now=workspace.now)
    if context.as_json:
        context.print_json(result.plain(run_id))
    else:
        _print_undo(context, result)
    if result.conflicts:
        raise SystemExit(1)


def _list_runs(context: Context, workspace: Workspace) -> None:
    runs = workspace.store.runs()
    if context.as_json:
        context.print_json({"runs": [asdict(run) for run in runs]})
        return
    for run in runs:
        context.echo(f"{run.run_id}  {minute(run.started_at)}  {counted(run.files, 'record'):>10}  {run.reason}")
    if not runs:
        context.echo("No run has changed a record yet.")


def _print_undo(context: Context, result: UndoResult) -> None:
    for path in result.removed:
        context.echo(f"removed   {path}")
    for path in result.restored:
        context.echo(f"restored  {path}")
    for path in result.logs.taken:
        context.echo(f"removed   {path}")
    for path in result.logs.brought:
        context.echo(f"restored  {path}")
    for path, reason in sorted(result.logs.left.items()):
        context.note(f"{path} {reason}: it stays; delete the file to be rid of it")
    for path, reason in sorted(result.conflicts.items()):
        context.note(f"{path} {reason}: it was left alone")
    if result.reopened:
        context.echo(f"{counted(len(result.reopened), 'candidate')} staged again; `omoide staging` shows them.")
    if result.nothing:
        context.echo("That run is taken back already.")
    elif result.removed or result.restored or result.logs.taken or result.logs.brought:
        context.echo(f"To have it back: omoide undo {result.run_id}")
