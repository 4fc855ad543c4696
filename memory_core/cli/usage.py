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


_NAMES = {
    "MemoryRead": "read",
    "KnowledgeRef": "reference",
    "WorkflowInvoke": "invoked",
    "EditorHover": "hover",
    "EditorOpen": "opened",
}


def _table(rows: list[RecordUsage]) -> None:
    """The report for people; resident columns only where something was resident."""
    from rich.console import Console
    from rich.table import Table

    resident = any(row.resident_exposure_count for row in rows)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("uses", justify="right")
    table.add_column("last used", no_wrap=True)
    table.add_column("how")
    if resident:
        table.add_column("resident", justify="right")
        table.add_column("tokens", justify="right")
    table.add_column("record", overflow="fold")
    for row in rows:
        last = (row.last_used_at or "never")[:16].replace("T", " ")
        how = ", ".join(f"{_NAMES.get(name, name)} {number}" for name, number in sorted(row.source_breakdown.items()))
        cost = [str(row.resident_exposure_count), str(row.estimated_total_resident_exposure_tokens)] if resident else []
        table.add_row(str(row.use_count), last, how, *cost, f"{row.kind}/{row.slug}")
    Console(highlight=False).print(table)
