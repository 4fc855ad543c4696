"""Conversation rows of older memories: look, plan, apply, take back. Nothing else reads such rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_core.cli.app import Context, pass_context
from memory_core.errors import StoreError
from memory_core.redact import brief, redact
from memory_core.store.files import write_new
from memory_core.store.ordinary import read_text
from memory_core.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory_core.legacy.row import Row
    from memory_core.store.legacy_receipts import Receipt
    from memory_core.store.legacy_sources import LegacyRows

SAMPLES = 3  # rows of each class that a scan shows; -v shows all

SOURCES = click.argument(
    "paths", nargs=-1, type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path)
)


@click.group()
def legacy() -> None:
    """Conversation rows of older memories.

    Files are taken from `memory/_legacy` of the memory root, or named: JSON lines, Markdown, SQLite.
    """


@legacy.command()
@SOURCES
@pass_context
def scan(context: Context, paths: tuple[Path, ...]) -> None:
    """Which rows there are and what they look like. Reads only."""
    from memory_core.legacy.judge import class_of

    found = _rows(context, paths)
    classes: dict[str, list[Row]] = {}
    for row in found.rows:
        classes.setdefault(str(class_of(row)), []).append(row)
    if context.as_json:
        counts = {name: len(rows) for name, rows in classes.items()}
        plain = [_plain(row) for row in found.rows]
        context.print_json({"sources": [asdict(s) for s in found.sources], "classes": counts, "rows": plain})
        return
    for source in found.sources:
        number = sum(row.source == source.path for row in found.rows)
        context.echo(f"{source.path}: {counted(number, 'row')}, {source.bytes:,} bytes")
    for name, rows in sorted(classes.items()):
        context.echo(f"{name}: {len(rows)}", bold=True)
        for row in rows if context.verbose else rows[:SAMPLES]:
            context.echo(f"  {row.id}  {brief(row.key, 30)}  {brief(row.content or row.damaged, 70)}")
    if not found.rows:
        context.echo("No rows: put files of an older memory into `memory/_legacy`, or name them.")


@legacy.command()
@SOURCES
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Where the plan goes.")
@click.option("--move", is_flag=True, help="Move turns to their session, where session and agent are certain.")
@click.option("--promote", multiple=True, metavar="ID", help="Make a candidate of this row; at most 20 a plan.")
@click.option("--expire", multiple=True, metavar="RULE", help="noise, empty or duplicates.")
@pass_context
def plan(
    context: Context,
    paths: tuple[Path, ...],
    out: Path,
    move: bool,
    promote: tuple[str, ...],
    expire: tuple[str, ...],
) -> None:
    """Write a plan to read and edit. By default every row is kept. Changes nothing else."""
    from memory_core.ids import rfc3339
    from memory_core.legacy.plan import plain_counts, plan_of

    found = _rows(context, paths)
    made = plan_of(
        rfc3339(context.workspace().now()), found.sources, found.rows, move=move, promote=promote, expire=expire
    )
    write_new(out, made.to_json().encode("utf-8"))
    if context.as_json:
        context.print_json({"plan": str(out), "counts": plain_counts(made)})
        return
    context.echo(", ".join(f"{number} {name}" for name, number in plain_counts(made).items()))
    context.echo(f"Read {out}, then: omoide legacy apply --plan {out}")


@legacy.command("apply")
@click.option("--plan", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True)
@click.option("--confirm", is_flag=True, help="Rows may be expired: they go to the archive.")
@pass_context
def apply_command(context: Context, path: Path, confirm: bool) -> None:
    """Do what a plan says: a backup first, then a receipt, then the rest. Again, it changes nothing."""
    from memory_core.legacy.plan import plain_counts, read_plan
    from memory_core.store.legacy_files import apply

    workspace = context.workspace()
    try:
        wanted = read_plan(read_text(path))
    except UnicodeDecodeError:
        raise StoreError(f"{path} is not UTF-8: make a new plan.") from None
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from None
    counts = plain_counts(wanted)
    if counts["expired"] and not confirm:
        context.note(f"{counted(counts['expired'], 'row')} would expire: say --confirm; nothing was done")
        raise SystemExit(1)
    receipt = apply(workspace.layout, wanted, counts)
    workspace.store.append_audit("legacy_apply", {"run_id": f"legacy-{receipt.run}", "counts": counts})
    if context.as_json:
        context.print_json({"receipt": receipt.run, "state": receipt.state, "counts": counts} | _made(receipt.created))
        return
    context.echo(", ".join(f"{number} {name}" for name, number in counts.items()))
    for made in receipt.created:
        context.echo(f"  made {made}")
    context.echo(f"Take it back with `omoide legacy rollback --receipt {receipt.run}`.")
    if workspace.config.enricher:
        context.echo("Enrichers may hold copies of such rows: `omoide enricher cleanup --legacy` removes them.")


@legacy.command()
@click.option("--receipt", "run", required=True, help="As `legacy list` shows it.")
@pass_context
def rollback(context: Context, run: str) -> None:
    """Take an applied plan back. Refused as a whole, with a list, when something it made was changed since."""
    from memory_core.store.legacy_files import roll_back

    workspace = context.workspace()
    receipt, changed = roll_back(workspace.layout, run)
    if context.as_json:
        context.print_json({"receipt": receipt.run, "state": receipt.state, "changed": changed})
    if changed:
        for path in changed:
            context.note(f"{path} changed since, or is gone; nothing was taken back")
        raise SystemExit(1)
    workspace.store.append_audit("legacy_rollback", {"run_id": f"legacy-{run}"})
    if not context.as_json:
        context.echo(f"Plan {run} is taken back.")


@legacy.command("list")
@click.option("--rows", "with_rows", is_flag=True, help="Also the rows themselves.")
@pass_context
def list_command(context: Context, with_rows: bool) -> None:
    """What waits in `memory/_legacy` and what was applied. The only place where such rows are read."""
    from memory_core.store.legacy_files import rows_of_applied
    from memory_core.store.legacy_purge import kept_rows
    from memory_core.store.legacy_receipts import receipts

    layout = context.workspace().layout
    waiting = _rows(context, ())
    applied, damaged = receipts(layout)
    rows = list(waiting.rows)
    for receipt in applied if with_rows else ():
        if receipt.state == "done":
            rows += rows_of_applied(layout, receipt)
        elif receipt.state == "purged":
            rows += kept_rows(layout, receipt.run)
    for why in damaged.values():
        context.note(why)
    if context.as_json:
        context.print_json(
            {
                "waiting": [asdict(source) for source in waiting.sources],
                "receipts": [{"receipt": r.run, "state": r.state, "counts": r.counts} for r in applied],
                "damaged": sorted(damaged),
                **({"rows": [_plain(row) for row in rows]} if with_rows else {}),
            }
        )
    else:
        _tell_list(context, waiting, applied, rows if with_rows else [])
    if damaged:
        raise SystemExit(1)


def _tell_list(context: Context, waiting: LegacyRows, applied: Sequence[Receipt], rows: Sequence[Row]) -> None:
    for source in waiting.sources:
        kinds = Counter(row.category or "no category" for row in waiting.rows if row.source == source.path)
        context.echo(f"{source.path}: " + ", ".join(f"{number} {name}" for name, number in sorted(kinds.items())))
    for receipt in applied:
        counts = ", ".join(f"{number} {name}" for name, number in receipt.counts.items())
        context.echo(f"{receipt.run}  {receipt.state}  {counts}")
    for row in rows:
        context.echo(f"{row.id}  {row.source}:{row.line + 1}  {brief(row.content, 90)}")
    if not waiting.sources and not applied:
        context.echo("No legacy rows.")


@legacy.command()
@click.option("--receipt", "run", required=True, help="As `legacy list` shows it.")
@click.option("--kept-too", is_flag=True, help="Also the rows that were kept: everything the plan's sources held.")
@click.option("--confirm", is_flag=True, help="Do it; nothing takes it back.")
@pass_context
def purge(context: Context, run: str, kept_too: bool, confirm: bool) -> None:
    """Delete the expired rows of an applied plan for good, with all copies of them in the store.

    Rows that were kept are written out first and stay readable. What is deleted is named in the receipt. Without
    --confirm it only says what would go.
    """
    from memory_core.store.legacy_purge import planned
    from memory_core.store.legacy_purge import purge as carry_out

    workspace = context.workspace()
    done = (carry_out if confirm else planned)(workspace.layout, run, everything=kept_too)
    if confirm:
        fields = {"run_id": f"legacy-{run}", "rows": done.rows, "files": sorted(done.files)}
        workspace.store.append_audit("legacy_purge", fields)
    if context.as_json:
        context.print_json({**asdict(done), "purged": confirm})
    else:
        would = "are" if confirm else "would be"
        context.echo(f"{counted(done.rows, 'row')} {would} gone for good, {counted(done.kept, 'kept row')} written out")
        for path in sorted(done.files):
            context.echo(f"  {'deleted' if confirm else 'would delete'} {path}")
    for name in done.elsewhere:
        context.note(f"{name} still holds its rows: it lies outside of the store and was not touched")
    if not confirm:
        context.note("nothing was done: add --confirm")
        raise SystemExit(1)


def _rows(context: Context, paths: tuple[Path, ...]) -> LegacyRows:
    from memory_core.store.legacy_sources import read_sources

    found = read_sources(context.workspace().layout, paths)
    for path, why in found.problems.items():
        context.note(f"{path}: {why}")
    return found


def _plain(row: Row) -> dict[str, object]:
    from memory_core.legacy.judge import class_of

    texts = {"key": redact(row.key), "content": redact(row.content)}  # the id stands for the row as it is
    return {"id": row.id, "class": str(class_of(row)), **asdict(row), **texts}


def _made(created: dict[str, str]) -> dict[str, list[str]]:
    return {"created": sorted(created)}
