"""Commands of the linter: check records, fix what is certain, explain a code. The rules themselves are in `lint`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from memory_core.changes import ChangeSet
from memory_core.cli import lint_output, lint_run
from memory_core.cli.app import Context, pass_context
from memory_core.cli.lint_output import Report
from memory_core.errors import WorkspaceError
from memory_core.ids import uuid7
from memory_core.lint.facts import LintFacts
from memory_core.lint.fix import apply_fixes
from memory_core.lint.pages import page
from memory_core.lint.registry import EXPLAINED
from memory_core.snapshot import Snapshot
from memory_core.text import counted
from memory_core.workspace import Workspace


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--warnings-as-errors", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--fix", is_flag=True, help="First apply the fixes that are certain.")
@click.option("--evidence", is_flag=True, help="Also compare sources with the logs of their sessions (slower).")
@click.option("--sarif", is_flag=True, help="Answer as SARIF 2.1.0, for code scanning.")
@click.option("--github", is_flag=True, help="Answer as GitHub annotations, for a workflow's log.")
@pass_context
def lint(
    context: Context,
    paths: tuple[Path, ...],
    warnings_as_errors: bool,
    fix: bool,
    evidence: bool,
    sarif: bool,
    github: bool,
) -> None:
    """Check the records, or only those at PATHS (files or folders). Exits with 1 when there are errors."""
    if sum((context.as_json, sarif, github)) > 1:
        raise click.UsageError("--json, --sarif and --github are three forms of one answer: choose one.")
    workspace = _workspace(context, paths)
    with _no_collection():
        loaded = lint_run.load(workspace)
        chosen = _chosen(workspace, loaded.snapshot, paths)
        unfixed: list[str] = []
        if fix:
            unfixed = _fix(context, workspace, loaded.snapshot, chosen)
            loaded = lint_run.load(workspace)
        logs = _logs(context, workspace, loaded.snapshot, chosen) if evidence else None
        found = lint_run.check_some(loaded, chosen, logs) if paths else lint_run.check_all(loaded, logs)
    report = _report(workspace, found, chosen, settings=not paths)
    if context.as_json:
        lint_output.print_json(context, report)
    elif sarif:
        lint_output.print_sarif(context, report)
    elif github:
        lint_output.print_github(context, report)
    else:
        lint_output.print_text(context, report)
    if unfixed or report.failed(warnings_as_errors):
        raise SystemExit(1)


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


def _fix(context: Context, workspace: Workspace, snapshot: Snapshot, chosen: Sequence[str]) -> list[str]:
    """Apply the certain fixes; returns the files that could not be written."""
    changes = ChangeSet()
    severities = workspace.config.severities()
    for name in chosen:
        fixed = apply_fixes(snapshot, name, severities)
        if fixed is not None:
            changes = changes.with_file(name, snapshot.documents[name].text, fixed)
    if not changes:
        return []
    result = workspace.store.commit(changes, run_id=uuid7(workspace.now()), reason="lint --fix")
    context.note(f"fixed {counted(len(result.written), 'file')}")
    for name in result.conflicts:
        context.note(f"{name} was left alone: it changed meanwhile or cannot be written; run the command again")
    return list(result.conflicts)


@click.command()
@click.argument("code", required=False)
@pass_context
def explain(context: Context, code: str | None) -> None:
    """What a CODE of the linter means, why it matters and how to fix it. Without a CODE: all codes."""
    if code is None:
        _list_codes(context)
        return
    known = EXPLAINED.get(code)
    if known is None:
        raise click.UsageError(f"There is no code `{code}`{_nearest(code)}; `omoide explain` lists them.")
    if context.as_json:
        values = {"code": known.code, "severity": known.severity.value, "summary": known.summary, "page": page(code)}
        context.print_json(values)
    else:
        context.echo(page(code).rstrip("\n"))


def _list_codes(context: Context) -> None:
    codes = sorted(EXPLAINED.values(), key=lambda known: known.code)
    if context.as_json:
        listed = [{"code": k.code, "severity": k.severity.value, "summary": k.summary} for k in codes]
        context.print_json({"codes": listed})
        return
    width = max(len(known.code) for known in codes)
    for known in codes:
        context.echo(f"{known.code:<{width}}  {known.severity:<7}  {known.summary}")


def _nearest(code: str) -> str:
    from rapidfuzz import process

    found = process.extractOne(code, list(EXPLAINED), score_cutoff=60)
    return f": did you mean `{found[0]}`?" if found else ""
