"""Commands that make records: new and promote. What each means is in the core's `refactor`."""

from __future__ import annotations

import click

from memory_core.cli.app import Context, pass_context
from memory_core.cli.change import (
    DRY_RUN,
    carry_out,
    finish,
    hinted,
    plain,
    say_diff,
    say_failure,
    say_undo,
    shown_path,
    told_to,
)
from memory_core.cli.identity import as_whom, changeable, changing
from memory_core.cli.record_names import KINDS, named
from memory_core.ids import rfc3339
from memory_core.layout import record_path
from memory_core.records.schema import Kind


@click.command()
@click.argument("kind", type=KINDS)
@click.argument("slug", required=False)
@click.option("--description", default="", help="What it is and when to read it.")
@DRY_RUN
@pass_context
def new(context: Context, kind: str, slug: str | None, description: str, dry_run: bool) -> None:
    """Start a record with all its required fields and print its path. An existing one is never overwritten.

    KIND is summary, decision, request, knowledge or workflow.
    """
    from memory_core.refactor.new import new_record

    ref = named(kind, slug)
    workspace = context.workspace()
    plan = new_record(ref, rfc3339(workspace.now()), description)
    done = carry_out(workspace, "new", plan, {"kind": ref.kind, "slug": ref.slug}, dry_run=dry_run)
    path = workspace.layout.absolute(record_path(ref))
    if context.as_json:
        context.print_json({"kind": ref.kind, "slug": ref.slug, "path": str(path), **plain(workspace, done)})
    elif done.status == "dry-run":
        say_diff(context, done)
    elif done.status == "committed":
        context.echo(str(path))  # alone on stdout, so that `$EDITOR "$(omoide new ...)"` works
        context.note(f"undo with `omoide undo {done.run_id}`")
    if "exists already" in done.conflicts.values():
        context.note(f"{path} exists already: edit it, or choose another slug")
    elif done.failed:
        say_failure(context, workspace, done)
    finish(done)


@click.command()
@click.argument("kind", type=KINDS)
@click.argument("slug")
@click.option("--slug", "new_slug", help="Slug of the knowledge (default: the same).")
@click.option("--description", help="What it is and when to read it (default: the record's).")
@click.option("--knowledge-kind", help="term, policy, rule, fact, know-how or your own word.")
@DRY_RUN
@as_whom
@pass_context
def promote(
    context: Context,
    kind: str,
    slug: str,
    new_slug: str | None,
    description: str | None,
    knowledge_kind: str | None,
    dry_run: bool,
    as_keys: tuple[str, ...],
    all_scopes: bool,
) -> None:
    """Make knowledge of a decision or request, with its latest sources. The record itself stays as it is.

    KIND is decision or request.
    """
    from memory_core.refactor.promote import Promotion, linted
    from memory_core.refactor.promote import promote as plan_promotion

    ref = named(kind, slug)
    target = named(Kind.KNOWLEDGE, new_slug or ref.slug)
    who = changing(as_keys, all_scopes)
    workspace = context.workspace()
    snapshot = changeable(workspace.store.load(), ref, who)
    wish = Promotion(target.slug, description, knowledge_kind)
    plan = hinted(plan_promotion(snapshot, ref, wish, rfc3339(workspace.now())), snapshot, ref)
    plan = linted(snapshot, plan, workspace.config.severities(), lambda path: shown_path(workspace, path))
    facts = {"kind": ref.kind, "slug": ref.slug, "knowledge": target.slug}
    done = told_to(carry_out(workspace, "promote", plan, facts, dry_run=dry_run), snapshot, who)
    record = snapshot.record(ref)
    made_up = bool(not done.failed and not description and record and not record.description)
    if context.as_json:
        answer = {"kind": ref.kind, "slug": ref.slug, "knowledge": target.slug, **plain(workspace, done)}
        context.print_json({**answer, "path": shown_path(workspace, record_path(target))})
    elif done.failed:
        say_failure(context, workspace, done)
    elif done.status == "dry-run":
        say_diff(context, done)
    else:
        context.echo(f"{ref} became {target}: {shown_path(workspace, record_path(target))}")
        context.echo("The record itself stays. Rewrite the copy until it holds beyond that one case.")
        say_undo(context, done)
    if made_up:
        context.note("the description was made from its title: say what it is and when to read it")
    finish(done)
