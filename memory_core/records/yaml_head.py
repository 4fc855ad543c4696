"""Frontmatter by the YAML library: every key and value with its place, every problem as a diagnostic.

Where the whole cannot be read, the top-level entries are read one by one, so that one bad line hides no other.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from types import MappingProxyType
from typing import Any

import yaml

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.records.node import Entry, Item
from memory_core.text import LineIndex, Position, Range

try:
    from yaml import CSafeLoader as _BaseLoader
except ImportError:  # PyYAML built without libyaml: the same results, seven times slower
    from yaml import SafeLoader as _BaseLoader  # type: ignore[assignment]

_INSTANT_TAG = "tag:yaml.org,2002:timestamp"
_TOP_LEVEL = re.compile(r"(?:(?<=[\r\n])|\A)(?=[^\s#-])")
_MOST_PIECES = 200  # of a broken head; a record has about ten keys


class _Loader(_BaseLoader):
    """Safe YAML without implicit timestamps: instants stay the text that was written."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _INSTANT_TAG]
    for first, resolvers in _BaseLoader.yaml_implicit_resolvers.items()
}


def read_yaml(lines: LineIndex, start: int, end: int) -> tuple[dict[str, Entry], list[Diagnostic]]:
    """The entries of the YAML between two offsets and its problems; never raises on a person's text."""
    try:
        return _read(lines, start, end)
    except _UNREADABLE as error:
        whole = _problem(error, lines, start, end)
    entries: dict[str, Entry] = {}
    problems: list[Diagnostic] = []
    broken = False
    for at, to in _pieces(lines.text, start, end):
        try:
            found, more = _read(lines, at, to)
        except _UNREADABLE as error:
            problems.append(_problem(error, lines, at, to))
            broken = True
            continue
        problems += more
        for key, entry in found.items():
            if key in entries:
                problems.append(_duplicate(key, entry.key_range))
            else:
                entries[key] = entry
    # Pieces that are fine one by one but not together (an indented first key, say): the problem is the whole's.
    return entries, problems if broken else [whole, *problems]


# The library's constructors meet text they do not expect with whatever their code happens to raise: `!!int ""` is an
# IndexError, `!!bool x` a KeyError.
_UNREADABLE = (yaml.YAMLError, RecursionError, ValueError, OverflowError, LookupError, AttributeError, TypeError)


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the top-level entries of a head begin and end."""
    starts = [match.start() + start for match in _TOP_LEVEL.finditer(text[start:end])]
    if not starts or len(starts) > _MOST_PIECES:
        return []
    return list(zip(starts, [*starts[1:], end], strict=True))


def _read(lines: LineIndex, start: int, end: int) -> tuple[dict[str, Entry], list[Diagnostic]]:
    reader = _Reader(lines, start, end)
    return reader.read(), reader.problems


class _Reader:
    """Walks the YAML nodes once, turning marks into places of the whole document."""

    def __init__(self, lines: LineIndex, start: int, end: int) -> None:
        self.lines = lines
        self.start = start
        self.source = lines.text[start:end]
        self.problems: list[Diagnostic] = []
        self.skipped = _mark_length(self.source)

    def read(self) -> dict[str, Entry]:
        loader = _Loader(self.source[self.skipped :])
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
        start, end = self.span(node)
        # A block's own mark is where the next line says something; it ends with its last part.
        is_block = not getattr(node, "flow_style", True)
        if isinstance(node, yaml.MappingNode):
            fields = self.fields(loader, node)
            value: Any = {key: entry.item.value for key, entry in fields.items()}
            end = max((entry.item.end for entry in fields.values()), default=end) if is_block else end
            return Item(value, self.lines, start, end, fields=MappingProxyType(fields))
        if isinstance(node, yaml.SequenceNode):
            items = tuple(self.item(loader, child) for child in node.value)
            end = max((child.end for child in items), default=end) if is_block else end
            return Item([child.value for child in items], self.lines, start, end, items)
        quoted = getattr(node, "style", None) in ("'", '"')
        return Item(self.scalar(loader, node), self.lines, start, end, quoted=quoted)

    def fields(self, loader: Any, node: yaml.MappingNode) -> dict[str, Entry]:
        fields: dict[str, Entry] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.report(key_node, "A key must be a plain word.")
                continue
            key = key_node.value
            start, end = self.span(key_node)
            if key in fields:
                self.problems.append(_duplicate(key, self.lines.range(start, end)))
                continue
            fields[key] = Entry(key, start, end, self.item(loader, value_node))
        return fields

    def scalar(self, loader: Any, node: yaml.Node) -> Any:
        try:
            value = loader.construct_object(node, deep=True)
        except _UNREADABLE:
            self.report(node, f"`{node.value[:40]}` is not a value of a record: write plain text.")
            return node.value
        # `!!binary`, `!!set` and the like are not what a record holds.
        return value if isinstance(value, Hashable) and not isinstance(value, bytes) else None

    def span(self, node: yaml.Node) -> tuple[int, int]:
        # Marks count characters; their line numbers are YAML's, which also breaks lines at U+2028 and U+0085.
        start = self.start + self.skipped + node.start_mark.index
        end = self.start + self.skipped + node.end_mark.index
        # The white space behind a block of text is not part of it.
        return start, start + len(self.lines.text[start:end].rstrip(" \t\r\n"))

    def report(self, node: yaml.Node, message: str) -> None:
        place = self.lines.range(*self.span(node))
        self.problems.append(Diagnostic("malformed-frontmatter", Severity.ERROR, message, place))


def _mark_length(source: str) -> int:
    """The byte order marks a text begins with: they are cut off, as the library drops one without counting it."""
    return len(source) - len(source.lstrip("\ufeff"))


def _duplicate(key: str, place: Range) -> Diagnostic:
    return Diagnostic("duplicate-key", Severity.ERROR, f"`{key}` is given twice: keep one.", place)


def _problem(error: Exception, lines: LineIndex, start: int, end: int) -> Diagnostic:
    if isinstance(error, yaml.MarkedYAMLError) and (mark := error.problem_mark or error.context_mark):
        offset = start + _mark_length(lines.text[start:end]) + mark.index
        what = error.problem or "not valid YAML"
    elif control := _FORBIDDEN.search(lines.text, start, end):
        offset, what = control.start(), f"the character U+{ord(control.group()):04X} is not allowed"
    else:
        offset, what = start, f"it cannot be read ({type(error).__name__})"
    # A problem noticed at the end of the text belongs to the last line that says something.
    offset = min(offset, start + len(lines.text[start:end].rstrip()))
    at = lines.position(offset)
    place = Range(at, max(at, lines.line_range(at.line).end))
    if place.start == place.end:
        place = Range(Position(at.line, 0), place.end)
    message = f"Broken YAML: {what}; put values that contain `: `, ` #` or start with a special character in quotes."
    return Diagnostic("malformed-frontmatter", Severity.ERROR, message, place)


# YAML 1.1 section 5.1; a lone surrogate cannot be encoded at all.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
