"""Diagnostics as text and back, for a cache of what was found: everything of them, in little space."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memory_core.diagnostic import Diagnostic, Fix, Related, Severity
from memory_core.text import Position, Range, TextEdit

Found = Mapping[str, Sequence[Diagnostic]]


def packed(found: Found) -> str:
    """The diagnostics of some files by path, in order."""
    rows = {path: [row_of(d) for d in diagnostics] for path, diagnostics in found.items()}
    return json.dumps(rows, separators=(",", ":"))  # ASCII: half of a surrogate pair cannot be stored


def unpacked(text: str) -> dict[str, Sequence[Diagnostic]]:
    """The diagnostics from `packed`; ValueError or TypeError for anything else."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise TypeError("not a table of diagnostics")
    return {path: [from_row(*row) for row in rows] for path, rows in data.items()}


def row_of(d: Diagnostic) -> list[Any]:
    """A diagnostic as plain lists, numbers and texts."""
    fixes = [[fix.title, [[_span(edit.range), edit.new_text] for edit in fix.edits]] for fix in d.fixes]
    related = [[place.path, _span(place.range), place.message] for place in d.related]
    return [d.code, d.severity.value, d.message, _span(d.range), fixes, related]


def from_row(code: str, severity: str, message: str, span: list[int], fixes: Any, related: Any) -> Diagnostic:
    """The diagnostic that `row_of` made a row of; ValueError or TypeError for anything else."""
    return Diagnostic(
        code,
        Severity(severity),
        message,
        _range(span),
        tuple(Fix(title, tuple(TextEdit(_range(place), new) for place, new in edits)) for title, edits in fixes),
        tuple(Related(path, _range(place), words) for path, place, words in related),
    )


def _span(span: Range) -> list[int]:
    return [span.start.line, span.start.character, span.end.line, span.end.character]


def _range(span: list[int]) -> Range:
    start_line, start, end_line, end = span
    return Range(Position(start_line, start), Position(end_line, end))
