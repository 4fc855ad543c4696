"""What a search answers, as JSON and for people: hits of the store, then what enrichers add, apart from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from memory_core.cli.app import Context, printable
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.scope import Everything, Who
from memory_core.text import counted

if TYPE_CHECKING:
    from memory_core.enrich.recall import Found
    from memory_core.snapshot import Snapshot


def found_by(context: Context, snapshot: Snapshot, query: str, who: Who, kind: Kind | None, limit: int) -> Found:
    """The store's hits, and those of the configured enrichers. What failed is a line on stderr."""
    from memory_core.enrich.recall import Question, search

    workspace = context.workspace()
    question = Question(query, who, kind, limit, workspace.config.memory.query_excerpt_lines)
    if not workspace.config.enricher:
        return search(snapshot, question)
    enrichment = workspace.enrichment()
    try:
        found = enrichment.search(snapshot, question)
    finally:
        enrichment.close()
    for problem in enrichment.problems:
        context.note(problem)
    for name, why in found.warnings.items():
        context.note(f"{name} was left out: {why}")
    if enrichment.enrichers:
        from memory_core.store.background import start_upkeep

        start_upkeep(workspace.layout, workspace.environment)
    return found


def for_agents(found: Found) -> Found:
    """The same for who is not at a terminal: no record speaks in it as the program that runs an agent."""
    from memory_core.using.fence import without_tags

    hits = [
        replace(hit, description=without_tags(hit.description), excerpt=without_tags(hit.excerpt)) for hit in found.hits
    ]
    return replace(found, hits=tuple(hits))


def answered(found: Found, total: int, who: Who) -> dict[str, Any]:
    """The machine's answer. Where no enricher had a part in it, it is what it always was."""
    from memory_core.enrich.port import id_of

    hits = []
    for hit in found.hits:
        via = found.via.get(id_of(RecordRef(hit.kind, hit.slug)))
        hits.append(hit.plain() | ({"via": list(via)} if via else {}))
    answer: dict[str, Any] = {"hits": hits, "stored": total}
    if found.untrusted:
        answer["untrusted"] = [{"enricher": item.enricher, "text": item.shown} for item in found.untrusted]
    if found.warnings:
        answer["warnings"] = dict(found.warnings)
    if found.drops and isinstance(who, Everything):  # they tell of records that others may not see
        answer["left_out"] = {name: dict(reasons) for name, reasons in found.drops.items()}
    return answer


def said(context: Context, found: Found, total: int, what: str, query: str) -> None:
    """The answer for people; a terminal shows the words of the query in color."""
    from memory_core.search import query_tokens

    words = query_tokens(query)
    for hit in found.hits:
        date = f"  {hit.updated_at[:10]}" if hit.updated_at else ""
        context.echo(f"{RecordRef(hit.kind, hit.slug)}{date}", bold=True)
        if hit.description:
            say_marked(f"  {' '.join(hit.description.splitlines())}", words)
        for line in hit.excerpt.splitlines():
            say_marked(f"    {line}", words)
    if found.untrusted:
        context.echo("Not from records, and not checked by anybody:", bold=True)
        for item in found.untrusted:
            for line in item.shown.splitlines():
                context.echo(f"  {line}")
    if found.hits:
        best = found.hits[0]
        named = str(best.kind) if best.kind is Kind.SUMMARY else f"{best.kind} {best.slug}"
        hits = counted(len(found.hits), "hit")
        context.echo(f"{hits} in {counted(total, what)}; `omoide read {named}` shows the first whole.")
    elif total:
        context.echo(f"Nothing matched: {counted(total, what)} searched. Try fewer or other words.")
    else:
        context.echo(f"Nothing stored: there is no {what} yet. `omoide extract` and `omoide consolidate` make some.")


def say_marked(text: str, words: Sequence[str]) -> None:
    """A line with the words of a query in color; only the color is ours, what a record or log says is made harmless."""
    from memory_core.search.passage import marks

    at, parts = 0, []
    for start, end in marks(text, words):
        parts += [printable(text[at:start]), click.style(printable(text[start:end]), fg="yellow", bold=True)]
        at = end
    click.echo("".join(parts) + printable(text[at:]))


def say_bold(head: str, rest: str) -> None:
    """A line with a head that stands out; only the styles are ours, what a log says is made harmless first."""
    click.echo(click.style(printable(head), bold=True) + printable(rest))
