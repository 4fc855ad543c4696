"""`unknown-replacement`: `replaced_by` names a decision that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.suggest import suggestion
from memory_core.records.schema import Kind, RecordRef


def check(context: Context) -> Iterator[Problem]:
    target = context.record.replaced_by
    # A decision that names itself has a code of its own, also while its file is not written yet.
    if target is None or target == context.record.ref.slug:
        return
    if context.snapshot.index.exists(RecordRef(Kind.DECISION, target)):
        return
    place = context.value_range("replaced_by")
    near = suggestion(context.snapshot, Kind.DECISION, target, place)
    message = f"There is no decision `{target}`: name the one that replaced this, or create it.{near.hint}"
    yield Problem(message, place, near.fixes, near.related)


RULE = Rule(
    "unknown-replacement",
    Severity.ERROR,
    "`replaced_by` names a decision that does not exist.",
    check,
    kinds=(Kind.DECISION,),
    guesses=True,
)
