"""The report over the usage log: a row a record, and the lists that people and the consolidation look at.

Material, not a verdict: no rates, no thresholds, no share of sessions, and nothing here changes a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from memory_core.usage.event import UsageEvent
from memory_core.usage.tally import Tally


@dataclass(frozen=True, slots=True)
class RecordUsage:
    """What the log says of one record. `last_used_at` is null where it was never used."""

    kind: str
    slug: str
    use_count: int = 0
    last_used_at: str | None = None
    source_breakdown: Mapping[str, int] = field(default_factory=dict)
    resident_exposure_count: int = 0
    estimated_tokens_per_injection: int = 0
    estimated_total_resident_exposure_tokens: int = 0

    def plain(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class UsageReport:
    """The rows, sorted by kind and slug, and how many lines of the log could not be read. `actors`: uses by `human` and
    `agent`, by kind and slug; for the editor, no part of the report that is printed."""

    rows: tuple[RecordUsage, ...] = ()
    skipped: int = 0
    actors: Mapping[tuple[str, str], Mapping[str, int]] = field(default_factory=dict)

    def uses_of(self, kind: str, slug: str) -> int:
        """How often one record was read on purpose."""
        return next((row.use_count for row in self.rows if (row.kind, row.slug) == (kind, slug)), 0)


@dataclass(frozen=True, slots=True)
class Lists:
    """Lists for people. `candidates`: decisions and requests that were read, most read first: what could be knowledge.
    `protected`: every record with a use, which needs an explicit reason to be removed. `resident_unread`: what costs
    tokens in agents' contexts and was never read. `never_read`: all other records nobody read, as (kind, slug).
    `gone`: rows whose record does not exist any more."""

    candidates: tuple[RecordUsage, ...] = ()
    protected: tuple[RecordUsage, ...] = ()
    resident_unread: tuple[RecordUsage, ...] = ()
    never_read: tuple[tuple[str, str], ...] = ()
    gone: tuple[RecordUsage, ...] = ()

    def plain(self) -> dict[str, Any]:
        def names(rows: Iterable[RecordUsage]) -> list[dict[str, Any]]:
            return [{"kind": r.kind, "slug": r.slug, "use_count": r.use_count} for r in rows]

        costs = [
            {
                "kind": r.kind,
                "slug": r.slug,
                "resident_exposure_count": r.resident_exposure_count,
                "estimated_tokens_per_injection": r.estimated_tokens_per_injection,
                "estimated_total_resident_exposure_tokens": r.estimated_total_resident_exposure_tokens,
            }
            for r in self.resident_unread
        ]
        return {
            "knowledge_candidates": names(self.candidates),
            "protected": names(self.protected),
            "resident_unread": costs,
            "never_read": [{"kind": kind, "slug": slug} for kind, slug in self.never_read],
            "gone": names(self.gone),
        }


def report(events: Iterable[UsageEvent]) -> list[RecordUsage]:
    """What each record was used for, sorted by kind and slug. Exposure never raises a use count."""
    tally = Tally()
    for event in events:
        tally.add(event)
    return rows_of(tally)


def rows_of(tally: Tally) -> list[RecordUsage]:
    """The rows of a tally, sorted by kind and slug."""
    return [
        RecordUsage(
            kind,
            slug,
            sum(total.sources.values()),
            total.last_used_at or None,
            dict(sorted(total.sources.items())),
            total.exposures,
            total.per_injection,
            total.tokens,
        )
        for (kind, slug), total in sorted(tally.totals.items())
    ]


def lists_of(
    rows: Iterable[RecordUsage], existing: Iterable[tuple[str, str]], resident: Mapping[tuple[str, str], int]
) -> Lists:
    """The lists for people. `existing`: kind and slug of every record there is; `resident`: the tokens of those that
    ask to be in agents' contexts, whether they have been in one yet or not."""
    known = {(row.kind, row.slug): row for row in rows}
    there = sorted(set(existing))
    read = [known[key] for key in there if key in known and known[key].use_count]
    unread = [key for key in there if not (key in known and known[key].use_count)]
    costly = [known.get(key) or RecordUsage(*key) for key in unread if key in resident]
    shown = [
        row if row.resident_exposure_count else RecordUsage(row.kind, row.slug, 0, None, {}, 0, resident[key], 0)
        for row in costly
        for key in ((row.kind, row.slug),)
    ]
    return Lists(
        tuple(sorted((r for r in read if r.kind in ("decision", "request")), key=lambda r: (-r.use_count, r.slug))),
        tuple(read),
        tuple(sorted(shown, key=lambda r: (-r.estimated_total_resident_exposure_tokens, r.kind, r.slug))),
        tuple(key for key in unread if key not in resident),
        tuple(row for key, row in sorted(known.items()) if key not in set(there)),
    )


def to_plain(rows: Iterable[RecordUsage]) -> dict[str, Any]:
    return {"records": [row.plain() for row in rows]}
