"""Take a run back: every file that still is as the run left it becomes what it was before.

Files changed since are left alone and named, and so is a rename whose record went on changing. What the run closed is
staged again, except what went into such a file; who wants a candidate gone closes it with a reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory_core.changes import ChangeSet
from memory_core.errors import Refused, StoreError
from memory_core.ids import rfc3339, utc_now, uuid7
from memory_core.layout import record_at
from memory_core.ports import ArchivedFile, ArchivedRun, LogsBack, Store
from memory_core.records.schema import SUMMARY, name_of
from memory_core.refactor.referrers import in_the_way
from memory_core.snapshot import Document, Snapshot
from memory_core.staging import Resolution


@dataclass(frozen=True)
class UndoResult:
    """What an undo did. `removed`/`restored`: paths of records the run had created / changed or deleted; `reopened`:
    ids of candidates that are staged again; `conflicts`: paths left alone, with the reason; `logs`: what became of logs
    that came with an import. `run_id` undoes it."""

    run_id: str
    removed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()
    conflicts: Mapping[str, str] = field(default_factory=dict)
    logs: LogsBack = field(default_factory=LogsBack)

    @property
    def nothing(self) -> bool:
        return not (self.removed or self.restored or self.reopened or self.conflicts or self.logs != LogsBack())

    def plain(self, undone: str) -> dict[str, Any]:
        """As plain data, for the command line's JSON and the editor's command. `undone`: the run taken back."""
        return {
            "run_id": undone,
            "undo_run_id": self.run_id,
            "restored": list(self.restored),
            "removed": list(self.removed),
            "reopened": list(self.reopened),
            "conflicts": sorted(self.conflicts),
            "logs_removed": list(self.logs.taken),
            "logs_restored": list(self.logs.brought),
            "logs_left": [{"path": path, "reason": why} for path, why in sorted(self.logs.left.items())],
        }


def whole_id(store: Store, beginning: str) -> str:
    """The id of the one run that begins so; what fits none is left to whoever looks the run up. StoreError where
    several runs begin so."""
    fitting = [run.run_id for run in store.runs() if beginning and run.run_id.startswith(beginning)]
    if len(fitting) > 1 and beginning not in fitting:
        raise StoreError(f"{len(fitting)} runs begin with `{beginning}`: {', '.join(fitting[:3])} …; give more of it.")
    return fitting[0] if len(fitting) == 1 else beginning


def undo(store: Store, run_id: str, *, now: Callable[[], datetime] = utc_now) -> UndoResult:
    """Restore what a run changed and stage what it closed. The undoing is a run of its own, so it can be undone too.

    StoreError for an unknown run. A run that is taken back already gives a result with `nothing`.
    """
    run = store.archived(run_id)
    closed = [how for how in store.closed() if how.run_id == run_id]
    lost = store.not_to_be_had(closed)
    if run is None:
        if not closed:
            raise Refused(f"There is no run `{run_id}` to take back: `omoide undo` lists the runs with their ids.")
        if lost:
            raise Refused(f"The archive has nothing of the run `{run_id}` any more: it cannot be taken back.")
        run = ArchivedRun(run_id, ())  # it closed candidates, and no record came of any
    snapshot = store.load()
    again = store.before_reopening(run_id)  # of an undo that is undone
    changes, reasons = _planned(snapshot, run.files, _only_there(closed, lost), _decided_since(store, again))
    changes = _without_needed(snapshot, changes, run.files, reasons)
    reasons |= store.conflicts(changes)
    changes = ChangeSet({path: change for path, change in changes.files.items() if path not in reasons})
    changes = _with_whole_moves(snapshot, changes, run.files, reasons)
    undo_id = uuid7(now())
    # Candidates first: who dies in between has them staged beside their records, which the next consolidation sees.
    reopened = _reopen(store, [c for c in closed if c.candidate not in lost], run_id, undo_id, reasons, now())
    result = store.commit(changes, run_id=undo_id, reason=f"undo of {run_id}")
    reasons.update(result.reasons)
    reasons.update({path: "could not be written" for path in result.conflicts if path not in reasons})
    removed = tuple(path for path in result.written if changes.files[path].after is None)
    restored = tuple(path for path in result.written if changes.files[path].after is not None)
    _close_again(store, again, undo_id, reasons, now())
    logs = store.take_back_logs(run_id, undo_id, lambda: _cited(store.load()))
    fields = {"run_id": undo_id, "undone": run_id, "restored": result.written, "conflicts": sorted(reasons)}
    store.append_audit("undo", {**fields, "reopened": reopened})
    return UndoResult(undo_id, removed, restored, reopened, reasons, logs)


def _cited(snapshot: Snapshot) -> frozenset[str]:
    """The sessions that records rest on."""
    records = (document.record for document in snapshot.documents.values())
    return frozenset(source.session_id for record in records if record for source in record.sources)


def _planned(
    snapshot: Snapshot, files: Sequence[ArchivedFile], only_there: Container[str], decided: Container[str]
) -> tuple[ChangeSet, dict[str, str]]:
    """What takes the files back that still are as the run left them, and why the others are left alone."""
    changes = ChangeSet()
    reasons: dict[str, str] = {}
    for file in files:
        document = snapshot.documents.get(file.path)
        if _is(document, file.before_hash):
            continue  # never written, or taken back already
        if not _is(document, file.after_hash) or (document and document.unreadable):
            reasons[file.path] = "was changed since that run"
        elif (ref := record_at(file.path)) and name_of(ref) in only_there:
            reasons[file.path] = "holds what the archive has no staged candidate of any more"
        elif ref and name_of(ref) in decided:
            reasons[file.path] = "rests on a candidate that was closed otherwise since"
        else:
            changes = changes.with_file(file.path, document.text if document else None, file.before)
    return changes, reasons


def _with_whole_moves(
    snapshot: Snapshot, changes: ChangeSet, files: Sequence[ArchivedFile], reasons: dict[str, str]
) -> ChangeSet:
    """Nothing, where a record that the run moved cannot go back whole: the halves of a move are one change, and the old
    name beside what became of the new one would be two records of one. What followed it to its new name stays so."""
    for gone, came in _moves(files):
        back = gone.path in changes.files or _is(snapshot.documents.get(gone.path), gone.before_hash)
        if (gone.path in changes.files and came.path not in changes.files) or (came.path in changes.files and not back):
            why = f"belongs to the move to {came.path}, which was changed since"
            reasons.update({path: why for path in (gone.path, came.path, *changes.files) if path not in reasons})
            return ChangeSet()
    return changes


def _moves(files: Sequence[ArchivedFile]) -> Iterator[tuple[ArchivedFile, ArchivedFile]]:
    """The files that a run took away, each with the one of the same text that it made beside it."""
    made = {(_folder(file), file.after_hash): file for file in files if file.before_hash is None}
    for file in files:
        if file.before_hash and file.after_hash is None and (came := made.get((_folder(file), file.before_hash))):
            yield file, came


def _folder(file: ArchivedFile) -> str:
    return file.path.rpartition("/")[0]


def _only_there(closed: Sequence[Resolution], lost: Container[str]) -> frozenset[str]:
    """The records that hold what candidates said that cannot be staged again, as resolutions name them; with them the
    summary, which speaks of them."""
    held = frozenset(name for how in closed if how.candidate in lost for name in how.records)
    return held | {name_of(SUMMARY)} if held else held


def _decided_since(store: Store, again: Sequence[Resolution]) -> frozenset[str]:
    """The records of candidates that an undo opened and that somebody closed after it: what they said then holds. With
    them the summary, which speaks of them."""
    now = {how.candidate for how in store.closed()} if again else set()
    held = frozenset(name for how in again if how.candidate in now for name in how.records)
    return held | {name_of(SUMMARY)} if held else held


def _close_again(
    store: Store, again: Sequence[Resolution], undo_id: str, left_alone: Mapping[str, str], now: datetime
) -> None:
    """Close what an undo had opened as it was closed before, but for what rests on records that stay away."""
    away = {name_of(ref) for path in left_alone if (ref := record_at(path))}
    waiting = store.staging().open if again else frozenset()
    closing = [
        how.model_copy(update={"run_id": undo_id, "recorded_at": rfc3339(now)})
        for how in again
        if how.candidate in waiting and not away & set(how.records)
    ]
    if closing:
        store.close(closing)


def _reopen(
    store: Store,
    closed: Sequence[Resolution],
    run_id: str,
    undo_id: str,
    left_alone: Mapping[str, str],
    now: datetime,
) -> tuple[str, ...]:
    """Open a run's candidates again, but for those whose records stay; their ids."""
    kept_records = {name_of(ref) for path in left_alone if (ref := record_at(path))}
    again = [
        Resolution(
            candidate=how.candidate,
            action="kept",
            reason=f"run {run_id} was undone",
            run_id=undo_id,
            recorded_at=rfc3339(now),
            said=how.said,
        )
        for how in closed
        if not kept_records & set(how.records)
    ]
    if again:
        store.reopen(again)
    return tuple(resolution.candidate for resolution in again)


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
        named = preview.index.backlinks.get(document.ref, ())
        links = sorted({link.path for link in in_the_way(named, document.ref)})
        if links:
            reasons[file.path] = f"is referred to by {', '.join(links[:3])} now"
            changes = ChangeSet({path: c for path, c in changes.files.items() if path != file.path})
    return changes


def _is(document: Document | None, wanted: str | None) -> bool:
    """Whether a file holds the text with a hash; other line ends are the same text, since git changes them
    (`core.autocrlf`) at each checkout."""
    if document is None or wanted is None:
        return document is None and wanted is None
    text = document.text.replace("\r\n", "\n")
    return any(_hash(form) == wanted for form in (document.text, text, text.replace("\n", "\r\n")))


def _hash(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
