"""What a consolidation works on, and the port a provider fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, Protocol

from memory_core.consolidate.figures import Churn, ResidencyProposal
from memory_core.consolidate.reach import Reach, reach_of
from memory_core.llm import TokenUsage
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot
from memory_core.staging import CandidateRef, Resolution
from memory_core.usage import RecordUsage
from memory_core.worker import Work, WorkerReport


@dataclass(frozen=True)
class ConsolidateInput:
    """The candidates to decide, the records as they are, and what is known of their use. `now`: without it nothing is
    said about what nobody has read for long. `tidy`: whether records that no candidate is about may be put in order.
    `reach`: whose records these are."""

    candidates: Sequence[CandidateRef]
    snapshot: Snapshot
    usage: Sequence[RecordUsage]
    language: str
    now: datetime | None = None
    tidy: bool = True
    reach: Reach = field(default_factory=Reach)

    def for_one_scope(self) -> ConsolidateInput:
        """The same as a model is shown it, whose candidates have one scope: without records that whoever has that scope
        may not see."""
        reach = reach_of(next((ref.source.scope for ref in self.candidates if ref.source.scope), {}))
        seen = reach.seen(self.snapshot)
        usage = [row for row in self.usage if seen.document(RecordRef(Kind(row.kind), row.slug))]
        return replace(self, snapshot=seen, usage=usage, reach=reach)


class ConsolidateWorker(Protocol):
    """A provider of the consolidate step. Everything it does goes through `work.toolbox`."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str | None: ...

    async def run(self, work: Work, view: ConsolidateInput) -> WorkerReport: ...


@dataclass(frozen=True, slots=True)
class RecordChange:
    """One record a run changed; `op` is create, update or delete."""

    op: str
    kind: str
    slug: str


@dataclass(frozen=True, slots=True)
class Tidied:
    """One step of tidying: a change that rests on no candidate, and why. `record`: `decision/<slug>`."""

    record: str
    reason: str


@dataclass(frozen=True, slots=True)
class WorkflowOffer:
    """A procedure offered to people: the whole text of a workflow that nobody has written yet."""

    slug: str
    text: str
    reason: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class ConsolidateRun:
    """How a consolidation ended: the command line's JSON."""

    run_id: str
    status: Literal["committed", "nothing", "held", "conflict", "failed"]
    reason: str = ""
    changes: tuple[RecordChange, ...] = ()
    closed: tuple[Resolution, ...] = ()
    left: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    usage: TokenUsage = TokenUsage()
    diff: str = field(default="", repr=False)
    offers: tuple[WorkflowOffer, ...] = ()
    churn: Churn = field(default_factory=Churn)
    proposals: tuple[ResidencyProposal, ...] = ()
    tidied: tuple[Tidied, ...] = ()
    noticed: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "status": self.status,
            "reason": self.reason,
            "changes": [{"op": c.op, "kind": c.kind, "slug": c.slug} for c in self.changes],
            "closed": [{"candidate": r.candidate, "action": r.action, "reason": r.reason} for r in self.closed],
            "left": list(self.left),
            "conflicts": list(self.conflicts),
            "usage": self.usage.plain(),
            "offers": [{"slug": o.slug, "reason": o.reason, "text": o.text} for o in self.offers],
            "churn": self.churn.plain(),
            "proposals": [proposal.plain() for proposal in self.proposals],
            "tidied": [{"record": step.record, "reason": step.reason} for step in self.tidied],
            "noticed": list(self.noticed),
        }
