"""Record to text: new records whole, existing ones by the smallest edit, so that comments, unknown keys and body bytes
survive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import frontmatter
import yaml

from memory_core.records.frontmatter import Frontmatter, read
from memory_core.records.schema import FIELDS, Kind
from memory_core.text import LineIndex, newline_of


class _Dumper(yaml.SafeDumper):
    """Block style, lists indented under their key, instants as plain text."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - PyYAML's signature
        return super().increase_indent(flow, False)


def _represent_list(dumper: yaml.SafeDumper, value: list[Any]) -> yaml.Node:
    # `[3, 17]` reads as a range on one line; longer or nested lists read better as blocks.
    flow = len(value) <= 2 and all(isinstance(v, int) for v in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow)


_Dumper.add_representer(list, _represent_list)
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
    post = frontmatter.Post(body.strip("\n"), **{})
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

    Everything else keeps its bytes. ValueError when the head cannot be read: a broken head is never rewritten.
    """
    for key, value in changes.items():
        head, problems = read(text)
        if head is None or any(p.code == "malformed-frontmatter" for p in problems):
            raise ValueError(f"the frontmatter is broken: {problems[0].message}")
        text = _set_field(text, head, key, value)
    return text


def _set_field(text: str, head: Frontmatter, key: str, value: Any) -> str:
    newline = newline_of(text)
    lines = LineIndex(text)
    new = "" if value is None else dump_value(key, value).replace("\n", newline)
    entry = head.entries.get(key)
    if entry is None:
        return text[: head.end] + new + text[head.end :]
    if entry.item.value == value and type(entry.item.value) is type(value):
        return text
    start = lines.starts[entry.key_range.start.line]
    end = lines.offset(entry.item.range.end)
    tail_end = lines.offset(lines.line_range(entry.item.range.end.line).end)
    comment = text[end:tail_end]
    after = min(tail_end + len(newline), head.end)
    if comment.strip().startswith("#") and value is not None and new.count(newline) == 1:
        new = new[: -len(newline)] + comment + newline
    indent = text[start : lines.offset(entry.key_range.start)]
    return text[:start] + "".join(indent + line for line in new.splitlines(keepends=True)) + text[after:]


def replace_body(text: str, body: str) -> str:
    """The document with another body; the head keeps its bytes. Line ends follow the document."""
    head, _ = read(text)
    newline = newline_of(text)
    start = head.body_start if head else 0
    lead = "" if not start or text[:start].endswith(("\n", "\r")) else newline
    content = body.strip("\n").replace("\r\n", "\n").replace("\n", newline)
    return f"{text[:start]}{lead}{newline if start else ''}{content}{newline}"
