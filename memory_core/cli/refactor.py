"""Commands that records are moved by: rename and archive. What each means is in the core's `refactor`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import click

from memory_core.changes import ChangeSet
from memory_core.cli.app import Context, pass_context
from memory_core.cli.change import (
    DRY_RUN,
    Done,
    carry_out,
    finish,
    hinted,
    listed,
    places,
    plain,
    say_diff,
    say_failure,
    say_undo,
    shown_path,
    told_to,
)
from memory_core.cli.identity import as_whom, changeable, changing
from memory_core.cli.record_names import KINDS, named
from memory_core.index import Link
from memory_core.layout import record_path
from memory_core.records.schema import RecordRef
from memory_core.refactor.referrers import Refusal, referrers, summary_lines
from memory_core.scope import may_see, seen_by
from memory_core.store.mentions import Mentions, mentions
from memory_core.text import counted
from memory_core.workspace import Workspace


@click.command()
@click.argument("kind", type=KINDS)
@click.argument("old")
@click.argument("new_slug", metavar="NEW")
@DRY_RUN
@as_whom
@pass_context
def rename(
    context: Context,
    kind: str,
    old: str,
    new_slug: str,
    dry_run: bool,
    as_keys: tuple[str, ...],
    all_scopes: bool,
) -> None:
    """Give a record another slug: its file, and every reference, path and link to it in the records.

    KIND is decision, request, knowledge or workflow.
    """
    from memory_core.refactor.rename import rename as plan_rename

    ref, target = named(kind, old), named(kind, new_slug)
    who = changing(as_keys, all_scopes)
    workspace = context.workspace()
    with _held(workspace, dry_run):
        snapshot = changeable(workspace.store.load(), ref, who)
        plan = plan_rename(snapshot, ref.kind, ref.slug, target.slug)
        found = (*referrers(snapshot, ref), *summary_lines(snapshot, ref))
        links = found if isinstance(plan, ChangeSet) else ()
        facts = {"kind": ref.kind, "slug": ref.slug, "new_slug": target.slug, "references": len(links)}
        done = carry_out(workspace, "rename", hinted(plan, snapshot, ref), facts, dry_run=dry_run)
    # Every reference is rewritten, and told of are those that the one who asks may see.
    done = told_to(done, snapshot, who)
    links = tuple(link for link in links if may_see(snapshot.documents[link.path], who))
    outside = Mentions() if done.failed else mentions(workspace.layout, ref)
    if context.as_json:
        more = {"references": places(workspace, links), **_plain_mentions(workspace, outside)}
        context.print_json(
            {"kind": ref.kind, "slug": ref.slug, "new_slug": target.slug, **plain(workspace, done), **more}
        )
    elif done.failed:
        say_failure(context, workspace, done)
    else:
        _say_renamed(context, workspace, ref, target, done, links)
        _say_mentions(context, workspace, outside)
    finish(done)


def _say_renamed(
    context: Context, workspace: Workspace, ref: RecordRef, target: RecordRef, done: Done, links: Sequence[Link]
) -> None:
    if done.status == "dry-run":
        say_diff(context, done)
        return
    context.echo(f"{ref} is {target} now: {shown_path(workspace, record_path(target))}")
    for line in listed(context, [f"  {p['path']}:{p['line']} ({p['via']})" for p in places(workspace, links)]):
        context.echo(line)
    context.echo(f"{counted(len(links), 'reference')} rewritten. What was counted as its use stays with it.")
    say_undo(context, done)


def _say_mentions(context: Context, workspace: Workspace, outside: Mentions) -> None:
    """Markdown outside the records is its authors'; whoever changes a record is only told where it is named there."""
    if outside.places:
        context.note(f"{counted(len(outside.places), 'mention')} outside the records left as it stands:")
    for line in listed(context, [f"  {_outside(workspace, path)}:{line}" for path, line in outside.places]):
        context.note(line)
    if outside.unread:
        context.note(f"{counted(outside.unread, 'Markdown file')} not looked at for mentions (too large, or not text)")


def _plain_mentions(workspace: Workspace, outside: Mentions) -> dict[str, Any]:
    elsewhere = [{"path": _outside(workspace, path), "line": line} for path, line in outside.places]
    return {"mentions": elsewhere, "mentions_unread": outside.unread}


def _outside(workspace: Workspace, path: Path) -> str:
    return path.relative_to(workspace.layout.workspace).as_posix()


@click.command()
@click.argument("kind", type=KINDS)
@click.argument("slug", required=False)
@click.option("--reason", default="", help="Why it goes; kept with the tombstone.")
@click.option("--force", is_flag=True, help="Even while other records refer to it.")
@DRY_RUN
@as_whom
@pass_context
def archive(
    context: Context,
    kind: str,
    slug: str | None,
    reason: str,
    force: bool,
    dry_run: bool,
    as_keys: tuple[str, ...],
    all_scopes: bool,
) -> None:
    """Take a record out of use. Its text and a tombstone stay in the archive; logs are not touched.

    KIND is summary, decision, request, knowledge or workflow.
    """
    from memory_core.refactor.archive import archive as plan_archive
    from memory_core.refactor.archive import own_lines

    ref = named(kind, slug)
    who = changing(as_keys, all_scopes)
    workspace = context.workspace()
    with _held(workspace, dry_run):
        # A reference in what one may not see is as if it were not there.
        snapshot = seen_by(changeable(workspace.store.load(), ref, who), who)
        plan = hinted(plan_archive(snapshot, ref, force=force), snapshot, ref)
        own = record_path(ref)
        left = tuple(link for link in referrers(snapshot, ref) if link.path != own)
        own_words = () if isinstance(plan, Refusal) else own_lines(snapshot, ref)
        facts = {"kind": ref.kind, "slug": ref.slug, "dangling": len(left) or None}
        done = carry_out(workspace, "archive", plan, facts, dry_run=dry_run, note=reason)
    outside = Mentions() if done.failed else mentions(workspace.layout, ref)
    if context.as_json:
        answer = {"kind": ref.kind, "slug": ref.slug, **plain(workspace, done)}
        more = {"summary_kept": list(own_words), **_plain_mentions(workspace, outside)}
        context.print_json({**answer, "referrers": places(workspace, left), **more})
    elif done.failed:
        say_failure(context, workspace, done)
        if done.links:
            context.note("`--force` archives it all the same and leaves these references dangling")
    elif done.status == "dry-run":
        say_diff(context, done)
    else:
        _say_archived(context, workspace, ref, done)
        _say_left(context, places(workspace, left), own_words)
        _say_mentions(context, workspace, outside)
        say_undo(context, done)
    finish(done)


def _say_left(context: Context, left: Sequence[Mapping[str, Any]], own_words: Sequence[str]) -> None:
    """What an archive leaves behind: references that lead nowhere now, and a person's own lines in the summary."""
    if left:
        context.note(f"{counted(len(left), 'reference')} to it left dangling (`omoide lint` shows them too):")
    for line in listed(context, [f"  {p['path']}:{p['line']} ({p['via']})" for p in left]):
        context.note(line)
    for line in own_words:
        context.note(f"your own line about it stays in the summary, below the block that runs write: {line}")


def _say_archived(context: Context, workspace: Workspace, ref: RecordRef, done: Done) -> None:
    folder = workspace.layout.archive / str(done.run_id)
    context.echo(f"{ref} is archived: {folder.relative_to(workspace.layout.workspace).as_posix()}/{record_path(ref)}")
    context.echo("Session logs and staged candidates were not touched.")
    _say_uses(context, workspace, ref)


def _say_uses(context: Context, workspace: Workspace, ref: RecordRef) -> None:
    """Usage is evidence against removal: whoever removes all the same is told of it."""
    uses = workspace.store.usage_report().uses_of(*ref)
    if uses:
        context.note(f"it was read {'once' if uses == 1 else f'{uses:,} times'}")


def _held(workspace: Workspace, dry_run: bool) -> AbstractContextManager[None]:
    """No consolidation may add a reference between looking for references and writing."""
    return nullcontext() if dry_run else workspace.store.consolidation_lock(())
