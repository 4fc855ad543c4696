"""The store as a file and back: `export` changes nothing, `import` is a change set that undo takes back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.change import DRY_RUN, Done, carry_out, plain, say_diff, say_failure, say_undo
from memory_core.cli.identity import as_whom, asking
from memory_core.errors import StoreError
from memory_core.store.files import read_or_none, write_new
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.changes import ChangeSet
    from memory_core.refactor.transfer import Import
    from memory_core.store.transfer_logs import LogPlan
    from memory_core.workspace import Workspace

SESSIONS = "--sessions speaks of what everybody said: add --all-scopes."


@click.command("export")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The file (default: standard output).")
@click.option("--markdown", "as_markdown", is_flag=True, help="For people to read; it cannot be imported.")
@click.option("--sessions", "with_sessions", is_flag=True, help="Also the store's own session logs; with --all-scopes.")
@as_whom
@pass_context
def export_command(
    context: Context,
    out: Path | None,
    as_markdown: bool,
    with_sessions: bool,
    as_keys: tuple[str, ...],
    all_scopes: bool,
) -> None:
    """Write all records as one JSON document. With --all-scopes also how candidates were closed, usage, and the words
    of what was archived or discarded, so that it does not come back where they are brought in."""
    import json

    from memory_core.ids import rfc3339
    from memory_core.refactor.transfer import exported, markdown
    from memory_core.store.transfer_logs import read_logs, read_sessions, read_strays

    if with_sessions and not all_scopes:
        raise click.UsageError(SESSIONS)
    if with_sessions and as_markdown:
        raise click.UsageError("Markdown holds records alone: give one of --sessions and --markdown.")
    if as_markdown and context.as_json:
        raise click.UsageError("--json and --markdown are forms of one answer: choose one.")
    workspace = context.workspace()
    who = asking(as_keys, all_scopes, grants=workspace.config.grants)
    logs = read_logs(workspace.layout) if all_scopes else {}
    sessions = read_sessions(workspace.layout) if with_sessions else None
    gone = _gone(workspace) if all_scopes else {}
    data = exported(workspace.store.load(), who, rfc3339(workspace.now()), logs, sessions, gone)
    if all_scopes and not as_markdown:
        data["logs"] |= read_strays(workspace.layout, (item["path"] for item in data["left_out"]))
    for item in data["left_out"]:
        how = "goes along as it is, not as a record" if f"stray/{item['path']}" in data["logs"] else "is left out"
        context.note(f"{item['path']} {how}: {item['reason']}")
    text = markdown(data) if as_markdown else json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    if out is None:
        click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"), nl=False)
        return
    write_new(out, text.encode("utf-8", "surrogatepass"))
    if context.as_json:
        sizes = {name: len(data[name]) for name in ("records", "left_out")}
        context.print_json({"path": str(out), **sizes, "sessions": len(sessions or ())})
        return
    more = f" and {counted(len(sessions), 'session log')}" if sessions is not None else ""
    context.note(f"{counted(len(data['records']), 'record')}{more} written to {out}")
    if data.get("gone"):
        context.note("the words of what was archived or discarded go along, so that it does not come back")


def _gone(workspace: Workspace) -> dict[str, Any]:
    """What was removed, and what nobody wants remembered."""
    from memory_core.consolidate.buried import not_wanted, present_names
    from memory_core.store.transfer_gone import read_gone

    store = workspace.store
    stones, names = store.tombstones(), partial(present_names, store.present_slug())
    return read_gone(workspace.layout, stones, (how.candidate for how in not_wanted(store.closed(), stones, names)))


@click.command("import")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", multiple=True, metavar="PATH", help="Take the file's text for this record that differs.")
@click.option("--sessions", "with_sessions", is_flag=True, help="Also session logs; with --all-scopes.")
@DRY_RUN
@as_whom
@pass_context
def import_command(
    context: Context,
    path: Path,
    replace: tuple[str, ...],
    with_sessions: bool,
    dry_run: bool,
    as_keys: tuple[str, ...],
    all_scopes: bool,
) -> None:
    """Bring exported records in. What is there with other text is a conflict, and then nothing is changed.

    With --all-scopes also the logs of an export, where this store has none of that name yet.
    """
    from memory_core.refactor.transfer import imported
    from memory_core.store.transfer_logs import write_logs

    if with_sessions and not all_scopes:
        raise click.UsageError(SESSIONS)
    workspace = context.workspace()
    who = asking(as_keys, all_scopes)
    found = imported(workspace.store.load(), _document(path), who, replace)
    logs, sessions, gone = _logs(context, found, all_scopes=all_scopes, with_sessions=with_sessions)
    conflicts = dict(found.conflicts) | {f"sessions/{name}": "is there with other content" for name in sessions.kept}
    if conflicts:
        _refuse(context, conflicts, found.differing, dry_run=dry_run)
    done = carry_out(workspace, "import", found.changes, {"records": len(found.changes.files)}, dry_run=dry_run)
    if done.failed:
        say_failure(context, workspace, done)
        raise SystemExit(1)
    if not dry_run:
        from memory_core.ids import rfc3339
        from memory_core.store.brought import note_brought

        files = {**logs.new, **sessions.new}
        note_brought(workspace.layout, str(done.run_id), rfc3339(workspace.now()), files)
        for plan in (logs, sessions, gone):
            write_logs(workspace.layout, plan)
    brought = sorted((*logs.names.values(), *(f"sessions/{name}" for name in sessions.names.values())))
    if context.as_json:
        left = sorted((*logs.kept, *logs.unknown, *(f"sessions/{name}" for name in sessions.unknown)))
        context.print_json(plain(workspace, done) | {"same": list(found.same), "logs": brought, "logs_left": left})
    elif dry_run:
        say_diff(context, done)
    else:
        _tell_imported(context, done, len(found.same), brought)
        if gone.names:
            context.echo("what was archived or discarded there does not come back here")


def _tell_imported(context: Context, done: Done, same: int, brought: list[str]) -> None:
    context.echo(f"{counted(len(done.changes.files), 'record')} imported, {same} were there already")
    if brought:
        context.echo(
            f"{counted(len(brought), 'log')} brought in: {', '.join(brought[:5])}{' ...' * (len(brought) > 5)}"
        )
    if done.changes or brought:
        say_undo(context, done)


def _document(path: Path) -> Mapping[str, Any]:
    """The export in a file. StoreError saying what is wrong with it."""
    from memory_core.refactor.transfer import read_export

    try:
        return read_export((read_or_none(path) or b"").decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise StoreError(f"{path} is not UTF-8 (byte {error.start}): export again.") from None
    except StoreError as error:
        raise StoreError(f"{path} was not imported: {error}.") from None


def _logs(context: Context, found: Import, *, all_scopes: bool, with_sessions: bool) -> tuple[LogPlan, ...]:
    """What becomes of the logs and sessions of an export, and of what was removed. Whatever is not brought in is
    said."""
    from memory_core.store.transfer_gone import plan_gone
    from memory_core.store.transfer_logs import LogPlan, plan_logs, plan_sessions

    layout = context.workspace().layout
    logs = plan_logs(layout, found.logs) if all_scopes else LogPlan()
    sessions = plan_sessions(layout, found.sessions) if with_sessions else LogPlan()
    lines = found.logs.get("resolutions") if "resolutions" in logs.kept else None
    gone = plan_gone(layout, found.gone, lines) if all_scopes else LogPlan()
    if found.logs and not all_scopes:
        context.note(f"{counted(len(found.logs), 'log')} of the file left out: --all-scopes brings them in")
    if found.sessions and not with_sessions:
        context.note(f"{counted(len(found.sessions), 'session log')} of the file left out: --sessions brings them in")
    for name in logs.kept:
        context.note(f"the log `{name}` is left out: this store has its own, and two histories are not mixed")
    if found.gone and not all_scopes:
        context.note("what was archived or discarded there left out: --all-scopes brings it in")
    for plan, prefix in ((logs, ""), (sessions, "sessions/"), (gone, "gone/")):
        for name, why in plan.unknown.items():
            context.note(f"`{prefix}{name[:80]}` is left out: it {why}")
    return logs, sessions, gone


def _refuse(context: Context, conflicts: Mapping[str, str], differing: ChangeSet, *, dry_run: bool) -> NoReturn:
    """Every conflict, with the difference where a dry run asks for it, and exit."""
    from memory_core.refactor.diff import unified

    if context.as_json:
        rows = [{"path": name, "reason": why} for name, why in sorted(conflicts.items())]
        context.print_json({"status": "conflict", "changes": [], "conflicts": rows})
    elif dry_run and differing:
        context.echo(unified(differing).replace("\r\n", "\n").rstrip("\n"))
    for name, why in sorted(conflicts.items()):
        context.note(f"{name} {why}")
    context.note(
        "nothing was imported; --replace PATH takes the file's text of a record, --dry-run shows the difference"
    )
    raise SystemExit(1)
