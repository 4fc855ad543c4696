"""Commands of the linter: check records, fix what is certain, explain a code. The rules themselves are in `lint`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from memory_core.changes import ChangeSet
from memory_core.cli.app import Context, pass_context
from memory_core.diagnostic import Diagnostic, Severity
from memory_core.ids import uuid7
from memory_core.lint.check import check
from memory_core.lint.fix import apply_fixes
from memory_core.lint.pages import page
from memory_core.lint.registry import EXPLAINED
from memory_core.snapshot import Snapshot
from memory_core.text import Position, counted
from memory_core.workspace import Workspace


@dataclass(frozen=True)
class Report:
    """The diagnostics of every file that was linted, by the path shown; clean files have an empty list."""

    files: Mapping[str, Sequence[Diagnostic]]

    def number(self, severity: Severity) -> int:
        return sum(d.severity is severity for diagnostics in self.files.values() for d in diagnostics)

    def failed(self, warnings_as_errors: bool) -> bool:
        return self.number(Severity.ERROR) > 0 or (warnings_as_errors and self.number(Severity.WARNING) > 0)


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--warnings-as-errors", is_flag=True, help="Exit with 1 for warnings too.")
@click.option("--fix", is_flag=True, help="First apply the fixes that are certain.")
@pass_context
def lint(context: Context, paths: tuple[Path, ...], warnings_as_errors: bool, fix: bool) -> None:
    """Check the records, or only those at PATHS (files or folders). Exits with 1 when there are errors."""
    workspace = context.workspace()
    with _no_collection():
        snapshot = workspace.store.load()
        chosen = _chosen(workspace, snapshot, paths)
        unfixed: list[str] = []
        if fix:
            unfixed = _fix(context, workspace, snapshot, chosen)
            snapshot = workspace.store.load()
        report = _report(workspace, snapshot, chosen, everything=not paths)
    if context.as_json:
        context.print_json(_as_json(workspace, report))
    else:
        _print(context, report)
    if unfixed or report.failed(warnings_as_errors):
        raise SystemExit(1)


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
        found = {name for name in snapshot.documents if name == relative or name.startswith(f"{relative}/")}
        if not found and not spelled.is_dir():
            exists = "is not a record" if spelled.exists() else "does not exist"
            raise click.UsageError(f"{path} {exists}: name a record's file or a folder of records.")
        chosen |= found
    return sorted(chosen)


def _spelled(path: Path) -> Path:
    """The path without symbolic links in its folders; the file itself may be one."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - drops `..` without following the last link
    return absolute.parent.resolve() / absolute.name


def _report(workspace: Workspace, snapshot: Snapshot, chosen: Sequence[str], *, everything: bool) -> Report:
    severities = workspace.config.severities()
    files: dict[str, Sequence[Diagnostic]] = {}
    for path, problems in workspace.problems.items() if everything else ():
        if problems:
            files[_shown(workspace, path)] = problems
    root = _shown(workspace, workspace.layout.root)
    for name in chosen:
        if name in snapshot.documents:
            files[f"{root}/{name}"] = check(snapshot, name, severities)
    return Report(files)


def _shown(workspace: Workspace, path: Path) -> str:
    """A path as people see it: from the workspace's folder; absolute for the user's own settings."""
    folder = workspace.layout.workspace
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)


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


def _print(context: Context, report: Report) -> None:
    for path, diagnostics in report.files.items():
        for d in diagnostics:
            start = d.range.start
            place = f"{path}:{start.line + 1}:{start.character + 1}"
            context.echo(f"{place}: {d.severity} {d.code}: {d.message}")
    parts = [counted(report.number(severity), severity.value) for severity in Severity if report.number(severity)] or [
        "no problems"
    ]
    context.echo(f"{counted(len(report.files), 'file')} checked: {', '.join(parts)}.")


def _as_json(workspace: Workspace, report: Report) -> dict[str, object]:
    return {
        "workspace": str(workspace.layout.workspace),
        "files": [
            {"path": path, "diagnostics": [_diagnostic(d) for d in diagnostics]}
            for path, diagnostics in report.files.items()
        ],
        "counts": {
            "files": len(report.files),
            "errors": report.number(Severity.ERROR),
            "warnings": report.number(Severity.WARNING),
            "hints": report.number(Severity.HINT),
        },
    }


def _diagnostic(d: Diagnostic) -> dict[str, object]:
    return {
        "code": d.code,
        "severity": d.severity.value,
        "message": d.message,
        "range": {"start": _position(d.range.start), "end": _position(d.range.end)},
        "fixes": [fix.title for fix in d.fixes],
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}


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
