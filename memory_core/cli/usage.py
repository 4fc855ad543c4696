"""The usage log, for people and machines."""

from __future__ import annotations

import click

from memory_core.cli.app import Context, pass_context
from memory_core.text import counted
from memory_core.usage import RecordUsage, report, to_plain


@click.group(invoke_without_command=True)
@click.pass_context
def usage(ctx: click.Context) -> None:
    """What was read, by whom, and what it costs to keep resident."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(report_command)


@usage.command("report")
@pass_context
def report_command(context: Context) -> None:
    """Uses and resident cost of each record, sorted by kind and slug."""
    workspace = context.workspace()
    events, skipped = workspace.store.usage()
    rows = report(events)
    if skipped:
        context.note(f"{counted(skipped, 'line')} of {workspace.layout.usage} could not be read and were left out")
    if context.as_json:
        context.print_json({**to_plain(rows), "skipped_lines": skipped})
        return
    if not rows:
        context.echo("No record has been read yet. `omoide read KIND SLUG` and a hover in the editor count as uses.")
        return
    _table(rows)


def _table(rows: list[RecordUsage]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("record", overflow="fold")
    for heading in ("uses", "last used", "by", "resident", "tokens"):
        table.add_column(heading, justify="right" if heading in ("uses", "resident", "tokens") else "left")
    for row in rows:
        sources = ", ".join(f"{name} {number}" for name, number in sorted(row.source_breakdown.items()))
        resident, tokens = row.resident_exposure_count, row.estimated_total_resident_exposure_tokens
        table.add_row(
            f"{row.kind}/{row.slug}",
            str(row.use_count),
            row.last_used_at or "never",
            sources,
            str(resident),
            str(tokens),
        )
    Console(highlight=False).print(table)
