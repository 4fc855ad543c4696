"""`unknown-requires`: a workflow requires a knowledge record that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.suggest import suggestion
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.slug import is_slug


def check(context: Context) -> Iterator[Problem]:
    entry = context.entry("requires")
    for item in entry.item.items if entry else ():
        slug = item.value
        if not isinstance(slug, str) or not is_slug(slug):
            continue
        if context.snapshot.index.exists(RecordRef(Kind.KNOWLEDGE, slug)):
            continue
        near = suggestion(context.snapshot, Kind.KNOWLEDGE, slug, item.range)
        message = f"There is no knowledge record `{slug}` to read first: create it, or remove it.{near.hint}"
        yield Problem(message, item.range, near.fixes, near.related)


RULE = Rule(
    "unknown-requires",
    Severity.ERROR,
    "`requires` names a knowledge record that does not exist.",
    check,
    kinds=(Kind.WORKFLOW,),
    guesses=True,
)
