"""`omoide.agentSearch` and `omoide.agentRead`: memory for the editor's own agent mode, as texts for a model.

What is found and how it is written is the core's `using.for_agents`. A read is recorded as a use by an agent, a search
is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server import errors
from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.using.for_agents import ReadByName

SEARCH, READ = "omoide.agentSearch", "omoide.agentRead"
MOST_TOKENS = 16_000
MOST_QUERY = 2_000  # characters


async def agent_search(ls: Server, *args: Any) -> dict[str, Any]:
    """Answers `{text}`."""
    given = arguments.read(SEARCH, args, {"query": str, "limit": int, "tokens": int}, ("query",))
    if len(given["query"]) > MOST_QUERY:
        raise errors.invalid_params(
            f"{SEARCH}: `query` is longer than {MOST_QUERY:,} characters: a few words are enough."
        )
    limit = arguments.count_of(SEARCH, given, "limit", 20, least=1, most=20)
    tokens = arguments.count_of(SEARCH, given, "tokens", MOST_TOKENS, least=1, most=MOST_TOKENS)
    snapshot = await arguments.snapshot_of(ls, arguments.root_of(ls, given))

    def work() -> str:
        from memory_core.using.for_agents import find

        return find(snapshot, given["query"], limit=limit, tokens=tokens)

    return {"text": await in_thread("search", work)}


async def agent_read(ls: Server, *args: Any) -> dict[str, Any]:
    """Answers `{text, read}`: what a model is given, and how many records of those asked for are in it."""
    given = arguments.read(READ, args, {"names": list, "tokens": int}, ("names",))
    names = given["names"]
    if not names or not all(isinstance(name, str) for name in names):
        raise errors.invalid_params(f"{READ}: `names` must be a list of names of records.")
    tokens = arguments.count_of(READ, given, "tokens", MOST_TOKENS, least=1, most=MOST_TOKENS)
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    snapshot = await arguments.snapshot_of(ls, root)

    def work() -> ReadByName:
        from memory_core.usage import use_event
        from memory_core.using.for_agents import read

        found = read(snapshot, names, tokens=tokens)
        for ref, text in found.records:
            event = use_event(ref, text, source="MemoryRead", actor="agent", session_id=None, now=workspace.now())
            workspace.store.append_usage(event)
        return found

    found = await in_thread("read", work)
    return {"text": found.text, "read": len(found.records)}
