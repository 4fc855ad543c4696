"""`omoide.status` and `omoide.reindex`: what the server holds, and reading it again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from server.commands import arguments
from server.language_server import Server
from server.loading import status as status_of


def status(ls: Server, *args: Any) -> dict[str, Any]:
    """The roots this server knows, in numbers."""
    arguments.read("omoide.status", args, {})
    return {"roots": [asdict(status_of(root)) for root in ls.state.roots.values()]}


async def reindex(ls: Server, *args: Any) -> dict[str, Any]:
    """Read a root again from disk, and answer with its numbers."""
    root = arguments.root_of(ls, arguments.read("omoide.reindex", args, {}))
    await ls.loader.load(root)
    return asdict(status_of(root))
