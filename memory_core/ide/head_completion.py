"""Completion in frontmatter: keys that are missing, values of which there are few, a whole head for an empty file.

Slugs in frontmatter are `head_slugs`' business. Knows no snapshot: what is offered here is the schema's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from memory_core.ide.field_help import SCOPE_HELP, choices, field_help
from memory_core.ide.head import KEY, TypedHead
from memory_core.ide.head_template import templates, value_of
from memory_core.ide.offer import CompletionItem, CompletionResult, Role
from memory_core.ide.ranking import filter_text, words_that_fit
from memory_core.ids import rfc3339
from memory_core.records.schema import ALIASES, FIELDS, Field, FieldType, Kind, field_of
from memory_core.text import Position, Range

_BARE_KEY = re.compile(r"[A-Za-z_]*\Z")
_SCOPE_KEY = re.compile(r"[ \t]+(?P<typed>[a-z]*)\Z")
_VALUE = re.compile(r"""[ \t]+(?P<quote>["']?)(?P<typed>[A-Za-z0-9_:.+-]*)\Z""")
_REST = re.compile(r"[A-Za-z0-9_:.+-]*")
_REST_OF_KEY = re.compile(r"[A-Za-z_]*")


@dataclass(frozen=True, slots=True)
class _Typed:
    """The word at the cursor: where it starts, the part before the cursor, the part behind it."""

    line: int
    start: int
    text: str
    suffix: str

    def result(self, items: Iterator[CompletionItem]) -> CompletionResult | None:
        found = tuple(items)
        cursor = Position(self.line, self.start + len(self.text))
        end = Position(self.line, cursor.character + len(self.suffix))
        span = Range(Position(self.line, self.start), end)
        return CompletionResult(found, span, len(found) > 1, cursor, self.suffix) if found else None


def complete_head(head: TypedHead, position: Position, now: datetime) -> CompletionResult | None:
    """What fits at a place in frontmatter where no slug is being typed; None where nothing is known to fit."""
    line = head.lines.line(position.line)
    before = line[: position.character]
    if _BARE_KEY.match(before):
        return _typed(position.line, 0, before, line, _REST_OF_KEY).result(_keys(head, position.line, before, now))
    if match := _SCOPE_KEY.match(before):
        if head.key_above(position.line) != "scope":
            return None
        typed = _typed(position.line, match.start("typed"), match["typed"], line, _REST_OF_KEY)
        return typed.result(_scope_keys(head, position.line, typed.text))
    key = KEY.match(line)
    value = _VALUE.match(before, key.end()) if key else None
    field = field_of(head.record.ref.kind, key["key"]) if key else None
    if not value or not field:
        return None
    typed = _typed(position.line, value.start("typed"), value["typed"], line, _REST)
    return typed.result(_values(field, head.record.ref.kind, typed.text, bool(value["quote"]), now))


def _typed(line: int, start: int, text: str, whole: str, rest: re.Pattern[str]) -> _Typed:
    suffix = rest.match(whole, start + len(text))
    return _Typed(line, start, text, suffix.group() if suffix else "")


def _keys(head: TypedHead, line: int, typed: str, now: datetime) -> Iterator[CompletionItem]:
    """The keys that are not there yet, required ones first; on a line that has its colon, the key alone."""
    kind = head.record.ref.kind
    there = {ALIASES.get(key, key) for key in head.keys(without=line)}
    missing = sorted((field for field in FIELDS[kind] if field.name not in there), key=lambda field: not field.required)
    bare = head.key_on(line) is not None
    if not typed and not bare:
        yield from templates(head, missing, now)
    by_name = {field.name: field for field in missing}
    for number, name in enumerate(words_that_fit(by_name, typed)):
        field = by_name[name]
        plain, snippet = (name, None) if bare else value_of(field, kind, now)
        yield CompletionItem(
            label=name,
            new_text=plain,
            filter_text=filter_text(name, typed),
            sort_text=f"{number:03d}",
            role=Role.FIELD,
            description=field.doc,
            sort="required" if field.required else "optional",
            documentation=field_help(field, kind),
            snippet=snippet,
        )


def _scope_keys(head: TypedHead, line: int, typed: str) -> Iterator[CompletionItem]:
    there = {
        head.lines.line(n).strip().partition(":")[0]
        for n in range(head.first, head.end)
        if n != line and head.lines.line(n).startswith((" ", "\t")) and head.key_above(n) == "scope"
    }
    for number, key in enumerate(words_that_fit([key for key in SCOPE_HELP if key not in there], typed)):
        yield CompletionItem(
            key, f"{key}: ", filter_text(key, typed), f"{number:03d}", Role.FIELD, description=SCOPE_HELP[key]
        )


def _values(field: Field, kind: Kind, typed: str, quoted: bool, now: datetime) -> Iterator[CompletionItem]:
    if field.type is FieldType.INSTANT:
        instant = rfc3339(now)
        if instant.startswith(typed):
            yield CompletionItem(instant, instant, instant, "000", Role.VALUE, description="Now.")
        return
    if field.type is FieldType.FLAG and quoted:
        return  # in quotes it would be text
    offered = dict(choices(field, kind))
    for number, value in enumerate(words_that_fit(offered, typed)):
        yield CompletionItem(
            value,
            value,
            filter_text(value, typed),
            f"{number:03d}",
            Role.VALUE,
            description=offered[value].replace("`", "") or None,
        )
