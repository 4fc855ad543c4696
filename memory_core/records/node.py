"""The values a frontmatter consists of, each with its place in the document. Holds no reading and no checks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from memory_core.text import LineIndex, Range

NO_FIELDS: Mapping[str, Entry] = MappingProxyType({})


# Tuples and offsets, not data classes and ranges: a workspace has a hundred thousand of these, and few are looked at.
class Item(NamedTuple):
    """A value in the YAML and where it stands: offsets `start` to `end` of the text behind `lines`.

    `value` is plain data; `items`/`fields` mirror lists and mappings. `quoted`: a scalar in quotes.
    """

    value: Any
    lines: LineIndex
    start: int
    end: int
    items: tuple[Item, ...] = ()
    fields: Mapping[str, Entry] = NO_FIELDS
    quoted: bool = False

    @property
    def range(self) -> Range:
        return self.lines.range(self.start, self.end)

    @property
    def raw(self) -> str:
        """The value as it is written, quotes included."""
        return self.lines.text[self.start : self.end]


class Entry(NamedTuple):
    """A key, the offset it starts at, and its value."""

    key: str
    start: int
    end: int
    item: Item

    @property
    def key_range(self) -> Range:
        return self.item.lines.range(self.start, self.end)

    @property
    def range(self) -> Range:
        return self.item.lines.range(self.start, self.item.end)
