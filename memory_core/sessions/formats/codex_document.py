"""Codex's first generation: one JSON document `{session, items}` for a whole session, rewritten as it grew.

Not line-based: entries have no line and no offset, and hash the item they come from.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import instant, list_at, map_at, text_at
from memory_core.sessions.formats.codex import FORMAT, id_of_name
from memory_core.sessions.formats.codex_items import Place, Rollout, read_item
from memory_core.sessions.frames import Repairs
from memory_core.sessions.model import Session


def recognizes(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("session"), dict) and isinstance(value.get("items"), list)


def read(value: dict[str, Any], name: str, repairs: Repairs) -> Session:
    """The session of a document. `name`: the file's name without its endings."""
    builder = SessionBuilder(FORMAT, FORMAT)
    rollout = Rollout(builder)
    head = map_at(value, "session")
    builder.saw_instant(instant(head.get("timestamp")))
    builder.saw_cwd(text_at(head, "cwd"))
    for item in list_at(value, "items"):
        if not isinstance(item, dict):
            builder.skip("unknown:no object")
            continue
        ts = instant(item.get("timestamp"))
        builder.saw_instant(ts)
        text = json.dumps(item, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        read_item(rollout, item, Place(None, ts, text_at(item, "id") or None, digest))
    rollout.release()
    return builder.session(text_at(head, "id") or id_of_name(name), repairs.counts)
