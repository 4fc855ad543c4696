"""Commands that hand over to an adapter. The server is started by name in a process of its own, never imported."""

from __future__ import annotations

import os
import subprocess
import sys

import click


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def lsp(options: tuple[str, ...]) -> None:
    """Run the language server on stdio; editors start it.

    `-I` keeps a folder `server/` of the user's workspace from being run in its place.
    """
    command = [sys.executable, "-I", "-m", "server", *options]
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command, check=False).returncode)
