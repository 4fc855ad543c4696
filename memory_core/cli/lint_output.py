"""What `omoide lint` prints: lines for people, JSON, SARIF, annotations of code hosts. Finds nothing itself."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_core.cli.app import Context
from memory_core.cli.lint_fix import Fixes, listed, shown
from memory_core.diagnostic import Diagnostic, Severity
from memory_core.lint.fix import certain
from memory_core.text import Position, counted
from memory_core.workspace import Workspace

_UNREADABLE_HEAD = frozenset({"malformed-frontmatter", "missing-frontmatter", "unreadable-file"})
FORMS = ("text", "json", "sarif", "github", "gitlab")


@dataclass(frozen=True)
class Report:
    """The diagnostics of every file that was linted, by absolute path; clean files have an empty list."""

    workspace: Workspace
    files: Mapping[Path, Sequence[Diagnostic]]

    def number(self, severity: Severity) -> int:
        return sum(d.severity is severity for diagnostics in self.files.values() for d in diagnostics)

    def failed(self, most_warnings: int | None) -> bool:
        """Whether there are errors, or more warnings than may be; None for as many as there are."""
        return any(self.failures(most_warnings).files.values())

    def failures(self, most_warnings: int | None) -> Report:
        """Only what makes it fail: errors, and warnings where there are more than may be."""
        failing = {Severity.ERROR}
        if most_warnings is not None and self.number(Severity.WARNING) > most_warnings:
            failing.add(Severity.WARNING)
        files = {path: [d for d in found if d.severity in failing] for path, found in self.files.items()}
        return Report(self.workspace, files)

    def below(self, folder: Path) -> dict[str, Sequence[Diagnostic]]:
        """The files by the path people see: from `folder`; absolute for the user's own settings."""
        return {shown(folder, path): diagnostics for path, diagnostics in self.files.items()}


def print_report(
    context: Context, report: Report, form: str, *, told: Report, fixes: Fixes | None, rules_url: str | None
) -> None:
    """The answer in one of FORMS. `told`: the part of it that is to be told. `fixes`: what was fixed before, where that
    was asked for."""
    quiet = told is not report
    if fixes and form != "json":
        _tell_fixes(context, report.workspace, fixes, aside=form != "text" or quiet)
    match form:
        case "json":
            _print_json(context, told, report, fixes)
        case "sarif":
            _print_sarif(context, told, rules_url)
        case "github":
            _print_github(context, told)
        case "gitlab":
            _print_gitlab(context, told)
        case _:
            _print_text(context, told, total=not quiet)


def _tell_fixes(context: Context, workspace: Workspace, fixes: Fixes, *, aside: bool) -> None:
    """A line for each fix; beside the answer where that is for a program."""
    for path, applied in fixes.written.items():
        for fix in applied:
            line = f"{shown(workspace.layout.workspace, path)}: fixed {fix.code}: {fix.title}"
            context.note(line) if aside else context.echo(line)


def _print_text(context: Context, report: Report, *, total: bool) -> None:
    folder = report.workspace.layout.workspace
    for path, diagnostics in report.files.items():
        for d in diagnostics:
            start = d.range.start
            place = f"{shown(folder, path)}:{start.line + 1}:{start.character + 1}"
            context.line(f"{place}: {d.severity} {d.code}: {d.message}")
    if not total:
        return
    parts = [counted(report.number(severity), severity.value) for severity in Severity if report.number(severity)] or [
        "no problems"
    ]
    context.echo(f"{counted(len(report.files), 'file')} checked: {', '.join(parts)}.")
    if mendable := sum(map(_mendable, report.files.values())):
        context.note(f"{mendable} of these can be fixed by `omoide lint --fix`; `--diff` shows how")


def _mendable(diagnostics: Sequence[Diagnostic]) -> int:
    """How many problems of one file have a certain fix: none where the head cannot be read."""
    if any(d.code in _UNREADABLE_HEAD for d in diagnostics):
        return 0
    return sum(map(certain, diagnostics))


def _print_json(context: Context, told: Report, report: Report, fixes: Fixes | None) -> None:
    """`told`: what is printed; the counts are of all of `report`."""
    folder = report.workspace.layout.workspace
    answer: dict[str, object] = {
        "workspace": str(folder),
        "files": [
            {"path": path, "diagnostics": [_diagnostic(d) for d in diagnostics]}
            for path, diagnostics in told.below(folder).items()
        ],
        "counts": {
            "files": len(report.files),
            "errors": report.number(Severity.ERROR),
            "warnings": report.number(Severity.WARNING),
            "hints": report.number(Severity.HINT),
        },
    }
    if fixes is not None:
        answer["fixed"] = listed(fixes.written, folder)
        answer["left"] = [shown(folder, path) for path in fixes.left]
    context.print_json(answer)


def _print_sarif(context: Context, report: Report, rules_url: str | None) -> None:
    from memory_core.installed import installed_version
    from memory_core.lint.sarif import sarif

    folder = _repository(report.workspace)
    root = shown(folder, report.workspace.layout.root)
    base = folder.as_uri().rstrip("/") + "/"
    files = report.below(folder)
    context.print_json(sarif(files, base=base, version=installed_version(), root=root, help_base=rules_url))


def _print_github(context: Context, report: Report) -> None:
    from memory_core.lint.annotations import annotation_lines

    for line in annotation_lines(report.below(_repository(report.workspace))):
        context.echo(line)


def _print_gitlab(context: Context, report: Report) -> None:
    from memory_core.lint.code_quality import code_quality

    context.print_json(code_quality(report.below(_repository(report.workspace))))


def _repository(workspace: Workspace) -> Path:
    """The folder that a code host counts paths from: the checkout around the workspace, where the environment names
    one, as it does in the runners of GitHub and GitLab; else the workspace."""
    folder = workspace.layout.workspace
    checkout = workspace.environment.get("GITHUB_WORKSPACE") or workspace.environment.get("CI_PROJECT_DIR")
    if checkout and folder.is_relative_to(path := Path(os.path.abspath(checkout))):  # noqa: PTH100 - links are kept
        return path
    return folder


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
