"""Run the rules: over one document or all of a snapshot, with the workspace's severities and suppressions applied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.layout import path_problem
from memory_core.lint.facts import NO_FACTS, LintFacts
from memory_core.lint.registry import CODES, RULES
from memory_core.lint.rule import Context, Rule, run
from memory_core.records.schema import Kind
from memory_core.snapshot import Document, Snapshot

_RULES_OF = {kind: tuple(rule for rule in RULES if kind in rule.kinds) for kind in Kind}

Severities = Mapping[str, Severity | None]  # code → severity, None for off; codes not in it keep their own

_DISABLE = re.compile(r"<!--[ \t]*omoide-disable(?=[ \t])([^<>]{1,1000}?)-->")
_WORD = re.compile(r"[^\s,]+")


def check(
    snapshot: Snapshot,
    path: str,
    severities: Severities | None = None,
    facts: LintFacts = NO_FACTS,
    *,
    comments: bool = True,
    errors_only: bool = False,
) -> list[Diagnostic]:
    """All problems of the document at `path`, in the order of their place; empty for an unknown path.

    Without `facts`, the rules that need some are silent. `comments`: whether a disabling comment in the file counts.
    `errors_only`: rules that can only warn are not run, since some of them look at all records.
    """
    document = snapshot.documents.get(path)
    if not document:
        return []
    disabled = _disabled(document.text) if comments else {}
    problems = _problems(snapshot, document, facts, severities or {} if errors_only else None)
    found = (d for d in (*problems, *_unknown(document, disabled)) if d.code not in disabled)
    return sorted(_graded(found, severities or {}), key=lambda d: (d.range, d.code))


def check_all(
    snapshot: Snapshot, severities: Severities | None = None, facts: LintFacts = NO_FACTS
) -> dict[str, list[Diagnostic]]:
    """The problems of every document that has any, by path in path order."""
    found = {path: check(snapshot, path, severities, facts) for path in sorted(snapshot.documents)}
    return {path: diagnostics for path, diagnostics in found.items() if diagnostics}


def errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Those that refuse a write and make `omoide lint` fail."""
    return [d for d in diagnostics if d.severity is Severity.ERROR]


def _problems(
    snapshot: Snapshot, document: Document, facts: LintFacts, refusing: Severities | None
) -> Iterator[Diagnostic]:
    """`refusing`: only the rules that are errors under these severities; None for all."""
    problem = path_problem(document.path)
    if problem and not (document.unreadable and problem[0] == "invalid-path"):  # a folder that cannot be listed
        yield Diagnostic(problem[0], Severity.ERROR, problem[1], document.lines.line_range(0))
    if document.unreadable:
        # Its text is not what the file holds: anything else said about it would be wrong.
        yield Diagnostic("unreadable-file", Severity.ERROR, document.unreadable, document.lines.line_range(0))
        return
    record = document.record
    if not record:
        return
    yield from record.problems
    rules: Sequence[Rule] = _RULES_OF[record.ref.kind]
    if refusing is not None:
        rules = [rule for rule in rules if refusing.get(rule.code, rule.severity) is Severity.ERROR]
    yield from run(rules, Context(snapshot, document, record, facts))


def _disabled(text: str) -> dict[str, int]:
    """The codes that `<!-- omoide-disable code, code -->` names anywhere in a file, each with its offset."""
    if "omoide-disable" not in text:
        return {}
    return {
        word.group(): word.start() for match in _DISABLE.finditer(text) for word in _WORD.finditer(text, *match.span(1))
    }


def _unknown(document: Document, disabled: Mapping[str, int]) -> Iterator[Diagnostic]:
    for word, offset in disabled.items():
        if word not in CODES:
            message = f"There is no code `{word}` to disable: `omoide explain` lists the codes."
            place = document.lines.range(offset, offset + len(word))
            yield Diagnostic("unknown-disable", Severity.HINT, message, place)


def _graded(diagnostics: Iterable[Diagnostic], severities: Severities) -> Iterator[Diagnostic]:
    for d in diagnostics:
        severity = severities.get(d.code, d.severity)
        if severity is not None:
            yield d if severity is d.severity else replace(d, severity=severity)
