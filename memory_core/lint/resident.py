"""What agents are given at the start of a session, and what of it fits: the summary, then one line a resident record.

Measures only; writing the context and recording who was given it is the business of `using.resident`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from memory_core.lint.facts import Resident
from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.records.summary_block import without_marks
from memory_core.snapshot import Document, Snapshot
from memory_core.tokens import estimate

# Tokens kept for what stands around the records: the lines that say what this is, headings, what was cut.
FRAME_TOKENS = 200
_ASKS = re.compile(r"model_invo[ck]ation\W{1,20}(?!false)\w")

Allowed = Callable[[Document], bool]


class ResidentLine(NamedTuple):
    """A record's line and what it costs, in estimated tokens."""

    ref: RecordRef
    path: str
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ResidentSet:
    """What fits into a budget. `summary`: as much of the summary as fits, cut at a line end; `summary_cut`: how many of
    its lines do not. `cut`: tokens of what is not given, or not whole, by path."""

    budget: int
    used: int
    summary: str
    summary_tokens: int
    summary_cut: int
    lines: tuple[ResidentLine, ...]
    cut: dict[str, int]


def resident_line(ref: RecordRef, description: str | None) -> str:
    """The line that stands for a resident record."""
    return f"- {ref}: {' '.join((description or '').split())}"


def resident_plan(snapshot: Snapshot, budget: int, *, with_summary: bool = True) -> Resident:
    """Which records do not fit into `budget` tokens; see `resident_set`."""
    found = resident_set(snapshot, budget, with_summary=with_summary)
    return Resident(budget, found.used, found.cut)


def resident_set(
    snapshot: Snapshot, budget: int, *, with_summary: bool = True, allowed: Allowed = lambda _document: True
) -> ResidentSet:
    """What fits into `budget` tokens (estimated): the summary first, then knowledge, then workflows, by slug.

    A summary that is too large is cut, but leaves the lines of records up to half of the room: somebody asked for each
    of them. A record that is too large for what is left is cut, and the next ones are still tried. `allowed`: which
    records count at all.
    """
    room = max(0, budget - FRAME_TOKENS)
    lines = list(_lines(snapshot, allowed))
    cut: dict[str, int] = {}
    document = snapshot.document(SUMMARY) if with_summary else None
    whole = without_marks(document.record.body).strip() if document and document.record and allowed(document) else ""
    cost = estimate(whole)
    summary = whole
    if document and whole and cost > room - min(sum(line.tokens for line in lines), room // 2):
        cut[document.path] = cost
        summary = _beginning(whole, room - min(sum(line.tokens for line in lines), room // 2))
        cost = estimate(summary)
    used = FRAME_TOKENS + cost if summary else FRAME_TOKENS
    kept: list[ResidentLine] = []
    for line in lines:
        if used + line.tokens > budget:
            cut[line.path] = line.tokens
        else:
            used += line.tokens
            kept.append(line)
    left = whole.count("\n") - summary.count("\n") + (not summary) if document and document.path in cut else 0
    return ResidentSet(budget, used, summary, cost if summary else 0, left, tuple(kept), cut)


def _lines(snapshot: Snapshot, allowed: Allowed) -> Iterator[ResidentLine]:
    for kind in (Kind.KNOWLEDGE, Kind.WORKFLOW):
        for slug, document in snapshot.index.slugs[kind].items():
            outline = document.outline if _may_be_resident(document) else None
            if outline and outline.resident and allowed(document):
                text = resident_line(RecordRef(kind, slug), outline.description)
                yield ResidentLine(RecordRef(kind, slug), document.path, text, estimate(text) + 1)  # with its line end


def _beginning(text: str, room: int) -> str:
    """As many lines of a text as fit into `room` tokens."""
    kept: list[str] = []
    for line in text.split("\n"):
        if estimate("\n".join((*kept, line))) > room:
            break
        kept.append(line)
    return "\n".join(kept).rstrip()


def _may_be_resident(document: Document) -> bool:
    """Most records are not: a look at a text that is here anyway saves reading its head."""
    return not document.is_read or _ASKS.search(document.text) is not None
