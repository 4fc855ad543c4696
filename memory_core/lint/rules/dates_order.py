"""`dates-order`: a record that was updated before it was created."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule


def check(context: Context) -> Iterator[Problem]:
    written, changed = context.record.value("created_at"), context.record.value("updated_at")
    if isinstance(written, str) and isinstance(changed, str) and written <= changed and _same_form(written, changed):
        return
    created, updated = context.record.created_at, context.record.updated_at
    if created and updated and updated < created:
        message = "`updated_at` is before `created_at`: correct the one that is wrong."
        yield Problem(message, context.value_range("updated_at"))


def _same_form(one: str, other: str) -> bool:
    """Whether two instants of this form can be compared as text, which is faster than reading them."""
    return len(one) == len(other) and one.endswith("Z") and other.endswith("Z")


RULE = Rule("dates-order", Severity.WARNING, "`updated_at` is before `created_at`.", check)
