"""Audit events: what runs did, for people. One JSON object a line; never fed to a model."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from memory_core.ids import rfc3339, uuid7


def audit_line(event: str, now: datetime, **fields: Any) -> str:
    """A line of `audit.jsonl`: `id`, `occurred_at`, `event`, then the given fields without the empty ones."""
    data = {"id": uuid7(now), "occurred_at": rfc3339(now), "event": event}
    data.update({name: value for name, value in fields.items() if value is not None})
    return json.dumps(data, ensure_ascii=False, default=str) + "\n"
