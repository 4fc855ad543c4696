"""Take a run back: every file that still is as the run left it becomes what it was before.

Files changed since are left alone and named. What the run closed is staged again, except what went into such a file;
who wants a candidate gone closes it with a reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memory_core.changes import ChangeSet
from memory_core.errors import StoreError
from memory_core.ids import rfc3339, utc_now, uuid7
from memory_core.layout import record_at
from memory_core.ports import ArchivedFile, ArchivedRun, Store
from memory_core.records.schema import SUMMARY, RecordRef
from memory_core.snapshot import Document, Snapshot
from memory_core.staging import Resolution


@dataclass(frozen=True)
class UndoResult:
    """What an undo did. `removed`/`restored`: paths of records the run had created / changed or deleted; `reopened`:
    ids of candidates that are staged again; `conflicts`: paths left alone, with the reason. `run_id` undoes it."""

    run_id: str
    removed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    conflicts: Mapping[str, str] = field(default_factory=dict)

    @property
    def nothing(self) -> bool:
        return not (self.removed or self.restored or self.reopened or self.conflicts)


def undo(store: Store, run_id: str, *, now: Callable[[], datetime] = utc_now) -> UndoResult:
    """Restore what a run changed and stage what it closed. The undoing is a run of its own, so it can be undone too.

    StoreError for an unknown run. A run that is taken back already gives a result with `nothing`.
    """
    run = store.archived(run_id)
    if run is None:
        if not store.closed_by(run_id):
            raise StoreError(f"There is no run `{run_id}` to take back: `omoide undo` lists the runs with their ids.")
        run = ArchivedRun(run_id, ())  # it closed candidates, and no record came of any
    snapshot = store.load()
    changes = ChangeSet()
    reasons: dict[str, str] = {}
    for file in run.files:
        document = snapshot.documents.get(file.path)
        current = _hash(document)
        if current == file.before_hash:
            continue  # never written, or taken back already
        if current != file.after_hash or (document and document.unreadable):
            reasons[file.path] = "was changed since that run"
        else:
            changes = changes.with_file(file.path, document.text if document else None, file.before)
    changes = _without_needed(snapshot, changes, run.files, reasons)
    undo_id = uuid7(now())
    result = store.commit(changes, run_id=undo_id, reason=f"undo of {run_id}")
    reasons.update(result.reasons)
    reasons.update({path: "could not be written" for path in result.conflicts if path not in reasons})
    reopened = _reopen(store, run_id, undo_id, reasons, now())
    removed = tuple(path for path in result.written if changes.files[path].after is None)
    restored = tuple(path for path in result.written if changes.files[path].after is not None)
    fields = {"run_id": undo_id, "undone": run_id, "restored": result.written, "conflicts": sorted(reasons)}
    store.append_audit("undo", {**fields, "reopened": reopened})
    return UndoResult(undo_id, removed, restored, reopened, reasons)


def _reopen(store: Store, run_id: str, undo_id: str, left_alone: Mapping[str, str], now: datetime) -> tuple[str, ...]:
    """Open the run's candidates again, but for those whose records stay; their ids."""
    kept_records = {_name(ref) for path in left_alone if (ref := record_at(path))}
    again = [
        Resolution(
            candidate=closed.candidate,
            action="kept",
            reason=f"run {run_id} was undone",
            run_id=undo_id,
            recorded_at=rfc3339(now),
        )
        for closed in store.closed_by(run_id)
        if not kept_records & set(closed.records)
    ]
    store.reopen(again)
    return tuple(resolution.candidate for resolution in again)


def _name(ref: RecordRef) -> str:
    """A record as resolutions name it."""
    return "summary" if ref == SUMMARY else f"{ref.kind}/{ref.slug}"


def _without_needed(
    snapshot: Snapshot, changes: ChangeSet, files: tuple[ArchivedFile, ...], reasons: dict[str, str]
) -> ChangeSet:
    """Without removals of records that something would still refer to."""
    preview = snapshot.with_changes(changes)
    for file in files:
        change = changes.files.get(file.path)
        document = snapshot.documents.get(file.path)
        if not change or change.after is not None or not document or not document.ref:
            continue
        links = sorted({link.path for link in preview.index.backlinks.get(document.ref, ())})
        if links:
            reasons[file.path] = f"is referred to by {', '.join(links[:3])} now"
            changes = ChangeSet({path: c for path, c in changes.files.items() if path != file.path})
    return changes


def _hash(document: Document | None) -> str | None:
    if document is None:
        return None
    return "sha256:" + hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
