"""What a worker sends in its calls, taken over: the record it names, texts without secrets, data that can be written.

Checks no more than that; what a call may do is said in `writes` and `support`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.records.slug import slug_problem
from memory_core.redact import redact
from memory_core.text import shorten, writable


def target(kind: str, slug: str | None) -> RecordRef | str:
    """The record that the arguments name, or what is wrong with them."""
    if kind == Kind.SUMMARY:
        return SUMMARY if slug in (None, "", SUMMARY.slug) else "There is one summary: leave `slug` out."
    if not slug:
        return f"`slug` is missing: a {kind} is named by its file name without `.md`."
    problem = slug_problem(slug)
    return f"The slug `{shorten(slug, 80)}` {problem}." if problem else RecordRef(Kind(kind), slug)


def clean(text: str) -> str:
    """A model's text as it may be stored: without secrets."""
    return redact(text).strip()


def writable_data(value: Any) -> Any:
    """Plain data in which every text can be written to a file."""
    match value:
        case str():
            return writable(value)
        case list():
            return [writable_data(item) for item in value]
        case Mapping():
            return {key: writable_data(item) for key, item in value.items()}
        case _:
            return value
