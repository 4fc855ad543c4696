"""`status-mismatch`: `status: replaced` without `replaced_by`, or `replaced_by` under another status."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule, replacement
from memory_core.records.schema import Kind, RecordRef, Status


def check(context: Context) -> Iterator[Problem]:
    head = context.record.head
    if not head or head.broken:
        return
    status = context.record.status
    has_target = head.value("replaced_by") is not None
    if status is Status.REPLACED and not has_target:
        message = "`status` is `replaced`: add `replaced_by` with the slug of the decision that took its place."
        yield Problem(message, context.value_range("status"))
    elif has_target and status in (Status.OPEN, Status.RESOLVED):
        message = f"`replaced_by` is set, but `status` is `{status}`: write `replaced`, or remove `replaced_by`."
        yield Problem(message, context.value_range("status"), _fix(context))


def _fix(context: Context) -> tuple[Fix, ...]:
    """Naming a decision that exists says more than a status that was left as it was."""
    target = context.record.replaced_by
    entry = context.entry("status")
    if not entry or target in (None, context.record.ref.slug):
        return ()
    exists = context.snapshot.index.exists(RecordRef(Kind.DECISION, str(target)))
    return replacement("Write `replaced`", entry.item, Status.REPLACED.value) if exists else ()


RULE = Rule(
    "status-mismatch",
    Severity.ERROR,
    "`status` and `replaced_by` contradict each other.",
    check,
    kinds=(Kind.DECISION,),
)
