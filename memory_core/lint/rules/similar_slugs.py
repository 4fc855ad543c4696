"""`similar-slugs`: three or more records of a kind whose slugs are within two edits: probably one subject."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Related, Severity
from memory_core.layout import record_path
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import Kind, RecordRef
from memory_core.text import ORIGIN

CLUSTER = 3  # this record and two more; the older store's limit
_SHOWN = 5


def check(context: Context) -> Iterator[Problem]:
    if context.kind is Kind.SUMMARY:
        return
    slug = context.record.ref.slug
    near = context.snapshot.index.near[context.kind].alike(slug)
    if len(near) + 1 >= CLUSTER:
        names = ", ".join(f"`{other}`" for other in near[:_SHOWN]) + (", …" if len(near) > _SHOWN else "")
        message = f"`{slug}` looks like {names}: merge what is one subject, or use names that tell them apart."
        related = tuple(
            Related(record_path(RecordRef(context.kind, other)), ORIGIN, f"`{other}`") for other in near[:_SHOWN]
        )
        yield Problem(message, context.head_range, related=related)


RULE = Rule("similar-slugs", Severity.WARNING, "Three or more slugs of a kind look alike.", check)
