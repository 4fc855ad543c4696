"""Identifiers sort by time; instants are RFC 3339."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memory_core.ids import instant_of, parse_rfc3339, rfc3339, uuid7

NOW = datetime(2026, 1, 31, 9, 0, 0, 250_000, tzinfo=UTC)


def test_uuid7_has_version_and_variant_and_sorts_by_time() -> None:
    ids = [uuid7(NOW + timedelta(milliseconds=n)) for n in range(50)]
    assert ids == sorted(ids)
    assert {UUID(i).version for i in ids} == {7}
    assert {UUID(i).variant for i in ids} == {"specified in RFC 4122"}


def test_the_instant_of_a_uuid7_is_read_from_it() -> None:
    assert instant_of(uuid7(NOW)) == NOW


@pytest.mark.parametrize(
    "text", ["", "first", "0b7f7a3e-51b1-4c6e-9d5f-2f6f0e6a7c11", "g" * 12 + "7" * 20, "f" * 12 + "7" * 20]
)
def test_what_is_no_uuid7_has_no_instant(text: str) -> None:
    assert instant_of(text) is None


def test_an_instant_survives_writing_and_reading() -> None:
    assert rfc3339(NOW) == "2026-01-31T09:00:00Z"
    assert parse_rfc3339(rfc3339(NOW)) == NOW.replace(microsecond=0)


@pytest.mark.parametrize("text", ["2026-01-31T09:00:00.5+09:00", "2026-01-31 09:00:00Z", "2026-01-31t09:00:00z"])
def test_rfc3339_forms_are_read(text: str) -> None:
    assert parse_rfc3339(text) is not None


@pytest.mark.parametrize("text", ["2026-01-31", "2026-01-31T09:00:00", "2026-02-31T09:00:00Z", "yesterday", "", "1738"])
def test_what_has_no_zone_or_no_such_day_is_no_instant(text: str) -> None:
    assert parse_rfc3339(text) is None
