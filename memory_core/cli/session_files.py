"""`omoide sessions export` and `sessions import`: sessions to other formats, and another program's log into ours."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from memory_core.cli.app import Context, pass_context, printable
from memory_core.errors import Refused, SessionError, StoreError
from memory_core.redact import redact
from memory_core.sessions import own_log
from memory_core.sessions.copies import COPIED
from memory_core.sessions.export import FORMATS, Clean, exported, own_records
from memory_core.store.files import require_inside, write_new, write_whole
from memory_core.store.one_history import family_of
from memory_core.store.own_logs import own_log_path
from memory_core.store.session_files import read_log
from memory_core.text import counted
from memory_core.workspace import Workspace


@click.command("export")
@click.argument("session_id", required=False, metavar="ID")
@click.option("--log", type=click.Path(path_type=Path), help="A log file, wherever it lies.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="markdown", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="Write to this new file instead of standard output.")
@click.option("--with-secrets", is_flag=True, help="Leave keys and passwords in. Without it they are taken out.")
@pass_context
def export(
    context: Context, session_id: str | None, log: Path | None, form: str, out: Path | None, with_secrets: bool
) -> None:
    """Write a session in our own format, as Markdown, or as ATIF."""
    if (session_id is None) == (log is None):
        raise click.UsageError("Name a session by its id, or a file with --log: one of the two.")
    session = read_log(log) if log else context.workspace().session(session_id or "")
    if session.path:  # as it was logged: what is a copy here is the only one elsewhere
        session = read_log(session.path)
    family = family_of(session.path) if session.path else ()
    text = exported(session, form, with_secrets=with_secrets, family=family)
    facts = {"session_id": session.session_id, "agent": session.agent, "format": form, "entries": len(session.entries)}
    if out is None:
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        if context.as_json:
            context.print_json(facts | {"text": text})
            return
        # A program that reads it gets every character; a terminal would obey some of them.
        click.echo(printable(text) if sys.stdout.isatty() else text, nl=False)
        return
    write_new(out, text.encode("utf-8", "backslashreplace"))
    if context.as_json:
        context.print_json(facts | {"path": str(out)})
        return
    context.note(f"{out}: {counted(len(session.entries), 'entry')} of session {session.session_id}")


def _write(path: Path, data: bytes) -> None:
    """The whole log in one step: of half a copy nobody could tell that the rest is missing."""
    try:
        write_whole(path, data, exclusive=not (path.is_file() and path.stat().st_size == 0))
    except FileExistsError as error:
        raise Refused(f"{path} is there already: nothing was imported.") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}): check permissions and space.") from error


@click.command("import")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--with-secrets", is_flag=True, help="Leave keys and passwords in. Without it they are taken out.")
@pass_context
def import_log(context: Context, log: Path, with_secrets: bool) -> None:
    """Copy another program's log into this workspace's own format. The original is only read."""
    workspace = context.workspace()
    session = read_log(log)
    if not session.entries:
        raise SessionError(f"{log} holds no entries: there is nothing to import.")
    # An empty file is what an interrupted import of an earlier version left.
    if any(ref.session_id == session.session_id and ref.size for ref in workspace.sessions()):
        # Two logs of one session would be extracted by two pointers, and each thing said would come twice.
        raise Refused(
            f"Session `{session.session_id}` is one of this workspace already, and read where its log lies: import is "
            "for logs from elsewhere, `omoide sessions export` makes a copy."
        )
    path = own_log_path(workspace.layout.sessions, session.session_id)
    require_inside(workspace.layout.root, path)
    clean: Clean = (lambda text: text) if with_secrets else redact
    records = list(own_records(session, clean, family_of(log)))
    _write(path, own_log.encode(records))
    if context.as_json:
        facts = {"session_id": session.session_id, "agent": session.agent, "path": str(path)}
        context.print_json(facts | {"entries": len(records), "gaps": len(session.gaps)})
        return
    context.echo(f"{session.session_id}: {counted(len(records), 'entry')} from {session.agent} in {path}")
    _tell_copies(context, workspace, path)
    left = len(session.entries) - len(records)
    if left > 0 or session.gaps:
        context.note(f"{counted(max(left, 0), 'entry')} without words and {counted(len(session.gaps), 'gap')} left out")


def _tell_copies(context: Context, workspace: Workspace, path: Path) -> None:
    """Say what an import repeats from the workspace's other sessions."""
    every = workspace.sessions()
    for ref in every:
        if ref.path == path and (session := workspace.read_session(ref, every)).originals:
            copies = sum(entry.subtype == COPIED for entry in session.entries)
            context.note(f"{counted(copies, 'entry')} repeated from {', '.join(session.originals)}, and read there")
