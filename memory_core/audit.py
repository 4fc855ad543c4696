"""Audit events: what runs did, for people. One JSON object a line; never fed to a model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from memory_core.ids import rfc3339, uuid7
from memory_core.text import writable

MOST_TOKENS = 1_000_000_000  # of one event: a figure above it is none that anybody spent, and may be too long to add up
_SAID = ("reason", "why", "error", "note")


def audit_line(event: str, now: datetime, **fields: Any) -> str:
    """A line of `audit.jsonl`: `id`, `occurred_at`, `event`, then the given fields without the empty ones."""
    data = {"id": uuid7(now), "occurred_at": rfc3339(now), "event": event}
    data.update({name: _clean(value, name) for name, value in fields.items() if value is not None})
    line = json.dumps(data, ensure_ascii=False, default=str)
    # A model's words may hold what no file can: its run is written down all the same.
    return writable(line) + "\n"


def _clean(value: Any, name: str) -> Any:
    """Plain data with no secret in any sentence: a person's or model's reason, the words of an error. Names, paths and
    ids have no spaces, and are looked up again as they are; a reason may be one word."""
    match value:
        case str() if " " in value or name in _SAID:
            from memory_core.redact import redact  # who opens a workspace writes no line

            return redact(value)
        case Mapping():
            return {key: _clean(item, key) for key, item in value.items()}
        case list() | tuple():
            return [_clean(item, name) for item in value]
        case _:
            return value


def tokens_on(lines: Iterable[str], day: str) -> int:
    """Input and output tokens of the events of one UTC day (`2026-01-31`); lines that cannot be read count nothing. A
    run whose requests were written down one by one says so (`counted`), and does not count a second time."""
    total = 0
    for line in lines:
        if day not in line:  # parsing a year of events to find today's would be wasted
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            continue
        usage = data.get("usage") if isinstance(data, dict) and data.get("counted") is not True else None
        if isinstance(usage, dict) and str(data.get("occurred_at", "")).startswith(day):
            amounts = (usage.get("input_tokens"), usage.get("output_tokens"))
            # A log may come with a repository, and must not make a day's limit a larger one.
            total += sum(min(amount, MOST_TOKENS) for amount in amounts if type(amount) is int and amount > 0)
    return total


def drops_in(lines: Iterable[str], since: str) -> dict[str, int]:
    """What extracts threw away from an instant on (RFC 3339, UTC): `failed` slices, candidates `set_aside`, and
    `refused` calls of workers, whose candidates were sent back and may never have come again. T18: a drop that only a
    log knows is a silent one."""
    drops = {"slices": 0, "failed": 0, "refused": 0, "set_aside": 0}
    for line in lines:
        if '"extract"' not in line:
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and data.get("event") == "extract" and str(data.get("occurred_at", "")) >= since:
            refused = data.get("refused_calls")
            drops["slices"] += data.get("status") in ("staged", "nothing", "failed")
            drops["failed"] += data.get("status") == "failed"
            drops["refused"] += refused if isinstance(refused, int) else 0
            aside = data.get("dropped")
            drops["set_aside"] += len(aside) if isinstance(aside, list) else 0
    return drops
