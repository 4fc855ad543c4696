"""Elements that programs put around texts, found in time that grows with the text alone: `<tag>`, then its `</tag>`.

A pattern that looks for the end behind each beginning takes the square of a text that has none. Knows no tag by name.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

_CLOSING = re.compile(r"</([\w-]+)>")


class Element(NamedTuple):
    """An element: its tag, what is inside, and where it begins and ends in the text."""

    tag: str
    inner: str
    start: int
    end: int


def elements(
    text: str, opening: re.Pattern[str], *, unended: bool = False, sealed: Container[str] | None = None
) -> Iterator[Element]:
    """The elements of a text in order, none inside another. `opening`: matches a beginning, with the tag as its first
    group. A beginning without an end is passed over; with `unended` it reaches to the end of the text. `sealed`: the
    tags whose text cannot hold their end, None for all; others end at the last end before they begin again."""
    match = opening.search(text)
    ends = _places(text, _CLOSING, match.start()) if match else {}
    begins = _places(text, opening, match.start()) if match and sealed is not None else {}
    while match:
        places = ends.get(match[1], [])
        place = bisect_left(places, match.end())
        if place < len(places):
            if sealed is not None and match[1] not in sealed:
                again = bisect_left(begins[match[1]], places[place])
                limit = begins[match[1]][again] if again < len(begins[match[1]]) else len(text)
                place = bisect_left(places, limit) - 1
            end = places[place] + len(match[1]) + 3
            yield Element(match[1], text[match.end() : places[place]], match.start(), end)
        elif unended:
            yield Element(match[1], text[match.end() :], match.start(), len(text))
            return
        else:
            end = match.end()
        match = opening.search(text, end)


def _places(text: str, pattern: re.Pattern[str], start: int) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for match in pattern.finditer(text, start):
        places.setdefault(match[1], []).append(match.start())
    return places


def without(text: str, cut: Iterable[Element]) -> str:
    """A text without some of its elements."""
    pieces, done = [], 0
    for element in cut:
        pieces.append(text[done : element.start])
        done = element.end
    return "".join((*pieces, text[done:])) if done else text
