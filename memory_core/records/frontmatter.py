"""Frontmatter: split a document and read its YAML with the exact range of every key and value.

Nothing here raises on a person's text: what cannot be read becomes a problem with a place. Instants stay text, so
that a round trip changes no byte and the linter sees what was written.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import yaml

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.text import LineIndex, Position, Range

try:
    from yaml import CSafeLoader as _BaseLoader
except ImportError:  # PyYAML built without libyaml: the same results, seven times slower
    from yaml import SafeLoader as _BaseLoader  # type: ignore[assignment]

_OPEN = re.compile(r"\ufeff?---[ \t]*(\r\n|\n|\r|\Z)")
_CLOSE = re.compile(r"^---[ \t]*(\r\n|\n|\r|\Z)", re.MULTILINE)
_INSTANT_TAG = "tag:yaml.org,2002:timestamp"


class _Loader(_BaseLoader):
    """Safe YAML without implicit timestamps: instants stay the text that was written."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _INSTANT_TAG]
    for first, resolvers in _BaseLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True, slots=True)
class Item:
    """A value in the YAML and where it stands. `value` is plain data; `items`/`fields` mirror lists and mappings."""

    value: Any
    range: Range
    items: tuple[Item, ...] = ()
    fields: Mapping[str, Entry] = field(default_factory=lambda: MappingProxyType({}))
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value."""

    key: str
    key_range: Range
    item: Item

    @property
    def range(self) -> Range:
        return Range(self.key_range.start, self.item.range.end)


@dataclass(frozen=True)
class Frontmatter:
    """The head of a document. `start`/`end` are the offsets of the YAML text between the delimiters."""

    entries: Mapping[str, Entry]
    start: int
    end: int
    body_start: int

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def value(self, key: str) -> Any:
        entry = self.entries.get(key)
        return entry.item.value if entry else None

    @cached_property
    def values(self) -> dict[str, Any]:
        return {key: entry.item.value for key, entry in self.entries.items()}


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
    """The frontmatter of a document and its problems; None only when nothing of it could be read.

    Codes: `missing-frontmatter`, `malformed-frontmatter`, `duplicate-key`.
    """
    lines = LineIndex(text)
    parts = split(text)
    if isinstance(parts, str):
        return None, [Diagnostic("missing-frontmatter", Severity.ERROR, f"No frontmatter: {parts}.", lines.line_range(0))]
    start, end, body = parts
    problems: list[Diagnostic] = []
    first_line = lines.position(start).line
    try:
        entries = _Reader(text[start:end], start, lines, problems).read()
    except yaml.YAMLError as error:
        problems.append(_yaml_problem(error, lines, start))
        entries = {}
    except (RecursionError, ValueError, OverflowError) as error:
        message = f"The frontmatter cannot be read ({type(error).__name__}): simplify it to plain `key: value` lines."
        problems.append(Diagnostic("malformed-frontmatter", Severity.ERROR, message, lines.line_range(first_line)))
        entries = {}
    return Frontmatter(MappingProxyType(entries), start, end, body), problems


class _Reader:
    """Walks the YAML nodes once, turning marks into ranges of the whole document."""

    def __init__(self, source: str, start: int, lines: LineIndex, problems: list[Diagnostic]) -> None:
        self.source = source
        self.start = start
        self.lines = lines
        self.problems = problems

    def read(self) -> dict[str, Entry]:
        # Some controls (NUL, say) are not allowed in YAML at all; the loader says so with a position.
        loader = _Loader(self.source)
        try:
            node = loader.get_single_node()
            if node is None:
                return {}
            if not isinstance(node, yaml.MappingNode):
                self.report(node, "The frontmatter must be `key: value` lines.")
                return {}
            self.refuse_aliases(node)
            return dict(self.item(loader, node).fields)
        finally:
            loader.dispose()

    def refuse_aliases(self, root: yaml.Node) -> None:
        """An alias is the same node seen twice; constructing such a graph can take for ever."""
        seen: set[int] = set()
        stack = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, yaml.ScalarNode):
                continue
            if id(node) in seen:
                raise yaml.MarkedYAMLError(problem="aliases are not allowed here", problem_mark=node.start_mark)
            seen.add(id(node))
            if isinstance(node, yaml.MappingNode):
                stack += [part for pair in node.value for part in pair]
            else:
                stack += node.value

    def item(self, loader: Any, node: yaml.Node) -> Item:
        span = self.range(node)
        if isinstance(node, yaml.MappingNode):
            fields: dict[str, Entry] = {}
            for key_node, value_node in node.value:
                key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
                if key is None:
                    self.report(key_node, "A key must be a plain word.")
                    continue
                if key in fields:
                    message = f"`{key}` is given twice: keep one."
                    self.problems.append(Diagnostic("duplicate-key", Severity.ERROR, message, self.range(key_node)))
                    continue
                fields[key] = Entry(key, self.range(key_node), self.item(loader, value_node))
            value: Any = {key: entry.item.value for key, entry in fields.items()}
            return Item(value, span, fields=MappingProxyType(fields))
        if isinstance(node, yaml.SequenceNode):
            items = tuple(self.item(loader, child) for child in node.value)
            return Item([child.value for child in items], span, items=items)
        value = loader.construct_object(node, deep=True)
        if not isinstance(value, Hashable):  # `!!set` and the like: not what a record holds
            value = None
        return Item(value, span, quoted=node.style in ("'", '"'))

    def range(self, node: yaml.Node) -> Range:
        # Marks count characters; their line numbers are YAML's, which also breaks lines at U+2028 and U+0085.
        first = self.lines.position(self.start + node.start_mark.index)
        last = self.lines.position(self.start + node.end_mark.index)
        if last.character == 0 and last > first:  # a block collection ends where the next line starts
            line = last.line - 1
            while line > first.line and not self.lines.line(line).partition("#")[0].strip():
                line -= 1  # blank lines and comments belong to what follows
            last = Position(line, len(self.lines.line(line).rstrip()))
        return Range(first, max(first, last))

    def report(self, node: yaml.Node, message: str) -> None:
        self.problems.append(Diagnostic("malformed-frontmatter", Severity.ERROR, message, self.range(node)))


def _yaml_problem(error: yaml.YAMLError, lines: LineIndex, start: int) -> Diagnostic:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not valid YAML"
    at = lines.position(start + (mark.index if mark else 0))
    place = Range(at, max(at, lines.line_range(at.line).end))
    advice = "quote values that contain `: ` or ` #`"
    return Diagnostic("malformed-frontmatter", Severity.ERROR, f"Broken YAML: {problem}; {advice}.", place)
