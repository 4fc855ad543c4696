"""`empty-description`: a description that says nothing, where people and agents choose by it."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule, place_of
from memory_core.lint.values import hidden_by_comment
from memory_core.records.schema import field_of


def check(context: Context) -> Iterator[Problem]:
    entry = context.entry("description")
    if not entry or not field_of(context.kind, "description"):
        return
    value = entry.item.value
    is_empty = value is None or (isinstance(value, str) and not value.strip())
    if is_empty and not hidden_by_comment(entry.item):
        yield Problem("The description is empty: say what the record is and when to read it.", place_of(entry))


RULE = Rule("empty-description", Severity.ERROR, "A description says nothing.", check)
