"""Codex's first generation: one JSON document `{session, items}` for a whole session, rewritten as it grew.

Not line-based: entries have no line and no offset, and hash the item they come from.
"""

from __future__ import annotations

from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import record_hash
from memory_core.sessions.fields import instant, list_at, map_at, text_at
from memory_core.sessions.formats.codex import FORMAT, id_of_name
from memory_core.sessions.formats.codex_items import Rollout, read_item
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.source import Source
from memory_core.sessions.transcript import Place


def recognizes(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("session"), dict) and isinstance(value.get("items"), list)


def read(value: dict[str, Any], source: Source) -> Session:
    """The session of a document."""
    builder = SessionBuilder(FORMAT, FORMAT)
    rollout = Rollout(builder)
    head = map_at(value, "session")
    builder.saw_instant(instant(head.get("timestamp")))
    builder.saw_cwd(text_at(head, "cwd"))
    for number, item in enumerate(list_at(value, "items")):
        if not isinstance(item, dict):
            builder.gaps.append(Gap(None, None, f"item {number + 1} is no object"))
            continue
        ts = instant(item.get("timestamp"))
        builder.saw_instant(ts)
        try:
            read_item(rollout, item, Place(None, ts, text_at(item, "id") or None, record_hash(item)))
        except RecursionError:
            builder.gaps.append(Gap(None, None, f"item {number + 1} is nested too deeply"))
    rollout.release()
    return builder.session(text_at(head, "id") or id_of_name(source.name), source.repairs.counts)
