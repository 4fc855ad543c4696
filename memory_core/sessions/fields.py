"""Fields of a foreign record, each decoded on its own: a wrong type is an absent field, never a lost record."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def text_at(record: Any, *path: str) -> str:
    """The string at a path of keys; empty when anything on the way is missing or of another type."""
    for key in path:  # as `at`, written out: this is asked several times for each record of a log
        if not isinstance(record, dict):
            return ""
        record = record.get(key)
    return record if isinstance(record, str) else ""


def map_at(record: Any, *path: str) -> dict[str, Any]:
    for key in path:  # written out as in `text_at`
        if not isinstance(record, dict):
            return {}
        record = record.get(key)
    return record if isinstance(record, dict) else {}


def list_at(record: Any, *path: str) -> list[Any]:
    value = at(record, *path)
    return value if isinstance(value, list) else []


def at(record: Any, *path: str) -> Any:
    """Whatever stands at a path of keys, None when the path leads nowhere."""
    for key in path:
        if not isinstance(record, dict):
            return None
        record = record.get(key)
    return record


def flag(record: Any, key: str) -> bool:
    return at(record, key) is True


def instant(value: Any) -> str | None:
    """A time stamp as text: a string as it stands, a number as milliseconds (or seconds) since 1970."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:  # an integer of hundreds of digits cannot even be divided
            seconds = value / 1000 if value > 1e11 else float(value)
            return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        except (ValueError, OverflowError, OSError):
            return None
    return None
