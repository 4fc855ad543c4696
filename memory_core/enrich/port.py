"""What an enricher is to us: declared capabilities, three calls, and the values that go in and come out.

Holds no policy: whoever implements `Enricher` may be slow, wrong or hostile; `recall` and `upkeep` reckon with that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from memory_core.records.schema import Kind, RecordRef

Mode = Literal["semantic", "recent"]
ScopeLevel = Literal["none", "own_agent", "agents", "tenant", "full"]

# Which keys of a scope an enricher of each level can keep apart. A record with other keys is never sent to it. `full`
# is for enrichers inside this process, whose whole output is judged by the wrapper anyway.
SCOPE_OF: Mapping[ScopeLevel, frozenset[str]] = {
    "none": frozenset(),
    "own_agent": frozenset({"agent"}),
    "agents": frozenset({"agent"}),
    "tenant": frozenset({"agent", "tenant"}),
    "full": frozenset({"agent", "session", "tenant", "principal"}),
}


@dataclass(frozen=True, slots=True)
class Caps:
    """What an enricher says it can do, looked at before every call. `max_bytes`: of one record it takes. `first_s`:
    seconds its first recall may take instead, while it loads. `fuses`: its references are ranked together with the
    lexical ones; only enrichers of our own may say so."""

    result: Literal["reference", "derived"] = "reference"
    scope: ScopeLevel = "none"
    modes: frozenset[Mode] = frozenset({"semantic"})
    cleanup: bool = True
    max_bytes: int = 64 * 1024
    first_s: float = 0.0
    fuses: bool = False


@dataclass(frozen=True, slots=True)
class EnrichRow:
    """A record as it may be sent: its revision is that of the file, its text is without secrets."""

    ref: RecordRef
    rev: str
    text: str
    scope: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return id_of(self.ref)


@dataclass(frozen=True, slots=True)
class EnrichQuery:
    """What is asked. `agent` and `tenant`: only where the enricher declared that it keeps them apart. `hidden`: ids of
    records that the one who asks may not see; told to enrichers of our own, so that none takes a place."""

    text: str
    limit: int
    mode: Mode = "semantic"
    agent: str | None = None
    tenant: str | None = None
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Hit:
    """A reference to a record at a revision; what it says is read from the store, never from the enricher."""

    id: str
    rev: str
    score: float


@dataclass(frozen=True, slots=True)
class Derived:
    """Text of the enricher's own making: untrusted, whatever it says."""

    text: str
    score: float = 0.0


class Deadline:
    """The instant until which a call may take. The clock is monotonic seconds."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left, never below 0."""
        return max(0.0, self._end - self._clock())


class Enricher(Protocol):
    """Something that helps to find records. Any call may raise whatever it likes; nothing of ours depends on it."""

    @property
    def name(self) -> str: ...

    @property
    def caps(self) -> Caps: ...

    @property
    def model(self) -> str:
        """What its state was made with: another value means that all of it has to be made again."""
        ...

    def upsert(self, rows: Sequence[EnrichRow], deadline: Deadline) -> None:
        """Take records in the revision given, in place of any other."""
        ...

    def recall(self, query: EnrichQuery, deadline: Deadline) -> Sequence[Hit | Derived]: ...

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:
        """Forget records; unknown ids are fine."""
        ...


def id_of(ref: RecordRef) -> str:
    """A record's identity as enrichers know it: `knowledge/api-keys`."""
    return f"{ref.kind.value}/{ref.slug}"


def ref_of(text: object) -> RecordRef | None:
    """The record that an id names; None for anything else."""
    if not isinstance(text, str):
        return None
    kind, _, slug = text.partition("/")
    return RecordRef(Kind(kind), slug) if kind in set(Kind) and slug else None
