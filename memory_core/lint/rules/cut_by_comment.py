"""`cut-by-comment`: a `#` that YAML took for the start of a comment, so that the rest of the value was lost.

A `#` followed by a space is how people write real comments, and stays one. Where the schema has text, the rest was
meant to be part of it; behind an instant, a status or a slug it can only be a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.lint.values import hidden_by_comment
from memory_core.records.node import Entry, Item
from memory_core.records.refs import scan
from memory_core.records.schema import KNOWLEDGE_KINDS, Field, FieldType, Kind, RecordRef, Status, field_of
from memory_core.records.slug import as_yaml, is_slug
from memory_core.text import TextEdit

_QUOTE = "Put the value in quotes"
_SLUGS = (FieldType.SLUG, FieldType.KNOWLEDGE_SLUGS)


def check(context: Context) -> Iterator[Problem]:
    head = context.record.head
    if not head or "#" not in context.document.text[head.start : head.end]:
        return
    for entry in head.entries.values():
        for item in (entry.item, *entry.item.items):
            if lost := hidden_by_comment(item):
                yield _problem(context, entry, item, lost)


def _problem(context: Context, entry: Entry, item: Item, lost: re.Match[str]) -> Problem:
    words = lost[2].rstrip()
    fixes, advice = _fixes(context, entry, item, lost)
    message = f"YAML takes `{words[:40]}` for a comment, so it is not part of the value: {advice}."
    return Problem(message, context.lines.range(lost.start(2), lost.start(2) + len(words)), fixes)


def _fixes(context: Context, entry: Entry, item: Item, lost: re.Match[str]) -> tuple[tuple[Fix, ...], str]:
    """What mends it, and the end of the message. Of two fixes a person chooses; one alone leaves no new error."""
    field = field_of(context.kind, entry.key)
    if field and field.type in _SLUGS and item.value is None:
        return _slug(context, field, item, lost)
    quoted, comment = _quoted(context, item, lost), _comment(context, lost)
    both = (*quoted, comment) if quoted else (), "put the value in quotes, or a space behind the `#`"
    if field is None:
        return both
    if field.type is not FieldType.TEXT or item.value in KNOWLEDGE_KINDS:
        # Without the comment nothing is there at all: what belongs there only its author knows.
        return (comment,) if item.value is not None else (), "put a space behind the `#` if it is one"
    if field.name == "description" and _names_nothing(context, item, lost):
        return both
    return quoted, "put the value in quotes"


def _quoted(context: Context, item: Item, lost: re.Match[str]) -> tuple[Fix, ...]:
    start, whole = _whole(item, lost)
    # A plain value over several lines is folded by YAML; quoting it as it stands would not be the same text.
    if "\n" in whole or "\r" in whole:
        return ()
    place = context.lines.range(start, start + len(whole))
    return (Fix(_QUOTE, (TextEdit(place, "'" + whole.replace("'", "''") + "'"),)),)


def _whole(item: Item, lost: re.Match[str]) -> tuple[int, str]:
    """The value with what was cut off, and its offset."""
    start = item.start if item.end > item.start else lost.start(2)
    return start, item.lines.text[start : lost.end(2)].rstrip()


def _comment(context: Context, lost: re.Match[str]) -> Fix:
    behind = lost.start(2) + 1
    return Fix("Make it a comment: `# `", (TextEdit(context.lines.range(behind, behind), " "),))


def _names_nothing(context: Context, item: Item, lost: re.Match[str]) -> bool:
    """Whether the whole value would name a record that does not exist, which is an error that the comment is none."""
    found = scan(_whole(item, lost)[1], 0)
    knowledge = (each for each in found if each.kind is Kind.KNOWLEDGE and not each.weak)
    return any(not context.snapshot.index.exists(RecordRef(each.kind, each.slug)) for each in knowledge)


def _slug(context: Context, field: Field, item: Item, lost: re.Match[str]) -> tuple[tuple[Fix, ...], str]:
    """Nothing but `#slug` where a slug stands without its sign: the slug is meant where it is one of a record, and a
    decision that is replaced lacks just that."""
    slug, advice = lost[2].rstrip()[1:], "name a slug, without `#`"
    kind = context.kind if field.type is FieldType.SLUG else Kind.KNOWLEDGE
    known = is_slug(slug) and context.snapshot.index.exists(RecordRef(kind, slug))
    if not known or RecordRef(kind, slug) == context.record.ref:
        return (), advice
    start, whole = _whole(item, lost)
    written = Fix(
        f"Write `{as_yaml(slug)}`", (TextEdit(context.lines.range(start, start + len(whole)), as_yaml(slug)),)
    )
    lacks = field.type is not FieldType.SLUG or context.record.status is Status.REPLACED
    return ((written,) if lacks else (written, _comment(context, lost))), advice


RULE = Rule("cut-by-comment", Severity.WARNING, "An unquoted ` #` cut a frontmatter value off.", check)
