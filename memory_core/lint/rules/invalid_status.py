"""`invalid-status`: a decision's status is a word other than the three there are."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule, place_of, replacement
from memory_core.records.schema import Kind, Status
from memory_core.text import shorten


def check(context: Context) -> Iterator[Problem]:
    entry = context.entry("status")
    if not entry or not isinstance(entry.item.value, str) or entry.item.value in set(Status):
        return
    word = entry.item.value.strip().lower()
    fixes = replacement(f"Write `{word}`", entry.item, word) if word in set(Status) else ()
    message = f"`status` must be `open`, `resolved` or `replaced`, not `{shorten(entry.item.value, 40)}`."
    yield Problem(message, place_of(entry), fixes)


RULE = Rule(
    "invalid-status",
    Severity.ERROR,
    "A decision's status is not `open`, `resolved` or `replaced`.",
    check,
    kinds=(Kind.DECISION,),
)
