"""What a worker sends in its calls, taken over: the record it names, texts without secrets, data that can be written;
and what is told of arguments that are none.

Checks no more than that; what a call may do is said in `writes` and `support`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from rapidfuzz import process

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


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """What else there is that a name may have meant; empty where nothing is near."""
    found = process.extract(text, list(known), limit=3, score_cutoff=60)
    return f"; near it: {', '.join(name for name, _, _ in found)}" if found else ""


def explained(name: str, known: Iterable[str], error: ValidationError) -> str:
    """What is wrong with the arguments, quoting the bad part: a retry without it fails the same way."""
    lines = []
    for item in error.errors()[:5]:
        place = ".".join(str(part) for part in item["loc"]) or "arguments"
        shown_input = shorten(json.dumps(item["input"], ensure_ascii=False, default=str), 120)
        lines.append(f"`{place}`: {item['msg']}; got {shown_input}")
    return f"{name} was not run. {' | '.join(lines)}. Its arguments: {', '.join(known)}."
