"""`omoide sessions places`: where logs are looked for, and which folders that are gone were places of the project."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

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
    looked = _looked(context)
    if context.as_json:
        context.print_json({"places": looked})
        return
    title = None
    for place in looked:
        if place["title"] != title:
            title = place["title"]
            say_bold(str(title), f" ({place['agent']})")
        context.echo(
            f"  {'*' if place['exists'] else ' '} {place['folder']}{_imports_said(place)}{_rights_said(place)}"
        )
    context.echo("* is there. Any other log: `omoide sessions show --log FILE`.")


def _looked(context: Context) -> list[dict[str, Any]]:
    """The places as data, those that are there first: most agents are not."""
    from memory_core.errors import WorkspaceError
    from memory_core.store.agents import AGENTS
    from memory_core.store.session_discovery import log_places

    try:
        workspace = context.workspace()
        layout, sources = workspace.layout, workspace.config.sessions.sources
        places = log_places(layout.workspace, layout.sessions, os.environ, sources)
    except WorkspaceError:  # which agents there are can be asked anywhere
        workspace = None
        places = log_places(context.workspace_dir, None, os.environ, [agent.name for agent in AGENTS])
    looked = [place._asdict() | {"folder": str(place.folder), **_seen(place.folder)} for place in places]
    if workspace and looked and looked[0]["folder"] == str(workspace.layout.sessions) and looked[0]["exists"]:
        looked[0] |= _imports(workspace)
    return sorted(looked, key=lambda place: not place["exists"])


def _seen(folder: Path) -> dict[str, bool]:
    """Whether a folder is there; `unreadable` where that, or what is in it, may not be seen."""
    try:
        with os.scandir(folder):
            return {"exists": True}
    except PermissionError:
        return {"exists": os.path.isdir(folder), "unreadable": True}  # noqa: PTH112 - a `Path` raises here
    except OSError:
        return {"exists": False}


def _imports(workspace: Workspace) -> dict[str, int]:
    """How many imported logs lie among our own, and how many of them are not read, since the log itself is there."""
    every = workspace.sessions()
    left = sum(len(ref.imports) for ref in every)
    imported = left + sum(ref.imported for ref in every)
    return {"imported": imported, "unread": left} if imported else {}


def _imports_said(place: dict[str, Any]) -> str:
    if not place.get("imported"):
        return ""
    unread = f", {place['unread']:,} not read: the log itself is there" if place["unread"] else ""
    return f"  ({place['imported']:,} imported{unread})"


def _rights_said(place: dict[str, Any]) -> str:
    return "  (may not be read: check its permissions)" if place.get("unreadable") else ""


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
