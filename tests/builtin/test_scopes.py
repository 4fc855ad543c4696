"""Whether a second choice between the same two things is for another place, or takes the first one back."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.scopes import elsewhere

_CLUSTERS = ("US cluster", "EU cluster")


@pytest.mark.parametrize(
    ("things", "chosen", "earlier"),
    [
        (
            _CLUSTERS,
            "For the load tests use the US cluster instead of the EU cluster",
            "Use the EU cluster instead of the US cluster for customer data",
        ),
        (("local time", "UTC"), "Use local time instead of UTC in the reports", "Use UTC in the database"),
        (("the real database", "mocks"), "In integration tests use the real database", "In unit tests use mocks"),
        (("spaces", "tabs"), "Use spaces instead of tabs in Python files", "Use tabs instead of spaces in Go files"),
        (
            ("the feature flags in the database", "Redis"),
            "Keep the feature flags in the database instead of Redis",
            "Keep the sessions in Redis instead of the database",
        ),
        (
            ("Mongo for the events", "Postgres"),
            "Use Mongo for the events instead of Postgres",
            "Use Postgres for the orders instead of Mongo",
        ),
        (
            ("実DB", "モック"),
            "結合テストではモックではなく実DBを使ってください",
            "ユニットテストでは実DBではなくモックを使ってください",
        ),
        (("실제 DB", "목"), "통합 테스트에서는 목 말고 실제 DB를 쓰자", "단위 테스트에서는 실제 DB 말고 목을 쓰자"),
    ],
)
def test_same_things_for_another_place_are_a_second_decision(
    things: tuple[str, str], chosen: str, earlier: str
) -> None:
    assert elsewhere(things, chosen, earlier)


@pytest.mark.parametrize(
    ("things", "chosen", "earlier"),
    [
        (("Postgres", "SQLite"), "Use Postgres instead of SQLite for the queue", "Use SQLite for the queue"),
        (("Postgres", "SQLite"), "Use Postgres instead of SQLite for the job queue", "Use SQLite for the queue"),
        (("Postgres", "SQLite"), "Use Postgres instead of SQLite", "Use SQLite for the queue"),
        (("REST", "GraphQL"), "Go with REST instead of GraphQL for the api", "We use GraphQL for the api"),
        (("Postgres", "Redis"), "Store the sessions in Postgres instead of Redis", "Keep the sessions in Redis"),
        (("spaces", "tabs"), "Use spaces instead of tabs", "Use tabs for indentation"),
        ((), "No longer use Redis for the sessions", "Use Redis for the rate limiter"),
        (("Postgres", "Redis"), "세션은 Redis 말고 Postgres에 저장하자", "세션은 Redis에 저장하자"),
    ],
)
def test_same_place_or_none_named_is_no_second_decision(things: tuple[str, ...], chosen: str, earlier: str) -> None:
    assert not elsewhere(things, chosen, earlier)
