"""The card of a record: what it is, where it stands, where it comes from, who reads it, how it begins.

All of it was written by others and is escaped. Which record, and whether showing it is a use, is asked elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_core.ide.foreign import block, code, inline
from memory_core.ids import parse_rfc3339
from memory_core.layout import record_at
from memory_core.outline import title_of
from memory_core.records.record import Record, Source
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.snapshot import Snapshot
from memory_core.text import counted

MAX_BODY_LINES = 40
MAX_SOURCES = 3
MAX_NAMED = 3
_TITLE = re.compile(r"\A\s*#[ \t]+(\S[^\r\n]*)")


@dataclass(frozen=True, slots=True)
class Used:
    """How often a record was read on purpose, when last (RFC 3339), and how often by people and by agents; what is
    left is by nobody known."""

    count: int
    last: str | None = None
    human: int = 0
    agent: int = 0


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a card says beside the record. `used`: None where it is not known yet, and then nothing is said of it.
    `linked`: whether to say who names it, for which all records may have to be read first."""

    now: datetime
    used: Mapping[RecordRef, Used] | None = None
    linked: bool = True


def card(snapshot: Snapshot, ref: RecordRef, around: Circumstances) -> str | None:
    """The card of a record in Markdown; None where there is no such record."""
    record = snapshot.record(ref)
    return "\n\n".join(_parts(snapshot, record, around)) if record else None


def _parts(snapshot: Snapshot, record: Record, around: Circumstances) -> Iterator[str]:
    yield _headline(record)
    if record.description:
        yield inline(record.description, 1_024)
    document = snapshot.document(record.ref)
    problems = [document.unreadable if document else None, *(problem.message for problem in record.problems)]
    if broken := next(filter(None, problems), None):
        yield f"⚠ The file is broken: {inline(broken)}"
    if record.status is Status.REPLACED or record.replaced_by:
        yield _replacement(snapshot, record)
    facts = list(_facts(snapshot, record, around))
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


def _replacement(snapshot: Snapshot, record: Record) -> str:
    if not record.replaced_by:
        return "Replaced, but it does not say by what."
    successor = RecordRef(record.ref.kind, record.replaced_by)
    found = snapshot.record(successor)
    if found is None:
        return f"Replaced by {code(str(successor))}, which does not exist."
    what = found.description or title_of(found)
    return f"Replaced by {code(str(successor))}{': ' + inline(what) if what else ''}"


def _facts(snapshot: Snapshot, record: Record, around: Circumstances) -> Iterator[str]:
    now = around.now
    if record.updated_at:
        yield f"updated {age(record.updated_at, now)}"
    if record.created_at and record.created_at != record.updated_at:
        yield f"created {age(record.created_at, now)}"
    if around.used is not None:
        yield _reads(around.used.get(record.ref), now)
    if around.linked and (named := _named(snapshot, record.ref)):
        yield named
    if record.requires:
        yield "requires " + ", ".join(code(f"#{slug}") for slug in record.requires)


def _reads(used: Used | None, now: datetime) -> str:
    """How often, by whom where that is known, and when last."""
    if not used or not used.count:
        return "never read"
    last = parse_rfc3339(used.last) if used.last else None
    times = "once" if used.count == 1 else f"{used.count:,} times"
    by = [f"{number:,} by {who}" for number, who in ((used.human, "people"), (used.agent, "agents")) if number]
    if used.count in (used.human, used.agent):
        who = "people" if used.human else "agents"
        by = ["by a person" if used.human else "by an agent"] if used.count == 1 else [f"by {who}"]
    whom = f" ({', '.join(by)})" if by else ""
    return f"read {times}{whom}{f', last {age(last, now)}' if last else ''}"


def _named(snapshot: Snapshot, ref: RecordRef) -> str | None:
    """How many records name it, and the first of them."""
    paths = snapshot.index.backlinks.paths(ref)
    if not paths:
        return None
    first = [str(record_at(path) or path) for path in paths[:MAX_NAMED]]
    more = ", …" if len(paths) > len(first) else ""
    return f"named in {counted(len(paths), 'record')}: {', '.join(code(name) for name in first)}{more}"


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
    """The session and its entries, and the first of those whose words were kept."""
    who = f"{inline(source.agent, 40)} session" if source.agent else "session"
    quoted = next((said for anchor in source.anchors if (said := _said(anchor, source))), "")
    return f"{who} {code(source.session_id)}, {_span(source.start, source.end)}{quoted}"


def _span(start: int, end: int) -> str:
    return f"entry {start}" if start == end else f"entries {start}-{end}"


def _said(anchor: Mapping[str, Any], source: Source) -> str | None:
    """The words an anchor kept, with who said them and in which entry, unless the source has just said that."""
    excerpt, speaker, span = (anchor.get(key) for key in ("excerpt", "speaker", "entry_range"))
    if not isinstance(excerpt, str) or not excerpt.strip():
        return None
    where = []
    placed = isinstance(span, list) and len(span) == 2 and all(type(number) is int for number in span)
    if isinstance(span, list) and placed and span != [source.start, source.end]:
        where.append(_span(span[0], span[1]))
    if speaker in ("human", "assistant", "tool", "system"):
        where.append(speaker)
    told = f" ({', '.join(where)})" if where else ""
    return f"{told}: “{inline(excerpt, 160)}”"
