"""`too-many-sources`: more than 10 sources, which nobody reads and which hide the ones that matter."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import FieldType, field_of
from memory_core.text import Range

LIMIT = 10


def check(context: Context) -> Iterator[Problem]:
    for key in ("sources", "last_sources"):
        entry = context.entry(key)
        field = field_of(context.kind, key)
        if not entry or not field or field.type is not FieldType.SOURCES:
            continue
        items = entry.item.items
        if len(items) > LIMIT:
            message = f"{len(items)} sources: keep the {LIMIT} that carry the record, or split it."
            yield Problem(message, Range(items[LIMIT].range.start, items[-1].range.end))


RULE = Rule("too-many-sources", Severity.WARNING, "A record has more than 10 sources.", check)
