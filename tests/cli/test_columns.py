"""Instants as people read them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from memory_core.cli.columns import minute


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("this platform has no tzset")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("tokyo")
@pytest.mark.parametrize(
    ("instant", "shown"),
    [
        ("2026-11-30T18:05:44Z", "2026-12-01 03:05"),
        ("2026-11-30T18:05:44.123+02:00", "2026-12-01 01:05"),
        ("2026-11-30T18:05", "2026-11-30 18:05"),
        ("9999-12-31T23:59:59Z", "9999-12-31 23:59"),
        ("never", "never"),
        (None, ""),
    ],
)
def test_an_instant_is_shown_in_the_time_of_the_machine(instant: str | None, shown: str) -> None:
    assert minute(instant) == shown
