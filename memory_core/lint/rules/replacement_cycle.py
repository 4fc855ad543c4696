"""`replacement-cycle`: following `replaced_by` comes back to a decision passed before, so none is the current one."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Severity
from memory_core.lint.chain import chain_from
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import Kind


def check(context: Context) -> Iterator[Problem]:
    record = context.record
    if record.replaced_by in (None, record.ref.slug):
        return
    chain = chain_from(context.snapshot, record.ref.slug)
    if chain.end == "endless":
        shown = " → ".join(chain.slugs[:6]) + (" → …" if len(chain.slugs) > 6 else "")
        message = f"Following `replaced_by` never ends ({shown}): remove it from the decision that holds."
        yield Problem(message, context.value_range("replaced_by"))


RULE = Rule("replacement-cycle", Severity.ERROR, "`replaced_by` leads in a circle.", check, kinds=(Kind.DECISION,))
