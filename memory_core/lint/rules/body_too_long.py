"""`body-too-long`: a body over 8000 characters, or 20,000 for the summary. Line ends around the body do not count."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import Kind

LIMIT = 8_000  # Unicode characters; the older store's limits
SUMMARY_LIMIT = 20_000


def check(context: Context) -> Iterator[Problem]:
    limit = SUMMARY_LIMIT if context.kind is Kind.SUMMARY else LIMIT
    if len(context.document.text) <= limit:
        return
    body = context.record.body
    length = len(body.strip("\r\n"))
    if length > limit:
        start = context.record.body_start + len(body) - len(body.lstrip("\r\n"))
        remedy = "Keep what lasts" if context.kind is Kind.SUMMARY else "Split it, one subject a record"
        message = f"The body has {length:,} characters, {length - limit:,} over the limit of {limit:,}. {remedy}."
        yield Problem(message, context.lines.range(start + limit, start + length))


RULE = Rule("body-too-long", Severity.ERROR, "A body is over its limit of characters.", check)
