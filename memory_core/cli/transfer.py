"""The store as a file and back: `export` changes nothing, `import` is a change set that undo takes back."""

from __future__ import annotations

from pathlib import Path

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.change import DRY_RUN, carry_out, plain, say_diff, say_failure, say_undo
from memory_core.cli.identity import as_whom, asking
from memory_core.errors import StoreError
from memory_core.store.files import read_or_none, write_new
from memory_core.text import counted


@click.command("export")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The file (default: standard output).")
@click.option("--markdown", "as_markdown", is_flag=True, help="For people to read; it cannot be imported.")
@as_whom
@pass_context
def export_command(
    context: Context, out: Path | None, as_markdown: bool, as_keys: tuple[str, ...], all_scopes: bool
) -> None:
    """Write all records as one JSON document. With --all-scopes also how candidates were closed, and usage."""
    import json

    from memory_core.ids import rfc3339
    from memory_core.refactor.transfer import exported, markdown
    from memory_core.store.transfer_logs import read_logs

    who = asking(as_keys, all_scopes)
    workspace = context.workspace()
    logs = read_logs(workspace.layout) if all_scopes else {}
    data = exported(workspace.store.load(), who, rfc3339(workspace.now()), logs)
    for item in data["left_out"]:
        context.note(f"{item['path']} is left out: {item['reason']}")
    text = markdown(data) if as_markdown else json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    if out is None:
        click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"), nl=False)
        return
    write_new(out, text.encode("utf-8", "surrogatepass"))
    context.note(f"{counted(len(data['records']), 'record')} written to {out}")


@click.command("import")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", multiple=True, metavar="PATH", help="Take the file's text for this record that differs.")
@DRY_RUN
@as_whom
@pass_context
def import_command(
    context: Context, path: Path, replace: tuple[str, ...], dry_run: bool, as_keys: tuple[str, ...], all_scopes: bool
) -> None:
    """Bring exported records in. What is there with other text is a conflict, and then nothing is changed."""
    from memory_core.refactor.transfer import imported, read_export
    from memory_core.store.transfer_logs import missing_logs, write_logs

    who = asking(as_keys, all_scopes)
    workspace = context.workspace()
    try:
        data = read_export((read_or_none(path) or b"").decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise StoreError(f"{path} is not UTF-8 (byte {error.start}): export again.") from None
    except StoreError as error:
        raise StoreError(f"{path} was not imported: {error}.") from None
    found = imported(workspace.store.load(), data, who, replace)
    if found.conflicts:
        if context.as_json:
            conflicts = [{"path": name, "reason": why} for name, why in sorted(found.conflicts.items())]
            context.print_json({"status": "conflict", "changes": [], "conflicts": conflicts})
        for name, why in sorted(found.conflicts.items()):
            context.note(f"{name} {why}")
        context.note("nothing was imported; --replace PATH takes the file's text")
        raise SystemExit(1)
    done = carry_out(workspace, "import", found.changes, {"records": len(found.changes.files)}, dry_run=dry_run)
    if done.failed:
        say_failure(context, workspace, done)
        raise SystemExit(1)
    logs = missing_logs(workspace.layout, found.logs) if all_scopes else {}
    if not dry_run:
        write_logs(workspace.layout, logs)
    if context.as_json:
        context.print_json(plain(workspace, done) | {"same": list(found.same), "logs": sorted(logs)})
        return
    if dry_run:
        say_diff(context, done)
        return
    context.echo(f"{counted(len(done.changes.files), 'record')} imported, {len(found.same)} were there already")
    if done.changes:
        say_undo(context, done)
