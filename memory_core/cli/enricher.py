"""What helps to find records and owns none: how it stands, bringing it in step, making it anew, clearing it out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from memory_core.cli.app import Context, pass_context
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.enrich.upkeep import Done, Standing
    from memory_core.store.enrichment import Enrichment


# The words that are counted, as people read them: of records that are never sent, of hits and of calls left out.
_SAID = {
    "scope": "of a scope that it does not keep apart",
    "no record": "that are no records",
    "kind": "of a kind that is never sent",
    "size": "too large for it",
    "legacy": "copies of legacy rows",
    "missing": "of records that are gone",
    "revision": "of another revision",
    "other scope": "of records that were not for the one who asked",
    "other kind": "of another kind than asked for",
    "undeclared": "of a sort that it did not declare",
    "cooling down after a failure": "searches while it was cooling down",
    "needs an agent to ask for": "searches on behalf of no agent",
    "cannot search this way": "searches that it cannot do",
}


@click.group(invoke_without_command=True)
@click.pass_context
def enricher(ctx: click.Context) -> None:
    """What helps to find records and owns none."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(status)


@enricher.command()
@pass_context
def status(context: Context) -> None:
    """How each enricher stands against the store. Calls none of them."""
    found = _enrichment(context)
    rows = found.standings(context.workspace().store.load())
    if context.as_json:
        context.print_json({"enrichers": [asdict(row) for row in rows], "problems": found.problems})
        return
    context.echo("lexical: always on, reads the records themselves")
    for row in rows:
        context.echo(_line(row))
    if not rows and not found.problems:
        from memory_core.installed import extra_remedy

        remedy = extra_remedy("semantic")
        context.echo(f"No other enricher: add `[enricher.semantic]` to your settings, and its extra ({remedy}).")


def _line(row: Standing) -> str:
    parts = [f"{row.name}: {row.level}", counted(row.known, "record")]
    parts += [f"{row.missing} to be sent"] if row.missing else []
    parts += [f"{row.changed} changed"] if row.changed else []
    parts += [f"{row.pending} to be removed"] if row.pending else []
    parts += [f"cooling down for {row.cooling_s:.0f} s"] if row.cooling_s else []
    parts += [f"never sent: {_counts(row.refused)}"] if row.refused else []
    parts += [f"left out so far: {_counts(row.drops)}"] if row.drops else []
    parts += [f"last failure: {row.last_error}"] if row.last_error else []
    return "; ".join(parts)


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {_SAID.get(reason, reason)}" for reason, number in sorted(found.items()))


@enricher.command()
@pass_context
def sync(context: Context) -> None:
    """Send what is new or changed, remove what is gone. Done by itself in the background, too."""
    if os.environ.get("OMOIDE_NICE") and hasattr(os, "nice"):
        os.nice(10)  # started in the background: whoever types comes first
    found = _enrichment(context)
    try:
        _report(context, found.sync(context.workspace().store.load()))
    finally:
        found.close()


@enricher.command()
@click.argument("name", required=False)
@pass_context
def rebuild(context: Context, name: str | None) -> None:
    """Send everything anew, after removing all that was ever sent."""
    found = _enrichment(context)
    _require(found, name)
    try:
        _report(context, found.rebuild(context.workspace().store.load(), name))
    finally:
        found.close()


@enricher.command()
@click.argument("name", required=False)
@click.option("--legacy", is_flag=True, help="Also copies of legacy conversation rows.")
@pass_context
def cleanup(context: Context, name: str | None, legacy: bool) -> None:
    """Remove what should not be there: deletes that failed, records that are gone, ghosts that answers showed."""
    found = _enrichment(context)
    _require(found, name)
    store = context.workspace().store
    try:
        ghosts: list[str] = []
        if legacy:
            from memory_core.store.legacy_files import legacy_ids

            ghosts = legacy_ids(store.layout)
        _report(context, found.cleanup(store.load(), name, ghosts))
    finally:
        found.close()
    for one in found.enrichers:
        if not one.enricher.caps.cleanup and name in (None, one.enricher.name):
            context.note(f"{one.enricher.name} cannot forget single records: clear it yourself, then rebuild it")


def _enrichment(context: Context) -> Enrichment:
    workspace = context.workspace()
    found = workspace.enrichment()
    for problem in found.problems:
        context.note(problem)
    return found


def _require(found: Enrichment, name: str | None) -> None:
    names = [one.enricher.name for one in found.enrichers]
    if name is not None and name not in names:
        raise click.UsageError(f"There is no enricher `{name}`; configured: {', '.join(names) or 'none'}.")


def _report(context: Context, done: Mapping[str, Done]) -> None:
    if context.as_json:
        context.print_json({"enrichers": {name: asdict(one) for name, one in done.items()}})
    else:
        for name, one in done.items():
            left = f", {one.left} left" if one.left else ""
            context.echo(f"{name}: {one.sent} sent, {one.removed} removed{left}")
        if not done:
            context.echo("No enricher is configured.")
    for name, one in done.items():
        if one.error:
            context.note(f"{name}: {one.error}; run it again later, the records themselves are not concerned")
    if any(one.error for one in done.values()):
        raise SystemExit(1)
