"""The usage log, for people and machines."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_core.cli.app import Context, pass_context, printable
from memory_core.cli.columns import minute
from memory_core.ids import rfc3339
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.usage import Lists, RecordUsage
    from memory_core.workspace import Workspace

_LISTED = 10


@click.group(invoke_without_command=True)
@click.pass_context
def usage(ctx: click.Context) -> None:
    """What was read, by whom, and what it costs to keep resident."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(report_command)


@usage.command("report")
@click.option("--csv", "as_csv", is_flag=True, help="The rows as CSV.")
@click.option(
    "--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page with plots to this new file."
)
@pass_context
def report_command(context: Context, as_csv: bool = False, html: Path | None = None) -> None:
    """Uses and resident cost of each record, sorted by kind and slug, and lists of what to look at."""
    from memory_core.store.files import write_new
    from memory_core.usage import to_plain
    from memory_core.usage.page import page

    if as_csv and (html or context.as_json):
        raise click.UsageError("Give one of --json, --csv and --html.")
    workspace = context.workspace()
    report = workspace.store.usage_report()
    if report.skipped:
        context.note(
            f"{counted(report.skipped, 'line')} of {workspace.layout.usage} could not be read and were left out"
        )
    if as_csv:
        click.echo(printable(_csv(report.rows)), nl=False)
        return
    lists = lists_for(workspace, report.rows)
    if html:
        name, now = workspace.layout.workspace.name, rfc3339(workspace.now())
        write_new(html, page(report, lists, workspace=name, made_at=now).encode("utf-8", "backslashreplace"))
        context.note(f"written: {html}")
    if context.as_json:
        context.print_json({**to_plain(report.rows), "lists": lists.plain(), "skipped_lines": report.skipped})
        return
    if html:
        return
    if not report.rows:
        context.echo("No record has been read yet. `omoide read KIND SLUG` and a hover in the editor count as uses.")
    else:
        _table(report.rows)
    _print_lists(context, lists)


def lists_for(workspace: Workspace, rows: Sequence[RecordUsage]) -> Lists:
    """The lists for people over the records that are there now."""
    from memory_core.store.cache import Cache
    from memory_core.store.load import load_outlined
    from memory_core.using.lists import lists_over

    cache = Cache(workspace.layout)
    snapshot, outlines = load_outlined(cache)
    outlines.save(cache)
    return lists_over(snapshot, rows)


def _csv(rows: Sequence[RecordUsage]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([
        "kind", "slug", "use_count", "last_used_at", "source_breakdown", "resident_exposure_count",
        "estimated_tokens_per_injection", "estimated_total_resident_exposure_tokens",
    ])  # fmt: skip
    for row in rows:
        sources = ";".join(f"{name}={count}" for name, count in row.source_breakdown.items())
        cost = (row.estimated_tokens_per_injection, row.estimated_total_resident_exposure_tokens)
        count = row.resident_exposure_count
        writer.writerow([row.kind, row.slug, row.use_count, row.last_used_at or "", sources, count, *cost])
    return out.getvalue()


_WIDEST = 1_000  # columns


def _table(rows: Sequence[RecordUsage]) -> None:
    """The report for people; resident columns only where something was resident."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from memory_core.usage.page import SOURCES

    resident = any(row.resident_exposure_count for row in rows)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("uses", justify="right")
    table.add_column("last used", no_wrap=True)
    table.add_column("how")
    if resident:
        table.add_column("resident", justify="right")
        table.add_column("tokens", justify="right")
    table.add_column("record")
    for row in rows:
        last = minute(row.last_used_at or "never")
        how = ", ".join(f"{SOURCES.get(name, name)} {number}" for name, number in sorted(row.source_breakdown.items()))
        cost = [str(row.resident_exposure_count), str(row.estimated_total_resident_exposure_tokens)] if resident else []
        # As texts: what a log says is no markup of the table's.
        name = Text(printable(f"{row.kind}/{row.slug}"))
        table.add_row(str(row.use_count), Text(printable(last)), Text(printable(how)), *cost, name)
    # As wide as it is: a name that was folded in the middle could not be copied. A terminal wraps long lines itself.
    Console(highlight=False, width=_WIDEST, soft_wrap=False).print(table)


def _print_lists(context: Context, lists: Lists) -> None:
    """The lists worth acting on, shortened; `--json` and `--html` have all of them."""
    _names(context, "Read decisions and requests: could be knowledge (`omoide promote`)", [
        f"{row.kind}/{row.slug} ({counted(row.use_count, 'use')})" for row in lists.candidates
    ])  # fmt: skip
    _names(context, "Resident and never read: what they cost (`model_invokation: false` ends it)", [
        f"{row.kind}/{row.slug} ({row.estimated_tokens_per_injection} tokens each time, "
        f"{row.estimated_total_resident_exposure_tokens} so far)"
        for row in lists.resident_unread
    ])  # fmt: skip
    _names(context, "Read here, and not there now: removed, or renamed on another machine, which is not known here", [
        f"{row.kind}/{row.slug} ({counted(row.use_count, 'use')})" for row in lists.gone if row.use_count
    ])  # fmt: skip
    if lists.never_read:
        context.echo()
        context.echo(f"{counted(len(lists.never_read), 'record')} never read, {len(lists.protected)} protected by use.")


def _names(context: Context, title: str, names: Sequence[str]) -> None:
    if not names:
        return
    context.echo()
    context.echo(title, bold=True)
    for name in names[:_LISTED]:
        context.echo(f"  {name}")
    if len(names) > _LISTED:
        context.echo(f"  and {len(names) - _LISTED} more")
