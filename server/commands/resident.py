"""`omoide.resident`: what a session of some kind is given at its start. Answers what `omoide context --json` prints.

For people who want to see it: it is not counted as given to an agent.
"""

from __future__ import annotations

from typing import Any

from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

NAME = "omoide.resident"
SESSION_KINDS = ("chat", "code", "scheduled", "subagent", "internal")


async def resident(ls: Server, *args: Any) -> dict[str, Any]:
    """Of the records as the editor shows them, for a `session_kind`, which is `chat` where none is named."""
    given = arguments.read(NAME, args, {"session_kind": str})
    kind = arguments.one_of(NAME, "session_kind", given.get("session_kind", "chat"), SESSION_KINDS)
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    snapshot = await arguments.snapshot_of(ls, root)

    def work() -> dict[str, Any]:
        from memory_core.using.policy import ResidentRules, origin_of
        from memory_core.using.resident import resident_context

        rules = ResidentRules.of(workspace.config.memory)
        return resident_context(snapshot, origin_of(kind), rules, now=workspace.now()).plain(kind)

    return await in_thread("resident", work)
