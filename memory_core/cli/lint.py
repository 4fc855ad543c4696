"""`omoide lint`: check records, fix what is certain, answer in one of several forms. The rules are in `lint`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from memory_core.cli import lint_fix, lint_output, lint_run
from memory_core.cli.app import Context, pass_context
from memory_core.cli.lint_output import Report
from memory_core.diagnostic import Severity
from memory_core.errors import WorkspaceError
from memory_core.lint.facts import LintFacts
from memory_core.snapshot import Snapshot
from memory_core.workspace import Workspace


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--fix", is_flag=True, help="First apply the fixes that are certain, and list them.")
@click.option("--diff", is_flag=True, help="Only show what --fix would change; exit with 1 when that is anything.")
@click.option("--evidence", is_flag=True, help="Also compare sources with the logs of their sessions (slower).")
@click.option("--ignore-disables", is_flag=True, help="Also tell what comments in the files turn off.")
@click.option("--quiet", "-q", is_flag=True, help="Tell only what makes it fail; a good run prints nothing.")
@click.option("--warnings-as-errors", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--max-warnings", type=click.IntRange(0), metavar="N", help="Exit with 1 for more than N warnings.")
@click.option(
    "--format", "form", type=click.Choice(lint_output.FORMS), help="The form of the answer; `text` by default."
)
@click.option("--sarif", is_flag=True, help="Short for --format sarif, for code scanning.")
@click.option("--github", is_flag=True, help="Short for --format github, for a workflow's log.")
@click.option(
    "--rules-url", metavar="URL", help="In SARIF: where the rule pages are published, without the page's name."
)
@pass_context
def lint(
    context: Context,
    paths: tuple[Path, ...],
    fix: bool,
    diff: bool,
    evidence: bool,
    ignore_disables: bool,
    quiet: bool,
    warnings_as_errors: bool,
    max_warnings: int | None,
    form: str | None,
    sarif: bool,
    github: bool,
    rules_url: str | None,
) -> None:
    """Check the records, or only those at PATHS (files or folders). Exits with 1 when there are errors, with 2 when
    they could not be checked."""
    form = _form(context, form, sarif=sarif, github=github)
    if diff and (fix or form not in ("text", "json")):
        raise click.UsageError("--diff only shows what --fix would change, as text or JSON: leave the other out.")
    workspace = _workspace(context, paths)
    with _no_collection():
        loaded = lint_run.load(workspace)
        chosen = _chosen(workspace, loaded.snapshot, paths)
        if diff:
            raise SystemExit(int(lint_fix.print_diff(context, workspace, loaded.snapshot, chosen)))
        fixes = None
        if fix:
            fixes = lint_fix.write_fixes(context, workspace, loaded.snapshot, chosen)
            loaded = lint_run.load(workspace)
        logs = _logs(context, workspace, loaded.snapshot, chosen) if evidence else None
        if paths or ignore_disables:
            found = lint_run.check_some(loaded, chosen, logs, comments=not ignore_disables)
        else:
            found = lint_run.check_all(loaded, logs)
    report = _report(workspace, found, chosen, settings=not paths)
    most = 0 if warnings_as_errors else max_warnings
    told = report.failures(most) if quiet else report
    lint_output.print_report(context, report, form, told=told, fixes=fixes, rules_url=rules_url)
    if max_warnings and report.number(Severity.WARNING) > max_warnings and not warnings_as_errors:
        context.note(f"{report.number(Severity.WARNING)} warnings are more than the {max_warnings} that may be")
    if (fixes and fixes.left) or report.failed(most):
        raise SystemExit(1)


def _form(context: Context, form: str | None, *, sarif: bool, github: bool) -> str:
    """The one form that was asked for. UsageError where two were."""
    asked = {name for name, wanted in (("json", context.as_json), ("sarif", sarif), ("github", github)) if wanted}
    asked |= {form} if form else set()
    if len(asked) > 1:
        names = " and ".join(f"`{name}`" for name in sorted(asked))
        raise click.UsageError(f"{names} are forms of one answer: choose one.")
    chosen = next(iter(asked), "text")
    context.as_json = chosen == "json"
    return chosen


def _workspace(context: Context, paths: Sequence[Path]) -> Workspace:
    """The workspace of the working folder; where there is none, that of the first path: a hook runs at the top of a
    repository whose memory may lie deeper."""
    try:
        return context.workspace()
    except WorkspaceError:
        if not paths or not paths[0].exists():
            raise
        context.workspace_dir = _spelled(paths[0]).parent
        return context.workspace()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing that a check makes is garbage before its end: looking for some takes a quarter of the time (measured on
    10,000 records)."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _chosen(workspace: Workspace, snapshot: Snapshot, paths: Sequence[Path]) -> list[str]:
    """The documents under some paths; all without a path. UsageError for a path that stands for none."""
    if not paths:
        return sorted(snapshot.documents)
    chosen: set[str] = set()
    root = _spelled(workspace.layout.root)
    for path in paths:
        spelled = _spelled(path)
        if root.is_relative_to(spelled) or spelled == root:  # the whole workspace, or a folder around it
            chosen.update(snapshot.documents)
            continue
        if not spelled.is_relative_to(root):
            raise click.UsageError(f"{path} is outside the memory root {workspace.layout.root}.")
        relative = spelled.relative_to(root).as_posix()
        if relative in snapshot.documents:
            chosen.add(relative)
            continue
        found = {name for name in snapshot.documents if name.startswith(f"{relative}/")}
        if not found and not spelled.is_dir():
            exists = "is not a record" if spelled.exists() else "does not exist"
            raise click.UsageError(f"{path} {exists}: name a record's file or a folder of records.")
        chosen |= found
    return sorted(chosen)


def _spelled(path: Path) -> Path:
    """The path without symbolic links in its folders; the file itself may be one."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - drops `..` without following the last link
    return absolute.parent.resolve() / absolute.name


def _logs(context: Context, workspace: Workspace, snapshot: Snapshot, chosen: Sequence[str]) -> LintFacts:
    from memory_core.log_facts import log_facts

    facts, problems = log_facts(workspace, snapshot, chosen)
    for problem in problems:
        context.note(problem)
    return facts


def _report(workspace: Workspace, found: lint_run.Found, chosen: Sequence[str], *, settings: bool) -> Report:
    """What was found, with the problems of the settings where they were asked for."""
    root = workspace.layout.root
    files = {path: problems for path, problems in workspace.problems.items() if problems} if settings else {}
    return Report(workspace, files | {root / name: found.get(name, ()) for name in chosen})
