"""Follow `replaced_by` from one decision to the next. Says how the chain ends, not whether that is a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot

MOST_HOPS = 100  # a bound on work; the longest honest chain is a handful


@dataclass(frozen=True, slots=True)
class Chain:
    """The slugs of a chain in order, its first decision included, and how it ends: `current` (a decision without
    `replaced_by`), `unknown` (the last slug has no file) or `endless` (it comes back to a decision passed before)."""

    slugs: tuple[str, ...]
    end: Literal["current", "unknown", "endless"]


def chain_from(snapshot: Snapshot, slug: str) -> Chain:
    """The chain of replacements that starts at a decision."""
    slugs = [slug]
    while len(slugs) <= MOST_HOPS:
        record = snapshot.record(RecordRef(Kind.DECISION, slugs[-1]))
        if record is None:
            return Chain(tuple(slugs), "unknown")
        following = record.replaced_by
        if following is None:
            return Chain(tuple(slugs), "current")
        slugs.append(following)
        if following in slugs[:-1]:
            return Chain(tuple(slugs), "endless")
    return Chain(tuple(slugs), "endless")
