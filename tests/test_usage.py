"""Usage as values: what an event says, and what the report adds up. D4-D7."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime

import pytest

from memory_core.records.schema import Kind, RecordRef
from memory_core.usage import RecordUsage, UsageEvent, UsedRecord, parse_line, report, to_plain, use_event

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


def used(slug: str, at: str = "2026-06-01T09:00:00Z", source: str = "MemoryRead", **more: object) -> UsageEvent:
    fields = {"kind": "knowledge", "slug": slug, "file_bytes": 8, "file_tokens_estimate": 2, **more}
    event = "resident_exposure" if source == "ResidentInjection" else "use"
    records = (UsedRecord(**fields),)  # type: ignore[arg-type]
    return UsageEvent(id="i", occurred_at=at, session_id="s", event=event, source=source, records=records)


def test_an_event_has_its_fields_in_order() -> None:
    """D4"""
    event = use_event(
        RecordRef(Kind.KNOWLEDGE, "a"), "12345678é", source="EditorHover", actor="human", session_id=None, now=NOW
    )
    data = json.loads(event.to_line())
    assert list(data) == ["id", "occurred_at", "session_id", "event", "source", "records", "actor"]
    assert data["records"][0] == {
        "kind": "knowledge",
        "slug": "a",
        "file_bytes": 10,
        "file_tokens_estimate": 3,
    }
    assert event.to_line().count("\n") == 1
    assert parse_line(event.to_line()) == event


def test_only_an_exposure_says_what_was_put_in() -> None:
    """D3, D4"""
    line = used("a", source="ResidentInjection", injected_tokens=0).to_line()
    assert list(json.loads(line)["records"][0])[-1] == "injected_tokens"
    assert parse_line(line) == used("a", source="ResidentInjection", injected_tokens=0)
    assert "injected_tokens" not in json.loads(used("a").to_line())["records"][0]


def test_exposure_never_counts_as_use() -> None:
    """D3, yoi 10.13"""
    (row,) = report([used("a", source="ResidentInjection"), used("a", source="ResidentInjection")])
    assert row.use_count == 0
    assert row.last_used_at is None
    assert row.source_breakdown == {}
    assert row.resident_exposure_count == 2
    assert row.estimated_tokens_per_injection == 2
    assert row.estimated_total_resident_exposure_tokens == 4


def test_what_was_injected_is_what_is_counted() -> None:
    """yoi 11.2: the whole file was counted although one line is injected."""
    (row,) = report([used("a", source="ResidentInjection", injected_tokens=1)])
    assert row.estimated_total_resident_exposure_tokens == 1


def test_uses_are_counted_by_source_with_the_latest_time() -> None:
    """D5"""
    events = [
        used("a", "2026-06-02T00:00:00Z", "KnowledgeRef"),
        used("a", "2026-06-01T00:00:00Z"),
        used("a", "2026-06-01T00:00:00Z"),
    ]
    (row,) = report(events)
    assert row.use_count == 3
    assert row.last_used_at == "2026-06-02T00:00:00Z"
    assert row.source_breakdown == {"KnowledgeRef": 1, "MemoryRead": 2}


def test_the_report_is_sorted_and_has_no_rates() -> None:
    """D5, D7"""
    rows = to_plain(report([used("b"), used("a"), used("c", kind="decision")]))["records"]
    assert [(row["kind"], row["slug"]) for row in rows] == [("decision", "c"), ("knowledge", "a"), ("knowledge", "b")]
    assert (
        set(rows[0])
        == {field.name for field in dataclasses.fields(RecordUsage)}
        == {
            "kind",
            "slug",
            "use_count",
            "last_used_at",
            "source_breakdown",
            "resident_exposure_count",
            "estimated_tokens_per_injection",
            "estimated_total_resident_exposure_tokens",
        }
    )


def test_no_events_are_no_rows() -> None:
    assert report([]) == []


@pytest.mark.parametrize("line", ["", "{", "[]", "null", '{"id": 1}', '{"event": "search"}', "\x00"])
def test_a_foreign_line_is_no_event(line: str) -> None:
    assert parse_line(line) is None


def test_an_older_line_loads() -> None:
    """`segment_id` for the session, no actor, an unknown source."""
    line = json.dumps(
        {
            "id": "x",
            "occurred_at": "2026-01-01T00:00:00.123456789Z",
            "segment_id": "old",
            "event": "use",
            "source": "SomethingNew",
            "records": [{"kind": "knowledge", "slug": "a", "file_bytes": 8, "file_tokens_estimate": 2}],
        }
    )
    event = parse_line(line)
    assert event is not None
    assert (event.session_id, event.actor, event.source) == ("old", "agent", "SomethingNew")
