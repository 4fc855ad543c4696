"""For whom the sessions of our own logs were, by session id, from the first line of each log. Reads nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memory_core.layout import Layout
from memory_core.records.schema import SCOPE_KEYS
from memory_core.store.ordinary import open_binary

_FIRST = 64 * 1024  # bytes; a first line that is longer is no start of a session


def session_scopes(layout: Layout) -> Mapping[str, Mapping[str, str]]:
    """The scope of every session that has one. A log that cannot be read is reported elsewhere."""
    found: dict[str, Mapping[str, str]] = {}
    for path in sorted(layout.sessions.glob("*.jsonl")):
        try:
            with open_binary(path) as stream:
                value = json.loads(stream.readline(_FIRST))
            scope = {key: str(value["scope"][key]) for key in SCOPE_KEYS if value["scope"].get(key)}
            if scope and value["kind"] == "session_start":
                found[str(value["session_id"])] = scope
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            continue
    return found
