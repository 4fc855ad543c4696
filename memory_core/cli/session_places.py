"""`omoide sessions places`: where logs are looked for, and which folders that are gone were places of the project."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.finding import say_bold
from memory_core.text import counted
from memory_core.workspace import Workspace

_NAMED = 3  # folders that are gone, in one answer


@click.command()
@click.option(
    "--former",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Count a folder that is gone as a former place of this project, or of a work tree of it.",
)
@pass_context
def places(context: Context, former: Path | None) -> None:
    """Whose logs are read, and the folders in which they are looked for; those that are there are marked."""
    if former is not None:
        _add_former(context, former)
        return
    from memory_core.errors import WorkspaceError
    from memory_core.store.agents import AGENTS

    try:
        workspace = context.workspace()
        folder, sources = workspace.layout.workspace, workspace.config.sessions.sources
    except WorkspaceError:  # which agents there are can be asked anywhere
        folder, sources = context.workspace_dir, tuple(agent.name for agent in AGENTS)
    looked = [
        {"agent": agent.name, "title": agent.title, "folder": str(path), "exists": path.is_dir()}
        for agent in AGENTS
        if agent.name in sources
        for path in agent.folders(folder, os.environ)
    ]
    if context.as_json:
        context.print_json({"places": looked})
        return
    names = [agent.name for agent in AGENTS]
    found = {place["agent"] for place in looked if place["exists"]}  # first: most agents are not there
    looked.sort(key=lambda at: (at["agent"] not in found, names.index(str(at["agent"])), not at["exists"]))
    title = None
    for place in looked:
        if place["title"] != title:
            title = place["title"]
            say_bold(str(title), f" ({place['agent']})")
        context.echo(f"  {'*' if place['exists'] else ' '} {place['folder']}")
    context.echo("* is there. Any other log: `omoide sessions show --log FILE`.")


def _add_former(context: Context, place: Path) -> None:
    from memory_core.store.known_places import add_former

    workspace = context.workspace()
    add_former(workspace.layout, place.absolute())
    context.echo(f"{place.absolute()} counts as a former place of this project")


def say_gone_folders(context: Context, workspace: Workspace, *, beside: bool) -> None:
    """Name the folders that may have been places of the project, with what makes their sessions its own."""
    from memory_core.store.gone_folders import gone_folders

    for gone in gone_folders(workspace.layout.workspace, workspace.environment, beside=beside)[:_NAMED]:
        place = shlex.quote(str(gone.path))
        context.note(
            f"{counted(gone.logs, 'log')} of {gone.path}, which is gone: if it was a work tree or the former place of "
            f"this project, `omoide sessions places --former {place}` makes them its own"
        )
