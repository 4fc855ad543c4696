"""Code lenses on the first line of a record: how often it is read, how many records name it, where it comes from.

Where a lens stands is known from the text alone; what it says is found out when it comes into view.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.ide.foreign import plain
from memory_core.ide.view import View
from memory_core.layout import record_at, record_path
from memory_core.records.record import Source
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot
from memory_core.text import Range, counted

MOST_SOURCES = 3
MOST_NAMED = 5
_SHOWN_ID = 8  # characters of a session's id: enough to tell a handful apart


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above the record's first. `source`: where it comes from; None for the lens about its use."""

    ref: RecordRef
    range: Range
    source: Source | None = None


def lenses(view: View) -> list[Lens]:
    """The lenses of a record: its use and, of a decision or request, its latest sources; none for any other text."""
    ref, record = view.document.ref if view.document else None, view.record
    if ref is None or record is None:
        return []
    first = view.lines.line_range(0)
    sources = record.sources[-MOST_SOURCES:] if ref.kind in (Kind.DECISION, Kind.REQUEST) else ()
    return [Lens(ref, first), *(Lens(ref, first, source) for source in reversed(sources))]


def use_title(snapshot: Snapshot, ref: RecordRef, uses: int, *, linked: bool) -> str:
    """`read 4 times · named in 3 records`. `linked`: it is known who names whom; else nothing is said of it."""
    read = "not read yet" if not uses else "read once" if uses == 1 else f"read {uses:,} times"
    if not linked:
        return read
    others = len(naming(snapshot, ref))
    return f"{read} · named in {counted(others, 'record') if others else 'no other record'}"


def naming(snapshot: Snapshot, ref: RecordRef) -> tuple[str, ...]:
    """The paths of the other records that name one, in order; no text of theirs is looked at."""
    own = record_path(ref)
    paths = snapshot.index.backlinks.paths(ref)
    return tuple(path for path in paths if path != own) if own in paths else paths


def source_title(source: Source) -> str:
    """`evidence: claude-code 5b1f0c9e, entries 3-17`."""
    session = plain(source.session_id, 80)
    session = session if len(session) <= _SHOWN_ID + 4 else session[:_SHOWN_ID]
    agent = f"{plain(source.agent, 30)} " if source.agent else ""
    where = f"entry {source.start}" if source.start == source.end else f"entries {source.start}-{source.end}"
    return f"evidence: {agent}{session}, {where}"


def use_message(snapshot: Snapshot, ref: RecordRef, uses: int) -> str:
    """The same with the names of the first records, for editors that can show no list."""
    paths = naming(snapshot, ref)
    shown = ", ".join(str(record_at(path) or path) for path in paths[:MOST_NAMED])
    more = f" and {len(paths) - MOST_NAMED:,} more" if len(paths) > MOST_NAMED else ""
    return f"{ref}: {use_title(snapshot, ref, uses, linked=True)}{f': {shown}{more}' if paths else ''}."
