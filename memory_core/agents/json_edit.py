"""Change a JSON text at one place and keep every other byte: comments, order, indentation, a trailing comma.

Knows members of objects and elements of arrays, nothing of what they mean. ValueError for a text that is no JSON, with
comments allowed, since several agents' settings have some.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_ATOM = re.compile(r"-?\d[0-9eE+.-]*|true|false|null")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place. `items`: of an object (key, value), of an array ("", value); `key_start`: where the item
    begins that the value belongs to."""

    start: int
    end: int
    kind: str
    items: tuple[tuple[str, Node], ...] = ()
    key_start: int = 0

    def get(self, key: str) -> Node | None:
        return next((value for name, value in reversed(self.items) if name == key), None)


def parse(text: str) -> Node:
    """The tree of a text."""
    at = _skip(text, 0)
    node = _value(text, at, at, 0)
    if _skip(text, node.end) != len(text):
        raise ValueError(f"there is more behind the end, at character {node.end}")
    return node


def plain(text: str, node: Node) -> Any:
    """The value of a node."""
    match node.kind:
        case "object":
            return {key: plain(text, value) for key, value in node.items}
        case "array":
            return [plain(text, value) for _, value in node.items]
        case _:
            return json.loads(text[node.start : node.end])


def with_member(text: str, path: Sequence[str], value: Any) -> str:
    """The text with `value` at a path of keys; objects on the way are made. A member that is there is replaced."""
    if not text.strip("\ufeff \t\r\n"):
        text = "{}\n"
    node = parse(text)
    for depth, key in enumerate(path):
        if node.kind != "object":
            raise ValueError(f"`{'.'.join(path[:depth]) or 'the whole'}` is no object")
        inner = node.get(key)
        if inner is None:
            for name in reversed(path[depth + 1 :]):
                value = {name: value}
            return _inserted(text, node, f"{json.dumps(key)}: ", value)
        node = inner
    return text[: node.start] + _laid_out(text, node.key_start, value) + text[node.end :]


def with_element(text: str, path: Sequence[str], value: Any) -> str:
    """The text with one more element at the end of the array at a path; the array is made where there is none."""
    node = at_path(text, path)
    if node is None:
        return with_member(text, path, [value])
    if node.kind != "array":
        raise ValueError(f"`{'.'.join(path)}` is no array")
    return _inserted(text, node, "", value)


def at_path(text: str, path: Sequence[str]) -> Node | None:
    """The node at a path of keys."""
    if not text.strip("\ufeff \t\r\n"):
        return None
    node: Node | None = parse(text)
    for key in path:
        if node is None or node.kind != "object":
            return None
        node = node.get(key)
    return node


def without(text: str, parent: Node, child: Node) -> str:
    """The text without one item of an object or array, and without the comma that goes with it."""
    order = [value for _, value in parent.items]
    number = order.index(child)
    if number + 1 < len(order):
        return text[: child.key_start] + text[order[number + 1].key_start :]
    # Behind the last item a trailing comma may stand, which then is that of the item before.
    start = order[number - 1].end if number else parent.start + 1
    return text[:start] + text[child.end if number else parent.end - 1 :]


def _inserted(text: str, parent: Node, lead: str, value: Any) -> str:
    """The text with one more item at the end of an object or array."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if parent.items:
        last = parent.items[-1][1]
        indent = _indent(text, last.key_start)
        on_lines = "\n" in text[parent.start : parent.items[0][1].key_start]
        joint = f",{newline}{indent}" if on_lines else ", "
        item = lead + _laid_out(text, last.key_start, value)
        return text[: last.end] + joint + item + text[last.end :]  # a trailing comma stays one
    indent = _indent(text, parent.start)
    inner = indent + _step(text)
    item = lead + json.dumps(value, ensure_ascii=False, indent=len(_step(text)) if "\t" not in _step(text) else "\t")
    item = item.replace("\n", newline + inner)
    return f"{text[: parent.start + 1]}{newline}{inner}{item}{newline}{indent}{text[parent.end - 1 :]}"


def _laid_out(text: str, at: int, value: Any) -> str:
    """A value as it is written on the lines of the item at `at`."""
    step = _step(text)
    lines = json.dumps(value, ensure_ascii=False, indent="\t" if "\t" in step else len(step))
    return lines.replace("\n", ("\r\n" if "\r\n" in text else "\n") + _indent(text, at))


def _indent(text: str, at: int) -> str:
    """The white space that the line of a place begins with."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    match = re.compile(r"[ \t]*").match(text, start)
    return match[0] if match else ""


def _step(text: str) -> str:
    """One step of the text's indentation."""
    match = re.search(r"[{\[]\r?\n([ \t]+)", text)
    return match[1] if match else "  "


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, key_start: int, depth: int) -> Node:
    if depth > 100:
        raise ValueError("it is nested too deeply")
    opening = text[at : at + 1]
    if opening in ("{", "["):
        items = tuple(_items(text, at, depth))
        end = _skip(text, items[-1][1].end if items else at + 1)
        if text[end : end + 1] == ",":
            end = _skip(text, end + 1)
        return Node(at, end + 1, "object" if opening == "{" else "array", items, key_start)
    match = _STRING.match(text, at) or _ATOM.match(text, at)
    if not match:
        raise ValueError(f"no value at character {at}")
    json.loads(match[0])
    return Node(at, match.end(), "atom", (), key_start)


def _items(text: str, at: int, depth: int) -> Iterator[tuple[str, Node]]:
    closing = "}" if text[at] == "{" else "]"
    at = _skip(text, at + 1)
    while text[at : at + 1] != closing:
        start, key = at, ""
        if closing == "}":
            match = _STRING.match(text, at)
            if not match:
                raise ValueError(f"no key at character {at}")
            key = json.loads(match[0])
            at = _skip(text, match.end())
            if text[at : at + 1] != ":":
                raise ValueError(f"no colon at character {at}")
            at = _skip(text, at + 1)
        node = _value(text, at, start, depth + 1)
        yield key, node
        at = _skip(text, node.end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise ValueError(f"no comma or end at character {at}")
