"""`missing-field`: every required key that a record lacks, each on its own. Says nothing of a head that is broken."""

from __future__ import annotations

from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.schema import ALIASES, FIELDS, Field, FieldType


def check(context: Context) -> Iterator[Problem]:
    head = context.record.head
    if not head or head.broken:
        return
    present = {ALIASES.get(key, key) for key in head.entries}
    for field in FIELDS[context.kind]:
        if field.required and field.name not in present:
            message = f"`{field.name}` is missing. {field.doc}"
            yield Problem(message, context.head_range, _fix(context, field))


def _fix(context: Context, field: Field) -> tuple[Fix, ...]:
    """What is meant by leaving the key out can be written down where the format says what that is."""
    match field.type:
        case FieldType.FLAG:
            line = f"{field.name}: {str(field.default).lower()}"
        case FieldType.SOURCES:
            line = f"{field.name}: []"
        case _:
            return ()
    edit = context.insertion(line)
    return (Fix(f"Add `{line}`", (edit,)),) if edit else ()


RULE = Rule("missing-field", Severity.ERROR, "A required frontmatter key is missing.", check)
