"""Elements that programs put around texts, found in time that grows with the text alone: `<tag>`, then its `</tag>`.

A pattern that looks for the end behind each beginning takes the square of a text that has none. Knows no tag by name.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_CLOSING = re.compile(r"</([\w-]+)>")


class Element(NamedTuple):
    """An element: its tag, what is inside, and where it begins and ends in the text."""

    tag: str
    inner: str
    start: int
    end: int


def elements(text: str, opening: re.Pattern[str], *, unended: bool = False) -> Iterator[Element]:
    """The elements of a text in order, none inside another. `opening`: matches a beginning, with the tag as its first
    group. A beginning without an end is passed over; with `unended` it reaches to the end of the text."""
    match = opening.search(text)
    ends = _ends(text, match.start()) if match else {}
    while match:
        places = ends.get(match[1], [])
        place = bisect_left(places, match.end())
        if place < len(places):
            end = places[place] + len(match[1]) + 3
            yield Element(match[1], text[match.end() : places[place]], match.start(), end)
        elif unended:
            yield Element(match[1], text[match.end() :], match.start(), len(text))
            return
        else:
            end = match.end()
        match = opening.search(text, end)


def _ends(text: str, start: int) -> dict[str, list[int]]:
    ends: dict[str, list[int]] = {}
    for match in _CLOSING.finditer(text, start):
        ends.setdefault(match[1], []).append(match.start())
    return ends


def without(text: str, cut: Iterable[Element]) -> str:
    """A text without some of its elements."""
    pieces, done = [], 0
    for element in cut:
        pieces.append(text[done : element.start])
        done = element.end
    return "".join((*pieces, text[done:])) if done else text
