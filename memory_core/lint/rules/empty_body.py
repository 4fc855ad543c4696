"""`empty-body`: a record with a head and nothing to say."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule


def check(context: Context) -> Iterator[Problem]:
    head = context.record.head
    if head and not head.broken and not context.record.body.strip():
        yield Problem("The body is empty: write what is to be remembered, or remove the record.", context.head_range)


RULE = Rule("empty-body", Severity.WARNING, "A record has no body.", check)
