"""Two decisions between the same things: for two places both hold, for one place the later one ends the earlier."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.records.schema import Kind, RecordRef, Status

B = Any


def _statuses(bench: B, make: B, *said: tuple[str, tuple[str, str]]) -> list[Status | None]:
    """The statuses of decisions of one session each, in the order in which they were made."""
    for number, (text, things) in enumerate(said, 1):
        bench.stage(make.staged(number, make.decided(text, number, options=things)))
        bench.run(run_id=f"run-{number}")
    snapshot = bench.store.load()
    refs = [RecordRef(Kind.DECISION, slug) for slug in snapshot.index.slugs[Kind.DECISION]]
    records = [record for ref in refs if (record := snapshot.record(ref)) is not None]
    return [record.status for record in sorted(records, key=lambda record: record.sources[0].session_id)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            ("Use the EU cluster instead of the US cluster for customer data", ("EU cluster", "US cluster")),
            ("For the load tests use the US cluster instead of the EU cluster", ("US cluster", "EU cluster")),
        ),
        (
            ("Use UTC instead of local time in the database", ("UTC", "local time")),
            ("Use local time instead of UTC in the PDF reports", ("local time", "UTC")),
        ),
        (
            ("Keep the sessions in Redis instead of the database", ("the sessions in Redis", "the database")),
            ("Keep the feature flags in the database instead of Redis", ("the feature flags in the database", "Redis")),
        ),
        (
            ("ユニットテストでは実DBではなくモックを使う", ("モック", "実DB")),
            ("結合テストではモックではなく実DBを使う", ("実DB", "モック")),
        ),
        (
            ("단위 테스트에서는 실제 DB 말고 목을 쓰자", ("목", "DB")),
            ("통합 테스트에서는 목 말고 실제 DB를 쓰자", ("실제 DB", "목")),
        ),
    ],
)
def test_choices_for_two_places_both_hold(bench: B, make: B, first: Any, second: Any) -> None:
    assert _statuses(bench, make, first, second) == [Status.RESOLVED, Status.RESOLVED]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            ("Use UTC instead of local time in the database", ("UTC", "local time")),
            ("Use local time instead of UTC in the database", ("local time", "UTC")),
        ),
        (
            ("Keep the user sessions in Redis instead of the database", ("the user sessions in Redis", "the database")),
            ("Keep the sessions in the database instead of Redis", ("the sessions in the database", "Redis")),
        ),
    ],
)
def test_choice_turned_round_for_one_place_ends_the_first(bench: B, make: B, first: Any, second: Any) -> None:
    assert _statuses(bench, make, first, second) == [Status.REPLACED, Status.RESOLVED]
