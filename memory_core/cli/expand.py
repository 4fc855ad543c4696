"""`#slug` and `/slug` of a turn, replaced by nothing and followed by what they stand for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.identity import on_behalf, on_whose_behalf

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memory_core.sessions.model import EntryKind
    from memory_core.using.turn import Append

_MOST = 4_000_000  # characters of a turn; more is a file that got here by mistake


@click.command()
@click.argument("text", required=False)
@click.option("--session", "session_id", envvar="OMOIDE_SESSION_ID", help="The session the turn belongs to.")
@click.option("--actor", type=click.Choice(["human", "agent"]), default="human", show_default=True, help="Who asks.")
@click.option(
    "--log", type=click.Path(path_type=Path), help="A session log of our own format: the turn is appended to it first."
)
@on_whose_behalf
@pass_context
def expand(
    context: Context, text: str | None, session_id: str | None, actor: str, log: Path | None, as_keys: tuple[str, ...]
) -> None:
    """Print a turn followed by the records it names, as a model should see them. Each counts as a use.

    TEXT is the turn; without it, or with `-`, it is read from standard input.
    """
    from memory_core.using.fence import quoted
    from memory_core.using.turn import expand_turn

    workspace = context.workspace()
    turn = _turn(text)
    append: Append | None = None
    if log is not None:
        session_id, append = _own_log(log, turn)
    expansion = expand_turn(
        workspace.store,
        workspace.store.load(),
        turn,
        actor="agent" if actor == "agent" else "human",
        session_id=session_id,
        now=workspace.now(),
        caller=on_behalf(as_keys, session_id, workspace.config.grants),
        append=append,
    )
    if context.as_json:
        context.print_json(expansion.plain(turn))
        return
    context.echo(expansion.behind(turn))
    for note in expansion.notes:
        if quoted(note) not in expansion.text:  # what the model is told, people read there too
            context.note(note)


def _turn(text: str | None) -> str:
    if text is None or text == "-":
        text = sys.stdin.read(_MOST + 1)
    if len(text) > _MOST:
        raise click.UsageError(f"The turn has more than {_MOST:,} characters: that is no message.")
    return text


def _own_log(log: Path, turn: str) -> tuple[str, Append]:
    """The id of the session in a log of ours, and the way to append to it; the turn itself is appended at once."""
    from memory_core.errors import SessionError
    from memory_core.ids import utc_now
    from memory_core.sessions import own_log
    from memory_core.sessions.model import EntryKind
    from memory_core.store.own_logs import append_entries
    from memory_core.store.session_files import read_log

    session = read_log(log)
    if session.log_format != own_log.FORMAT:
        raise SessionError(f"{log} is a log of {session.agent}: only logs of Omoide's own format are appended to.")

    def append(kind: EntryKind, fields: Mapping[str, Any]) -> None:
        append_entries(log, [own_log.record(kind, utc_now(), **fields)])

    append(EntryKind.USER_MESSAGE, {"text": turn})
    return session.session_id, append
