"""What agents are given at the start of a session, and what of it fits: the summary, then one line a resident record.

Plans only; writing the context and recording who was given it is the business of the commands that do so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.lint.facts import Resident
from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.snapshot import Document, Snapshot
from memory_core.tokens import estimate

_ASKS = re.compile(r"model_invo[ck]ation\W{1,20}(?!false)\w")


def resident_line(ref: RecordRef, description: str | None) -> str:
    """The line that stands for a resident record."""
    return f"- {ref}: {' '.join((description or '').split())}"


def resident_plan(snapshot: Snapshot, budget: int, *, with_summary: bool = True) -> Resident:
    """Which records fit into `budget` tokens (estimated): the summary first, then knowledge, then workflows, by slug.

    A record that is too large for what is left is cut, and the next ones are still tried.
    """
    used = 0
    cut: dict[str, int] = {}
    for path, cost in _costs(snapshot, with_summary):
        if used + cost > budget:
            cut[path] = cost
        else:
            used += cost
    return Resident(budget, used, cut)


def _costs(snapshot: Snapshot, with_summary: bool) -> Iterator[tuple[str, int]]:
    summary = snapshot.document(SUMMARY)
    if with_summary and summary and summary.record and summary.record.body.strip():
        yield summary.path, estimate(summary.record.body.strip())
    for kind in (Kind.KNOWLEDGE, Kind.WORKFLOW):
        for slug, document in snapshot.index.slugs[kind].items():
            outline = document.outline if _may_be_resident(document) else None
            if outline and outline.resident:
                yield document.path, estimate(resident_line(RecordRef(kind, slug), outline.description)) + 1  # line end


def _may_be_resident(document: Document) -> bool:
    """Most records are not: a look at a text that is here anyway saves reading its head."""
    return not document.is_read or _ASKS.search(document.text) is not None
