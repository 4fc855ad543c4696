"""Commands that orient a person: the guided run, and what is pending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.next_step import next_step
from memory_core.cli.session_places import say_gone_folders
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.store.session_list import Listed
    from memory_core.workspace import Workspace


@click.command()
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the demo's workspace in this new folder.")
@click.option(
    "--example",
    type=click.Path(path_type=Path),
    help="Run nothing: lay out the example project in this new folder, to go through by hand or in an editor.",
)
@pass_context
def demo(context: Context, keep: Path | None, example: Path | None) -> None:
    """See the whole product at work on a bundled session: no key, no network, nothing of yours is touched."""
    import asyncio

    from memory_core.demo.story import tell

    for name, folder in (("--keep", keep), ("--example", example)):
        if folder is not None and folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
            raise click.UsageError(f"{name}: {folder} exists and is not empty; name a new folder.")
    if example is not None:
        if keep is not None:
            raise click.UsageError("--keep and --example exclude each other: name one folder.")
        _lay_out_example(context, example)
        return
    facts = asyncio.run(tell(_say_nothing if context.as_json else context.echo, keep))
    if context.as_json:
        context.print_json(facts)


def _lay_out_example(context: Context, folder: Path) -> None:
    from memory_core.demo.example import lay_out

    layout, sessions = lay_out(folder)
    readme = layout.workspace / "README.md"
    if context.as_json:
        context.print_json({"workspace": str(layout.workspace), "readme": str(readme), "sessions": sessions})
        return
    context.echo(str(layout.workspace))  # alone on stdout, so that `cd "$(omoide demo --example shop)"` works
    context.note("Next, in that folder: `omoide extract --all`, then `omoide staging` and `omoide consolidate`.")


def _say_nothing(_text: str) -> None:
    """What `--json` makes of the lines for people."""


@click.command()
@pass_context
def status(context: Context) -> None:
    """What is pending in this workspace, and why it waits."""
    facts = status_facts(context)
    if context.as_json:
        context.print_json(facts)
        return
    records = facts["records"]
    listed = ", ".join(_several(number, kind) for kind, number in records.items() if number) or "none yet"
    context.echo(f"memory     {facts['root']}")
    context.echo(f"records    {listed}")
    context.echo(
        f"lint       {counted(facts['lint']['errors'], 'error')}, {counted(facts['lint']['warnings'], 'warning')}"
    )
    sessions = facts["sessions"]
    found = f"{counted(sessions['found'], 'session')}, " if sessions["found"] else ""
    context.echo(f"sessions   {found}{_pending(sessions)}")
    staging = facts["staging"]
    waiting = f"{counted(staging['candidates'], 'candidate')} in {counted(staging['files'], 'file')} ({staging['why']})"
    context.echo(f"staging    {waiting if staging['files'] else staging['why']}")
    for invalid in staging["invalid"]:
        context.echo(f"           {invalid['file']} cannot be read: {invalid['reason']}")
    for run in facts["held"]:
        context.echo(f"review     run {run['run_id']} ({counted(run['records'], 'record')}): {run['reason']}")
        context.echo(f"           omoide consolidate --review {run['run_id']}")
    for offer in facts["offers"]:
        context.echo(f"offered    workflow /{offer['slug']}: {offer['reason']} (`omoide staging offers`)")
    for letter in facts["failed"]:
        _print_failed(context, letter)
    if any(letter["log_found"] for letter in facts["failed"]):
        context.echo("           `omoide extract --retry` tries again, in smaller parts")
    spent = facts["tokens_today"]
    most = f" of {spent['per_day']:,}" if spent["per_day"] else ""
    today = f", {spent['spent']:,}{most} tokens of today spent" if spent["spent"] else ""
    rules = " (rules of Omoide's own, no model)" if facts["provider"] == "builtin" else ""
    context.line(f"provider   {facts['provider']}{rules}{today}")
    if facts["provider_problem"]:
        context.line(f"           {facts['provider_problem']}")
    step, why = next_step(facts)
    context.echo(f"next       {f'{step}  ({why})' if step else why}")
    drops = facts["drops"]
    if drops["failed"] or drops["refused"] or drops["set_aside"]:
        what = f"{drops['failed']} of {counted(drops['slices'], 'extract')} failed"
        aside = f"{counted(drops['set_aside'], 'candidate')} set aside"
        context.note(f"in the last 7 days {what}, {counted(drops['refused'], 'call')} of a worker refused, {aside}")
    for text in facts["unused"]:
        context.note(text)
    say_gone_folders(context, context.workspace(), beside=not sessions["found"])
    if sessions["unreadable"]:
        context.note(f"{counted(sessions['unreadable'], 'log')} could not be read; `omoide sessions` names them")


def _print_failed(context: Context, letter: dict[str, Any]) -> None:
    """A part of a session that could not be extracted, and what is left to do about it where its log is gone."""
    place = f"entries {letter['range'][0]}-{letter['range'][1]} of session {letter['session_id']}"
    context.echo(f"failed     {place}, {counted(letter['tries'], 'try')}: {letter['reason']}")
    if not letter["log_found"]:
        context.echo("           its log is gone, so that it cannot be tried again; to forget it:")
        context.echo(f"           omoide staging close {letter['id']} --action discarded --reason TEXT")


def _several(number: int, kind: str) -> str:
    """`8 decisions`; knowledge has no plural."""
    return f"{number} {kind}" if kind == "knowledge" else counted(number, kind)


def _pending(sessions: dict[str, Any]) -> str:
    """How much of the sessions waits to be extracted, and what starts that."""
    if not sessions["pending"]:
        return str(sessions["why"])
    tokens = f"about {counted(sessions['unextracted_tokens'], 'token')}"
    return f"{sessions['pending']} of them with something new, {tokens} ({sessions['why']})"


def status_facts(context: Context) -> dict[str, Any]:
    """What `omoide status` shows, as plain data."""
    from memory_core.cli.review import failed_facts, held_facts, offers_facts
    from memory_core.diagnostic import Severity
    from memory_core.errors import SessionError
    from memory_core.ids import rfc3339
    from memory_core.lint.check import check_all
    from memory_core.providers.registry import problem_of
    from memory_core.store.discovery import said_of_unused

    workspace = context.workspace()
    snapshot = workspace.store.load()
    found = [d for ds in check_all(snapshot, workspace.config.severities()).values() for d in ds]
    listed = workspace.listed_sessions()
    rows = [row for row in listed if not isinstance(row, SessionError)]
    severities = Counter(d.severity for d in found)
    return {
        "root": str(workspace.layout.root),
        "unused": said_of_unused(workspace.layout),
        "records": {kind.value: len(table) for kind, table in snapshot.index.slugs.items()},
        "lint": {"errors": severities[Severity.ERROR], "warnings": severities[Severity.WARNING]},
        "sessions": _session_facts(rows, len(listed), workspace.config.memory.extract_threshold),
        "staging": _staging_facts(workspace),
        "held": held_facts(workspace),
        "offers": offers_facts(workspace),
        "failed": failed_facts(workspace, {row.session_id for row in rows}),
        "drops": workspace.store.drops_since(rfc3339(workspace.now() - timedelta(days=7))),
        "provider": workspace.config.provider.name,
        "tokens_today": {
            "spent": workspace.store.tokens_spent_today(),
            "per_day": workspace.config.provider.tokens_per_day,
        },
        "provider_problem": problem_of(workspace.config, workspace.environment),
    }


def _session_facts(rows: Sequence[Listed], found: int, threshold: int) -> dict[str, Any]:
    pending = [row.unextracted_tokens for row in rows if row.unextracted_tokens]
    return {
        "found": found,
        "pending": len(pending),
        "unextracted_tokens": sum(pending),
        "unreadable": found - len(rows),
        "why": _why_not_extracted(found, len(pending), threshold),
    }


def _why_not_extracted(found: int, pending: int, threshold: int) -> str:
    """Why sessions wait, in the words of both answers of `status`."""
    if not found:
        return "none of this folder yet: run `omoide extract --all` once there is one"
    if not pending:
        return "nothing new to extract"
    return f"due at {counted(threshold, 'token')}" if threshold else "run `omoide extract --all`"


def _staging_facts(workspace: Workspace) -> dict[str, Any]:
    from memory_core.consolidate.job import consolidation_due

    area = workspace.store.staging()
    return {
        "files": len(area.files),
        "candidates": len(area.open),
        "invalid": [{"file": name, "reason": reason} for name, reason in area.invalid],
        "why": consolidation_due(area, workspace.config) or "due: run `omoide consolidate`",
    }
