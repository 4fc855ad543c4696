"""`broken-chain`: `replaced_by` names a decision that exists, but a later step of the chain does not."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Related, Severity
from memory_core.layout import record_path
from memory_core.lint.chain import chain_from
from memory_core.lint.rule import Context, Problem, Rule, place_of
from memory_core.records.schema import Kind, RecordRef


def check(context: Context) -> Iterator[Problem]:
    if context.record.replaced_by is None:
        return
    chain = chain_from(context.snapshot, context.record.ref.slug)
    if chain.end != "unknown" or len(chain.slugs) < 3:
        return
    holder, missing = chain.slugs[-2:]
    message = f"The chain of replacements ends at `{missing}`, which does not exist: correct `{holder}`."
    yield Problem(message, context.value_range("replaced_by"), related=_related(context, holder))


def _related(context: Context, holder: str) -> tuple[Related, ...]:
    ref = RecordRef(Kind.DECISION, holder)
    record = context.snapshot.record(ref)
    entry = record.head.entries.get("replaced_by") if record and record.head else None
    return (Related(record_path(ref), place_of(entry), "The missing decision is named here."),) if entry else ()


RULE = Rule(
    "broken-chain",
    Severity.WARNING,
    "A later step of a chain of replacements does not exist.",
    check,
    kinds=(Kind.DECISION,),
)
