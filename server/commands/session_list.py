"""`omoide.sessions`: the newest sessions of a workspace and how much of each is not extracted yet.

Answers the rows of `omoide sessions --json`, with titles. Reads no log that has not changed since it was last listed.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memory_core.errors import MemoryCoreError, SessionError
from server import errors
from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

NAME = "omoide.sessions"
MOST = 50


async def sessions(ls: Server, *args: Any) -> dict[str, Any]:
    """Newest first, `limit` of them. Answers `{sessions, unreadable}`, the latter the reasons in sentences."""
    given = arguments.read(NAME, args, {"limit": int})
    limit = arguments.count_of(NAME, given, "limit", MOST, least=1)
    workspace = await arguments.workspace_of(ls, arguments.root_of(ls, given))
    try:
        rows = await in_thread("sessions", lambda: workspace.listed_sessions(limit))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    return {
        "sessions": [asdict(row) for row in rows if not isinstance(row, SessionError)],
        "unreadable": [str(row) for row in rows if isinstance(row, SessionError)],
    }
