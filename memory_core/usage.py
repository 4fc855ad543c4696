"""Usage events and the report over them. Values and arithmetic only; appending and reading files is the store's.

Contract: the project's format section "Usage event". A use is a record taken into context on purpose. Search results,
completion lists and the consolidator's own reads are never one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from memory_core.ids import rfc3339, uuid7
from memory_core.records.schema import RecordRef

EventName = Literal["use", "resident_exposure"]
Source = Literal["MemoryRead", "KnowledgeRef", "WorkflowInvoke", "ResidentInjection", "EditorHover", "EditorOpen"]
Actor = Literal["human", "agent"]


class UsedRecord(BaseModel):
    """A record in an event. `injected_tokens`: what was really put in, only for an exposure."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    kind: str
    slug: str
    file_bytes: int = 0
    file_tokens_estimate: int = 0
    injected_tokens: int | None = None


class UsageEvent(BaseModel):
    """One line of `events.jsonl`. Older lines (`segment_id`, no `actor`) load."""

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    id: str
    occurred_at: str
    session_id: str | None = Field(None, validation_alias=AliasChoices("session_id", "segment_id"))
    event: EventName
    source: str
    records: tuple[UsedRecord, ...]
    actor: Actor = "agent"

    def to_line(self) -> str:
        return self.model_dump_json(exclude_none=False) + "\n"


class RecordUsage(BaseModel):
    """What the log says of one record. `last_used_at` is null where it was never used."""

    kind: str
    slug: str
    use_count: int = 0
    last_used_at: str | None = None
    source_breakdown: dict[str, int] = Field(default_factory=dict)
    resident_exposure_count: int = 0
    estimated_tokens_per_injection: int = 0
    estimated_total_resident_exposure_tokens: int = 0


def use_event(
    ref: RecordRef, text: str, *, source: Source, actor: Actor, session_id: str | None, now: datetime
) -> UsageEvent:
    """The event of one explicit read. Tokens are the older store's estimate: a quarter of the bytes, rounded up."""
    size = len(text.encode("utf-8", "surrogatepass"))
    record = UsedRecord(kind=ref.kind, slug=ref.slug, file_bytes=size, file_tokens_estimate=math.ceil(size / 4))
    return UsageEvent(
        id=uuid7(now),
        occurred_at=rfc3339(now),
        session_id=session_id,
        event="use",
        source=source,
        records=(record,),
        actor=actor,
    )


def parse_line(line: str) -> UsageEvent | None:
    """The event of a line; None for a torn or foreign one, which callers count."""
    try:
        return UsageEvent.model_validate_json(line)
    except ValidationError:
        return None


def report(events: Iterable[UsageEvent]) -> list[RecordUsage]:
    """What each record was used for, sorted by kind and slug. Exposure never raises a use count."""
    totals: dict[tuple[str, str], RecordUsage] = {}
    for event in events:
        for used in event.records:
            row = totals.setdefault((used.kind, used.slug), RecordUsage(kind=used.kind, slug=used.slug))
            if event.event == "use":
                row.use_count += 1
                row.last_used_at = max(row.last_used_at or "", event.occurred_at)
                row.source_breakdown[event.source] = row.source_breakdown.get(event.source, 0) + 1
            else:
                tokens = used.file_tokens_estimate if used.injected_tokens is None else used.injected_tokens
                row.resident_exposure_count += 1
                row.estimated_tokens_per_injection = tokens
                row.estimated_total_resident_exposure_tokens += tokens
    return [totals[key] for key in sorted(totals)]


def to_plain(rows: Iterable[RecordUsage]) -> dict[str, Any]:
    return {"records": [row.model_dump() for row in rows]}
