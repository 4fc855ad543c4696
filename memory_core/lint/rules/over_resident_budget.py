"""`over-resident-budget`: a record that asks to be in agents' resident context but does not fit into its budget."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.layout import shown_ref
from memory_core.lint.facts import Resident
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import Kind


def check(context: Context) -> Iterator[Problem]:
    resident = context.facts.resident
    cost = resident.cut.get(context.document.path) if resident else None
    # A plan may be older than the record: one that does not ask any more is not short of anything.
    if resident is None or cost is None or not (context.kind is Kind.SUMMARY or context.record.resident):
        return
    left = f"{resident.budget - resident.used:,} of {resident.budget:,} tokens are left"
    also = _also_cut(resident, context.document.path)
    if context.kind is Kind.SUMMARY:
        message = (
            f"The summary takes about {cost:,} tokens, but {left}: agents are given only its beginning. Shorten it."
        )
        yield Problem(message + also, context.body_range)
        return
    message = f"This record's resident line takes about {cost:,} tokens, but {left}: agents are not given it."
    remedy = " Shorten descriptions, or turn `model_invokation` off where a record is rarely needed."
    key = "model_invokation" if context.entry("model_invokation") else "model_invocation"
    yield Problem(message + remedy + also, context.value_range(key))


def _also_cut(resident: Resident, own: str) -> str:
    """The other records that are cut, a few by name: there may be thousands."""
    others, left = resident.others(own)
    if not others:
        return ""
    names = ", ".join(f"`{shown_ref(path) or path}`" for path in others)
    return f" Also cut: {names}{f' and {left} more' if left else ''}."


RULE = Rule("over-resident-budget", Severity.WARNING, "A resident record does not fit into the token budget.", check)
