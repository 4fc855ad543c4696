"""What an audit counts, and what became less since earlier audits: a slow loss looks healthy in every single run.

Pure. Figures are whole numbers by name; where they are kept is `store.figures_file`'s business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_core.ids import parse_rfc3339
from memory_core.records.schema import Kind
from memory_core.snapshot import Snapshot
from memory_core.store.health import Finding

REMEMBERED = timedelta(days=180)  # an older state is nothing to compare with: people change their minds
LOSS = 0.9  # of the most there was; what people archive in between is less than that
_GROWS = ("resolutions", "uses")  # logs that are only appended to: any less is a loss
_WATCHED = ("records", "knowledge", "decisions", "requests", "workflows", "characters", "anchors", "session logs")
_LEAST = {"characters": 2_000}  # with fewer, one record more or less is a tenth
_FEW = 10  # of everything else

NAMES = {Kind.DECISION: "decisions", Kind.REQUEST: "requests", Kind.KNOWLEDGE: "knowledge", Kind.WORKFLOW: "workflows"}


@dataclass(frozen=True)
class Figures:
    """The numbers of one audit. `at`: RFC 3339."""

    at: str
    numbers: Mapping[str, int]


def of_snapshot(snapshot: Snapshot) -> dict[str, int]:
    """How much there is: records by kind, characters of their bodies, anchors."""
    counts: Counter[str] = Counter(dict.fromkeys(("records", *NAMES.values(), "characters", "anchors"), 0))
    for document in snapshot.documents.values():
        record = document.record
        if record is None or document.unreadable:
            continue
        counts["records"] += 1
        counts["characters"] += len(record.body)
        counts["anchors"] += sum(len(source.anchors) for source in record.sources)
        if record.ref.kind in NAMES:
            counts[NAMES[record.ref.kind]] += 1
    return dict(counts)


def of_findings(findings: Iterable[Finding]) -> dict[str, int]:
    """How much of what was found, by level and by code."""
    counts: Counter[str] = Counter({"errors": 0, "warnings": 0, "notes": 0})
    for finding in findings:
        counts[f"{finding.level}s"] += 1
        counts[finding.code] += 1
    return dict(counts)


def losses(now: datetime, numbers: Mapping[str, int], history: Sequence[Figures]) -> Iterator[Finding]:
    """What there is less of than at some earlier audit, each with the most there was and when."""
    for name in (*_WATCHED, *_GROWS):
        most = max(
            (past for past in history if name in past.numbers and _counts(past, now)),
            key=lambda past: past.numbers[name],
            default=None,
        )
        if most is None or name not in numbers:
            continue
        before, present = most.numbers[name], numbers[name]
        least = before if name in _GROWS else before * LOSS
        if present < least and before >= _LEAST.get(name, _FEW):
            text = f"{name}: {before:,} on {most.at[:10]}, {present:,} now. Was that meant? `omoide audit --history`"
            yield Finding("warning", "slow-loss", "", text)


def since(before: Figures | None, numbers: Mapping[str, int]) -> dict[str, int]:
    """By how much each number changed since an audit; those that are the same are left out."""
    if before is None:
        return {}
    names = dict.fromkeys((*before.numbers, *numbers))
    changes = {name: numbers.get(name, 0) - before.numbers.get(name, 0) for name in names}
    return {name: change for name, change in changes.items() if change}


def _counts(past: Figures, now: datetime) -> bool:
    at = parse_rfc3339(past.at)
    return at is not None and now - REMEMBERED <= at <= now
