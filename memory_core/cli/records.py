"""Commands on records: make a root, start, read and search."""

from __future__ import annotations

import sys

import click

from memory_core.changes import ChangeSet
from memory_core.cli.app import Context, pass_context
from memory_core.ids import rfc3339, uuid7
from memory_core.layout import record_path
from memory_core.records.render import render
from memory_core.records.schema import FIELDS, SUMMARY, FieldType, Kind, RecordRef
from memory_core.records.slug import slug_problem
from memory_core.store.discovery import create_root, git_root
from memory_core.text import counted

KINDS = click.Choice([kind.value for kind in Kind])


@click.command()
@pass_context
def init(context: Context) -> None:
    """Make a memory root (`.omoide/`) in this workspace. What is there already stays as it is."""
    workspace = context.workspace_dir
    layout, created = create_root(workspace)
    if context.as_json:
        context.print_json({"root": str(layout.root), "created": [str(path) for path in created]})
        return
    context.echo(f"Memory root: {layout.root}" + ("" if created else " (it was complete already)"))
    for path in created:
        context.echo(f"  created {path.relative_to(workspace)}{'/' if path.is_dir() else ''}")
    top = git_root(workspace)
    if top and top.resolve() != workspace.resolve():
        context.note(f"the git repository starts at {top}: to share one memory, run `omoide init` there")
    context.echo("Next: `omoide sessions` shows the agent logs found, `omoide extract --all` stages what they hold.")


@click.command()
@click.argument("kind", type=KINDS)
@click.argument("slug", required=False)
@click.option("--description", default="", help="What it is and when to read it.")
@pass_context
def new(context: Context, kind: str, slug: str | None, description: str) -> None:
    """Start a record with all its required fields and print its path. An existing one is never overwritten."""
    ref = _ref(kind, slug)
    workspace = context.workspace()
    now = rfc3339(workspace.now())
    fields: dict[str, object] = {}
    for field in FIELDS[ref.kind]:
        if field.required or (field.name == "description" and description):
            fields[field.name] = {
                FieldType.INSTANT: now,
                FieldType.SOURCES: [],
                FieldType.STATUS: "open",
                FieldType.FLAG: field.default,
                FieldType.TEXT: description or f"Say here what {ref.slug} is and when to read it.",
            }[field.type]
    if ref.kind is Kind.KNOWLEDGE:
        fields["kind"] = "fact"
    path = record_path(ref)
    text = render(ref.kind, {**fields, "origin": "user"}, f"# {ref.slug.replace('-', ' ').capitalize()}\n")
    changes = ChangeSet().with_file(path, None, text)
    result = workspace.store.commit(changes, run_id=uuid7(workspace.now()), reason="new")
    if result.conflicts:
        context.note(f"{workspace.layout.absolute(path)} exists already: edit it, or choose another slug")
        raise SystemExit(1)
    if context.as_json:
        context.print_json({"kind": ref.kind, "slug": ref.slug, "path": str(workspace.layout.absolute(path))})
    else:
        context.echo(str(workspace.layout.absolute(path)))


@click.command()
@click.argument("kind", type=KINDS)
@click.argument("slug", required=False)
@click.option("--actor", type=click.Choice(["human", "agent"]), help="Who reads (default: human on a terminal).")
@click.option("--session", "session_id", envvar="OMOIDE_SESSION_ID", help="The session this read belongs to.")
@pass_context
def read(context: Context, kind: str, slug: str | None, actor: str | None, session_id: str | None) -> None:
    """Print a record as it stands on disk. An explicit read is a usage event."""
    from memory_core.usage import use_event

    ref = _ref(kind, slug)
    workspace = context.workspace()
    snapshot = workspace.store.load()
    document = snapshot.document(ref)
    if document is None or document.record is None:
        close = _close(ref, list(snapshot.index.slugs[ref.kind]))
        context.note(f"there is no {ref.kind} `{ref.slug}` in {workspace.layout.root}{close}")
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
    if context.as_json:
        path = workspace.layout.absolute(document.path).relative_to(workspace.layout.workspace).as_posix()
        head = record.head.values if record.head else {}
        context.print_json({"kind": ref.kind, "slug": ref.slug, "path": path, "frontmatter": head, "body": record.body})
        return
    context.echo(document.text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n"))


@click.command()
@click.argument("query")
@click.option("--kind", type=KINDS, help="Only records of this kind.")
@click.option("--limit", type=click.IntRange(1, 1000), help="Most hits (default: query_result_limit).")
@pass_context
def search(context: Context, query: str, kind: str | None, limit: int | None) -> None:
    """Find records by words, in any language. A search is never a use; reading a hit is."""
    from memory_core.search import search_records

    if not query.strip():
        raise click.UsageError("The query is empty: give some words to look for.")
    workspace = context.workspace()
    memory = workspace.config.memory
    hits = search_records(
        workspace.store.load(),
        query,
        kind=Kind(kind) if kind else None,
        limit=limit or memory.query_result_limit,
        excerpt_lines=memory.query_excerpt_lines,
    )
    if context.as_json:
        context.print_json({"hits": [hit.plain() for hit in hits]})
        return
    for hit in hits:
        context.echo(str(RecordRef(Kind(hit.kind), hit.slug)), bold=True)
        if hit.description:
            context.echo(f"  {hit.description}")
        for line in hit.excerpt.splitlines():
            context.echo(f"    {line}")
    context.echo(f"{counted(len(hits), 'hit')}")


def _ref(kind: str, slug: str | None) -> RecordRef:
    if kind == Kind.SUMMARY:
        if slug not in (None, SUMMARY.slug):
            raise click.UsageError("There is one summary: leave the slug out.")
        return SUMMARY
    if not slug:
        raise click.UsageError(f"Which {kind}? Give its slug.")
    slug = slug.removeprefix("#").removeprefix("/")
    if problem := slug_problem(slug):
        raise click.UsageError(f"The slug `{slug}` {problem}.")
    return RecordRef(Kind(kind), slug)


def _close(ref: RecordRef, slugs: list[str]) -> str:
    from rapidfuzz import process

    found = [name for name, _, _ in process.extract(ref.slug, slugs, limit=3, score_cutoff=60)]
    return f"; close: {', '.join(found)}" if found else ""
