"""The store of one memory root on disk: the real side of `ports.Store`, put together from the modules beside it.

Knows files; linting, prompts and policy are above it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from memory_core.errors import StoreError, WorkspaceError
from memory_core.ids import rfc3339, utc_now
from memory_core.layout import MARKER, Layout
from memory_core.store.files import append_lines, lines_of, read_or_none, require_inside

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from memory_core.changes import ChangeSet
    from memory_core.ports import ArchivedRun, CommitResult, LogsBack, RunSummary, StagingArea, Tombstone
    from memory_core.sessions.model import Session
    from memory_core.sessions.pointer import Pointer
    from memory_core.snapshot import Snapshot
    from memory_core.staging import CandidateRef, DeadLetter, HeldRun, Resolution, StagingFile, StoredOffer
    from memory_core.usage import UsageEvent, UsageReport

log = logging.getLogger(__name__)
T = TypeVar("T")

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_PROMPT_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class FileStore:
    """The files below one root. Holds no state: every answer is read from disk when asked.

    What a method needs is loaded when it is called: the editor's start and a hook open a store and use little of it.
    """

    layout: Layout
    now: Callable[[], datetime] = utc_now

    def load(self) -> Snapshot:
        """All documents under the record folders; what cannot be read is in it as unreadable."""
        from memory_core.snapshot import Snapshot
        from memory_core.store.scan import scan

        return Snapshot(MappingProxyType(scan(self.layout.root)))

    def commit(
        self,
        changes: ChangeSet,
        *,
        run_id: str,
        reason: str,
        busy: Container[str] = frozenset(),
        notes: Mapping[str, str] = MappingProxyType({}),
    ) -> CommitResult:
        """Write a change set; see `ports.Store.commit`. StoreError when the disk refuses: what was written until then
        is in the archive's manifest, and nothing is half written."""
        from memory_core.ports import CommitResult
        from memory_core.store.commit import commit

        self._require_root()
        if not changes:
            return CommitResult()
        started = rfc3339(self.now())
        try:
            done = commit(self.layout, changes, run_id=run_id, started=started, reason=reason, busy=busy, notes=notes)
        except OSError as error:
            raise _failed("records", error) from error
        if any(change.after is None for change in changes):
            from memory_core.store.handing_on import tell_removed

            tell_removed(self.layout, run_id)
        return done

    def conflicts(self, changes: ChangeSet, busy: Container[str] = frozenset()) -> Mapping[str, str]:
        """What `commit` would leave alone now, and why."""
        from memory_core.store.commit import conflicts

        return conflicts(self.layout.root, changes, busy)

    def archived(self, run_id: str) -> ArchivedRun | None:
        """What a run changed and what was there before; None for an unknown run."""
        from memory_core.store import archive

        return archive.archived_run(self.layout.archive, run_id)

    def take_back_logs(self, run_id: str, undo_id: str, cited: Callable[[], Container[str]]) -> LogsBack:
        """Undo what an import did to logs; see `ports.Store`."""
        from memory_core.store import brought

        started = rfc3339(self.now())
        return self._write("logs", lambda: brought.take_back(self.layout, run_id, undo_id, started, cited))

    def tombstones(self) -> list[Tombstone]:
        from memory_core.store import tombstones

        return tombstones.standing(self.layout)

    def beside(self) -> list[FileStore]:
        """The stores in the other work trees of the same repository; see `ports.Store`."""
        from memory_core.store.worktrees import roots_beside

        return [FileStore(layout, self.now) for layout in roots_beside(self.layout)]

    def pointer(self, session: Session) -> Pointer:
        from memory_core.store.extract_pointers import read_pointer

        return read_pointer(self.layout.sessions, session)

    def pointed_at(self, session: Session) -> frozenset[str]:
        """The staging files that a pointer of a session was ever written for."""
        from memory_core.store.extract_pointers import pointed_at

        return pointed_at(self.layout.sessions, session)

    def advance(self, session: Session, pointer: Pointer) -> None:
        from memory_core.store.extract_pointers import append_pointer, pointer_log

        self._require_root()
        path = pointer_log(self.layout.sessions, session)
        if self.layout.root in path.parents:
            require_inside(self.layout.root, path)
        append_pointer(self.layout.sessions, session, pointer)

    def staging(self) -> StagingArea:
        from memory_core.ports import StagingArea

        if _holds_none(self.layout.staging):  # as in most workspaces most of the time
            return StagingArea()
        from memory_core.store import staging_files

        return staging_files.read_area(self.layout)

    def stage(self, file: StagingFile) -> None:
        from memory_core.store import staging_files

        self._write("a staging file", lambda: staging_files.write_file(self.layout, file))

    def dead_letters(self) -> list[DeadLetter]:
        from memory_core.store.waiting import LETTERS

        return LETTERS.read(self.layout)

    def bury(self, letter: DeadLetter) -> None:
        from memory_core.store.waiting import LETTERS

        self._write("a dead letter", lambda: LETTERS.write(self.layout, letter))

    def unbury(self, ids: Iterable[str]) -> None:
        from memory_core.store.waiting import LETTERS

        self._write("dead letters", lambda: LETTERS.remove(self.layout, ids))

    def held(self) -> list[HeldRun]:
        from memory_core.store.waiting import REVIEWS

        return REVIEWS.read(self.layout)

    def hold(self, run: HeldRun) -> None:
        from memory_core.store.waiting import REVIEWS

        self._write("a run for review", lambda: REVIEWS.write(self.layout, run))

    def drop_held(self, run_id: str) -> None:
        from memory_core.store.waiting import REVIEWS

        self._write("a run for review", lambda: REVIEWS.remove(self.layout, [run_id]))

    def offers(self) -> list[StoredOffer]:
        from memory_core.store.waiting import OFFERS

        return OFFERS.read(self.layout)

    def keep_offer(self, offer: StoredOffer) -> None:
        from memory_core.store.waiting import OFFERS

        self._write("an offered workflow", lambda: OFFERS.write(self.layout, offer))

    def close(self, resolutions: Sequence[Resolution]) -> frozenset[str]:
        """Close candidates; see `ports.Store`."""
        from memory_core.redact import redact
        from memory_core.store import staging_files

        # Whoever gives a reason, a person included, may quote what the candidate holds.
        kept = [one.model_copy(update={"reason": redact(one.reason)}) for one in resolutions]
        late = self._write("how candidates were closed", lambda: staging_files.close(self.layout, kept))
        if any(one.action == "discarded" and one.run_id is None for one in kept):
            from memory_core.store.handing_on import tell_discarded

            tell_discarded(self.layout, kept)
        return late

    def closed(self) -> list[Resolution]:
        """How the candidates are closed that are closed now, oldest first."""
        from memory_core.store.closed import read_closed

        return list(read_closed(self.layout).standing)

    def present_slug(self) -> Callable[[str, str, str], str]:
        """Finds the slug that a record has now; see `ports.Store`."""
        from memory_core.refactor import history
        from memory_core.store import usage_log

        return history.present_slug(usage_log.renames(self.layout.audit))

    def words_of(self, resolutions: Sequence[Resolution]) -> list[tuple[Resolution, CandidateRef]]:
        """What closed candidates said; see `ports.Store`."""
        from memory_core.store import staging_files

        return staging_files.words_of(self.layout, resolutions) if resolutions else []

    def not_to_be_had(self, resolutions: Sequence[Resolution]) -> frozenset[str]:
        """The candidates of these that `reopen` could not bring back; see `ports.Store`."""
        from memory_core.store import staging_files

        return staging_files.not_to_be_had(self.layout, resolutions)

    def amend(self, candidate: str, fields: Mapping[str, Any]) -> None:
        """Put fields into a staged candidate; see `ports.Store`."""
        from memory_core.store import staging_files

        self._write("a staging file", lambda: staging_files.amend(self.layout, candidate, fields))

    def reopen(self, resolutions: Sequence[Resolution]) -> None:
        """Open closed candidates again; see `ports.Store`."""
        from memory_core.store import staging_files

        self._write("reopened candidates", lambda: staging_files.reopen(self.layout, resolutions))

    def before_reopening(self, run_id: str) -> list[Resolution]:
        """How the candidates were closed that an undo opened again."""
        from memory_core.store.closed import before_reopening

        return before_reopening(self.resolutions(), run_id)

    def runs(self) -> list[RunSummary]:
        """The runs that changed records or closed candidates, newest first."""
        from memory_core.store import archive
        from memory_core.store.closed import closing_runs

        wrote = archive.list_runs(self.layout.archive)
        closed = closing_runs(self.layout, {run.run_id for run in wrote})
        return sorted([*wrote, *closed], key=lambda run: (run.started_at, run.run_id), reverse=True)

    def resolutions(self) -> list[Resolution]:
        """How candidates were closed so far, oldest first."""
        from memory_core.store.closed import read_resolutions

        return read_resolutions(self.layout)

    @contextmanager
    def consolidation_lock(self, consumed: Iterable[str]) -> Iterator[None]:
        """Hold the store for one consolidation; see `ports.Store`. Rolls back what a dead run left half written."""
        from memory_core.store import lock, recovery

        self._require_root()
        with lock.hold(self.layout.lock, "consolidation", self.now, consumed):
            for run_id in recovery.roll_back(self.layout):
                self.append_audit("rolled_back", {"run_id": run_id})
            yield

    def extract_lock(self, session_id: str) -> AbstractContextManager[None]:
        """Hold one session for an extract, so that two processes do not stage it twice. Raises LockHeld."""
        from memory_core.store import lock

        self._require_root()
        name = _UNSAFE.sub("-", session_id)[:100] or "session"
        return lock.hold(self.layout.cache / "locks" / f"extract.{name}.lock", "extract of this session", self.now)

    def append_usage(self, event: UsageEvent) -> None:
        """Append an event. A failure is logged and otherwise ignored: a read never fails for its statistics."""
        from memory_core.store import usage_append

        if not event.records:
            return
        try:
            self._require_root()
            usage_append.append(self.layout.usage, event, self.now())
            usage_append.append_to_main(self.layout, event, self.now())
        except (OSError, StoreError, WorkspaceError) as error:
            log.warning("A usage event was not recorded (%s): check space and permissions.", error)

    def usage(self) -> tuple[list[UsageEvent], int]:
        """All events, with records under the names they have now, and how many lines could not be read."""
        from memory_core.refactor import history
        from memory_core.store import usage_log

        events, skipped = usage_log.events(self.layout.usage)
        renames = usage_log.renames(self.layout.audit) if events else []
        return history.under_present_names(events, renames), skipped

    def usage_report(self) -> UsageReport:
        """What the usage log adds up to, in memory that does not grow with the events."""
        from memory_core.store import usage_log
        from memory_core.usage import UsageReport, rows_of

        # Clocks differ by hours and zones; what claims to be of a later day was made up, and would stay the last use.
        until = rfc3339(self.now() + timedelta(days=1))
        found = usage_log.tally(self.layout.usage, usage_log.renames(self.layout.audit), until)
        actors = {key: dict(total.actors) for key, total in found.totals.items() if total.actors}
        return UsageReport(tuple(rows_of(found)), found.skipped, actors)

    def append_audit(self, event: str, fields: Mapping[str, Any]) -> None:
        from memory_core import audit

        self._append_audit(audit.audit_line(event, self.now(), **fields))

    def keeps_audit(self) -> bool:
        return self._append_audit("")

    def _append_audit(self, line: str) -> bool:
        try:
            self._require_root()
            append_lines(self.layout.audit, line)
        except (OSError, StoreError, WorkspaceError) as error:
            log.warning("An audit event was not recorded (%s): check space and permissions.", error)
            return False
        return True

    def prompt_override(self, name: str) -> str | None:
        """The workspace's text for a bundled prompt. StoreError when the file is there and cannot be used."""
        if not _PROMPT_NAME.fullmatch(name):
            return None
        data, path = None, self.layout.prompts
        for file in (name, name.removesuffix("_system")):  # the second is what the files were called at first
            path = self.layout.prompts / f"{file}.md"
            require_inside(self.layout.root, path)
            if (data := read_or_none(path)) is not None:
                break
        try:
            return None if data is None else data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise StoreError(f"{path} is not UTF-8 (byte {error.start}): save it as UTF-8.") from error

    def drops_since(self, since: str) -> dict[str, int]:
        """What extracts threw away from an instant on, see `audit.drops_in`."""
        from memory_core import audit

        return audit.drops_in(lines_of(read_or_none(self.layout.audit) or b""), since)

    def tokens_spent_today(self) -> int:
        """Tokens of the UTC day so far: the sum of `usage` over the audit events."""
        from memory_core import audit

        data = read_or_none(self.layout.audit) or b""
        return audit.tokens_on(lines_of(data), rfc3339(self.now())[:10])

    def _write(self, what: str, write: Callable[[], T]) -> T:
        """Write `what` below a root that is there. StoreError when the disk refuses."""
        self._require_root()
        try:
            return write()
        except OSError as error:
            raise _failed(what, error) from error

    def _require_root(self) -> None:
        if not (self.layout.root / MARKER).is_dir():
            raise WorkspaceError(f"{self.layout.root} is no memory root (any more): run `omoide init` first.")
        layout = self.layout
        for path in (layout.staging, layout.archive, layout.usage, layout.audit, layout.resolutions, layout.sessions):
            require_inside(layout.root, path)
        require_inside(layout.root, layout.cache)


def _holds_none(folder: Path) -> bool:
    """Whether there is no JSON file in a folder; of one that cannot be listed nobody knows."""
    try:
        return not any(entry.name.endswith(".json") for entry in folder.iterdir())
    except OSError as error:
        return isinstance(error, FileNotFoundError)


def _failed(what: str, error: OSError) -> StoreError:
    place = error.filename or "the store"
    return StoreError(f"{place}: {what} could not be written ({error.strerror or error}): check space and permissions.")
