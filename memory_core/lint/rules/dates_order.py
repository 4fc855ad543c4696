"""`dates-order`: a record that was updated before it was created."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule


def check(context: Context) -> Iterator[Problem]:
    created, updated = context.record.created_at, context.record.updated_at
    if created and updated and updated < created:
        message = "`updated_at` is before `created_at`: correct the one that is wrong."
        yield Problem(message, context.value_range("updated_at"))


RULE = Rule("dates-order", Severity.WARNING, "`updated_at` is before `created_at`.", check)
