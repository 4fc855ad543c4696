"""One file under the record folders: its text, read when first asked for, and what follows from it.

Knows no disk: whoever has the files hands in a `Source`.
"""

from __future__ import annotations

import hashlib
import threading
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Protocol

from memory_core.layout import record_at, shown_ref
from memory_core.outline import Link, Outline, is_packed, links_in, outline_in, outline_of, pack, places_of, targets_in
from memory_core.places import Place, places_in
from memory_core.records.mask import mask
from memory_core.records.node import Item
from memory_core.records.record import Record, parse
from memory_core.records.refs import Reference, scan
from memory_core.records.schema import RecordRef
from memory_core.text import LineIndex

# Parsed documents that are kept, whoever asked for them. A hundred thousand would take half a gigabyte, and one costs
# a tenth of a millisecond to make again.
_KEPT = 512
# What they may take together, in characters of text: as many records as long as the linter allows. Each key makes a new
# document of the record that is typed in; of one of a megabyte, five hundred took ten gigabytes.
_MOST_KEPT = 4_000_000
_FEWEST = 4  # that are kept however long they are: whoever asks for one part of a text asks for the next
_reading = threading.Lock()

Content = tuple[str, str | None]


class _Recent:
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


_recent = _Recent()


class Source(Protocol):
    """Where documents are read from."""

    def read(self, path: str) -> Content:
        """The text of a file, and why it may be wrong: bytes that are not UTF-8, a file that cannot be opened."""
        ...


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


class Document:
    """A file under the record folders. Never changes: once its text was read it stays as it was.

    `unreadable` says why `text` may be wrong (bytes that are not UTF-8, a file that cannot be opened); such a file must
    never be written back.
    """

    __slots__ = ("_content", "_digest", "_outline", "_parsed", "_source", "path")

    def __init__(self, path: str, text: str = "", unreadable: str | None = None, source: Source | None = None) -> None:
        self.path = path
        self._content: Content | None = None if source else (text, unreadable)
        self._source = source
        self._outline: str | None = None  # as `outline.pack` makes it
        self._digest: bytes | None = None
        self._parsed: weakref.ref[Parsed] | None = None

    @staticmethod
    def stored(path: str, source: Source) -> Document:
        """A document that is read from `source` when its text is first needed."""
        return Document(path, source=source)

    def recall(self, digest: bytes, packed: str) -> None:
        """What is known from an earlier reading of the same file: its digest, its outline as packed. A document whose
        text is here already knows better, and what is no outline is ignored."""
        if self._content is None and self._outline is None and is_packed(packed):
            self._digest, self._outline = digest, packed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return self is other or (self.path == other.path and self.content == other.content)

    def __hash__(self) -> int:
        return hash(self.path)

    def __repr__(self) -> str:
        return f"Document({self.path!r})"

    @property
    def is_read(self) -> bool:
        """Whether the text is here, so that asking for it costs nothing."""
        return self._content is not None

    @property
    def content(self) -> Content:
        content = self._content
        if content is None:
            # One reader at a time: two could read two versions of a file, and a document has one text.
            with _reading:
                content = self._content
                if content is None:
                    content = self._source.read(self.path) if self._source else ("", None)
                    if self._digest is not None and self._digest != _digest(content):
                        # The file changed since it was looked at: what was known of it is not of this text.
                        self._digest = self._outline = None
                    self._content = content
                    self._source = None
        return content

    def passing(self) -> Document:
        """The same document, for one look at many: what is read for it is not kept here."""
        source = self._source
        if self._content is not None or source is None:
            return self
        other = Document(self.path, *source.read(self.path))
        other._digest = self._digest
        return other

    @property
    def text(self) -> str:
        return self.content[0]

    @property
    def unreadable(self) -> str | None:
        return self.content[1]

    @property
    def digest(self) -> bytes:
        """SHA-256 of what was read: of the file's bytes where it is UTF-8, else of the text and the reason."""
        if self._digest is None:
            self._digest = _digest(self.content)
        return self._digest

    @property
    def ref(self) -> RecordRef | None:
        """The record this file is; None where the path is no place for a record or its stem is no slug."""
        return record_at(self.path)

    @property
    def parsed(self) -> Parsed:
        found = self._parsed() if self._parsed else None
        if found is None:
            found = Parsed(self.path, self.text)
            self._parsed = weakref.ref(found)
            _recent.keep(found)
        return found

    @property
    def record(self) -> Record | None:
        """The parsed record, also under a bad slug; None where the folder holds no records."""
        return self.parsed.record

    @property
    def lines(self) -> LineIndex:
        return self.parsed.lines

    @property
    def masked(self) -> str:
        """The body with code, links and the like blanked; the head is kept as it is."""
        return self.parsed.masked

    @property
    def references(self) -> tuple[Reference, ...]:
        """`#slug` and `/slug` in the body, in order."""
        return self.parsed.references

    @property
    def description_references(self) -> tuple[Reference, ...]:
        """`#slug` and `/slug` in the description, as it is written in the head, in order."""
        return self.parsed.description_references

    @property
    def named_places(self) -> tuple[Place, ...]:
        """Paths and links by path that name records in the description and the body, in order."""
        return self.parsed.named_places

    @property
    def packed_outline(self) -> str:
        """Outline and links as one text, for a cache."""
        if self._outline is None:
            self._outline = pack((self._parsed and self._parsed()) or Parsed(self.path, self.text))
        return self._outline

    @property
    def outline(self) -> Outline:
        """What lists show of the document; kept, and much smaller than what it is made of."""
        try:
            return outline_in(self.packed_outline)
        except (ValueError, TypeError):  # recalled from a cache that something else wrote to
            return outline_of(self.parsed)

    @property
    def links(self) -> tuple[Link, ...]:
        """What the document names: in the frontmatter first, then in the body, in order."""
        return tuple(links_in(self.packed_outline, self.path))

    def links_to(self, target: RecordRef) -> Iterator[Link]:
        """The places where the document names one record."""
        return links_in(self.packed_outline, self.path, target)

    def places(self, wanted: str) -> list[str]:
        """The places that begin with `wanted`; see `outline.places_of`."""
        return places_of(self.packed_outline, wanted)

    @property
    def targets(self) -> set[str]:
        """The paths of the records that the document names, existing or not."""
        return targets_in(self.packed_outline)


def _digest(content: Content) -> bytes:
    text, unreadable = content
    shown = text if unreadable is None else f"{text}\0{unreadable}"
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).digest()
