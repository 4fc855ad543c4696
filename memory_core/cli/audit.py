"""`omoide audit`: the whole store looked over, what became less since the last time, and nothing written to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from memory_core.cli.app import Context, pass_context
from memory_core.errors import StoreError
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.health.figures import Figures
    from memory_core.store.health import Finding

_COLORS = {"error": "red", "warning": "yellow", "note": None}
_SHOWN = 10  # findings of one code; -v shows all, --json and --sarif always do
_COURSE = ("records", "characters", "anchors", "uses", "resident tokens", "errors", "warnings")


@click.command()
@click.option("--sarif", "as_sarif", is_flag=True, help="Answer as SARIF 2.1.0.")
@click.option("--history", is_flag=True, help="Show the figures of earlier audits instead of looking.")
@click.option("--no-logs", is_flag=True, help="Do not read the session logs that records point at.")
@click.option("--no-keep", is_flag=True, help="Keep no figures of this audit.")
@click.option("--warnings-as-errors", is_flag=True, help="Exit with 1 for warnings, too.")
@pass_context
def audit(
    context: Context, as_sarif: bool, history: bool, no_logs: bool, no_keep: bool, warnings_as_errors: bool
) -> None:
    """Look the whole store over, and change nothing in it.

    Duplicates, dangling references and circles, evidence that is gone, secrets, records in the wrong language, what is
    resident and what nobody reads, recall loops, scopes, the index, enrichers, and the files themselves. Exits with 1
    where there is an error.

    The figures of each audit are kept outside of the store, in your own state folder, so that a slow loss is seen.
    """
    from memory_core.health.survey import survey

    workspace = context.workspace()
    past = _past(context)
    if history:
        _tell_history(context, past)
        return
    done = survey(workspace, past, logs=not no_logs)
    if not no_keep:
        _keep(context, done.figures)
    if as_sarif:
        _print_sarif(context, done.findings)
    elif context.as_json:
        _print_json(context, done.findings, done.figures, past)
    else:
        _print_text(context, done.findings, done.figures, past)
    numbers = done.figures.numbers
    if numbers["errors"] or (warnings_as_errors and numbers["warnings"]):
        raise SystemExit(1)


def _past(context: Context) -> list[Figures]:
    from memory_core.health.figures import Figures
    from memory_core.store.figures_file import figures_path, read_figures

    workspace = context.workspace()
    path = figures_path(workspace.layout, workspace.environment)
    try:
        lines, skipped = read_figures(path)
    except StoreError as error:
        context.note(f"earlier figures are not known: {error}")
        return []
    if skipped:
        context.note(f"{path}: {counted(skipped, 'line')} cannot be read, the others count")
    return [Figures(at, numbers) for at, numbers in lines]


def _keep(context: Context, made: Figures) -> None:
    from memory_core.store.figures_file import append_figures, figures_path

    workspace = context.workspace()
    path = figures_path(workspace.layout, workspace.environment)
    try:
        append_figures(path, made.at, made.numbers)
    except OSError as error:
        context.note(f"the figures of this audit are not kept: {path}: {error.strerror}")


def _print_text(context: Context, findings: Sequence[Finding], made: Figures, past: Sequence[Figures]) -> None:
    from memory_core.health.checks import CHECKS
    from memory_core.health.figures import since

    shown: Counter[str] = Counter()
    totals = Counter(finding.code for finding in findings)
    for finding in findings:
        shown[finding.code] += 1
        if context.verbose or shown[finding.code] <= _SHOWN:
            _line(context, finding)
        if not context.verbose and shown[finding.code] == _SHOWN and totals[finding.code] > _SHOWN:
            context.echo(f"{'':<8}... and {totals[finding.code] - _SHOWN} more [{finding.code}]: -v shows them")
    numbers = made.numbers
    levels = ", ".join(counted(numbers[f"{level}s"], level) for level in _COLORS)
    looked = f"{counted(numbers['records'], 'record')}, {counted(len(CHECKS), 'check')}"
    root = context.workspace().layout.root
    context.echo(f"{levels} ({looked})" if findings else f"{root} is healthy ({looked}).")
    if past and (changes := {name: n for name, n in since(past[-1], numbers).items() if name in _COURSE}):
        told = ", ".join(f"{name} {change:+,}" for name, change in changes.items())
        context.echo(f"Since {past[-1].at[:10]}: {told}.")


def _line(context: Context, finding: Finding) -> None:
    line = f":{finding.line}" if finding.line else ""
    place = f"{finding.path}{line}: " if finding.path else ""
    click.echo(click.style(f"{finding.level:<8}", fg=_COLORS[finding.level]), nl=False)
    context.line(f"{place}{finding.message} [{finding.code}]")


def _print_json(context: Context, findings: Sequence[Finding], made: Figures, past: Sequence[Figures]) -> None:
    from memory_core.health.checks import CHECKS, check_of
    from memory_core.health.figures import since

    context.print_json(
        {
            "findings": [{**asdict(finding), "check": check_of(finding)} for finding in findings],
            "counts": {f"{level}s": made.numbers[f"{level}s"] for level in _COLORS},
            "checks": list(CHECKS),
            "figures": dict(made.numbers),
            "before": {"at": past[-1].at, "changes": since(past[-1], made.numbers)} if past else None,
        }
    )


def _print_sarif(context: Context, findings: Sequence[Finding]) -> None:
    from memory_core.health.sarif import sarif
    from memory_core.installed import installed_version

    layout = context.workspace().layout
    base = layout.workspace.as_uri().rstrip("/") + "/"
    context.print_json(sarif(findings, base=base, root=layout.root.name, version=installed_version()))


def _tell_history(context: Context, past: Sequence[Figures]) -> None:
    if context.as_json:
        context.print_json({"audits": [{"at": one.at, "figures": dict(one.numbers)} for one in past]})
        return
    if not past:
        context.echo("No earlier audit of this store on this machine.")
        return
    context.echo("  ".join(("when".ljust(20), *(name.rjust(15) for name in _COURSE))), bold=True)
    for one in past if context.verbose else past[-30:]:
        cells = (f"{one.numbers[name]:,}" if name in one.numbers else "-" for name in _COURSE)
        context.echo("  ".join((one.at.ljust(20), *(cell.rjust(15) for cell in cells))))
