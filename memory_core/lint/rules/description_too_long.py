"""`description-too-long`: a resident record's description over 1024 characters, paid for in every session."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.rule import Context, Problem, Rule

LIMIT = 1024  # Unicode characters; the older store's limit


def check(context: Context) -> Iterator[Problem]:
    description = context.record.description
    if context.record.resident and description and len(description) > LIMIT:
        message = (
            f"The description has {len(description):,} characters; {LIMIT:,} are the most a resident record may have."
        )
        yield Problem(message + " Shorten it, or turn `model_invokation` off.", context.value_range("description"))


RULE = Rule(
    "description-too-long", Severity.ERROR, "A resident record's description has more than 1024 characters.", check
)
