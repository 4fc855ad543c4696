"""`thin-evidence`: much text (1500 characters and more) that rests on one source or none."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import FieldType, field_of

BODY = 1_500  # Unicode characters; the older store's limits
SOURCES = 1


def check(context: Context) -> Iterator[Problem]:
    if len(context.document.text) < BODY:
        return
    length = len(context.record.body.strip("\r\n"))
    for key in ("sources", "last_sources") if length >= BODY else ():
        entry = context.entry(key)
        field = field_of(context.kind, key)
        if not entry or not field or field.type is not FieldType.SOURCES or not isinstance(entry.item.value, list):
            continue
        count = len(entry.item.items)
        if count <= SOURCES:
            rests = "one source" if count else "no source"
            message = f"{length:,} characters rest on {rests}: add sources, or shorten the body to what they carry."
            yield Problem(message, context.value_range(key))


RULE = Rule("thin-evidence", Severity.WARNING, "A long body rests on one source or none.", check)
