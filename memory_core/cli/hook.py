"""`omoide hook`, for the help and for who puts global options in front; agents' calls take the short way in `cli`."""

from __future__ import annotations

import sys

import click

from memory_core.cli.app import Context, pass_context


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="EVENT [--agent AGENT] [--resident]")
@pass_context
def hook(context: Context, words: tuple[str, ...]) -> None:
    """Answer an agent's hook: its JSON on standard input, context to add on standard output.

    EVENT is session-start, prompt-submit, pre-compact or session-end, or the agent's own name of it. Blocks nothing,
    grants nothing, and is silent when anything is wrong. `omoide install AGENT` puts it into an agent's settings.
    """
    from memory_core.agents.hook import run

    sys.exit(run(["--workspace", str(context.workspace_dir), *words]))
