"""Where the keys and values of a TOML text stand: the standard library's parser keeps no positions.

Reads a text that has been parsed already and judges nothing; grammar: https://toml.io/en/v1.0.0.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field

from memory_core.text import LineIndex, Position, Range

KeyPath = tuple[str, ...]
Span = tuple[int, int]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")  # also comments: between statements and in arrays
_STRING = re.compile(
    r'"""(?:[^\\"]|\\.|"{1,2}(?!"))*"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_SCALAR = re.compile(r"[^,\]}#\r\n]*")
_DEEPEST = 16  # levels of arrays and inline tables whose parts are told apart; no setting has more than three


@dataclass
class _Reader:
    text: str
    keys: dict[KeyPath, Span] = field(default_factory=dict)
    values: dict[KeyPath, Span] = field(default_factory=dict)
    items: dict[KeyPath, list[Span]] = field(default_factory=dict)

    def read(self) -> None:
        """The first place of every key and table."""
        table: KeyPath = ()
        at = self._space(0)
        while at < len(self.text):
            if self.text[at] == "[":
                table, at = self._key(self._blank(at + 2 if self.text.startswith("[[", at) else at + 1), ())
                at = self._line_end(at)
            else:
                at = self._pair(at, table, 0)
            at = self._space(at)

    def _space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def _blank(self, at: int) -> int:
        while self.text.startswith((" ", "\t"), at):
            at += 1
        return at

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return end if end >= 0 else len(self.text)

    def _key(self, at: int, table: KeyPath) -> tuple[KeyPath, int]:
        """A key of one or several parts, each of which names something."""
        path = table
        while match := _KEY.match(self.text, at):
            path = (*path, _plain(match.group()))
            self.keys.setdefault(path, match.span())
            at = match.end()
            dot = _DOT.match(self.text, at)
            if not dot:
                break
            at = dot.end()
        return path, at

    def _pair(self, at: int, table: KeyPath, depth: int) -> int:
        path, at = self._key(at, table)
        at = self._blank(at)
        if not self.text.startswith("=", at):  # of a text that is no TOML: the rest of its line says nothing
            return max(at + 1, self._line_end(at))
        start = self._blank(at + 1)
        end = self._value(start, path, depth)
        self.values.setdefault(path, (start, end))
        return end

    def _value(self, at: int, path: KeyPath, depth: int) -> int:
        """The end of a value."""
        sign = self.text[at : at + 1]
        if sign in ("[", "{") and depth >= _DEEPEST:
            return self._skipped(at)
        match sign:
            case "[":
                return self._array(at + 1, path, depth + 1)
            case "{":
                return self._inline(at + 1, path, depth + 1)
            case "":
                return at
        if string := _STRING.match(self.text, at):
            return string.end()
        scalar = _SCALAR.match(self.text, at)
        return at + len(scalar.group().rstrip()) if scalar else at

    def _array(self, at: int, path: KeyPath, depth: int) -> int:
        items: list[Span] = []
        at = self._space(at)
        while at < len(self.text) and self.text[at] != "]":
            # What an entry holds has no path of its own: entries are numbers, not names.
            end = self._value(at, (*path, f"[{len(items)}]"), depth)
            items.append((at, end))
            at = self._behind(end, at)
        self.items.setdefault(path, items)
        return min(at + 1, len(self.text))

    def _inline(self, at: int, path: KeyPath, depth: int) -> int:
        at = self._space(at)
        while at < len(self.text) and self.text[at] != "}":
            at = self._behind(self._pair(at, path, depth), at)
        return min(at + 1, len(self.text))

    def _behind(self, end: int, start: int) -> int:
        """The place behind a part and its comma, ahead of where the part began in any text."""
        at = self._space(end)
        at = self._space(at + 1) if self.text.startswith(",", at) else at
        return max(at, start + 1)

    def _skipped(self, at: int) -> int:
        """The end of a nested value, by counting brackets outside of strings and comments."""
        open_brackets = 0
        while at < len(self.text):
            if string := _STRING.match(self.text, at):
                at = string.end()
                continue
            sign = self.text[at]
            at = self._line_end(at) if sign == "#" else at + 1
            open_brackets += (sign in "[{") - (sign in "]}")
            if not open_brackets:
                break
        return at


class Places:
    """Where the settings of a text stand, each at its first place."""

    def __init__(self, text: str) -> None:
        self.lines = LineIndex(text)
        self._reader: _Reader | None = None

    def error(self, message: str) -> Range:
        """Where the parser stopped: from there to the end of the line."""
        match = re.search(r"line (\d+), column (\d+)", message)
        line = int(match[1]) - 1 if match else self.lines.line_count - 1
        start = Position(line, int(match[2]) - 1 if match else 0)
        return Range(start, max(start, self.lines.line_range(line).end))

    def key(self, path: KeyPath) -> Range:
        """The last part of a key, or of the nearest table that it stands in; the first line where there is none."""
        reader = self._read()
        found = next((reader.keys[path[:n]] for n in range(len(path), 0, -1) if path[:n] in reader.keys), None)
        return self.lines.range(*found) if found else self.lines.line_range(0)

    def value(self, path: KeyPath) -> Range:
        """The value of a key; the key where it is a table with a heading of its own."""
        found = self._read().values.get(path)
        return self.lines.range(*found) if found else self.key(path)

    def item(self, path: KeyPath, number: int) -> Range:
        """One entry of an array; the whole value where there is none of that number."""
        items = self._read().items.get(path, [])
        return self.lines.range(*items[number]) if number < len(items) else self.value(path)

    def _read(self) -> _Reader:
        if self._reader is None:
            self._reader = _Reader(self.lines.text)
            self._reader.read()
        return self._reader


def _plain(written: str) -> str:
    """A part of a key without its quotes."""
    if written.startswith('"') and "\\" in written:
        try:
            return str(tomllib.loads(f"a = {written}")["a"])
        except tomllib.TOMLDecodeError:
            return written
    return written[1:-1] if written[0] in "\"'" else written
