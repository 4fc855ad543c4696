"""What an extract works on, and the port a provider fills."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from memory_core.llm import TokenUsage
from memory_core.sessions.model import Entry, Session
from memory_core.worker import Work, WorkerReport


@dataclass(frozen=True)
class Slice:
    """A stretch of a session: entries `start`..`end`, both inclusive, indices of the session. `language`: of the
    human's messages (`en`, `ja`, `zh`, ...), which the output follows. `lead`: the first entry of what stands before it
    and was extracted already; a candidate may rest on that too, but not on that alone. None where there is nothing."""

    session: Session
    start: int
    end: int
    language: str
    lead: int | None = None

    @property
    def first(self) -> int:
        """The first entry that may be looked up: of the lead, or the slice's own."""
        return self.start if self.lead is None else self.lead

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.session.entries[self.start : self.end + 1]


class ExtractWorker(Protocol):
    """A provider of the extract step. Everything it finds goes through `work.toolbox`."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str | None:
        """What a server calls the model; None for rules, which cost nothing."""
        ...

    async def run(self, work: Work, view: Slice) -> WorkerReport: ...


@dataclass(frozen=True, slots=True)
class SetAside:
    """A candidate that was found and not staged: of which array, what it says in short, and why not."""

    array: str
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate that was staged: its id, whether it is a decision, discussion, attempt or request, and its line."""

    id: str
    kind: str
    says: str


@dataclass(frozen=True, slots=True)
class Price:
    """What a dry run found that would be sent: `parts` of a session, and the `tokens` of their first requests."""

    parts: int
    tokens: int


@dataclass(frozen=True)
class ExtractRun:
    """How one extract ended: an element of `runs` in the command line's JSON. `dropped`: what was found and set aside,
    `candidates`: what was staged; both are among the data only where there are any. `agent`, `title`: of the log.
    `planned`: of a dry run."""

    session_id: str
    range: tuple[int, int] | None
    status: Literal["staged", "nothing", "failed", "skipped"]
    reason: str
    staging_id: str | None = None
    counts: dict[str, int] | None = None
    usage: TokenUsage = TokenUsage()
    dropped: tuple[SetAside, ...] = ()
    agent: str = ""
    candidates: tuple[Found, ...] = ()
    title: str | None = None
    planned: Price | None = None

    def plain(self) -> dict[str, Any]:
        empty = {"decisions": 0, "discussions": 0, "attempts": 0, "requests": 0}
        return {
            "session_id": self.session_id,
            "range": list(self.range) if self.range else None,
            "status": self.status,
            "reason": self.reason,
            "staging_id": self.staging_id,
            "counts": self.counts or empty,
            "usage": self.usage.plain(),
            **({"agent": self.agent} if self.agent else {}),
            **({"candidates": [asdict(each) for each in self.candidates]} if self.candidates else {}),
            **({"planned": asdict(self.planned)} if self.planned else {}),
            **({"dropped": [asdict(each) for each in self.dropped]} if self.dropped else {}),
        }
