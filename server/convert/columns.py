"""Columns: code points inside, whatever code unit was negotiated outside."""

from __future__ import annotations

from array import array
from enum import StrEnum


class Encoding(StrEnum):
    """A unit in which a client counts characters; the values are LSP's."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


# A line above this many characters is measured once, not anew for each of the places on it.
_LONG = 500
_MOST_KEPT = 1_000_000  # characters of lines, beside the last one; each takes four bytes and its own
_CODECS = {Encoding.UTF8: ("utf-8", 1), Encoding.UTF16: ("utf-16-le", 2), Encoding.UTF32: ("utf-32-le", 4)}


def to_code_points(line: str, units: int, encoding: Encoding) -> int:
    """The column of a place `units` code units into a line; inside a character it is that character's start."""
    if units <= 0:
        return 0
    if encoding is Encoding.UTF32 or line.isascii():
        return min(units, len(line))
    codec, size = _CODECS[encoding]
    try:
        data = line[:units].encode(codec)
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can carry
        return _to_code_points_one_by_one(line, units, encoding)
    # A character that is cut in two is ignored. By codec, since a line may be a megabyte long.
    return len(data[: units * size].decode(codec, "ignore"))


def _to_code_points_one_by_one(line: str, units: int, encoding: Encoding) -> int:
    used = 0
    for column, character in enumerate(line):
        used += from_code_points(character, 1, encoding)
        if used > units:
            return column
    return len(line)


def from_code_points(line: str, column: int, encoding: Encoding) -> int:
    """How many code units stand before a column of a line."""
    if encoding is Encoding.UTF32 or line.isascii():
        return min(max(0, column), len(line))
    if len(line) > _LONG:
        return _units_before(line, encoding)[min(max(0, column), len(line))]
    before = line[: max(0, column)]
    codec, size = _CODECS[encoding]
    return len(before.encode(codec, "surrogatepass")) // size


# By identity: to tell two equal lines of a megabyte apart from unequal ones costs the line again, for each place on it.
_kept: dict[tuple[int, Encoding], tuple[str, array[int]]] = {}


def _units_before(line: str, encoding: Encoding) -> array[int]:
    """How many code units stand before each column of a line, its end included."""
    kept = _kept.get((id(line), encoding))
    if kept and kept[0] is line:
        return kept[1]
    found, used = array("I", [0]), 0
    for character in line:
        code = ord(character)
        if encoding is Encoding.UTF16:
            used += 1 + (code > 0xFFFF)
        else:
            used += 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)
        found.append(used)
    # Each key makes another line of the one that is typed in. A list first: threads measure lines, too.
    if sum(len(before) for before, _ in list(_kept.values())) > _MOST_KEPT:
        _kept.clear()
    _kept[id(line), encoding] = line, found
    return found
