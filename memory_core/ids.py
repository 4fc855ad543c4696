"""Identifiers and instants: UUIDv7 and RFC 3339, both with the clock as an argument."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime

# RFC 3339 section 5.6; the space instead of `T` is its own allowance.
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")

_HEX = frozenset("0123456789abcdef")


def utc_now() -> datetime:
    """The present instant; the only clock of the core. Pure functions take `now` as an argument instead."""
    return datetime.now(UTC)


def uuid7(now: datetime) -> str:
    """A UUID version 7 (RFC 9562 section 5.7): 48 bits of milliseconds, the rest random. Sorts by time."""
    milliseconds = int(now.timestamp() * 1000) & ((1 << 48) - 1)
    random = int.from_bytes(os.urandom(10), "big")
    value = milliseconds << 80 | 0x7 << 76 | (random >> 68 & 0xFFF) << 64 | 0b10 << 62 | random & ((1 << 62) - 1)
    digits = f"{value:032x}"  # by hand: the module `uuid` asks the platform about itself when it is loaded
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def instant_of(uuid: str) -> datetime | None:
    """The instant that a UUID version 7 was made at; None for a text that is none."""
    digits = uuid.replace("-", "")
    if len(digits) != 32 or digits[12] != "7" or not _HEX.issuperset(digits):
        return None
    try:
        return datetime.fromtimestamp(int(digits[:12], 16) / 1000, UTC)
    except ValueError:  # its 48 bits reach further than the calendar
        return None


def rfc3339(instant: datetime) -> str:
    """UTC with seconds, as records and events store instants: `2026-01-31T09:00:00Z`."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_rfc3339(text: str) -> datetime | None:
    """The instant a text names, or None when it is not RFC 3339 (a zone is required, a bare date is not enough)."""
    if not _RFC3339.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper().replace("Z", "+00:00").replace(" ", "T"))
    except ValueError:
        return None
