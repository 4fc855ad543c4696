"""Commands that show records: make a root for them, read one, search."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.identity import as_whom, asking
from memory_core.cli.record_names import KINDS, close, named
from memory_core.records.schema import Kind, RecordRef
from memory_core.redact import redact
from memory_core.snapshot import Snapshot
from memory_core.store.discovery import create_root, find_root
from memory_core.store.git import git_root
from memory_core.text import shorten


@click.command()
@pass_context
def init(context: Context) -> None:
    """Make a memory root (`.omoide/`) in this workspace. What is there already stays as it is."""
    workspace = context.workspace_dir
    before = find_root(workspace)
    layout, created = create_root(workspace)
    if context.as_json:
        context.print_json({"root": str(layout.root), "created": [str(path) for path in created]})
        return
    context.echo(f"Memory root: {layout.root}" + ("" if created else " (it was complete already)"))
    for path in created:
        context.echo(f"  created {path.relative_to(workspace)}{'/' if path.is_dir() else ''}")
    top = git_root(workspace)
    if before and before.root != layout.root:
        back = shlex.join(["rm", "-r", str(layout.root)])
        context.note(f"until now the memory of this folder was {before.root}; to go on with that one: {back}")
    elif top and top.resolve() != workspace.resolve():
        context.note(f"the git repository starts at {top}: to share one memory, run `omoide init` there")
    elif workspace.resolve() == Path.home().resolve():
        context.note("this is your home folder: every project in it without a memory of its own will use this one")
    context.echo("Next: `omoide sessions` shows the agent logs found, `omoide extract --all` stages what they hold.")


@click.command()
@click.argument("kind", type=KINDS)
@click.argument("slug", required=False)
@click.option("--actor", type=click.Choice(["human", "agent"]), help="Who reads (default: human on a terminal).")
@click.option("--session", "session_id", envvar="OMOIDE_SESSION_ID", help="The session this read belongs to.")
@as_whom
@pass_context
def read(
    context: Context,
    kind: str,
    slug: str | None,
    actor: str | None,
    session_id: str | None,
    as_keys: tuple[str, ...],
    all_scopes: bool,
) -> None:
    """Print a record as it stands on disk, which counts as a use of it. Without SLUG: which there are.

    To an agent, tags that its own program uses are given escaped; `--actor human` gives every byte.

    KIND is summary, decision, request, knowledge or workflow.
    """
    from memory_core.scope import seen_by
    from memory_core.usage import use_event
    from memory_core.using.fence import without_tags

    ref = named(kind, slug) if slug or kind == Kind.SUMMARY else None
    workspace = context.workspace()
    who = asking(as_keys, all_scopes, session_id, workspace.config.grants)
    snapshot = seen_by(workspace.store.load(), who)
    if ref is None:
        context.note(*_which(snapshot, Kind(kind)))
        raise SystemExit(2)
    document = snapshot.document(ref)
    if document is None or document.record is None:
        context.note(f"there is no {ref.kind} `{ref.slug}` in {workspace.layout.root}{close(snapshot, ref)}")
        raise SystemExit(1)
    if document.unreadable:
        context.note(f"{workspace.layout.absolute(document.path)}: {document.unreadable}")
        raise SystemExit(1)
    actor = actor or ("human" if sys.stdout.isatty() else "agent")
    event = use_event(
        ref,
        document.text,
        source="MemoryRead",
        actor="human" if actor == "human" else "agent",
        session_id=session_id,
        now=workspace.now(),
    )
    workspace.store.append_usage(event)  # a failure is a warning: the read itself worked
    record = document.record
    shown = without_tags if actor == "agent" else str
    if context.as_json:
        path = workspace.layout.absolute(document.path).relative_to(workspace.layout.workspace).as_posix()
        head = {key: _shown(value, shown) for key, value in (record.head.values if record.head else {}).items()}
        body = shown(record.body)
        context.print_json({"kind": ref.kind, "slug": ref.slug, "path": path, "frontmatter": head, "body": body})
        return
    context.echo(shown(document.text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n")))


def _shown(value: Any, shown: Callable[[str], str]) -> Any:
    """A value of a head, with every text in it as it may be shown."""
    match value:
        case str():
            return shown(value)
        case list():
            return [_shown(item, shown) for item in value]
        case dict():
            return {key: _shown(item, shown) for key, item in value.items()}
        case _:
            return value


def _which(snapshot: Snapshot, kind: Kind) -> list[str]:
    """What is said where a kind was named and no record: those there are, a line each. A list is no use of them."""
    lines = []
    for slug in sorted(snapshot.index.slugs[kind]):
        record = snapshot.record(RecordRef(kind, slug))
        lines.append(f"  {slug}  {shorten(redact((record and record.description) or ''), 100)}".rstrip())
    there = "There are:" if lines else "There is none yet."
    return [f"Which {kind}? Give its slug. {there}", *lines]


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="QUERY")
@click.option("--kind", type=KINDS, help="Only records of this kind.")
@click.option("--limit", type=click.IntRange(1, 1000), help="Most hits (default: query_result_limit).")
@click.option("--session", "session_id", envvar="OMOIDE_SESSION_ID", help="The session that asks.")
@as_whom
@pass_context
def search(
    context: Context,
    words: tuple[str, ...],
    kind: str | None,
    limit: int | None,
    session_id: str | None,
    as_keys: tuple[str, ...],
    all_scopes: bool,
) -> None:
    """Find records by words, in any language, and by what the settings name. Never a use; reading a hit is."""
    from memory_core.cli.finding import answered, for_agents, found_by, said
    from memory_core.scope import seen_by
    from memory_core.search import stored

    query = " ".join(words)
    if not query.strip():
        raise click.UsageError("The query is empty: give some words to look for.")
    workspace = context.workspace()
    who = asking(as_keys, all_scopes, session_id, workspace.config.grants)
    memory = workspace.config.memory
    snapshot = workspace.store.load()
    wanted = Kind(kind) if kind else None
    found = found_by(context, snapshot, query, who, wanted, limit or memory.query_result_limit)
    if not sys.stdout.isatty():
        found = for_agents(found)
    total = stored(seen_by(snapshot, who), wanted)
    if context.as_json:
        context.print_json(answered(found, total, who))
        return
    said(context, found, total, f"{kind} record" if kind else "record", query)
