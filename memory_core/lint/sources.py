"""A record's sources with the place of each part, as far as they are well-formed. What is not is reported elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memory_core.lint.facts import AnchorKey
from memory_core.lint.rule import Context
from memory_core.records.node import Entry

SOURCE_KEYS = ("session_id", "range", "agent", "anchors")
OLD_SESSION_KEY = "segment_id"


@dataclass(frozen=True, slots=True)
class AnchorPlace:
    """An anchor: its entries (first, last), where its hash and its excerpt stand, and all that it says."""

    span: tuple[int, int] | None
    sha256: Entry | None
    excerpt: Entry | None
    key: AnchorKey


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A source: its session, its entries (first, last), and where they stand."""

    session_id: str
    session: Entry
    span: tuple[int, int] | None
    range_entry: Entry | None
    anchors: tuple[AnchorPlace, ...]


def sources_of(context: Context) -> Iterator[SourcePlace]:
    """The sources that name a session, whichever key holds them."""
    for key in ("sources", "last_sources"):
        entry = context.entry(key)
        for item in entry.item.items if entry else ():
            session = item.fields.get("session_id") or item.fields.get(OLD_SESSION_KEY)
            if session and isinstance(session.item.value, str):
                anchors = item.fields.get("anchors")
                places = tuple(_anchor(anchor.fields) for anchor in (anchors.item.items if anchors else ()))
                span = item.fields.get("range")
                yield SourcePlace(session.item.value, session, _span(span), span, places)


def _anchor(fields: Mapping[str, Entry]) -> AnchorPlace:
    key = AnchorKey.of({name: entry.item.value for name, entry in fields.items()})
    return AnchorPlace(_span(fields.get("entry_range")), _text(fields.get("sha256")), _text(fields.get("excerpt")), key)


def _text(entry: Entry | None) -> Entry | None:
    return entry if entry and isinstance(entry.item.value, str) and entry.item.value.strip() else None


def _span(entry: Entry | None) -> tuple[int, int] | None:
    value = entry.item.value if entry else None
    if not isinstance(value, list) or len(value) != 2 or not all(type(number) is int for number in value):
        return None
    first, last = value
    return (first, last) if 0 <= first <= last else None
