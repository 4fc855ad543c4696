"""`unknown-reference`: a `#slug` in the body or the description that no knowledge record has.

What may be an issue number or a color is never reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.suggest import suggestion
from memory_core.records.refs import MOST
from memory_core.records.schema import Kind, RecordRef


def check(context: Context) -> Iterator[Problem]:
    document = context.document
    if len(document.references) >= MOST:
        last = document.references[-1]
        message = f"Only the first {MOST:,} references of a text are looked at, which end here: split it."
        yield Problem(message, context.lines.range(last.start, last.end))
    for reference in (*document.description_references, *document.references):
        if reference.kind is not Kind.KNOWLEDGE or reference.weak:
            continue
        if context.snapshot.index.exists(RecordRef(Kind.KNOWLEDGE, reference.slug)):
            continue
        place = context.lines.range(reference.start, reference.end)
        near = suggestion(context.snapshot, Kind.KNOWLEDGE, reference.slug, place, "#")
        advice = "create it, or write `\\#` if no record is meant"
        message = f"There is no knowledge record `#{reference.slug}`: {advice}.{near.hint}"
        yield Problem(message, place, near.fixes, near.related)


RULE = Rule("unknown-reference", Severity.ERROR, "A `#slug` names no knowledge record.", check, guesses=True)
