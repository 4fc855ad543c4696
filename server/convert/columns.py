"""Columns: code points inside, whatever code unit was negotiated outside."""

from __future__ import annotations

from enum import StrEnum


class Encoding(StrEnum):
    """A unit in which a client counts characters; the values are LSP's."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def to_code_points(line: str, units: int, encoding: Encoding) -> int:
    """The column of a place `units` code units into a line; inside a character it is that character's start."""
    if encoding is Encoding.UTF32 or line.isascii():
        return max(0, min(units, len(line)))
    used = 0
    for column, character in enumerate(line):
        used += _width(character, encoding)
        if used > units:
            return column
    return len(line)


def from_code_points(line: str, column: int, encoding: Encoding) -> int:
    """How many code units stand before a column of a line."""
    before = line[: max(0, column)]
    if encoding is Encoding.UTF32 or before.isascii():
        return len(before)
    return sum(_width(character, encoding) for character in before)


def _width(character: str, encoding: Encoding) -> int:
    # Counted by hand, since a lone surrogate, which JSON can carry, cannot be encoded.
    point = ord(character)
    if encoding is Encoding.UTF16:
        return 2 if point > 0xFFFF else 1
    return 1 if point < 0x80 else 2 if point < 0x800 else 3 if point < 0x10000 else 4
