"""Diagnostics as GitHub annotations: one workflow command a line, which the runner shows beside the changed lines.

Writes text only. Syntax: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memory_core.diagnostic import Diagnostic, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def annotation_lines(files: Mapping[str, Sequence[Diagnostic]]) -> Iterator[str]:
    """A line for each diagnostic. `files`: by path relative to the repository, with `/`."""
    for path, diagnostics in files.items():
        for diagnostic in diagnostics:
            yield _annotation(path, diagnostic)


def _annotation(path: str, diagnostic: Diagnostic) -> str:
    start, end = diagnostic.range.start, diagnostic.range.end
    values = {"file": path, "line": start.line + 1, "endLine": end.line + 1}
    if start.line == end.line:  # columns are shown, and accepted, within one line only
        values |= {"col": start.character + 1, "endColumn": max(end.character, start.character + 1)}
    values["title"] = diagnostic.code
    properties = ",".join(f"{name}={str(value).translate(_PROPERTY)}" for name, value in values.items())
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{diagnostic.message.translate(_DATA)}"
