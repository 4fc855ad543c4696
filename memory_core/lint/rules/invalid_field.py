"""`invalid-field`: a frontmatter value of the wrong shape, at the exact nested value. Absent keys are not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.values import check_value, hidden_by_comment
from memory_core.records.schema import field_of


def check(context: Context) -> Iterator[Problem]:
    head = context.record.head
    for key, entry in head.entries.items() if head else ():
        field = field_of(context.kind, key)
        if field and not (entry.item.value is None and hidden_by_comment(entry.item)):
            yield from check_value(field, entry)


RULE = Rule("invalid-field", Severity.ERROR, "A frontmatter value has the wrong type or shape.", check)
