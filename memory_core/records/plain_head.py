"""The fast way to read frontmatter that is written plainly, as Omoide writes it: several times faster than YAML.

Anything it is not sure of it leaves to the YAML reader by answering None; where it answers, it answers the same. Tests
compare the two.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Any

from memory_core.records.node import NO_FIELDS, Entry, Item
from memory_core.text import LineIndex

# What means something to YAML in the middle of a plain scalar, or is no printable character of it, is not taken.
_ODD = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff"
_VALUE = rf"""
    (?P<instant>\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))
  | (?P<uuid>[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})
  | (?P<int>0|[1-9]\d{{0,15}})
  | (?P<ints>\[(?:(?:0|[1-9]\d{{0,15}})(?:,[ ]?(?:0|[1-9]\d{{0,15}}))*)?\])
  | (?P<single>'[^'{_ODD}]*')
  | (?P<double>"[^"\\{_ODD}]*")
  | (?P<plain>[^\W\d_](?:[^:#\s{_ODD}]++|:(?=[^\s{_ODD}])|(?<=[^\s])\#|[ ]++(?=[^\s#{_ODD}]))*+)
"""
_TOP = re.compile(rf"(?P<key>[A-Za-z_][A-Za-z0-9_-]*+):(?:[ ](?:{_VALUE}))?(?:\r?\n|\Z)", re.VERBOSE)
_NESTED = re.compile(
    rf"(?P<lead>[ ]*-[ ]|[ ]+)(?P<name>[A-Za-z_][A-Za-z0-9_-]*+):[ ](?:{_VALUE})(?:\r?\n|\Z)", re.VERBOSE
)

_NUMBER = re.compile(r"\d+")

# YAML 1.1, which PyYAML reads, takes these words for truth values and nothing.
_FLAGS = {"true": True, "false": False}
_WORDS = frozenset(
    variant
    for word in ("true", "false", "yes", "no", "on", "off", "null")
    for variant in (word, word.upper(), word.capitalize())
)
_NOT_PLAIN = object()


def read_plain(lines: LineIndex, start: int, end: int) -> dict[str, Entry] | None:
    """The entries of the YAML between two offsets; None where it is not of the plain sort."""
    text = lines.text
    entries: dict[str, Entry] = {}
    at = start
    while at < end:
        match = _TOP.match(text, at, end)
        if not match or (key := match["key"]) in entries or key in _WORDS:
            return None
        kind = match.lastgroup
        if kind == "key":
            block = _block(lines, match.end(), end)
            if block is None:
                return None
            item, at = block
        else:
            scalar = _item(lines, match, str(kind))
            if scalar is None:
                return None
            item, at = scalar, match.end()
        entries[key] = Entry(key, match.start(), match.end("key"), item)
    return entries


def _item(lines: LineIndex, match: re.Match[str], kind: str) -> Item | None:
    raw = match[kind]
    value = _value(kind, raw)
    if value is _NOT_PLAIN:
        return None
    at, to = match.span(kind)
    if kind == "ints":
        items = tuple([Item(int(n[0]), lines, n.start(), n.end()) for n in _NUMBER.finditer(lines.text, at, to)])
        return Item([item.value for item in items], lines, at, to, items)
    return Item(value, lines, at, to, (), NO_FIELDS, kind in ("single", "double"))


def _value(kind: str, raw: str) -> Any:
    match kind:
        case "int":
            return int(raw)
        case "single" | "double":
            return raw[1:-1]
        case "plain" if raw in _WORDS:
            return _FLAGS.get(raw, _NOT_PLAIN)
    return raw


def _block(lines: LineIndex, at: int, end: int) -> tuple[Item, int] | None:
    """A list of mappings such as `sources`, below its key, and the offset behind it."""
    text = lines.text
    start = last = -1
    depth = 0
    items: list[Item] = []
    fields: dict[str, Entry] = {}
    first = 0

    def close() -> None:
        value = {key: entry.item.value for key, entry in fields.items()}
        items.append(Item(value, lines, first, last, (), MappingProxyType(dict(fields))))
        fields.clear()

    while at < end and (match := _NESTED.match(text, at, end)):
        lead, name = match["lead"], match["name"]
        opens = lead.endswith("- ")
        if (start < 0 and not opens) or (depth and len(lead) != depth) or name in _WORDS:
            return None
        depth = len(lead)
        if opens:
            if fields:
                close()
            first = at + depth
            start = first - 2 if start < 0 else start
        item = _item(lines, match, str(match.lastgroup))
        if item is None or name in fields:
            return None
        fields[name] = Entry(name, at + depth, at + depth + len(name), item)
        last = item.end
        at = match.end()
    if not fields:
        return None
    close()
    return Item([item.value for item in items], lines, start, last, tuple(items)), at
