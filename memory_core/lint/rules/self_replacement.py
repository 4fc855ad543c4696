"""`self-replacement`: a decision that says it replaced itself."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import Kind


def check(context: Context) -> Iterator[Problem]:
    if context.record.replaced_by == context.record.ref.slug:
        message = "This decision names itself in `replaced_by`: name the decision that took its place."
        yield Problem(message, context.value_range("replaced_by"))


RULE = Rule(
    "self-replacement", Severity.ERROR, "A decision names itself in `replaced_by`.", check, kinds=(Kind.DECISION,)
)
