"""`python -I -m server.mcp`: the MCP server on standard input and output. `omoide mcp` starts it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any


def main() -> int:
    """Serve one client until it closes its end. 2 where there is no workspace or the extra is not installed."""
    options = _options()
    try:
        import anyio
        from mcp.server.stdio import stdio_server

        from server.mcp.app import create_server
        from server.mcp.input import Answers, Calls, Lines, own_input, own_output
    except ModuleNotFoundError as error:
        from memory_core.installed import extra_remedy

        print(f"omoide: `{error.name}` is not installed: {extra_remedy('mcp')}", file=sys.stderr)
        return 2
    from memory_core.errors import MemoryCoreError
    from memory_core.installed import installed_version
    from server.lifetime import leave
    from server.mcp.memory import Memory

    memory = Memory(
        options.workspace.absolute(),
        read_only=options.read_only,
        agent=options.agent or os.environ.get("OMOIDE_AGENT") or None,
        session_id=os.environ.get("OMOIDE_SESSION_ID") or None,
        tenant=os.environ.get("OMOIDE_TENANT") or None,
        principal=os.environ.get("OMOIDE_PRINCIPAL") or None,
    )
    try:
        memory.open()
    except MemoryCoreError as error:
        print(f"omoide: {error}", file=sys.stderr)
        return 2
    server = create_server(memory, installed_version())

    async def serve() -> None:
        calls = Calls()
        # These go for the files that the library would wrap itself.
        answers: Any = Answers(own_output(), calls, on_broken=lambda: leave(1, lambda: None))
        lines: Any = Lines(own_input(), calls, answers)
        async with stdio_server(stdin=lines, stdout=answers) as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(serve)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("omoide mcp", description="Records as tools for an agent, over MCP on stdio.")
    parser.add_argument("--workspace", type=Path, default=Path(), help="the project's folder (default: here)")
    parser.add_argument("--read-only", action="store_true", help="offer no tool that changes anything")
    parser.add_argument("--agent", help="on behalf of which agent, for records that only one agent may see")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
