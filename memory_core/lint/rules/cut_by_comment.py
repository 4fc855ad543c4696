"""`cut-by-comment`: a `#` that YAML took for the start of a comment, so that the rest of the value was lost.

A `#` followed by a space is how people write real comments, and stays one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.values import hidden_by_comment
from memory_core.records.node import Item
from memory_core.text import TextEdit


def check(context: Context) -> Iterator[Problem]:
    head = context.record.head
    if not head or "#" not in context.document.text[head.start : head.end]:
        return
    for entry in head.entries.values():
        for item in (entry.item, *entry.item.items):
            if lost := hidden_by_comment(item):
                yield _problem(context, item, lost)


def _problem(context: Context, item: Item, lost: re.Match[str]) -> Problem:
    at, end = lost.start(2), lost.start(2) + len(lost[2].rstrip())
    start = item.start if item.end > item.start else at
    whole = context.document.text[start:end]
    message = (
        f"YAML takes `{lost[2].rstrip()[:40]}` for a comment, so it is not part of the value: put the value in quotes."
    )
    # A plain value over several lines is folded by YAML; quoting it as it stands would not be the same text.
    fixes: tuple[Fix, ...] = ()
    if "\n" not in whole and "\r" not in whole:
        quoted = "'" + whole.replace("'", "''") + "'"
        fixes = (Fix("Put the value in quotes", (TextEdit(context.lines.range(start, end), quoted),)),)
    return Problem(message, context.lines.range(at, end), fixes)


RULE = Rule("cut-by-comment", Severity.WARNING, "An unquoted ` #` cut a frontmatter value off.", check)
