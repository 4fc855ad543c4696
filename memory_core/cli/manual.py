"""`omoide help`: the help of everything or of one command, as `--help` prints it. Runs no command."""

from __future__ import annotations

import click


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.pass_context
def help_command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """The help of a command, for example `omoide help sessions export`; without one: all commands."""
    from memory_core.cli.meant import no_command

    at = ctx.find_root()
    for word in words:
        group = at.command
        found = group.get_command(at, word) if isinstance(group, click.Group) else None
        if found is None:
            names = group.list_commands(at) if isinstance(group, click.Group) else []
            raise click.UsageError(no_command(word, names, at.command_path))
        at = click.Context(found, at, info_name=word)
    click.echo(at.get_help())
