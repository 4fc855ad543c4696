"""The two jobs and their way back: extract, consolidate, undo."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_core.cli.app import Context, TerminalProgress, pass_context
from memory_core.consolidate.task import ConsolidateRun
from memory_core.extract.task import ExtractRun
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.sessions.model import Session
from memory_core.staging import headline
from memory_core.text import counted, shorten
from memory_core.workspace import Workspace

if TYPE_CHECKING:
    from memory_core.consolidate.undo import UndoResult


@click.command()
@click.option("--session", "session_id", help="The session with this id, or the beginning of one.")
@click.option("--log", type=click.Path(path_type=Path), help="A log file, wherever it lies.")
@click.option("--all", "everything", is_flag=True, help="Every session of this workspace.")
@click.option("--if-due", is_flag=True, help="Only where the threshold is reached (for hooks).")
@click.option("--dry-run", is_flag=True, help="Show what would be sent; call nothing, write nothing.")
@click.option("--retry", is_flag=True, help="Also what failed too often to be tried by itself.")
@click.option("--provider", help="builtin or openai (default: the settings).")
@pass_context
def extract(
    context: Context,
    session_id: str | None,
    log: Path | None,
    everything: bool,
    if_due: bool,
    dry_run: bool,
    retry: bool,
    provider: str | None,
) -> None:
    """Stage candidates, with their evidence, from what was said since the last extract.

    Without --session, --log or --all: the session that was written to last.
    """
    if sum((session_id is not None, log is not None, everything)) > 1:
        raise click.UsageError("Give one of --session, --log and --all.")
    workspace = context.workspace()
    named = session_id is not None or log is not None or everything
    sessions = (
        _failed_before(context, workspace)
        if retry and not named
        else _chosen(context, workspace, session_id, log, everything or if_due)
    )

    async def job(progress: TerminalProgress) -> list[ExtractRun]:
        return await workspace.extract(
            sessions, provider=provider, if_due=if_due, dry_run=dry_run, retry=retry, progress=progress
        )

    if dry_run and not context.as_json:
        _print_inputs(context, workspace, sessions, provider or workspace.config.provider.name)
    runs: list[ExtractRun] = context.run(job)
    if context.as_json:
        context.print_json({"runs": [run.plain() for run in runs]})
    else:
        _print_runs(context, runs)
    if any(run.status == "failed" for run in runs):
        raise SystemExit(1)


def _chosen(
    context: Context, workspace: Workspace, session_id: str | None, log: Path | None, everything: bool
) -> list[Session]:
    from memory_core.errors import SessionError
    from memory_core.store.session_logs import read_log

    if log is not None:
        return [read_log(log)]
    if session_id is not None:
        return [workspace.session(session_id)]
    every = found = workspace.sessions()
    if not found:
        context.note(
            f"no session log of {workspace.layout.workspace} was found; `--log FILE` names one, "
            "`omoide sessions` says where it looked"
        )
    sessions: list[Session] = []
    for ref in found if everything else found[:1]:
        try:
            sessions.append(workspace.read_session(ref, every))
        except SessionError as error:  # one unreadable log must not keep the others waiting
            context.note(str(error))
    return sessions


def _failed_before(context: Context, workspace: Workspace) -> list[Session]:
    """The sessions with a slice that could not be extracted; those whose log is gone are named."""
    from memory_core.errors import SessionError
    from memory_core.store.session_logs import read_log

    sessions: dict[str, Session] = {}
    for letter in workspace.store.dead_letters():
        source = letter.source
        try:
            if source.session_id not in sessions:
                log = Path(source.log) if source.log else None
                found = read_log(log) if log and log.exists() else workspace.session(source.session_id)
                sessions[source.session_id] = found
        except SessionError as error:
            context.note(f"session {source.session_id} cannot be tried again: {error}")
    if not sessions:
        context.note("no extract has failed that could be tried again")
    return list(sessions.values())


def _print_inputs(context: Context, workspace: Workspace, sessions: list[Session], provider: str) -> None:
    """The requests as they would be sent, the same parts once: what leaves the machine can be read before it does."""
    from memory_core.extract.instructions import NAME
    from memory_core.extract.job import planned

    override = workspace.store.prompt_override(NAME)
    local = provider == "builtin"  # its rules read the input alone, and nothing is sent
    shown: set[str] = set()
    for session in sessions:
        for request in planned(session, workspace.store.pointer(session), workspace.config, override):
            if not shown:
                what = "The rules would read this" if local else "This would be sent"
                context.echo(f"Dry run: nothing is written. {what}:\n")
            first, last = request.span
            parts = (("System prompt", request.system), ("Tools", request.tools), ("Input", request.prompt))
            context.echo(f"# Session {session.session_id}, entries {first}-{last}: {counted(request.tokens, 'token')}")
            for name, text in parts[2:] if local else parts:
                context.echo(f"\n### {name}{' (as before)' if text in shown else ''}\n")
                context.echo("" if text in shown else text)
            shown |= {request.system, request.tools}


def _print_runs(context: Context, runs: list[ExtractRun]) -> None:
    for run in runs:
        span = f" entries {run.range[0]}-{run.range[1]}" if run.range else ""
        found = ", ".join(counted(n, array[:-1]) for array, n in (run.counts or {}).items() if n)
        context.echo(f"{run.session_id}{span}: {run.status}{f' - {found}' if found else ''}")
        if run.staging_id:
            context.echo(f"  staged as {run.staging_id}")
        if run.reason:
            context.echo(f"  {run.reason}")
        for each in run.dropped:
            context.echo(f"  not staged: {each.array[:-1]} `{each.what}`: {each.reason}")
    staged = sum(run.status == "staged" for run in runs)
    if len(runs) > 1:
        total = sum(sum((run.counts or {}).values()) for run in runs)
        sessions = counted(len({run.session_id for run in runs}), "session")
        context.echo(f"{sessions}: {counted(total, 'candidate')} staged.")
    if staged:
        context.echo("Next: `omoide staging` shows the candidates, `omoide consolidate` makes records of them.")
    elif not runs:
        context.echo("Nothing new to extract.")


@click.command()
@click.option("--if-due", is_flag=True, help="Only when enough is staged (for hooks).")
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; write nothing.")
@click.option("--provider", help="builtin or openai (default: the settings).")
@click.option(
    "--review", metavar="RUN_ID", is_flag=False, flag_value="all", help="Show what waits for you, with evidence."
)
@click.option("--accept", metavar="RUN_ID", help="Write a run that waits, exactly as it was shown.")
@click.option("--reject", metavar="RUN_ID", help="Drop a run that waits; its candidates stay staged.")
@pass_context
def consolidate(
    context: Context,
    if_due: bool,
    dry_run: bool,
    provider: str | None,
    review: str | None,
    accept: str | None,
    reject: str | None,
) -> None:
    """Turn staged candidates into records. Every candidate is decided with a reason; undo takes a run back."""
    waiting = {"review": review, "accept": accept, "reject": reject}
    asked = [(name, run_id) for name, run_id in waiting.items() if run_id is not None]
    if len(asked) > 1 or (asked and (if_due or dry_run)):
        raise click.UsageError("Give one of --review, --accept and --reject, and nothing of a new run with it.")
    if asked:
        from memory_core.cli import review as waiting_runs

        ((name, run_id),) = asked
        getattr(waiting_runs, name)(context, run_id)
        return
    workspace = context.workspace()

    async def job(progress: TerminalProgress) -> ConsolidateRun:
        return await workspace.consolidate(provider=provider, if_due=if_due, dry_run=dry_run, progress=progress)

    headlines = {
        ref.id: headline(ref.candidate) for file in workspace.store.staging().files for ref in file.candidates()
    }
    run: ConsolidateRun = context.run(job)
    if context.as_json:
        context.print_json(run.plain())
    else:
        _print_run(context, run, headlines, root=workspace.layout.root.name, dry_run=dry_run)
    if run.status in ("failed", "held", "conflict"):
        raise SystemExit(1)


def _print_run(context: Context, run: ConsolidateRun, headlines: dict[str, str], *, root: str, dry_run: bool) -> None:
    if dry_run or run.status == "held":
        context.echo(run.diff)
    done = f"dry run, nothing was written; it would be {run.status}" if dry_run else run.status
    context.echo(f"{done}{f': {run.reason}' if run.reason else ''}")
    for change in run.changes:
        path = record_path(RecordRef(Kind(change.kind), change.slug))
        context.echo(f"  {change.op:<6} {root}/{path}")
    for resolution in run.closed:
        said = shorten(headlines.get(resolution.candidate, resolution.candidate), 60)
        where = f" → {', '.join(resolution.records)}" if resolution.records else f": {resolution.reason}"
        context.echo(f"  {resolution.action:<15} “{said}”{where}")
    for path in run.conflicts:
        context.note(f"{path} was changed meanwhile: it was left alone, its candidates stay staged")
    for offer in run.offers:
        context.echo(f"  offered         /{offer.slug}: {offer.reason} (`omoide staging offers`)")
    for proposal in run.proposals:
        last = f", last on {proposal.last_used_at[:10]}" if proposal.last_used_at else ""
        context.echo(
            f"  could be resident knowledge/{proposal.slug}: read {proposal.use_count} times{last}; it costs about "
            f"{counted(proposal.tokens, 'token')} a session (only you set `model_invokation: true`)"
        )
    if run.left:
        waits = "wait with this run" if run.status == "held" else "left for the next run"
        context.echo(f"  {counted(len(run.left), 'candidate')} {waits}")
    if run.status == "held" and not dry_run:
        context.echo(f"To see it again: omoide consolidate --review {run.run_id}")
        context.echo(f"To write it: omoide consolidate --accept {run.run_id}; to drop it: --reject {run.run_id}")
    if run.status == "committed" and not dry_run:
        context.echo(f"Undo with `omoide undo {run.run_id}`.")


@click.command()
@click.argument("run_id", required=False)
@pass_context
def undo(context: Context, run_id: str | None) -> None:
    """Take a run back: its records become what they were, its candidates are staged again. Without RUN_ID: the runs."""
    from memory_core.consolidate.undo import undo as take_back

    workspace = context.workspace()
    if run_id is None:
        _list_runs(context, workspace)
        return
    result = take_back(workspace.store, run_id, now=workspace.now)
    if context.as_json:
        restored, removed, reopened = list(result.restored), list(result.removed), list(result.reopened)
        facts = {"restored": restored, "removed": removed, "reopened": reopened, "conflicts": sorted(result.conflicts)}
        context.print_json({"run_id": run_id, "undo_run_id": result.run_id, **facts})
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
        started = run.started_at[:16].replace("T", " ")
        context.echo(f"{run.run_id}  {started}  {counted(run.files, 'record'):>10}  {run.reason}")
    if not runs:
        context.echo("No run has changed a record yet.")


def _print_undo(context: Context, result: UndoResult) -> None:
    for path in result.removed:
        context.echo(f"removed   {path}")
    for path in result.restored:
        context.echo(f"restored  {path}")
    for path, reason in sorted(result.conflicts.items()):
        context.note(f"{path} {reason}: it was left alone")
    if result.reopened:
        context.echo(f"{counted(len(result.reopened), 'candidate')} staged again; `omoide staging` shows them.")
    if result.nothing:
        context.echo("That run is taken back already.")
    elif result.removed or result.restored:
        context.echo(f"To have it back: omoide undo {result.run_id}")
