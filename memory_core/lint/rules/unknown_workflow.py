"""`unknown-workflow`: a `/slug` in a text that is nearly the name of a workflow.

A `/word` that resembles none is a path or another program's command far more often than a mistake: it is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.suggest import suggestion
from memory_core.records.schema import Kind, RecordRef


def check(context: Context) -> Iterator[Problem]:
    document = context.document
    for reference in (*document.description_references, *document.references):
        if reference.kind is not Kind.WORKFLOW:
            continue
        if context.snapshot.index.exists(RecordRef(Kind.WORKFLOW, reference.slug)):
            continue
        place = context.lines.range(reference.start, reference.end)
        near = suggestion(context.snapshot, Kind.WORKFLOW, reference.slug, place, "/")
        if near.fixes:
            yield Problem(f"There is no workflow `/{reference.slug}`.{near.hint}", place, near.fixes, near.related)


RULE = Rule("unknown-workflow", Severity.WARNING, "A `/slug` is nearly the name of a workflow.", check, guesses=True)
