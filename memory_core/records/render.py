"""Record to text: new records whole, existing ones by the smallest edit, so that comments, unknown keys and body bytes
survive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import frontmatter
import yaml

from memory_core.records.frontmatter import Frontmatter, read
from memory_core.records.node import Entry, Item
from memory_core.records.schema import FIELDS, Kind
from memory_core.text import newline_of


class _Dumper(yaml.SafeDumper):
    """Block style, lists indented under their key, instants as plain text."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - PyYAML's signature
        return super().increase_indent(flow, False)


def _represent_list(dumper: yaml.SafeDumper, value: list[Any]) -> yaml.Node:
    # `[3, 17]` reads as a range on one line; longer or nested lists read better as blocks.
    flow = len(value) <= 2 and all(isinstance(v, int) for v in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow)


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    # White space at an end (a no-break space, say) would be stripped from a plain scalar at the end of the head.
    style = '"' if value != value.strip() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(list, _represent_list)
_Dumper.add_representer(str, _represent_text)
_Dumper.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeDumper.yaml_implicit_resolvers.items()
}


def render(kind: Kind, fields: Mapping[str, Any], body: str) -> str:
    """The text of a new record: known keys in the order of the schema, unknown ones after them, then the body.

    `fields` is plain data (str, int, bool, list, dict); None values are left out.
    """
    order = [field.name for field in FIELDS[kind]]
    known = {name: fields[name] for name in order if fields.get(name) is not None}
    rest = {name: value for name, value in fields.items() if name not in known and value is not None}
    post = frontmatter.Post(body.strip("\n"))
    post.metadata = {**known, **rest}
    text: str = frontmatter.dumps(
        post, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=False, width=10_000
    )
    return text + "\n"


def dump_value(key: str, value: Any) -> str:
    """The lines `key: value` as they stand in a head, with `\\n` line ends and one at the end."""
    text: str = yaml.dump(
        {key: value}, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=False, width=10_000
    )
    return text


def set_fields(text: str, changes: Mapping[str, Any]) -> str:
    """The document with some frontmatter values replaced, added (at the end of the head) or, for None, removed.

    Everything else keeps its bytes. ValueError when the head cannot be read, or is written in a way that no line of it
    can be changed alone: such a head is never rewritten.
    """
    for key, value in changes.items():
        head, problems = read(text)
        if head is None or problems:
            raise ValueError(f"the frontmatter is broken: {problems[0].message}")
        text = _set_field(text, head, key, value)
    return text


def _set_field(text: str, head: Frontmatter, key: str, value: Any) -> str:
    entry = head.entries.get(key)
    if entry is not None and _same(entry.item.value, value):
        return text
    wanted = {k: v for k, v in {**head.values, key: value}.items() if k != key or v is not None}
    for changed in _ways(text, head, entry, key, value):
        after, problems = read(changed)
        if after is not None and not problems and after.values == wanted:
            return changed
    raise ValueError(f"the frontmatter cannot be changed at `{key}` alone: write it as `key: value` lines")


def _ways(text: str, head: Frontmatter, entry: Entry | None, key: str, value: Any) -> Iterator[str]:
    """The text with the change, in the way that keeps the most first."""
    if entry is None:
        yield text if value is None else _insert(text, head, key, value)
        return
    if isinstance(value, list) and (changed := _with_items(text, entry.item, value)):
        yield changed
    yield _replace(text, head, entry, value)


def _same(old: Any, new: Any) -> bool:
    return old is not None and type(old) is type(new) and old == new


def _insert(text: str, head: Frontmatter, key: str, value: Any) -> str:
    return text[: head.end] + _lines(key, value, head.indent, newline_of(text)) + text[head.end :]


def _replace(text: str, head: Frontmatter, entry: Entry, value: Any) -> str:
    lines = entry.item.lines
    first = lines.position(entry.start).line
    last = lines.position(entry.item.end).line
    start = lines.starts[first]
    after = min(lines.starts[last + 1] if last + 1 < lines.line_count else len(text), head.end)
    if value is None:
        return text[:start] + text[after:]
    ending = newline_of(text[lines.offset(lines.line_range(last).end) :])
    new = _lines(entry.key, value, text[start : entry.start], ending)
    head_line, _, rest = new.partition(ending)
    # A comment stays where it stood, behind a value on one line or behind the key of a block, where there is room.
    old_block = last > first or entry.item.end == entry.item.start
    value_end = lines.position(entry.item.end).character
    tail = lines.line(first)[entry.end + 1 - start :] if old_block else lines.line(last)[value_end:]
    if tail.lstrip().startswith("#") and (not rest or (old_block and head_line.endswith(":"))):
        head_line += tail if tail[0] in " \t" else f" {tail}"
    return text[:start] + head_line + ending + rest + text[after:]


def _with_items(text: str, old: Item, value: list[Any]) -> str | None:
    """A list of an item a line or more, with other items. Those that stay keep their bytes, with what a person wrote
    beside and between them. None for a list that is written otherwise, or of which nothing stays."""
    lines = old.lines
    rows = [lines.position(item.start).line for item in old.items]
    indents = {lines.line(row).partition("-")[0] for row in rows}
    indent = min(indents, default="-")
    if len(set(rows)) < len(rows) or len(indents) != 1 or indent.strip(" "):
        return None
    for number in range(1, len(rows)):  # a comment above an item is of that item
        while lines.line(rows[number] - 1).lstrip().startswith("#"):
            rows[number] -= 1
    starts = [lines.starts[row] for row in rows]
    last = lines.position(old.end).line
    ends = [*starts[1:], lines.starts[last + 1] if last + 1 < lines.line_count else len(text)]
    kept = [(item.value, text[at:end]) for item, at, end in zip(old.items, starts, ends, strict=True)]
    made = []
    for item in value:
        stays = next((pair for pair in kept if _same(pair[0], item)), None)
        if stays:
            kept.remove(stays)
        made.append(stays[1] if stays else _item_lines(item, indent, newline_of(text)))
    return text[: starts[0]] + "".join(made) + text[ends[-1] :] if len(kept) < len(starts) else None


def _item_lines(item: Any, indent: str, ending: str) -> str:
    dumped = dump_value("items", [item]).split("\n")[1:-1]
    margin = len(dumped[0]) - len(dumped[0].lstrip())
    return "".join(f"{indent}{line[margin:]}{ending}" for line in dumped)


def _lines(key: str, value: Any, indent: str, ending: str) -> str:
    return "".join(f"{indent}{line}{ending}" for line in dump_value(key, value).split("\n")[:-1])


def replace_body(text: str, body: str) -> str:
    """The document with another body; the head keeps its bytes. Line ends follow the document."""
    head, _ = read(text)
    newline = newline_of(text)
    start = head.body_start if head else 0
    lead = "" if not start or text[:start].endswith(("\n", "\r")) else newline
    content = body.strip("\n").replace("\r\n", "\n").replace("\n", newline)
    return f"{text[:start]}{lead}{newline if start else ''}{content}{newline}"
