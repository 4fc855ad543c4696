"""Records of our own session log, written: one JSON object a line. Pure; appending them to a file is the store's.

Contract: the project's format section "Our session log". Reading them back is `formats.omoide`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from memory_core.ids import uuid7
from memory_core.sessions.model import EntryKind, Session

FORMAT = "omoide"
_SURROGATE = re.compile("[\ud800-\udfff]")

# What each kind must carry, besides kind, id and ts.
REQUIRED: Mapping[EntryKind, tuple[str, ...]] = {
    EntryKind.SESSION_START: ("session_id", "agent"),
    EntryKind.USER_MESSAGE: ("text",),
    EntryKind.ASSISTANT_MESSAGE: ("text",),
    EntryKind.TOOL_CALL: ("call_id", "name", "arguments"),
    EntryKind.TOOL_RESULT: ("call_id", "summary"),
    EntryKind.REASONING: ("text",),
    EntryKind.SYSTEM: ("text",),
    EntryKind.USAGE: ("input_tokens", "output_tokens"),
    EntryKind.EXTENSION: ("domain", "payload"),
}


def record(kind: EntryKind, now: datetime, **fields: Any) -> dict[str, Any]:
    """One record of the log, with a new id. ValueError when a field its kind needs is missing."""
    missing = [name for name in REQUIRED[kind] if name not in fields]
    if missing:
        raise ValueError(f"a {kind} entry needs {', '.join(missing)}")
    stamp = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"kind": str(kind), "id": uuid7(now), "ts": stamp, **fields}


def session_start(
    now: datetime,
    *,
    session_id: str,
    agent: str,
    session_kind: str = "code",
    cwd: str | None = None,
    scope: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The first record of a log, and of a sidecar."""
    return record(
        EntryKind.SESSION_START,
        now,
        session_id=session_id,
        agent=agent,
        session_kind=session_kind,
        cwd=cwd,
        scope=dict(scope or {}),
    )


def start_of(session: Session, now: datetime) -> dict[str, Any]:
    """The first record of what is kept of another program's session: a sidecar, an export."""
    return session_start(
        now,
        session_id=session.session_id,
        agent=session.agent,
        session_kind=session.session_kind,
        cwd=session.cwds[0] if session.cwds else None,
        scope=session.scope,
    )


def extension(now: datetime, domain: str, payload: Any) -> dict[str, Any]:
    """A record that the session layer carries for another domain without looking into it."""
    return record(EntryKind.EXTENSION, now, domain=domain, payload=payload)


def encode(records: Iterable[Mapping[str, Any]]) -> bytes:
    """The bytes to append: each record on one line, ended by the newline that commits it. ValueError for a value that
    is no JSON."""
    lines: list[str] = []
    for item in records:
        try:
            text = json.dumps(item, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except TypeError as error:
            raise ValueError(f"an entry of kind {item.get('kind')} is no JSON: {error}") from error
        lines.append(_SURROGATE.sub("\ufffd", text) + "\n")
    return "".join(lines).encode("utf-8")
