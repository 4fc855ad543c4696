"""Every record that a text names, with its place; and those places that lead to a file.

One pass over the text; whether a name resolves is asked of the snapshot's tables, and of no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memory_core.ide.foreign import plain
from memory_core.ide.view import View
from memory_core.layout import record_path
from memory_core.records.record import Record
from memory_core.records.refs import Reference, scan
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot
from memory_core.text import Range


@dataclass(frozen=True, slots=True)
class Name:
    """A record named at `range`, existing or not. `weak`: it may be an issue number or a color instead."""

    ref: RecordRef
    range: Range
    weak: bool = False


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A place that leads to the record file at `path`. `tooltip`: which record, and what it is."""

    range: Range
    path: str
    tooltip: str


def names_in(view: View, *, of: RecordRef | None = None, within: Range | None = None) -> list[Name]:
    """The records a text names, in order: in the frontmatter of a record, its description and its body. `of`: only the
    names of one record; `within`: only those that touch a range."""
    lines = view.lines
    # Offsets first, places only of what is wanted: a place costs more than finding a name.
    first, last = (lines.offset(within.start), lines.offset(within.end)) if within else (0, len(view.text))
    return [
        Name(ref, lines.range(start, end), weak)
        for ref, start, end, weak in _found(view)
        if first <= end and start <= last and (of is None or ref == of)
    ]


_Found = tuple[RecordRef, int, int, bool]


def _found(view: View) -> Iterator[_Found]:
    """Each name with its offsets, and whether it is weak."""
    if view.document is None:
        yield from _referred(scan(view.text, 0, view.masked))
        return
    head = [*_of_head(view.record), *_referred(view.document.description_references)]
    yield from sorted(head, key=lambda found: found[1])
    yield from _referred(view.document.references)


def _referred(references: Iterable[Reference]) -> Iterator[_Found]:
    for found in references:
        yield RecordRef(found.kind, found.slug), found.start, found.end, found.weak


def _of_head(record: Record | None) -> Iterator[_Found]:
    """The slugs in `replaced_by` and `requires`, which stand there without a sigil."""
    entries = record.head.entries if record and record.head else {}
    if record and (entry := entries.get("replaced_by")) and record.replaced_by:
        yield RecordRef(record.ref.kind, record.replaced_by), entry.item.start, entry.item.end, False
    if record and (entry := entries.get("requires")):
        required = set(record.requires)
        for item in entry.item.items:
            if isinstance(item.value, str) and item.value in required:
                yield RecordRef(Kind.KNOWLEDGE, item.value), item.start, item.end, False


def document_links(snapshot: Snapshot, view: View) -> list[DocumentLink]:
    """The names in a text that lead to a record which exists."""
    tooltips: dict[RecordRef, str] = {}
    found: list[DocumentLink] = []
    for name in names_in(view):
        if not snapshot.index.exists(name.ref):
            continue
        if name.ref not in tooltips:
            tooltips[name.ref] = _tooltip(snapshot, name.ref)
        found.append(DocumentLink(name.range, record_path(name.ref), tooltips[name.ref]))
    return found


def _tooltip(snapshot: Snapshot, ref: RecordRef) -> str:
    """With the description once the records were read: until then each would be read for it."""
    document = snapshot.document(ref)
    outline = document.outline if document and snapshot.index.knows_links else None
    what = outline and (outline.description or outline.title)
    return f"{ref.kind} {ref.slug}{f': {plain(what)}' if what else ''}"
