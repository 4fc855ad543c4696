"""What the core needs from the world, as protocols: a store, a model, progress. Nothing here does anything."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # names only: who uses no staging does not load what checks it
    from memory_core.changes import ChangeSet
    from memory_core.layout import Layout
    from memory_core.llm import ModelReply, ModelRequest
    from memory_core.sessions.model import Session
    from memory_core.sessions.pointer import Pointer
    from memory_core.snapshot import Snapshot
    from memory_core.staging import CandidateRef, DeadLetter, HeldRun, Resolution, StagingFile, StoredOffer
    from memory_core.usage import UsageEvent, UsageReport


class Model(Protocol):
    """A language model behind some API."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One reply. Raises ProviderUnavailable, ProviderError or Cancelled; retries are its own business."""
        ...


class Progress(Protocol):
    """Where long work reports, and where it learns that it should stop."""

    def report(self, message: str, fraction: float | None = None) -> None:
        """Say what is being done; `fraction` from 0 to 1 where it is known."""
        ...

    @property
    def cancelled(self) -> bool: ...


class EditorTurns(Protocol):
    """The language models of the editor that a run was started from, asked by messages to it. What it answers is handed
    on as it came, unchecked. Both raise ProviderUnavailable where the editor does not take the question."""

    async def describe(self, model: str | None) -> Any:
        """Which model would answer. `model`: the one that the settings name."""
        ...

    async def turn(self, turn: Mapping[str, Any]) -> Any:
        """One turn of a model: messages and tools, as `providers.editor` writes them."""
        ...


class OpenTexts(Protocol):
    """The texts that are open in an editor, as a run that writes records sees them. Called on the run's thread."""

    def shows(self, path: str) -> bool:
        """Whether a file is open there and the editor takes edits."""
        ...

    def apply(self, changes: ChangeSet) -> str | None:
        """Have the editor change open files, all in one step or none. The end of a sentence that says why it did not;
        None when it did: then the files on disk change when the person saves."""
        ...


class Silent:
    """Progress nobody watches."""

    cancelled = False

    def report(self, message: str, fraction: float | None = None) -> None:
        pass


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What became of a change set. `conflicts`: paths whose file was not as the change set expected; those files and
    their candidates are left alone, all others are `written`. `reasons`: the end of a sentence for each conflict."""

    written: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A file a run changed: its text and hash before, its hash after; None where there was or is no file."""

    path: str
    before: str | None
    before_hash: str | None
    after_hash: str | None


@dataclass(frozen=True, slots=True)
class ArchivedRun:
    """What the archive knows of one run."""

    run_id: str
    files: tuple[ArchivedFile, ...]


@dataclass(frozen=True, slots=True)
class LogsBack:
    """What an undo did with the logs that an import brought: paths `taken` away, or `brought` again where an undo is
    undone; `left`: the end of a sentence by path, of those that stay as they are."""

    taken: tuple[str, ...] = ()
    brought: tuple[str, ...] = ()
    left: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A record that was taken away and is not back: where it was, what it said, which run removed it, why and when (RFC
    3339). `workspace`: where that was, unless it was here."""

    path: str
    text: str
    run_id: str
    reason: str
    at: str = ""
    workspace: str = ""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line about a run in the archive: when it began (RFC 3339), what it was, how many files it wrote."""

    run_id: str
    started_at: str
    reason: str
    files: int


@dataclass(frozen=True)
class StagingArea:
    """Staging as found. `open`: ids of candidates not closed yet; `invalid`: (file name, reason) of unreadable files,
    which are kept; `bytes`: size of the valid files."""

    files: tuple[StagingFile, ...] = ()
    open: frozenset[str] = frozenset()
    invalid: tuple[tuple[str, str], ...] = ()
    bytes: int = 0


class Store(Protocol):
    """The files of one memory root. Every write is whole or not there; reading answers problems, not exceptions."""

    @property
    def layout(self) -> Layout: ...

    def load(self) -> Snapshot:
        """All documents under the record folders."""
        ...

    def commit(
        self,
        changes: ChangeSet,
        *,
        run_id: str,
        reason: str,
        busy: Container[str] = frozenset(),
        notes: Mapping[str, str] = MappingProxyType({}),
    ) -> CommitResult:
        """Write a change set: each file compared with what the change expects, its preimage archived under the run,
        then replaced by rename. `busy`: paths open with unsaved edits, which count as conflicts. `notes`: why, by
        path, where a file has a reason of its own."""
        ...

    def conflicts(self, changes: ChangeSet, busy: Container[str] = frozenset()) -> Mapping[str, str]:
        """The files of a change set that could not be written now, each with the end of a sentence that says why."""
        ...

    def runs(self) -> list[RunSummary]:
        """The runs that changed records or closed candidates, newest first."""
        ...

    def archived(self, run_id: str) -> ArchivedRun | None:
        """What a run changed, with what was there before; None for a run the archive does not know."""
        ...

    def take_back_logs(self, run_id: str, undo_id: str, cited: Callable[[], Container[str]]) -> LogsBack:
        """Take away the logs that a run brought, as far as nothing used them since, or bring back those that an undo
        took away. `cited`: asked for the sessions that records rest on, where there is something to take."""
        ...

    def tombstones(self) -> list[Tombstone]:
        """The records that a person or a run removed and nobody brought back, in the order of their removal."""
        ...

    def beside(self) -> Sequence[Store]:
        """The stores in the other work trees of the same repository on this machine. What was decided there about a
        session is known here: all of them see the sessions of all."""
        ...

    def pointer(self, session: Session) -> Pointer:
        """How far a session was extracted: from its own log, or its sidecar for another program's log."""
        ...

    def pointed_at(self, session: Session) -> frozenset[str]:
        """The staging files that a pointer of a session was ever written for."""
        ...

    def advance(self, session: Session, pointer: Pointer) -> None:
        """Append the pointer to our own log or to the sidecar, never to another program's file."""
        ...

    def staging(self) -> StagingArea: ...

    def stage(self, file: StagingFile) -> None:
        """Write a staging file. The same id again replaces it whole."""
        ...

    def dead_letters(self) -> list[DeadLetter]:
        """The slices that could not be extracted, oldest first."""
        ...

    def bury(self, letter: DeadLetter) -> None:
        """Keep a letter; the same id again replaces it."""
        ...

    def unbury(self, ids: Iterable[str]) -> None:
        """Remove letters whose slices were extracted after all."""
        ...

    def held(self) -> list[HeldRun]:
        """The runs that wait for review, oldest first."""
        ...

    def hold(self, run: HeldRun) -> None:
        """Keep a run for review."""
        ...

    def drop_held(self, run_id: str) -> None:
        """A run was accepted or rejected."""
        ...

    def offers(self) -> list[StoredOffer]:
        """The workflows that were offered, whatever a person said to them, in the order of their slugs."""
        ...

    def keep_offer(self, offer: StoredOffer) -> None:
        """Keep an offer, or what a person said to it; the same slug again replaces it."""
        ...

    def close(self, resolutions: Sequence[Resolution]) -> frozenset[str]:
        """Append how candidates were closed, then remove the staging files that have no open candidate left. A
        candidate that somebody closed before stays as it was closed; the ids of these."""
        ...

    def closed(self) -> list[Resolution]:
        """How the candidates are closed that are closed now, oldest first."""
        ...

    def resolutions(self) -> list[Resolution]:
        """How candidates were decided so far, oldest first, also those that are open again."""

    def words_of(self, resolutions: Sequence[Resolution]) -> list[tuple[Resolution, CandidateRef]]:
        """The closed candidates that some of `closed` are about, with what they said, where their files can be read."""

    def present_slug(self) -> Callable[[str, str, str], str]:
        """Finds the slug that a record has now: from its kind, the slug it had, and when it had it (RFC 3339)."""
        ...

    def reopen(self, resolutions: Sequence[Resolution]) -> None:
        """Bring archived staging files back, then append the resolutions (`kept`), which open their candidates."""
        ...

    def before_reopening(self, run_id: str) -> list[Resolution]:
        """How the candidates were closed that an undo opened again."""
        ...

    def not_to_be_had(self, resolutions: Sequence[Resolution]) -> frozenset[str]:
        """The candidates of these that `reopen` could not bring back, since no copy of their file can be read."""
        ...

    def amend(self, candidate: str, fields: Mapping[str, Any]) -> None:
        """Put fields into a staged candidate, None to take one out; everything else in its file stays as it is."""
        ...

    def consolidation_lock(self, consumed: Iterable[str]) -> AbstractContextManager[None]:
        """Hold the store for one consolidation. Raises LockHeld, naming the holder; a dead holder is taken over."""
        ...

    def extract_lock(self, session_id: str) -> AbstractContextManager[None]:
        """Hold one session for an extract. Raises LockHeld when another process extracts it."""
        ...

    def append_usage(self, event: UsageEvent) -> None:
        """Append an event; a failure is logged and otherwise ignored, a read never fails for its statistics."""
        ...

    def usage(self) -> tuple[list[UsageEvent], int]:
        """All events, and how many lines could not be read."""
        ...

    def usage_report(self) -> UsageReport:
        """What the usage log adds up to, whatever its size."""
        ...

    def append_audit(self, event: str, fields: Mapping[str, Any]) -> None:
        """Append to the audit log; a failure is logged and otherwise ignored, a run never fails for it. A field
        `usage` (`TokenUsage.plain()`) counts towards `tokens_spent_today`."""
        ...

    def keeps_audit(self) -> bool:
        """Whether the audit log can be appended to."""
        ...

    def prompt_override(self, name: str) -> str | None:
        """The workspace's own text for a bundled prompt."""
        ...

    def tokens_spent_today(self) -> int:
        """Input and output tokens of all runs of the UTC day so far."""
        ...
