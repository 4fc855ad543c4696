"""What was renamed when, so that a record's usage is counted under the name it has now.

The usage log keeps the names of its time; the audit log says what became of them. Nothing here rewrites either.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from memory_core.ids import parse_rfc3339
from memory_core.layout import record_path
from memory_core.records.schema import Kind, RecordRef
from memory_core.usage import UsageEvent, UsedRecord

EVENT = "rename"  # in the audit log: `run_id`, `kind`, `slug` (the old one), `new_slug`
_EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Rename:
    """At an instant, `kind`/`old` became `kind`/`new`."""

    at: datetime
    kind: str
    old: str
    new: str


def renames_in(audit: Iterable[str]) -> list[Rename]:
    """The renames that an audit log tells of, oldest first; one that was undone is followed by its way back."""
    runs: dict[str, Rename] = {}
    found: list[Rename] = []
    for line in audit:
        if f'"{EVENT}"' not in line and '"undo"' not in line:
            continue  # of a long log few lines are about names
        event = _parsed(line)
        at = parse_rfc3339(str(event.get("occurred_at"))) or _EARLIEST
        rename: Rename | None = None
        match event:
            case {"event": "rename", "kind": str(kind), "slug": str(old), "new_slug": str(new)}:
                rename = Rename(at, kind, old, new)
            case {"event": "undo", "undone": str(run), "restored": list(restored)} if run in runs:
                before = runs[run]
                if _path(before.kind, before.old) in restored:
                    rename = Rename(at, before.kind, before.new, before.old)
        if rename:
            found.append(rename)
            runs[str(event.get("run_id"))] = rename
    return sorted(found, key=lambda rename: rename.at)


def under_present_names(events: Iterable[UsageEvent], renames: Sequence[Rename]) -> list[UsageEvent]:
    """The events with each record under the name it was given later. A record that took a freed name is another one:
    only what happened before a rename follows it."""
    if not renames:
        return list(events)
    return [_followed(event, renames) for event in events]


def _followed(event: UsageEvent, renames: Sequence[Rename]) -> UsageEvent:
    at = parse_rfc3339(event.occurred_at) or _EARLIEST
    records = tuple(_present(used, at, renames) for used in event.records)
    return event if records == event.records else replace(event, records=records)


def present_slug(renames: Sequence[Rename]) -> Callable[[str, str, str], str]:
    """Finds the slug that a record has now: from its kind, the slug it had, and the instant (RFC 3339) it had it."""

    def find(kind: str, slug: str, at: str) -> str:
        return _slug_now(kind, slug, parse_rfc3339(at) or _EARLIEST, renames)

    return find


def _present(used: UsedRecord, at: datetime, renames: Sequence[Rename]) -> UsedRecord:
    slug = _slug_now(used.kind, used.slug, at, renames)
    return used if slug == used.slug else replace(used, slug=slug)


def _slug_now(kind: str, slug: str, at: datetime, renames: Sequence[Rename]) -> str:
    for rename in renames:
        if rename.at >= at and (rename.kind, rename.old) == (kind, slug):
            slug = rename.new
    return slug


def _path(kind: str, slug: str) -> str | None:
    return record_path(RecordRef(Kind(kind), slug)) if kind in set(Kind) else None


def _parsed(line: str) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}
