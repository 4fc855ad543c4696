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
from memory_core.text import LineIndex, Range


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


def names_in(view: View) -> list[Name]:
    """The records a text names, in order: in the frontmatter of a record, its description and its body."""
    lines = view.lines
    if view.document is None:
        return _named(lines, scan(view.text, 0, view.masked))
    head = [*_of_head(view.record), *_named(lines, view.document.description_references)]
    return [*sorted(head, key=lambda name: name.range), *_named(lines, view.document.references)]


def _named(lines: LineIndex, references: Iterable[Reference]) -> list[Name]:
    return [Name(RecordRef(r.kind, r.slug), lines.range(r.start, r.end), r.weak) for r in references]


def _of_head(record: Record | None) -> Iterator[Name]:
    """The slugs in `replaced_by` and `requires`, which stand there without a sigil."""
    entries = record.head.entries if record and record.head else {}
    if record and (entry := entries.get("replaced_by")) and record.replaced_by:
        yield Name(RecordRef(record.ref.kind, record.replaced_by), entry.item.range)
    if record and (entry := entries.get("requires")):
        required = set(record.requires)
        for item in entry.item.items:
            if isinstance(item.value, str) and item.value in required:
                yield Name(RecordRef(Kind.KNOWLEDGE, item.value), item.range)


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
