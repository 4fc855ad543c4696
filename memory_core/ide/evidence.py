"""Where a record comes from, for navigation: which place of which session stands under the cursor, and all of them.

Reads no log: whether the session is still there is found out by whoever opens it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory_core.ide.target import target_at
from memory_core.ide.view import View
from memory_core.records.node import Entry, Item
from memory_core.records.record import Record, Source, parse_source
from memory_core.records.schema import RecordRef
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range

SOURCE_KEYS = ("sources", "last_sources")
MOST_PLACES = 50


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in a session: an entry of it or, more exactly, an anchor. `origin`: what the cursor is on, None for a
    place that was not pointed at; `kept`: all anchors that the source holds, for when the log is gone."""

    session_id: str
    entry: int
    agent: str | None
    anchor: Mapping[str, Any] | None
    kept: tuple[Mapping[str, Any], ...]
    origin: Range | None = None


def evidence_at(view: View, position: Position) -> Evidence | None:
    """The place that a source in the frontmatter means, at the cursor: an anchor where it is on one, the last entry of
    the range where it is on that number, else the first."""
    if position.line >= view.body_line or view.record is None:
        return None
    for item in _source_items(view.record):
        if not _on(item, position, view):
            continue
        source = parse_source(item.value)
        if source is None:
            return None
        for anchor in _anchor_items(item):
            if _on(anchor, position, view) and isinstance(anchor.value, Mapping):
                return _of(source, anchor.value, _span(anchor))
        numbers = _field(item, "range")
        end = numbers.items[1] if numbers and len(numbers.items) == 2 else None
        if end and end.range.contains(position):
            return _of(source, None, end.range, source.end)
        return _of(source, None, _span(item))
    return None


def evidence_of(record: Record) -> list[Evidence]:
    """All places that a record comes from, in order, at most MOST_PLACES: its anchors, and the beginning of a source
    that has none."""
    found: list[Evidence] = []
    for source in record.sources:
        if source.anchors:
            found += [_of(source, anchor, None) for anchor in source.anchors]
        else:
            found.append(_of(source, None, None))
    return list({(e.session_id, e.entry, _identity(e.anchor)): e for e in found}.values())[:MOST_PLACES]


def evidence_for(snapshot: Snapshot, view: View, position: Position) -> tuple[RecordRef | None, list[Evidence]]:
    """What the record at a position comes from: the one that is named there, else the one being edited. On a source,
    only that one."""
    if pointed := evidence_at(view, position):
        whole = Source(pointed.session_id, pointed.entry, pointed.entry, pointed.agent, pointed.kept)
        source = [_of(whole, anchor, None) for anchor in pointed.kept]
        ref = view.document.ref if view.document else None
        return ref, source if pointed.anchor is None and source else [pointed]
    target = target_at(view, position)
    record = snapshot.record(target.ref) if target else view.record
    return (record.ref, evidence_of(record)) if record else (None, [])


def _of(source: Source, anchor: Mapping[str, Any] | None, origin: Range | None, entry: int | None = None) -> Evidence:
    at = source.start if entry is None else entry
    if anchor is not None:
        span = anchor.get("entry_range")
        at = span[-1] if isinstance(span, list) and span and isinstance(span[-1], int) else at
    return Evidence(source.session_id, max(0, at), source.agent, anchor, source.anchors, origin)


def _identity(anchor: Mapping[str, Any] | None) -> tuple[str, ...]:
    names = ("evidence_id", "sha256", "native_id", "path", "ref")
    return tuple(str(anchor.get(name)) for name in names) if anchor else ()


def _source_items(record: Record) -> list[Item]:
    entries = record.head.entries if record.head else {}
    return [item for key in SOURCE_KEYS if key in entries for item in entries[key].item.items]


def _anchor_items(source: Item) -> tuple[Item, ...]:
    anchors = _field(source, "anchors")
    return anchors.items if anchors else ()


def _field(item: Item, key: str) -> Item | None:
    entry: Entry | None = item.fields.get(key)
    return entry.item if entry else None


def _on(item: Item, position: Position, view: View) -> bool:
    """Whether a position is on an item or on the rest of its lines: the dash before it, a comment behind it."""
    span = _span(item)
    if span.start.line == span.end.line and "[" in view.lines.line(span.start.line)[: span.start.character]:
        return span.contains(position)  # several stand on one line
    return span.start.line <= position.line <= span.end.line


def _span(item: Item) -> Range:
    """Where an item stands, without the white space that YAML counts to the end of a block."""
    return item.lines.range(item.start, item.start + len(item.raw.rstrip()))
