"""What a frontmatter value must look like, by the type the schema gives it: every deviation with its exact place.

Knows single values; what values mean together (`status` and `replaced_by`, two dates) is the business of rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.diagnostic import Fix
from memory_core.ids import parse_rfc3339
from memory_core.lint.rule import Problem, place_of, replacement
from memory_core.records.node import Entry, Item
from memory_core.records.schema import SCOPE_KEYS, Field, FieldType
from memory_core.records.slug import as_yaml, is_slug, slug_problem
from memory_core.text import shorten

_FLAG_WORDS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}


_LOST = re.compile(r"([ \t]+)(#[^\s#][^\r\n]*)")


def hidden_by_comment(item: Item) -> re.Match[str] | None:
    """What a `#` behind an unquoted value took from it (group 2); None where nothing is lost.

    A `#` followed by a space is how people write real comments.
    """
    if item.quoted or (item.value is not None and not isinstance(item.value, str)):
        return None
    # A block scalar ends at its last line; a comment on its first line is behind no value.
    return None if item.raw[:1] in ("|", ">") else _LOST.match(item.lines.text, item.end)


def check_value(field: Field, entry: Entry) -> Iterator[Problem]:
    """The problems of one value. An optional key with nothing behind it counts as absent."""
    item = entry.item
    if item.value is None:
        # What `#` hides and an empty description have rules of their own.
        if field.required and field.name != "description":
            yield Problem(f"`{field.name}` is empty. {field.doc}", place_of(entry))
        return
    match field.type:
        case FieldType.INSTANT:
            yield from _instant(field.name, item)
        case FieldType.TEXT:
            yield from _text(field.name, item)
        case FieldType.FLAG:
            yield from _flag(field.name, item)
        case FieldType.STATUS if not isinstance(item.value, str):
            yield Problem("`status` must be `open`, `resolved` or `replaced`.", place_of(entry))
        case FieldType.SLUG:
            yield from _slug(f"`{field.name}`", item)
        case FieldType.KNOWLEDGE_SLUGS:
            yield from _slugs(field.name, item)
        case FieldType.SOURCES:
            yield from _sources(field.name, item)
        case FieldType.RANGE:
            yield from _range(f"`{field.name}`", item)
        case FieldType.SCOPE:
            yield from _scope(item)
        case FieldType.ORIGIN:
            yield from _origin(item)


def _instant(name: str, item: Item) -> Iterator[Problem]:
    if not isinstance(item.value, str) or parse_rfc3339(item.value) is None:
        example = "date, time and zone, such as `2026-01-31T09:00:00Z`"
        yield Problem(f"`{name}` must be {example}, not `{shorten(item.raw, 40)}`.", item.range)


def _text(name: str, item: Item) -> Iterator[Problem]:
    if isinstance(item.value, str):
        if not item.value.strip() and name != "description":
            yield Problem(f"`{name}` is empty: say what it is, or remove the key.", item.range)
    elif item.items or item.fields or isinstance(item.value, list | dict):
        yield Problem(f"`{name}` must be text, not a list or a mapping.", item.range)
    else:
        quoted = f"'{item.raw}'"
        # A tag (`!!int 5`) or an anchor would become part of the text.
        fixes = replacement(f"Write `{quoted}`", item, quoted) if item.raw[:1] not in ("!", "&", "*") else ()
        yield Problem(f"`{name}` must be text: YAML reads `{item.raw}` as something else.", item.range, fixes)


def _flag(name: str, item: Item) -> Iterator[Problem]:
    # YAML 1.1 takes `yes` for true, YAML 1.2 for text: a flag must mean the same to every reader.
    if isinstance(item.value, bool) and item.raw in ("true", "false"):
        return
    word = _FLAG_WORDS.get(item.raw.strip("'\"").lower())
    fixes = replacement(f"Write `{word}`", item, word) if word else ()
    yield Problem(f"`{name}` must be `true` or `false`, not `{shorten(item.raw, 40)}`.", item.range, fixes)


def _slug(what: str, item: Item) -> Iterator[Problem]:
    if not isinstance(item.value, str):
        # `2026` is a number to YAML, and a name of a record all the same.
        yield Problem(f"{what} must be a slug, not `{shorten(item.raw, 40)}`.", item.range, _as_slug(item, item.raw))
    elif problem := slug_problem(item.value):
        fixes = _as_slug(item, item.value.removeprefix("#").removesuffix(".md"))
        yield Problem(f"{what} must be a slug: `{shorten(item.value, 40)}` {problem}.", item.range, fixes)


def _as_slug(item: Item, slug: str) -> tuple[Fix, ...]:
    return replacement(f"Write `{as_yaml(slug)}`", item, as_yaml(slug)) if is_slug(slug) else ()


def _slugs(name: str, item: Item) -> Iterator[Problem]:
    if not isinstance(item.value, list):
        yield Problem(f"`{name}` must be a list of knowledge slugs, such as `[retry-policy]`.", item.range)
        return
    for child in item.items:
        if child.value is not None:
            yield from _slug(f"Each of `{name}`", child)
        elif not hidden_by_comment(child):
            yield Problem(f"An entry of `{name}` is empty: name a slug, without `#`.", child.range)


def _sources(name: str, item: Item) -> Iterator[Problem]:
    if not isinstance(item.value, list):
        yield Problem(f"`{name}` must be a list of sources; write `[]` when there is none.", item.range)
        return
    for child in item.items:
        if not isinstance(child.value, dict):
            yield Problem("A source must have `session_id` and `range`.", child.range)
        else:
            yield from _source(child)


def _source(item: Item) -> Iterator[Problem]:
    session = item.fields.get("session_id") or item.fields.get("segment_id")
    if not session:
        yield Problem("This source lacks `session_id`.", item.range)
    elif not isinstance(session.item.value, str) or not session.item.value.strip():
        yield Problem("`session_id` must be the id of a session, as text.", place_of(session))
    if span := item.fields.get("range"):
        yield from _range("`range`", span.item, span)
    else:
        yield Problem("This source lacks `range: [first, last]`.", item.range)
    agent = item.fields.get("agent")
    if agent and agent.item.value is not None and not isinstance(agent.item.value, str):
        yield Problem("`agent` must be the name of an agent, as text.", place_of(agent))
    anchors = item.fields.get("anchors")
    if not anchors or anchors.item.value is None:
        return
    if not isinstance(anchors.item.value, list):
        yield Problem("`anchors` must be a list.", place_of(anchors))
    for child in anchors.item.items:
        if not isinstance(child.value, dict):
            yield Problem("An anchor must be a mapping, as Omoide writes it.", child.range)


def _range(what: str, item: Item, entry: Entry | None = None) -> Iterator[Problem]:
    numbers = item.items
    if not isinstance(item.value, list) or len(numbers) != 2:
        place = place_of(entry) if entry else item.range
        yield Problem(f"{what} must be two entry numbers, first and last, such as `[3, 17]`.", place)
        return
    for number in numbers:
        if not isinstance(number.value, int) or isinstance(number.value, bool) or number.value < 0:
            yield Problem(f"{what} counts entries from 0: `{shorten(number.raw, 40)}` is no entry.", number.range)


def _scope(item: Item) -> Iterator[Problem]:
    if not isinstance(item.value, dict):
        yield Problem(f"`scope` must be a mapping with some of {_words(SCOPE_KEYS)}.", item.range)
        return
    for key, entry in item.fields.items():
        if key not in SCOPE_KEYS:
            yield Problem(f"`scope` has no `{key}`: use {_words(SCOPE_KEYS)}.", entry.key_range)
        elif not isinstance(entry.item.value, str) or not entry.item.value.strip():
            yield Problem(f"`{key}` must be text.", place_of(entry))


def _origin(item: Item) -> Iterator[Problem]:
    value = item.value
    if value in ("user", "tool") or (isinstance(value, str) and value.startswith("policy:") and value[7:].strip()):
        return
    yield Problem("`origin` must be `user`, `tool` or `policy:<name>`.", item.range)


def _words(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
