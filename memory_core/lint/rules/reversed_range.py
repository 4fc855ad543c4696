"""`reversed-range`: a range of entries whose last comes before its first."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.node import Item
from memory_core.text import TextEdit


def check(context: Context) -> Iterator[Problem]:
    for item in _ranges(context):
        numbers = item.items
        if len(numbers) != 2 or not all(type(number.value) is int for number in numbers):
            continue
        first, last = numbers
        if first.value > last.value >= 0:
            message = f"The range runs backwards: write the first entry first, `[{last.value}, {first.value}]`."
            edits = (TextEdit(first.range, last.raw), TextEdit(last.range, first.raw))
            yield Problem(message, item.range, (Fix("Swap the two entries", edits),))


def _ranges(context: Context) -> Iterator[Item]:
    if entry := context.entry("last_rewritten_from_range"):
        yield entry.item
    for key in ("sources", "last_sources"):
        entry = context.entry(key)
        for source in entry.item.items if entry else ():
            if span := source.fields.get("range"):
                yield span.item


RULE = Rule("reversed-range", Severity.ERROR, "A range's last entry comes before its first.", check)
