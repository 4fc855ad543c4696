"""Staged candidates: the values of a staging file and its JSON. Files and locks are the store's business.

Contract: the project's format section "Staging file". Anchors are made by the host, never by a model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field

SCHEMA_VERSION = 1
EXCERPT_LIMIT = 280  # characters of an anchor's excerpt: enough to find the place again, too little to copy a log

ARRAYS: tuple[Literal["decisions", "discussions", "attempts", "requests"], ...] = (
    "decisions",
    "discussions",
    "attempts",
    "requests",
)
EvidenceKind = Literal["message", "tool_call", "tool_result", "file_ref", "artifact_ref"]
SpeakerName = Literal["human", "assistant", "tool", "system"]
Action = Literal["applied", "duplicate", "already_covered", "discarded", "kept"]


def _of_this_version(value: int) -> int:
    if value > SCHEMA_VERSION:
        raise ValueError(f"a newer Omoide wrote this (version {value}, and {SCHEMA_VERSION} is known): use that one")
    return value


# Read as if it were known, a newer file would lose what is new in it, and be removed once its candidates are closed.
Version = Annotated[int, AfterValidator(_of_this_version)]


class Anchor(BaseModel):
    """The place in a session that supports a candidate. `entry_range`: entry indices of the session, inclusive."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    evidence_id: str
    entry_range: tuple[int, int]
    kind: EvidenceKind
    speaker: SpeakerName
    native_id: str | None = None
    call_id: str | None = None
    tool: str | None = None
    path: str | None = None
    ref: str | None = None
    ts: str | None = None  # when it was said, as the log has it
    sha256: str
    excerpt: str

    def plain(self) -> dict[str, Any]:
        """Plain data without empty keys, as records and staging files store it."""
        return self.model_dump(mode="json", exclude_none=True)


class _Candidate(BaseModel):
    """Each kind declares its own `evidence`, last: an inherited field would be written before what a candidate says.
    `edited`: a person wrote it anew; what it says stands in no log. Absent in all others."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    edited: Literal[True] | None = None


class Decision(_Candidate):
    """A choice that was made: what was open, what was taken, why."""

    options: tuple[str, ...] = ()
    chosen: str
    rationale: str = ""
    evidence: tuple[Anchor, ...] = ()


class Discussion(_Candidate):
    """A topic that was talked over without a decision, and what was said of it."""

    topic: str
    points: tuple[str, ...] = ()
    evidence: tuple[Anchor, ...] = ()


class Attempt(_Candidate):
    """Something tried, and how it ended."""

    action: str
    result: str
    succeeded: bool
    evidence: tuple[Anchor, ...] = ()


class Request(_Candidate):
    """What a person asked for, beyond the moment."""

    intent: str
    target: str | None = None
    summary: str
    evidence: tuple[Anchor, ...] = ()


Candidate = Decision | Discussion | Attempt | Request


def headline(candidate: Candidate) -> str:
    """The one line that says what a candidate is."""
    match candidate:
        case Decision():
            return candidate.chosen
        case Discussion():
            return candidate.topic
        case Attempt():
            return f"{candidate.action} → {candidate.result}"
        case Request():
            return candidate.intent


def empty_field(candidate: Candidate) -> str | None:
    """The field without which a candidate says nothing, where it is blank; None for one that says something. A worker
    cannot hand in such a candidate; a file made by hand or by an older program may hold one."""
    match candidate:
        case Decision():
            fields = {"chosen": candidate.chosen}
        case Discussion():
            fields = {"topic": candidate.topic}
        case Attempt():
            fields = {"action": candidate.action, "result": candidate.result}
        case Request():
            fields = {"intent": candidate.intent}
    return next((name for name, text in fields.items() if not text.strip()), None)


def words_hash(candidate: Candidate) -> str:
    """What a candidate says, as a hash, whatever its evidence: 32 hex digits. It tells whether a candidate at some
    place of a file is still the one that was decided about."""
    data = candidate.model_dump(mode="json", exclude={"evidence", "edited"}, exclude_defaults=True)
    text = json.dumps([type(candidate).__name__, data], ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class StagingSource(BaseModel):
    """The slice a staging file was made from. `range`: entry indices of the session, inclusive. `log`: the log's path
    as it was then. `through`: the hash of the last entry of the range; older files have none."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    session_id: str = Field(validation_alias=AliasChoices("session_id", "segment_id"))
    range: tuple[int, int]
    agent: str | None = None
    log: str | None = None
    through: str | None = None
    scope: dict[str, str] | None = None  # whose session it was; None for one that is shared


class DeadLetter(BaseModel):
    """A slice that a worker could not extract: why, what it said last (redacted), and how often it was tried. It keeps
    nobody waiting but its own session, and is tried again on request, in smaller parts."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    schema_version: Version = SCHEMA_VERSION
    id: str
    run_id: str
    created_at: str
    source: StagingSource
    reason: str
    tries: int = Field(1, ge=1)
    reply: str | None = None
    provider: str | None = None
    model: str | None = None

    def to_json(self) -> str:
        data = self.model_dump(mode="json", exclude_none=True)
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


class CandidateRef(NamedTuple):
    """A candidate with its id `<staging id>/<array>/<index>` and the source of its file. `older`: that file is from
    before there were anchors, so that none is missing."""

    id: str
    array: str
    candidate: Candidate
    source: StagingSource
    older: bool = False

    def plain(self) -> dict[str, Any]:
        """The candidate with its evidence and its source, as plain data."""
        return {
            "id": self.id,
            "kind": self.array[:-1],
            "source": self.source.model_dump(mode="json", exclude_none=True),
            **self.candidate.model_dump(mode="json", exclude_none=True),
        }


class StagingFile(BaseModel):
    """One staging file. Older files (no `schema_version`, no `evidence`, `segment_id`) load."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    schema_version: Version = SCHEMA_VERSION
    id: str = ""
    run_id: str | None = None
    created_at: str | None = None
    source: StagingSource
    language: str | None = None
    decisions: tuple[Decision, ...] = ()
    discussions: tuple[Discussion, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    requests: tuple[Request, ...] = ()

    def candidates(self) -> Iterator[CandidateRef]:
        anchored = any(candidate.evidence for array in ARRAYS for candidate in getattr(self, array))
        older = "schema_version" not in self.model_fields_set and not anchored
        for array in ARRAYS:
            for number, candidate in enumerate(getattr(self, array)):
                yield CandidateRef(f"{self.id}/{array}/{number}", array, candidate, self.source, older)

    def counts(self) -> dict[str, int]:
        return {array: len(getattr(self, array)) for array in ARRAYS}

    def to_json(self) -> str:
        """The bytes of the file: indented, keys in order, non-ASCII kept, a newline at the end."""
        data = self.model_dump(mode="json", exclude_none=True)
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


class Resolution(BaseModel):
    """How a candidate was closed: one line of `_resolutions.jsonl`. `said`: `words_hash` of what was decided about; a
    file may be edited by hand, so that something else stands at the candidate's place. `beside`: the other staging
    files that rested on the same entries when a person discarded it. Older lines have neither."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    schema_version: int = 1
    candidate: str
    action: Action
    reason: str
    records: tuple[str, ...] = ()
    run_id: str | None = None
    recorded_at: str
    said: str | None = None
    beside: tuple[str, ...] | None = None


class StoredOffer(BaseModel):
    """A workflow that a run offered, whole, and what a person said to it: it is offered once."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    schema_version: Version = SCHEMA_VERSION
    slug: str
    text: str
    reason: str
    candidates: tuple[str, ...] = ()
    run_id: str
    offered_at: str
    answer: Literal["open", "later", "never", "created"] = "open"
    answered_at: str | None = None

    def to_json(self) -> str:
        return json.dumps(self.model_dump(mode="json", exclude_none=True), ensure_ascii=False, indent=2) + "\n"


class HeldChange(BaseModel):
    """One file as it was when a run was made, and as it would become; None where there is no file. `note`: why."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    path: str
    before: str | None = None
    after: str | None = None
    note: str = ""


class HeldRun(BaseModel):
    """A finished run of which nothing is written yet, because a person is to see it first. `closed`: how its
    candidates would be closed."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    schema_version: Version = SCHEMA_VERSION
    run_id: str
    created_at: str
    reason: str
    provider: str | None = None
    changes: tuple[HeldChange, ...]
    closed: tuple[Resolution, ...] = ()

    def candidates(self) -> frozenset[str]:
        """The candidates that are decided in it: the next run must not decide them again."""
        return frozenset(resolution.candidate for resolution in self.closed)

    def to_json(self) -> str:
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
