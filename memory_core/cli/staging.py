"""The staged candidates: list, show with evidence, close by hand."""

from __future__ import annotations

import click

from memory_core.cli.app import Context, pass_context
from memory_core.ids import rfc3339
from memory_core.redact import redact
from memory_core.staging import Candidate, Resolution, empty_field, headline
from memory_core.text import counted, shorten


@click.group(invoke_without_command=True)
@click.pass_context
def staging(ctx: click.Context) -> None:
    """The candidates that wait for a consolidation."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_command)


@staging.command("list")
@pass_context
def list_command(context: Context) -> None:
    """All open candidates, oldest first."""
    from memory_core.consolidate.alike import alike

    store = context.workspace().store
    area = store.staging()
    found = [ref for file in area.files for ref in file.candidates() if ref.id in area.open]
    like = alike(found, store.load()) if found else {}
    for name, reason in area.invalid:
        context.note(f"{name} is no readable staging file and was left alone: {reason}")
    if context.as_json:
        invalid = [{"file": name, "reason": reason} for name, reason in area.invalid]
        candidates = [ref.plain() | {"similar_to": list(like.get(ref.id, ()))} for ref in found]
        context.print_json({"candidates": candidates, "invalid": invalid, "bytes": area.bytes})
        return
    for ref in found:
        context.echo(ref.id, dim=True)
        context.echo(f"  {ref.array[:-1]}: {shorten(headline(ref.candidate), 100)}")
        if field := empty_field(ref.candidate):
            context.echo(f"    its `{field}` is empty: the next consolidation discards it, saying so")
        if ref.id in like:
            context.echo(f"    says nearly what {', '.join(like[ref.id])} says")
    context.echo(f"{counted(len(found), 'candidate')} in {counted(len(area.files), 'file')}")


@staging.command("show")
@click.argument("candidate_id")
@pass_context
def show(context: Context, candidate_id: str) -> None:
    """One candidate with the words it rests on, or all whose ids begin so."""
    area = context.workspace().store.staging()
    found = [ref for file in area.files for ref in file.candidates() if ref.id.startswith(candidate_id)]
    found = [ref for ref in found if ref.id == candidate_id] or found
    if not found:
        context.note(f"there is no staged candidate `{candidate_id}`: `omoide staging` lists them")
        raise SystemExit(1)
    if context.as_json:
        context.print_json({"candidates": [ref.plain() for ref in found]})
        return
    for ref in found:
        state = "" if ref.id in area.open else " (closed)"
        context.echo(f"{ref.array[:-1]} {ref.id}{state}", bold=True)
        for line in describe(ref.candidate):
            context.echo(f"  {line}")
        for anchor in ref.candidate.evidence:
            first, last = anchor.entry_range
            where = f"entry {first}" if first == last else f"entries {first}-{last}"
            context.echo(f"  [{anchor.evidence_id}] {anchor.speaker}, {where}: {shorten(redact(anchor.excerpt), 200)}")
        context.echo(f"  from session {ref.source.session_id} ({ref.source.agent or 'unknown agent'})")


@staging.command("close")
@click.argument("candidate_id")
@click.option("--action", required=True, type=click.Choice(["duplicate", "already_covered", "discarded"]))
@click.option("--reason", required=True, help="Why; kept with the candidate's id.")
@pass_context
def close(context: Context, candidate_id: str, action: str, reason: str) -> None:
    """Close a candidate by hand, with the reason; or forget a part of a session that could not be extracted."""
    workspace = context.workspace()
    if not reason.strip():
        raise click.UsageError("--reason is empty: say why, it is all that is kept.")
    if any(letter.id == candidate_id for letter in workspace.store.dead_letters()):
        _forget(context, candidate_id, action, reason)
        return
    if candidate_id not in workspace.store.staging().open:
        context.note(f"there is no open candidate `{candidate_id}`: `omoide staging` lists them")
        raise SystemExit(1)
    fields = {"candidate": candidate_id, "action": action, "reason": reason, "recorded_at": rfc3339(workspace.now())}
    workspace.store.close([Resolution.model_validate(fields)])
    if context.as_json:
        context.print_json({"closed": [{"candidate": candidate_id, "action": action, "reason": reason}]})
    else:
        context.echo(f"closed {candidate_id}: {action}")


def _forget(context: Context, letter_id: str, action: str, reason: str) -> None:
    """Close a dead letter: what it is about is not tried again, and the audit log keeps why."""
    from memory_core.extract.letters import pass_over

    if action != "discarded":
        raise click.UsageError(f"{letter_id} is a part that could not be extracted: its --action is `discarded`.")
    workspace = context.workspace()
    store = workspace.store
    (letter,) = [letter for letter in store.dead_letters() if letter.id == letter_id]
    source = letter.source.model_dump(mode="json", exclude_none=True)
    sessions, _ = workspace.failed_sessions()
    for session in sessions:
        if session.session_id == letter.source.session_id:
            pass_over(store, session, letter)
    store.append_audit("forget", {"letter": letter_id, "source": source, "why": letter.reason, "reason": reason})
    store.unbury([letter_id])  # its log may be gone
    if context.as_json:
        context.print_json({"closed": [{"candidate": letter_id, "action": action, "reason": reason}]})
    else:
        context.echo(f"forgotten {letter_id}")


@staging.command("offers")
@click.option("--create", metavar="SLUG", help="Write this workflow as it was offered.")
@click.option("--later", metavar="SLUG", help="Not now: it stays in the list, and nobody is asked again.")
@click.option("--never", metavar="SLUG", help="Refuse it for good.")
@pass_context
def offers_command(context: Context, create: str | None, later: str | None, never: str | None) -> None:
    """Workflows that consolidations offered: list them, or answer one. Nothing is written without --create."""
    from memory_core.consolidate import offers

    workspace = context.workspace()
    store = workspace.store
    if sum(slug is not None for slug in (create, later, never)) > 1:
        raise click.UsageError("Give one of --create, --later and --never.")
    if create is not None:
        run_id = offers.create(store, create, now=workspace.now, severities=workspace.config.severities())
        slug = create.removeprefix("/")
        if context.as_json:
            context.print_json({"slug": slug, "answer": "created", "run_id": run_id})
        else:
            context.echo(f"workflow/{slug} written. Undo with `omoide undo {run_id}`.")
        return
    if later is not None or never is not None:
        said: offers.Answer = "later" if later is not None else "never"
        offer = offers.answer(store, str(later if later is not None else never), said, now=workspace.now)
        if context.as_json:
            context.print_json({"slug": offer.slug, "answer": said})
        else:
            context.echo(f"workflow/{offer.slug}: {said}")
        return
    found = offers.waiting(store)
    if context.as_json:
        context.print_json({"offers": [offer.model_dump(mode="json", exclude_none=True) for offer in found]})
        return
    for offer in found:
        context.echo(f"/{offer.slug}", bold=True)
        context.echo(f"  {offer.reason}")
        context.echo()
        context.echo(offer.text.rstrip("\n"))
        context.echo()
        context.echo(
            f"omoide staging offers --create {offer.slug}   or   --later {offer.slug}   or   --never {offer.slug}"
        )
    if not found:
        context.echo("No workflow is offered.")


def describe(candidate: Candidate) -> list[str]:
    """A candidate's fields as lines for people."""
    data = candidate.model_dump(exclude={"evidence"}, exclude_none=True)
    lines: list[str] = []
    for name, value in data.items():
        if isinstance(value, tuple | list):
            lines += [f"{name}: {item}" for item in value]
        elif value != "":
            lines.append(f"{name}: {value}")
    return lines
