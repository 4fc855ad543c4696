"""What is derived from one text below the record folders, and which of these were asked for last.

Knows no file and no outline; `document` does.
"""

from __future__ import annotations

import threading
from collections import deque

from memory_core.layout import shown_ref
from memory_core.places import Place, places_in
from memory_core.records.mask import mask
from memory_core.records.node import Item
from memory_core.records.record import Record, parse
from memory_core.records.refs import Reference, scan
from memory_core.text import LineIndex

# Parsed documents that are kept, whoever asked for them. A hundred thousand would take half a gigabyte, and one costs
# a tenth of a millisecond to make again.
_KEPT = 512
# What they may take together, in characters of text: as many records as long as the linter allows. Each key makes a new
# document of the record that is typed in; of one of a megabyte, five hundred took ten gigabytes.
_MOST_KEPT = 4_000_000
_FEWEST = 4  # that are kept however long they are: whoever asks for one part of a text asks for the next


class Parsed:
    """What is derived from one text, each part when it is first asked for."""

    # By hand, not by `cached_property`, which up to Python 3.11 lets only one thread at a time derive anything.
    __slots__ = (
        "__weakref__",
        "_description_references",
        "_lines",
        "_masked",
        "_places",
        "_record",
        "_references",
        "path",
        "text",
    )

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._record: Record | None = None
        self._lines: LineIndex | None = None
        self._masked: str | None = None
        self._references: tuple[Reference, ...] | None = None
        self._description_references: tuple[Reference, ...] | None = None
        self._places: tuple[Place, ...] | None = None

    @property
    def record(self) -> Record | None:
        if self._record is None and (ref := shown_ref(self.path)):
            self._record = parse(ref, self.text)
        return self._record

    @property
    def lines(self) -> LineIndex:
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    @property
    def body_start(self) -> int:
        return self.record.body_start if self.record else 0

    @property
    def masked(self) -> str:
        if self._masked is None:
            start = self.body_start
            self._masked = self.text[:start] + mask(self.text[start:])
        return self._masked

    @property
    def references(self) -> tuple[Reference, ...]:
        if self._references is None:
            self._references = tuple(scan(self.text, self.body_start, self.masked))
        return self._references

    @property
    def description_references(self) -> tuple[Reference, ...]:
        if self._description_references is None:
            self._description_references = self._in_description()
        return self._description_references

    @property
    def named_places(self) -> tuple[Place, ...]:
        """Where the description and the body name records by their paths, in order."""
        if self._places is None:
            described = self._described("/")
            head = places_in(self.text[: described.end], self.path, described.start) if described else ()
            self._places = (*head, *places_in(self.text, self.path, self.body_start))
        return self._places

    def _in_description(self) -> tuple[Reference, ...]:
        described = self._described("#", "/")
        return tuple(scan(self.text[: described.end], described.start)) if described else ()

    def _described(self, *signs: str) -> Item | None:
        """The description as the head has it, where it holds one of some signs."""
        entry = self.record.head.entries.get("description") if self.record and self.record.head else None
        return entry.item if entry and any(sign in entry.item.raw for sign in signs) else None


class Recent:
    """The documents that were parsed last."""

    def __init__(self) -> None:
        self._kept: deque[Parsed] = deque()
        self._size = 0
        self._one = threading.Lock()

    def keep(self, parsed: Parsed) -> None:
        with self._one:
            self._kept.append(parsed)
            self._size += len(parsed.text)
            while len(self._kept) > _FEWEST and (len(self._kept) > _KEPT or self._size > _MOST_KEPT):
                self._size -= len(self._kept.popleft().text)
