"""Completion and hover in `config.toml`: tables, keys and values that are known, from the settings themselves.

By lines, so that a half-written file is no obstacle. Which file it is and what is wrong with it is asked elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import Field, fields

from memory_core.config import MemorySettings, ProviderSettings, SessionSettings
from memory_core.ide.hover import HoverCard
from memory_core.ide.offer import CompletionItem, CompletionResult, Role
from memory_core.ide.ranking import filter_text, words_that_fit
from memory_core.text import LineIndex, Position, Range

_TABLES: Mapping[str, Mapping[str, Field[object]]] = {
    name: {field.name: field for field in fields(section)}
    for name, section in (("memory", MemorySettings), ("provider", ProviderSettings), ("sessions", SessionSettings))
}
_HEADER = re.compile(r"[ \t]*\[[ \t]*(?P<name>[^\]\[]*?)[ \t]*\][ \t]*(?:#.*)?\Z")
_TYPED_HEADER = re.compile(r"\[(?P<typed>[a-z]*)\Z")
_TYPED_KEY = re.compile(r"[ \t]*(?P<typed>[A-Za-z_-]*)\Z")
_KEY = re.compile(r"[ \t]*(?P<key>[A-Za-z0-9_-]+)[ \t]*=")
_TYPED_VALUE = re.compile(r"[ \t]*(?P<typed>[a-z]*)\Z")
_REST = re.compile(r"[A-Za-z_-]*")


def complete_config(lines: LineIndex, position: Position) -> CompletionResult | None:
    """What fits at a place of the workspace's settings; None where nothing is known to fit."""
    line = lines.line(position.line)
    before = line[: position.character]
    if match := _TYPED_HEADER.match(before):
        there = {_header(lines.line(number)) for number in range(lines.line_count) if number != position.line}
        names = {f"[{name}]": "" for name in (*_TABLES, "lint") if name not in there}
        return _result(lines, position, match.start(), names, dict.fromkeys(names, ""))
    table = _table_above(lines, position.line)
    known = _TABLES.get(table or "", {})
    if match := _TYPED_KEY.match(before):
        missing = {name: _about(field) for name, field in known.items() if name not in _keys(lines, position.line)}
        bare = bool(_KEY.match(line))
        texts = {name: "" if bare else f" = {_default(known[name])}" for name in missing}
        return _result(lines, position, match.start("typed"), missing, texts)
    key = _KEY.match(before)
    field = known.get(key["key"]) if key else None
    value = _TYPED_VALUE.match(before, key.end()) if key else None
    if not field or not value or not isinstance(field.default, bool):
        return None
    return _result(lines, position, value.start("typed"), {"true": "", "false": ""}, {"true": "", "false": ""})


def hover_config(lines: LineIndex, position: Position) -> HoverCard | None:
    """What the key at a position means, and what holds where it is not set."""
    match = _KEY.match(lines.line(position.line))
    field = _TABLES.get(_table_above(lines, position.line) or "", {}).get(match["key"]) if match else None
    if not match or not field or not match.start("key") <= position.character <= match.end("key"):
        return None
    span = Range(Position(position.line, match.start("key")), Position(position.line, match.end("key")))
    default = _default(field)
    absent = f"\n\nNot set, it is `{default}`." if default else ""
    return HoverCard(f"**`{field.name}`**\n\n{_about(field)}{absent}", span, None)


def _result(
    lines: LineIndex, position: Position, start: int, words: Mapping[str, str], tails: Mapping[str, str]
) -> CompletionResult | None:
    """The words that fit what is typed from the column `start` on; `tails`: what follows each of them."""
    line = lines.line(position.line)
    typed = line[start : position.character]
    rest = _REST.match(line, position.character)
    end = rest.end() if rest else position.character
    if typed.startswith("["):
        end += line[end : end + 1] == "]"
    items = tuple(
        CompletionItem(
            label=word,
            new_text=word + tails[word],
            filter_text=filter_text(word, typed),
            sort_text=f"{number:03d}",
            role=Role.FIELD if tails[word] else Role.VALUE,
            description=words[word].replace("`", "") or None,
            documentation=words[word] or None,
        )
        for number, word in enumerate(words_that_fit(words, typed))
    )
    span = Range(Position(position.line, start), Position(position.line, end))
    return CompletionResult(items, span, len(items) > 1, position, line[position.character : end]) if items else None


def _header(line: str) -> str | None:
    match = _HEADER.match(line)
    return match["name"] if match else None


def _table_above(lines: LineIndex, line: int) -> str | None:
    return next((name for number in range(line, -1, -1) if (name := _header(lines.line(number))) is not None), None)


def _keys(lines: LineIndex, line: int) -> set[str]:
    """The keys of the table that a line stands in, the line's own left out."""
    first = next((n for n in range(line, -1, -1) if _header(lines.line(n)) is not None), 0)
    found: set[str] = set()
    for number in range(first + 1, lines.line_count):
        if _header(lines.line(number)) is not None:
            break
        match = _KEY.match(lines.line(number)) if number != line else None
        found |= {match["key"]} if match else set()
    return found


def _about(field: Field[object]) -> str:
    return str(field.metadata.get("about", ""))


def _default(field: Field[object]) -> str:
    """The default in TOML; empty where there is none."""
    default = field.default
    if isinstance(default, (bool, int, float, str, list, tuple)):
        return json.dumps(list(default) if isinstance(default, tuple) else default)
    return ""
