"""Run the rules: over one document or all of a snapshot, with the workspace's severities and suppressions applied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.layout import path_problem
from memory_core.lint.registry import RULES
from memory_core.lint.rule import Context, run
from memory_core.snapshot import Document, Snapshot

Severities = Mapping[str, Severity | None]  # code → severity, None for off; codes not in it keep their own

_DISABLE = re.compile(r"<!--\s*omoide-disable\s+([^>]*?)\s*-->")


def check(snapshot: Snapshot, path: str, severities: Severities | None = None) -> list[Diagnostic]:
    """All problems of the document at `path`, in the order of their place; empty for an unknown path."""
    document = snapshot.documents.get(path)
    if not document:
        return []
    disabled = {code for match in _DISABLE.finditer(document.text) for code in re.split(r"[\s,]+", match[1])}
    kept = (d for d in _problems(snapshot, document) if d.code not in disabled)
    return sorted(_graded(kept, severities or {}), key=lambda d: (d.range, d.code))


def check_all(snapshot: Snapshot, severities: Severities | None = None) -> dict[str, list[Diagnostic]]:
    """The problems of every document that has any, by path in path order."""
    found = {path: check(snapshot, path, severities) for path in sorted(snapshot.documents)}
    return {path: diagnostics for path, diagnostics in found.items() if diagnostics}


def errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [d for d in diagnostics if d.severity is Severity.ERROR]


def _graded(diagnostics: Iterable[Diagnostic], severities: Severities) -> Iterator[Diagnostic]:
    for d in diagnostics:
        severity = severities.get(d.code, d.severity)
        if severity is not None:
            yield Diagnostic(d.code, severity, d.message, d.range, d.fixes, d.related)


def _problems(snapshot: Snapshot, document: Document) -> Iterator[Diagnostic]:
    first_line = document.lines.line_range(0)
    problem = path_problem(document.path)
    if problem:
        yield Diagnostic(problem[0], Severity.ERROR, problem[1], first_line)
    if document.unreadable:
        yield Diagnostic("unreadable-file", Severity.ERROR, document.unreadable, first_line)
    record = document.record
    if not record:
        return
    yield from record.problems
    context = Context(snapshot, document, record)
    for rule in RULES:
        yield from run(rule, context)

