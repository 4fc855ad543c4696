"""Diagnostics as a GitLab code quality report, which its merge requests show beside the changed lines.

Makes plain data. Form: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.lint.fingerprint import fingerprints

# Of five words the report has; `blocker` and `critical` are for a program that fails, not for a note that is wrong.
_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.HINT: "info"}


def code_quality(files: Mapping[str, Sequence[Diagnostic]]) -> list[dict[str, Any]]:
    """One entry for each diagnostic. `files`: by path relative to the repository, with `/`; lines count from 1."""
    names = fingerprints(files)
    return [
        {
            "description": diagnostic.message,
            "check_name": diagnostic.code,
            "fingerprint": name,
            "severity": _SEVERITIES[diagnostic.severity],
            "location": {
                "path": path,
                "lines": {"begin": diagnostic.range.start.line + 1, "end": diagnostic.range.end.line + 1},
            },
        }
        for path, diagnostics in files.items()
        for diagnostic, name in zip(diagnostics, names[path], strict=True)
    ]
