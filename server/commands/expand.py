"""`omoide.expand`: a turn with the records it names behind it. Answers what `omoide expand --json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server import errors
from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.using.expansion import Expansion

NAME = "omoide.expand"
ALLOWED = {"text": str, "session": str, "actor": str}


async def expand(ls: Server, *args: Any) -> dict[str, Any]:
    """What is named counts as used. Records that are open are taken as the editor shows them."""
    given = arguments.read(NAME, args, ALLOWED, ("text",))
    actor = arguments.one_of(NAME, "actor", given.get("actor", "human"), ("human", "agent"))
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    await root.loaded.wait()
    snapshot = root.snapshot
    if snapshot is None:
        raise errors.no_snapshot(root)

    def work() -> Expansion:
        from memory_core.records.scope import Caller
        from memory_core.using.turn import expand_turn

        session = given.get("session")
        return expand_turn(
            workspace.store,
            snapshot,
            given["text"],
            actor="agent" if actor == "agent" else "human",
            session_id=session,
            now=workspace.now(),
            caller=Caller(session=session),
        )

    expansion = await in_thread("expand", work)
    return expansion.plain(given["text"])
