"""Records as they are named on a command line: a kind, and a slug that may carry its sigil."""

from __future__ import annotations

import click

from memory_core.cli.meant import Named
from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.records.slug import slug_problem
from memory_core.snapshot import Snapshot

KINDS = Named("KIND", [kind.value for kind in Kind])


def named(kind: str, slug: str | None) -> RecordRef:
    """The record that the arguments name, existing or not. UsageError when they name none."""
    if kind == Kind.SUMMARY:
        if slug not in (None, SUMMARY.slug):
            raise click.UsageError("There is one summary: leave the slug out.")
        return SUMMARY
    if not slug:
        raise click.UsageError(f"Which {kind}? Give its slug; `omoide read {kind}` lists them.")
    slug = slug.removeprefix("#").removeprefix("/")
    if problem := slug_problem(slug):
        raise click.UsageError(f"The slug `{slug}` {problem}.")
    return RecordRef(Kind(kind), slug)


def close(snapshot: Snapshot, ref: RecordRef) -> str:
    """The slugs that may have been meant, else how to see all of the kind, as the end of a sentence; nothing is ever
    chosen among them."""
    from rapidfuzz import process

    slugs = list(snapshot.index.slugs[ref.kind])
    found = [name for name, _, _ in process.extract(ref.slug, slugs, limit=3, score_cutoff=60)]
    if found:
        return f"; close: {', '.join(found)}"
    return f"; `omoide read {ref.kind}` lists those there are" if slugs else f"; there is no {ref.kind} record yet"
