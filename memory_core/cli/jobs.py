"""The two jobs: extract, consolidate."""

from __future__ import annotations

from pathlib import Path

import click

from memory_core.cli.app import Context, TerminalProgress, pass_context
from memory_core.cli.job_inputs import consolidation_input, extract_inputs
from memory_core.consolidate.task import ConsolidateRun
from memory_core.errors import ProviderUnavailable
from memory_core.extract.task import ExtractRun
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.sessions.model import Session
from memory_core.staging import headline
from memory_core.text import counted, shorten
from memory_core.unchosen import Step, unchosen
from memory_core.workspace import Workspace

MOST_NOTICED = 5  # lines of what a run left to people; the rest is a number


@click.command()
@click.option("--session", "session_id", help="The session with this id, or the beginning of one.")
@click.option("--log", type=click.Path(path_type=Path), help="A log file, wherever it lies.")
@click.option("--all", "everything", is_flag=True, help="Every session of this workspace.")
@click.option("--if-due", is_flag=True, help="Only where the threshold is reached (for hooks).")
@click.option("--dry-run", is_flag=True, help="Show what would be sent; call nothing, write nothing.")
@click.option("--retry", is_flag=True, help="Also what failed too often to be tried by itself.")
@click.option("--reason", metavar="TEXT", help="With --retry: only what failed with these words in its reason.")
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
    reason: str | None,
    provider: str | None,
) -> None:
    """Stage candidates, with their evidence, from what was said since the last extract.

    Without --session, --log or --all: the session that was written to last.
    """
    if sum((session_id is not None, log is not None, everything)) > 1:
        raise click.UsageError("Give one of --session, --log and --all.")
    if reason is not None and not retry:
        raise click.UsageError("--reason goes with --retry: it says which failures are tried again.")
    workspace = context.workspace()
    if if_due:
        _require_chosen(workspace, "extract", provider)
    named = session_id is not None or log is not None or everything
    sessions = (
        _failed_before(context, workspace, reason or "")
        if retry and not named
        else _chosen(context, workspace, session_id, log, everything or if_due)
    )

    async def job(progress: TerminalProgress) -> list[ExtractRun]:
        return await workspace.extract(
            sessions, provider=provider, if_due=if_due, dry_run=dry_run, retry=retry, progress=progress
        )

    if dry_run and not context.as_json:
        extract_inputs(context, workspace, sessions, provider or workspace.config.provider.name)
    runs: list[ExtractRun] = context.run(job)
    if context.as_json:
        context.print_json({"runs": [run.plain() for run in runs]})
    else:
        _print_runs(context, runs, sessions)
    if any(run.status == "failed" for run in runs):
        raise SystemExit(1)


def _require_chosen(workspace: Workspace, step: Step, provider: str | None) -> None:
    """What runs by itself, as behind a hook, sends nothing that only the repository chose to send, and to no model that
    only the repository chose."""
    if setting := unchosen(workspace.config, step, provider):
        reason = f"`{setting}` was set by a workspace that is not trusted"
        workspace.store.append_audit("not_begun", {"reason": reason})
        remedy = "run it without --if-due, set it in your own configuration, or trust this workspace"
        raise ProviderUnavailable(f"Nothing is sent without you: {reason}; {remedy}.")


def _chosen(
    context: Context, workspace: Workspace, session_id: str | None, log: Path | None, everything: bool
) -> list[Session]:
    from memory_core.errors import SessionError
    from memory_core.store.session_files import read_log

    if log is not None:
        return [read_log(log)]
    if session_id is not None:
        return [workspace.session(session_id)]
    every = found = workspace.sessions()
    if not found:
        context.note(
            f"no session log of {workspace.layout.workspace} was found; `--log FILE` names one, "
            "`omoide sessions places` says where they are looked for"
        )
    sessions: list[Session] = []
    for ref in found if everything else found[:1]:
        try:
            sessions.append(workspace.read_session(ref, every))
        except SessionError as error:  # one unreadable log must not keep the others waiting
            context.note(str(error))
    return sessions


def _failed_before(context: Context, workspace: Workspace, reason: str) -> list[Session]:
    """The sessions to try again; those whose log is gone are named."""
    sessions, missing = workspace.failed_sessions(reason)
    for letter, error in missing:
        context.note(
            f"session {letter.source.session_id} cannot be tried again: {error} To forget it: "
            f"omoide staging close {letter.id} --action discarded --reason TEXT"
        )
    if not sessions:
        of_that = f" with `{reason}` in its reason" if reason else ""
        context.note(f"no extract has failed{of_that} that could be tried again")
    return sessions


def _print_runs(context: Context, runs: list[ExtractRun], sessions: list[Session]) -> None:
    from memory_core.extract.report import session_lines, total_lines, unknown_line

    for line in session_lines(runs):
        context.echo(line)
    if len(runs) > 1:
        context.echo()
        for line in total_lines(runs):
            context.echo(line)
    if any(run.status == "staged" for run in runs):
        context.echo("Next: `omoide staging` shows the candidates, `omoide consolidate` makes records of them.")
    elif not runs:
        context.echo("Nothing new to extract.")
    if unknown := unknown_line(sessions):
        context.note(unknown)


@click.command()
@click.option("--if-due", is_flag=True, help="Only when enough is staged (for hooks).")
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff; write nothing. A model is asked.")
@click.option(
    "--input", "show_input", is_flag=True, help="Show what a model would be sent, and its price; call nothing."
)
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
    show_input: bool,
    provider: str | None,
    review: str | None,
    accept: str | None,
    reject: str | None,
) -> None:
    """Turn staged candidates into records. Every candidate is decided with a reason; undo takes a run back."""
    waiting = {"review": review, "accept": accept, "reject": reject}
    asked = [(name, run_id) for name, run_id in waiting.items() if run_id is not None]
    if len(asked) > 1 or (asked and (if_due or dry_run or show_input)):
        raise click.UsageError("Give one of --review, --accept and --reject, and nothing of a new run with it.")
    if asked:
        from memory_core.cli import review as waiting_runs

        ((name, run_id),) = asked
        getattr(waiting_runs, name)(context, run_id)
        return
    if show_input:
        consolidation_input(context, provider)
        return
    workspace = context.workspace()
    if if_due:
        _require_chosen(workspace, "consolidation", provider)

    async def job(progress: TerminalProgress) -> ConsolidateRun:
        return await workspace.consolidate(provider=provider, if_due=if_due, dry_run=dry_run, progress=progress)

    headlines = {
        ref.id: headline(ref.candidate) for file in workspace.store.staging().files for ref in file.candidates()
    }
    run: ConsolidateRun = context.run(job)
    if context.as_json:
        context.print_json({**run.plain(), "diff": run.diff} if dry_run else run.plain())
    else:
        _print_run(context, run, headlines, root=workspace.layout.root.name, dry_run=dry_run)
    if run.status in ("failed", "held", "conflict"):
        raise SystemExit(1)


def _print_run(context: Context, run: ConsolidateRun, headlines: dict[str, str], *, root: str, dry_run: bool) -> None:
    if dry_run or run.status == "held":
        context.echo(run.diff)
    would = {"committed": "written", "nothing": "nothing to write"}.get(run.status, run.status)
    done = f"dry run, nothing was written; it would be {would}" if dry_run else run.status
    # A reason that begins with the status says both: `held for review, ...`, `nothing is staged`.
    says_both = not dry_run and run.reason.startswith(f"{run.status} ")
    context.echo(run.reason if says_both else f"{done}{f': {run.reason}' if run.reason else ''}")
    for change in run.changes:
        path = record_path(RecordRef(Kind(change.kind), change.slug))
        context.echo(f"  {change.op:<6} {root}/{path}")
    for resolution in run.closed:
        said = shorten(headlines.get(resolution.candidate, resolution.candidate), 60)
        where = f" → {', '.join(resolution.records)}" if resolution.records else f": {resolution.reason}"
        context.echo(f"  {resolution.action:<15} “{said}”{where}")
    for step in run.tidied:
        context.echo(f"  tidied          {step.record}: {step.reason}")
    for line in run.noticed[:MOST_NOTICED]:
        context.echo(f"  noticed         {line}")
    if len(run.noticed) > MOST_NOTICED:
        context.echo(f"  noticed         {len(run.noticed) - MOST_NOTICED} more things; --json has them all")
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
        waits = "waiting with this run" if run.status == "held" else "left for the next run"
        context.echo(f"  {counted(len(run.left), 'candidate')} {waits}")
    if run.status == "held" and not dry_run:
        context.echo(f"To see it again: omoide consolidate --review {run.run_id}")
        context.echo(f"To write it: omoide consolidate --accept {run.run_id}; to drop it: --reject {run.run_id}")
    if run.usage.requests:
        tokens = run.usage.input_tokens + run.usage.output_tokens
        context.echo(f"  took {tokens:,} tokens in {counted(run.usage.requests, 'request')}")
    if run.status == "committed" and not dry_run:
        what = "" if run.changes else " no record was written, it stages the candidates again"
        context.echo(f"Undo with `omoide undo {run.run_id}`{':' if what else ''}{what}.")
