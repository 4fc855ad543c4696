"""Logs of our own format: where one lies, and appending to it. Another program's log is never written.

What stands in them is made in `sessions.own_log`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from memory_core.errors import StoreError
from memory_core.records.slug import DEVICE_NAMES
from memory_core.sessions import own_log
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.store.log_append import append_lines


def append_entries(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Append records (`sessions.own_log` makes them) to a log of our own format, creating it: one write, on disk when
    this returns. A tail without newline was never committed and is cut first. StoreError when the file is another
    program's, or when it cannot be written; it is then as long as before."""
    append_lines(path, own_log.encode(records), _must_be_ours)


def _must_be_ours(path: Path, stream: BinaryIO) -> None:
    """Refuse a file whose first whole record is not of our format."""
    first = next((item for item in read_frames(stream, Repairs()) if isinstance(item, Frame)), None)
    if first and not isinstance(first.value.get("kind"), str):
        raise StoreError(f"{path} is another program's log: Omoide only ever reads it.")


def sidecar_path(sessions_dir: Path, agent: str, session_id: str) -> Path:
    """Where we keep what we know about another program's session. Ids come from foreign logs and are not trusted: what
    is not a plain character is percent-encoded, so that no id names another place."""
    return sessions_dir / f"{_plain(agent)}.{_plain(session_id)}.jsonl"


def own_log_path(sessions_dir: Path, session_id: str) -> Path:
    """Where a session in our own format lies, whatever its id is made of."""
    return sessions_dir / f"{_plain(session_id)}.jsonl"


def _plain(name: str) -> str:
    encoded = "".join(
        char if re.fullmatch(r"[A-Za-z0-9._-]", char) else "".join(f"%{byte:02X}" for byte in char.encode())
        for char in name
    )
    if encoded.partition(".")[0].lower() in DEVICE_NAMES:  # no file can be called so on Windows
        encoded = f"%{ord(encoded[0]):02X}{encoded[1:]}"
    if len(encoded) <= 120:
        return encoded or "%"
    return f"{encoded[:80]}-{hashlib.sha256(name.encode()).hexdigest()[:24]}"
