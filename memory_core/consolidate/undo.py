"""Take a run back: every file that still is as the run left it becomes what it was before.

Files changed since are left alone and named. Candidates stay closed: taking a result back is a verdict on it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime

from memory_core.changes import ChangeSet
from memory_core.errors import StoreError
from memory_core.ids import utc_now, uuid7
from memory_core.ports import ArchivedFile, CommitResult, Store
from memory_core.snapshot import Document, Snapshot


def undo(store: Store, run_id: str, *, now: Callable[[], datetime] = utc_now) -> CommitResult:
    """Restore what a run changed. The undoing is a run of its own, so it can be undone too.

    StoreError for an unknown run. `conflicts` are the files changed since, or still referred to.
    """
    run = store.archived(run_id)
    if run is None:
        raise StoreError(f"The archive holds no run `{run_id}` that wrote records: `omoide audit` lists the runs.")
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
    conflicts = tuple(sorted({*reasons, *result.conflicts}))
    fields = {"run_id": undo_id, "undone": run_id, "restored": result.written, "conflicts": conflicts}
    store.append_audit("undo", fields)
    return CommitResult(result.written, conflicts, reasons)


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
