"""`near-duplicate`: two records whose bodies are nearly the same, numbers aside. Replaced decisions do not count."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Related, Severity
from memory_core.layout import shown_ref
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.text import ORIGIN

_SHOWN = 3


def check(context: Context) -> Iterator[Problem]:
    others = (context.facts.duplicates or {}).get(context.document.path, ())
    if not others:
        return
    names = ", ".join(f"`{shown_ref(path) or path}`" for path in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    message = f"Says nearly the same as {names}{more}: keep one, or say in the text how they differ."
    related = tuple(Related(path, ORIGIN, "Nearly the same text.") for path in others[:_SHOWN])
    yield Problem(message, context.body_range, related=related)


RULE = Rule("near-duplicate", Severity.WARNING, "Two records say nearly the same.", check)
