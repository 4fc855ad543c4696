"""An agent that keeps its sessions in a database, at work: it writes while others read."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

TABLES = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT,
                      time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
"""


class OpenCode:
    """OpenCode with its database open. `owner`: its connection."""

    def __init__(self, owner: sqlite3.Connection) -> None:
        self.owner = owner
        self._count = 0

    def begin(self, session: str, folder: Path, updated_ms: int | None = None) -> None:
        """Another session; `updated_ms`: what its row says, now where nothing is said."""
        at = now_ms() if updated_ms is None else updated_ms
        values = (session, None, str(folder), "Talk", "1.17.0", at, at)
        self.owner.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def say(self, session: str, role: str, text: str) -> None:
        """Words in a session, in one transaction. Its row is not written, as the agent does while it answers."""
        self._count += 1
        message, at = f"msg_{self._count:03}", now_ms()
        about = json.dumps({"role": role, "time": {"created": at}})
        part = json.dumps({"type": "text", "text": text})
        self.owner.execute("BEGIN")
        self.owner.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (message, session, at, about))
        values = (f"prt_{self._count:03}", message, session, at, part)
        self.owner.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", values)
        self.owner.execute("COMMIT")

    def delete(self, session: str) -> None:
        self.owner.execute("DELETE FROM session WHERE id = ?", (session,))
        self.owner.execute("DELETE FROM message WHERE session_id = ?", (session,))
        self.owner.execute("DELETE FROM part WHERE session_id = ?", (session,))


def now_ms() -> int:
    return int(time.time() * 1000)


@contextmanager
def at_work(database: Path) -> Iterator[OpenCode]:
    """The agent with a new database, which it has open."""
    database.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(database, isolation_level=None)) as owner:
        owner.execute("PRAGMA journal_mode = WAL")
        owner.executescript(TABLES)
        yield OpenCode(owner)
