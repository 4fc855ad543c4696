"""One file under the record folders: its text, read when first asked for, and what follows from it.

Knows no disk: whoever has the files hands in a `Source`.
"""

from __future__ import annotations

import hashlib
import threading
import weakref
from collections.abc import Iterator
from typing import Protocol

from memory_core.layout import record_at
from memory_core.outline import Link, Outline, is_packed, links_in, outline_in, outline_of, pack, places_of, targets_in
from memory_core.parsed import Parsed, Recent
from memory_core.places import Place
from memory_core.records.record import Record
from memory_core.records.refs import Reference
from memory_core.records.schema import RecordRef
from memory_core.text import LineIndex

_reading = threading.Lock()
_recent = Recent()

Content = tuple[str, str | None]


class Source(Protocol):
    """Where documents are read from."""

    def read(self, path: str) -> Content:
        """The text of a file, and why it may be wrong: bytes that are not UTF-8, a file that cannot be opened."""
        ...


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
