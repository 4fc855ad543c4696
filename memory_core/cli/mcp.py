"""`omoide mcp`: hand over to the MCP server, started by name in a process of its own like the language server."""

from __future__ import annotations

import os
import subprocess
import sys

import click

from memory_core.cli.app import Context, pass_context


@click.command()
@click.option("--read-only", is_flag=True, help="Offer no tool that changes anything.")
@click.option("--agent", help="On behalf of which agent, for records that only one agent may see.")
@pass_context
def mcp(context: Context, read_only: bool, agent: str | None) -> None:
    """Serve records to an agent as MCP tools on standard input and output. Needs `omoide[mcp]`.

    `omoide install AGENT` enters it into an agent's settings.
    """
    command = [sys.executable, "-I", "-m", "server.mcp", "--workspace", str(context.workspace_dir)]
    command += ["--read-only"] if read_only else []
    command += ["--agent", agent] if agent else []
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command, check=False).returncode)
