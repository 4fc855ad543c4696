"""One usage event as a value and as a line of `events.jsonl`. Adds nothing up; files are the store's.

Contract: the project's format section "Usage event". Loads nothing heavy: a hook of an agent makes events too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from memory_core.ids import rfc3339, uuid7
from memory_core.records.schema import RecordRef

EventName = Literal["use", "resident_exposure"]
Source = Literal["MemoryRead", "KnowledgeRef", "WorkflowInvoke", "ResidentInjection", "EditorHover", "EditorOpen"]
Actor = Literal["human", "agent"]
EVENTS = ("use", "resident_exposure")
ACTORS = ("human", "agent")


@dataclass(frozen=True, slots=True)
class UsedRecord:
    """A record in an event. `injected_tokens`: what was really put in, only for an exposure."""

    kind: str
    slug: str
    file_bytes: int = 0
    file_tokens_estimate: int = 0
    injected_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class UsageEvent:
    """One line of `events.jsonl`. Older lines (`segment_id`, no `actor`) load."""

    id: str
    occurred_at: str
    session_id: str | None
    event: EventName
    source: str
    records: tuple[UsedRecord, ...]
    actor: Actor = "agent"

    def to_line(self) -> str:
        data = asdict(self)
        for record in data["records"]:
            if record["injected_tokens"] is None:  # Nothing was put in by a use: the key is an exposure's.
                del record["injected_tokens"]
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def use_event(
    ref: RecordRef, text: str, *, source: Source, actor: Actor, session_id: str | None, now: datetime
) -> UsageEvent:
    """The event of one explicit read of a file with this text."""
    return _event("use", source, (_used(ref, text),), actor, session_id, now)


def exposure_event(shown: Iterable[tuple[RecordRef, str, int]], *, session_id: str | None, now: datetime) -> UsageEvent:
    """The event of one resident context: each record with the text of its file and the tokens that were put in."""
    records = tuple(
        UsedRecord(used.kind, used.slug, used.file_bytes, used.file_tokens_estimate, tokens)
        for used, tokens in ((_used(ref, text), tokens) for ref, text, tokens in shown)
    )
    return _event("resident_exposure", "ResidentInjection", records, "agent", session_id, now)


def parse_line(line: str | bytes) -> UsageEvent | None:
    """The event of a line; None for a torn or foreign one, which callers count."""
    try:
        return event_of(json.loads(line))
    except (ValueError, RecursionError):
        return None


def event_of(value: Any) -> UsageEvent | None:
    """The event that plain data stands for; None where it stands for none."""
    if not isinstance(value, Mapping):
        return None
    name, actor = value.get("event"), value.get("actor", "agent")
    session = value.get("session_id", value.get("segment_id"))
    texts = (value.get("id"), value.get("occurred_at"), value.get("source"))
    records = value.get("records")
    if name not in EVENTS or actor not in ACTORS or not all(isinstance(text, str) for text in texts):
        return None
    if not (session is None or isinstance(session, str)) or not isinstance(records, list):
        return None
    used = tuple(_record(item) for item in records)
    if any(item is None for item in used):
        return None
    return UsageEvent(*texts[:2], session, name, texts[2], used, actor)  # type: ignore[arg-type]


def _record(value: Any) -> UsedRecord | None:
    if not isinstance(value, Mapping):
        return None
    kind, slug, injected = value.get("kind"), value.get("slug"), value.get("injected_tokens")
    numbers = (value.get("file_bytes", 0), value.get("file_tokens_estimate", 0))
    if not isinstance(kind, str) or not isinstance(slug, str) or not all(_is_count(number) for number in numbers):
        return None
    if injected is not None and not _is_count(injected):
        return None
    return UsedRecord(kind, slug, numbers[0], numbers[1], injected)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _used(ref: RecordRef, text: str) -> UsedRecord:
    """Tokens are the older store's estimate: a quarter of the bytes, rounded up."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return UsedRecord(str(ref.kind), ref.slug, size, math.ceil(size / 4))


def _event(
    name: EventName,
    source: Source,
    records: tuple[UsedRecord, ...],
    actor: Actor,
    session_id: str | None,
    now: datetime,
) -> UsageEvent:
    return UsageEvent(uuid7(now), rfc3339(now), session_id, name, source, records, actor)
