"""Commands that hand over to an adapter. A server is started by name in a process of its own, never imported."""

from __future__ import annotations

import os
import subprocess
import sys

import click

from memory_core.cli.app import Context, pass_context


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="")
def lsp(options: tuple[str, ...]) -> None:
    """Run the language server on stdio; editors start it.

    --tcp PORT waits for one client on 127.0.0.1 instead, --log-file FILE and --log-level LEVEL write what it does.
    """
    _hand_over("server", *options)


@click.command()
@click.option("--read-only", is_flag=True, help="Offer no tool that changes anything.")
@click.option("--agent", help="On behalf of which agent, for records that only one agent may see.")
@pass_context
def mcp(context: Context, read_only: bool, agent: str | None) -> None:
    """Serve records to an agent as MCP tools on standard input and output. Needs the extra `mcp`.

    `omoide install AGENT` enters it into an agent's settings.
    """
    options = ["--workspace", str(context.workspace_dir)]
    options += ["--read-only"] if read_only else []
    options += ["--agent", agent] if agent else []
    _hand_over("server.mcp", *options)


def _hand_over(module: str, *options: str) -> None:
    """Become a server. `-I` keeps a folder `server/` of the user's workspace from being run in its place."""
    command = [sys.executable, "-I", "-m", module, *options]
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command, check=False).returncode)
