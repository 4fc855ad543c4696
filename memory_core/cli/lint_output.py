"""What `omoide lint` prints: lines for people, JSON, SARIF, GitHub annotations. Finds nothing itself."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_core.cli.app import Context
from memory_core.diagnostic import Diagnostic, Severity
from memory_core.text import Position, counted
from memory_core.workspace import Workspace


@dataclass(frozen=True)
class Report:
    """The diagnostics of every file that was linted, by absolute path; clean files have an empty list."""

    workspace: Workspace
    files: Mapping[Path, Sequence[Diagnostic]]

    def number(self, severity: Severity) -> int:
        return sum(d.severity is severity for diagnostics in self.files.values() for d in diagnostics)

    def failed(self, warnings_as_errors: bool) -> bool:
        return self.number(Severity.ERROR) > 0 or (warnings_as_errors and self.number(Severity.WARNING) > 0)

    def below(self, folder: Path) -> dict[str, Sequence[Diagnostic]]:
        """The files by the path people see: from `folder`; absolute for the user's own settings."""
        return {shown(folder, path): diagnostics for path, diagnostics in self.files.items()}


def shown(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()


def print_text(context: Context, report: Report) -> None:
    folder = report.workspace.layout.workspace
    for path, diagnostics in report.files.items():
        for d in diagnostics:
            start = d.range.start
            place = f"{shown(folder, path)}:{start.line + 1}:{start.character + 1}"
            context.echo(f"{place}: {d.severity} {d.code}: {d.message}")
    parts = [counted(report.number(severity), severity.value) for severity in Severity if report.number(severity)] or [
        "no problems"
    ]
    context.echo(f"{counted(len(report.files), 'file')} checked: {', '.join(parts)}.")


def print_json(context: Context, report: Report) -> None:
    folder = report.workspace.layout.workspace
    answer = {
        "workspace": str(folder),
        "files": [
            {"path": path, "diagnostics": [_diagnostic(d) for d in diagnostics]}
            for path, diagnostics in report.below(folder).items()
        ],
        "counts": {
            "files": len(report.files),
            "errors": report.number(Severity.ERROR),
            "warnings": report.number(Severity.WARNING),
            "hints": report.number(Severity.HINT),
        },
    }
    context.print_json(answer)


def print_sarif(context: Context, report: Report) -> None:
    from importlib.metadata import version

    from memory_core.lint.sarif import sarif

    folder = _repository(report.workspace)
    root = shown(folder, report.workspace.layout.root)
    base = folder.as_uri().rstrip("/") + "/"
    context.print_json(sarif(report.below(folder), base=base, version=version("omoide"), root=root))


def print_github(context: Context, report: Report) -> None:
    from memory_core.lint.annotations import annotation_lines

    for line in annotation_lines(report.below(_repository(report.workspace))):
        context.echo(line)


def _repository(workspace: Workspace) -> Path:
    """The folder that a code host counts paths from: the checkout around the workspace, where the environment names
    one, as it does in GitHub's runners; else the workspace."""
    folder = workspace.layout.workspace
    checkout = workspace.environment.get("GITHUB_WORKSPACE")
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
