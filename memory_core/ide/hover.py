"""The card shown over a reference: what the record is, where it stands, where it comes from, how often it is read.

Everything in it was written by others and is escaped. Showing a card may be a use; recording it is the host's part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_core.ide.foreign import block, code, inline
from memory_core.ide.target import Target, target_at
from memory_core.ide.view import View
from memory_core.ids import parse_rfc3339
from memory_core.records.record import Record, Source
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.snapshot import Snapshot
from memory_core.text import Position, Range, counted

MAX_BODY_LINES = 40
MAX_SOURCES = 3
_TITLE = re.compile(r"\A\s*#[ \t]+(\S[^\r\n]*)")


@dataclass(frozen=True, slots=True)
class Used:
    """How often a record was read on purpose, and when last (RFC 3339)."""

    count: int
    last: str | None = None


@dataclass(frozen=True, slots=True)
class HoverCard:
    """Markdown for the text at `range`. `ref`: the record it shows, None when there is no such record."""

    markdown: str
    range: Range
    ref: RecordRef | None


def hover(
    snapshot: Snapshot,
    view: View,
    position: Position,
    *,
    now: datetime,
    used: Mapping[RecordRef, Used] | None = None,
    linked: bool = True,
) -> HoverCard | None:
    """The card of the record named at a position; None where none is named. `linked`: say how many records name it,
    for which all of them may have to be read."""
    target = target_at(view, position)
    if target is None:
        return None
    record = snapshot.record(target.ref)
    if record is None:
        return None if target.weak else HoverCard(_missing(target), target.range, None)
    usage = (used or {}).get(target.ref)
    return HoverCard("\n\n".join(_card(snapshot, record, now, usage, linked)), target.range, target.ref)


def _missing(target: Target) -> str:
    return f"There is no {target.ref.kind} record {code(str(target.ref))} in this workspace."


def _card(snapshot: Snapshot, record: Record, now: datetime, used: Used | None, linked: bool) -> Iterator[str]:
    yield _headline(record)
    if record.description:
        yield inline(record.description, 1_024)
    document = snapshot.document(record.ref)
    problems = [document.unreadable if document else None, *(problem.message for problem in record.problems)]
    if broken := next(filter(None, problems), None):
        yield f"⚠ The file is broken: {inline(broken)}"
    if record.status is Status.REPLACED or record.replaced_by:
        yield _replacement(snapshot, record)
    facts = list(_facts(snapshot, record, now, used, linked))
    if facts:
        yield " · ".join(facts)
    sources = list(_sources(record))
    if sources:
        yield "\n".join(sources)
    body = _TITLE.sub("", record.body, count=1).strip()
    if body:
        yield "---"
        yield block(body, MAX_BODY_LINES)


def _headline(record: Record) -> str:
    parts = [str(record.ref.kind)]
    kind = record.value("kind") if record.ref.kind is Kind.KNOWLEDGE else None
    if isinstance(kind, str) and kind:
        parts.append(inline(kind, 40))
    if record.status:
        parts.append(str(record.status))
    if record.resident:
        parts.append("resident")
    title = title_of(record)
    return f"**{code(str(record.ref))}**{f' {inline(title, 120)}' if title else ''} ({', '.join(parts)})"


def title_of(record: Record) -> str | None:
    """The first heading of a record's body, when the body starts with one."""
    match = _TITLE.match(record.body)
    return match[1].strip() if match else None


def _replacement(snapshot: Snapshot, record: Record) -> str:
    if not record.replaced_by:
        return "Replaced, but it does not say by what."
    successor = RecordRef(record.ref.kind, record.replaced_by)
    found = snapshot.record(successor)
    if found is None:
        return f"Replaced by {code(str(successor))}, which does not exist."
    what = found.description or title_of(found)
    return f"Replaced by {code(str(successor))}{': ' + inline(what) if what else ''}"


def _facts(snapshot: Snapshot, record: Record, now: datetime, used: Used | None, linked: bool) -> Iterator[str]:
    if record.updated_at:
        yield f"updated {age(record.updated_at, now)}"
    if record.created_at and record.created_at != record.updated_at:
        yield f"created {age(record.created_at, now)}"
    last = parse_rfc3339(used.last) if used and used.last else None
    if used and used.count:
        times = "once" if used.count == 1 else f"{used.count} times"
        yield f"read {times}{f', last {age(last, now)}' if last else ''}"
    else:
        yield "never read"
    naming = snapshot.index.backlinks.paths(record.ref) if linked else ()
    if naming:
        yield f"named in {counted(len(naming), 'record')}"
    if record.requires:
        yield "requires " + ", ".join(code(f"#{slug}") for slug in record.requires)


def age(instant: datetime, now: datetime) -> str:
    """How long ago, in the largest unit that fits, with the date where it is more than a day."""
    seconds = int((now - instant).total_seconds())
    day = instant.date().isoformat()
    if seconds < 0:
        return f"on {day}"
    for size, unit in ((31_536_000, "year"), (2_592_000, "month"), (86_400, "day")):
        if seconds >= size:
            return f"{counted(seconds // size, unit)} ago ({day})"
    if seconds >= 3_600:
        return f"{counted(seconds // 3_600, 'hour')} ago"
    return f"{counted(seconds // 60, 'minute')} ago" if seconds >= 60 else "just now"


def _sources(record: Record) -> Iterator[str]:
    for source in record.sources[:MAX_SOURCES]:
        yield f"- {_source(source)}"
    rest = len(record.sources) - MAX_SOURCES
    if rest > 0:
        yield f"- {counted(rest, 'more source')}"


def _source(source: Source) -> str:
    who = f"{inline(source.agent, 40)} session" if source.agent else "session"
    span = f"entry {source.start}" if source.start == source.end else f"entries {source.start}-{source.end}"
    excerpt = next((text for anchor in source.anchors if (text := _excerpt(anchor))), None)
    return f"{who} {code(source.session_id)}, {span}{f': “{inline(excerpt, 160)}”' if excerpt else ''}"


def _excerpt(anchor: Mapping[str, Any]) -> str | None:
    excerpt = anchor.get("excerpt")
    return excerpt if isinstance(excerpt, str) and excerpt.strip() else None
