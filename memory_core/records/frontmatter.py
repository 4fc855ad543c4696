"""Frontmatter: split a document and read its head with the exact place of every key and value.

Nothing here raises on a person's text: what cannot be read becomes a problem with a place. Instants stay text, so
that a round trip changes no byte and the linter sees what was written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.records.node import Entry
from memory_core.records.plain_head import read_plain
from memory_core.text import LineIndex

_OPEN = re.compile(r"\ufeff?---[ \t]*(\r\n|\n|\r|\Z)")
_CLOSE = re.compile(r"(?<=[\r\n])---[ \t]*(\r\n|\n|\r|\Z)")


@dataclass(frozen=True)
class Frontmatter:
    """The head of a document. `start`/`end` are the offsets of the YAML text between the delimiters. `broken`: some of
    it could not be read, so an absent key may be there, and nothing may rewrite it."""

    entries: Mapping[str, Entry]
    start: int
    end: int
    body_start: int
    broken: bool = False

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def value(self, key: str) -> Any:
        entry = self.entries.get(key)
        return entry.item.value if entry else None

    @cached_property
    def values(self) -> dict[str, Any]:
        return {key: entry.item.value for key, entry in self.entries.items()}

    @property
    def indent(self) -> str:
        """The spaces in front of every top-level key; nearly always none."""
        first = next(iter(self.entries.values()), None)
        if not first:
            return ""
        place = first.key_range.start
        before = first.item.lines.line(place.line)[: place.character]
        return before if not before.strip(" ") else ""


def split(text: str) -> tuple[int, int, int] | str:
    """Offsets of the YAML (start, end) and of the body; or, where there is no frontmatter, why not."""
    opening = _OPEN.match(text)
    if not opening:
        return "the file must start with a line `---`"
    closing = _CLOSE.search(text, opening.end())
    if not closing:
        return "the line `---` that ends the frontmatter is missing"
    return opening.end(), closing.start(), closing.end()


def read(text: str) -> tuple[Frontmatter | None, list[Diagnostic]]:
    """The frontmatter of a document and its problems; None only when there is none.

    Codes: `missing-frontmatter`, `malformed-frontmatter`, `duplicate-key`.
    """
    lines = LineIndex(text)
    parts = split(text)
    if isinstance(parts, str):
        message = f"No frontmatter: {parts}."
        return None, [Diagnostic("missing-frontmatter", Severity.ERROR, message, lines.line_range(0))]
    start, end, body = parts
    plain = read_plain(lines, start, end)
    entries, problems = (plain, []) if plain is not None else _by_library(lines, start, end)
    broken = any(problem.code == "malformed-frontmatter" for problem in problems)
    return Frontmatter(MappingProxyType(entries), start, end, body, broken), problems


def _by_library(lines: LineIndex, start: int, end: int) -> tuple[dict[str, Entry], list[Diagnostic]]:
    from memory_core.records.yaml_head import read_yaml  # a workspace whose heads are all plain never loads it

    return read_yaml(lines, start, end)
