"""Packed places of links as locations, in JSON text: a thousand of them are asked for at once, and often."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from server.convert.columns import Encoding, from_code_points
from server.convert.plain import Encoded

if TYPE_CHECKING:
    from memory_core.text import LineIndex

# The largest code point that is one unit, so that columns are those of code points.
_SAME_COLUMNS = {Encoding.UTF8: 0x7F, Encoding.UTF16: 0xFFFF, Encoding.UTF32: 0x10FFFF}

_MOST_KEPT = 4  # answers of at most 160 kB, for hubs: those of other records are small


class KeptLocations:
    """The locations of the places that were asked for last. Places that are the same object, in documents that are the
    same ones, are written out once."""

    def __init__(self) -> None:
        self._kept: list[tuple[object, object, Encoded]] = []

    def of(self, found: Sequence[tuple[str, str]], written: object, make: Callable[[], Encoded]) -> Encoded:
        """`written`: what else the text hangs on (encoding, the URIs of open files); `make`: writes it."""
        for at, (places, how, encoded) in enumerate(self._kept):
            if places is found and how == written:
                self._kept.append(self._kept.pop(at))  # as the newest
                return encoded
        encoded = make()
        self._kept = [*self._kept[1 - _MOST_KEPT :], (found, written, encoded)]
        return encoded


def locations(
    found: Iterable[tuple[str, str]],
    uri_of: Callable[[str], str],
    locate: Callable[[str], tuple[str, LineIndex]],
    encoding: Encoding,
) -> Encoded:
    """The locations of places (`outline.places_of`) by path. A document is looked at only where columns hang on what
    stands before."""
    same = _SAME_COLUMNS[encoding]
    parts: list[str] = []
    for path, place in found:
        _, line, start, last, end, widest, _ = place.split(" ")
        if int(widest) > same:
            lines = locate(path)[1]
            start = str(from_code_points(lines.line(int(line)), int(start), encoding))
            end = str(from_code_points(lines.line(int(last)), int(end), encoding))
        uri = uri_of(path)
        plain = uri.isascii() and uri.isprintable() and '"' not in uri and "\\" not in uri
        name = f'"{uri}"' if plain else json.dumps(uri)
        parts.append(
            f'{{"uri":{name},"range":{{"start":{{"line":{line},"character":{start}}},'
            f'"end":{{"line":{last},"character":{end}}}}}}}'
        )
    return Encoded(f"[{','.join(parts)}]")
