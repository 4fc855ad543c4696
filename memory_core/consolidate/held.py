"""Runs that wait for a person: held because they would take too much away, or because the settings ask for a preview.

What is accepted is exactly what was shown, or nothing. Decides no content.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from memory_core.changes import ChangeSet, FileChange
from memory_core.config import Config
from memory_core.consolidate.draft import errors_in, named
from memory_core.consolidate.ending import record_changes
from memory_core.consolidate.in_editor import change_there, to_save, without
from memory_core.consolidate.task import ConsolidateRun
from memory_core.errors import Refused
from memory_core.ids import rfc3339
from memory_core.layout import record_at
from memory_core.ports import OpenTexts, Store
from memory_core.records.schema import Kind, name_of
from memory_core.refactor.diff import unified
from memory_core.snapshot import Snapshot
from memory_core.staging import HeldChange, HeldRun, Resolution


def change_set(run: HeldRun) -> ChangeSet:
    """What a held run would write."""
    return ChangeSet(MappingProxyType({c.path: FileChange(c.path, c.before, c.after) for c in run.changes}))


def causes(run: HeldRun, path: str) -> list[Resolution]:
    """The candidates that went into a file."""
    ref = record_at(path)
    if ref is None:
        return []
    return [resolution for resolution in run.closed if name_of(ref) in resolution.records]


def hold(run_id: str, now: datetime, changes: ChangeSet, closed: Iterable[Resolution], **about: Any) -> HeldRun:
    """A run to be kept for review. `about`: reason, provider, and `notes` by path."""
    notes = about.pop("notes", {})
    files = tuple(HeldChange(path=c.path, before=c.before, after=c.after, note=notes.get(c.path, "")) for c in changes)
    return HeldRun(run_id=run_id, created_at=rfc3339(now), changes=files, closed=tuple(closed), **about)


def find(store: Store, run_id: str) -> HeldRun:
    """The run that waits under an id, or a unique beginning of one. StoreError where there is none."""
    waiting = store.held()
    found = [run for run in waiting if run_id and run.run_id.startswith(run_id)]
    exact = [run for run in found if run.run_id == run_id] or found
    if len(exact) != 1:
        known = ", ".join(run.run_id for run in waiting) or "none waits"
        raise Refused(f"No run `{run_id}` waits for review ({known}).")
    return exact[0]


def accept(
    store: Store,
    run_id: str,
    config: Config,
    *,
    now: Callable[[], datetime],
    busy: Container[str] = frozenset(),
    editor: OpenTexts | None = None,
) -> ConsolidateRun:
    """Write a run exactly as it was shown. Where a file changed since, or the result would not lint today, nothing is
    written and the run keeps waiting; the status and reason say so, and `diff` what changed since it was shown.
    `editor`: where records that are open are changed."""
    with store.consolidation_lock(()):
        held = find(store, run_id)
        snapshot = store.load()
        changes = _not_yet(change_set(held), snapshot)
        left = tuple(sorted(held.candidates()))
        if conflicts := store.conflicts(changes, busy):
            return _not_written(held, conflicts, snapshot, "; nothing was written")
        if gone := _closed_since(store, held):
            reason = f"{gone.candidate} was closed since ({gone.action}: {gone.reason}): reject it"
            return ConsolidateRun(held.run_id, "failed", reason, left=left)
        preview = snapshot.with_changes(changes)
        if lost := _in_no_record(held, preview, store.staging().open):
            reason = f"it would close {', '.join(lost[:3])} without a record that says it: reject it"
            return ConsolidateRun(held.run_id, "failed", reason, left=left)
        if broken := errors_in(preview, changes.files, config.severities()):
            lines = "; ".join(line for lines in broken.values() for line in lines)
            return ConsolidateRun(held.run_id, "failed", f"the result does not lint: {lines}", left=left)
        shown, refused = change_there(editor, changes)
        if refused:
            return _not_written(held, refused, snapshot, "; nothing was written")
        notes = {change.path: change.note for change in held.changes if change.note}
        rest = without(changes, shown)
        result = store.commit(rest, run_id=held.run_id, reason="accepted after review", busy=busy, notes=notes)
        if result.conflicts:  # between the look and the write; what was written can be undone
            return _not_written(held, result.reasons, store.load())
        at = rfc3339(now())
        closed = tuple(r.model_copy(update={"recorded_at": at}) for r in held.closed if not _rests_on(r, shown))
        store.close(closed)
        store.drop_held(held.run_id)
        reason = f"accepted after review; {to_save(shown)}" if shown else "accepted after review"
        still = tuple(sorted(held.candidates() - {r.candidate for r in closed}))
        run = ConsolidateRun(held.run_id, "committed", reason, record_changes(change_set(held)), closed, still)
        store.append_audit("accept", run.plain())
        return run


def _closed_since(store: Store, held: HeldRun) -> Resolution | None:
    """How a candidate of the run was closed by somebody else since; None where none was."""
    mine = {resolution.candidate: resolution.said for resolution in held.closed}
    others = (how for how in store.closed() if how.candidate in mine and how.run_id != held.run_id)
    return next(
        (how for how in others if how.said == mine[how.candidate] or None in (how.said, mine[how.candidate])), None
    )


def _not_written(held: HeldRun, conflicts: Mapping[str, str], now: Snapshot, end: str = "") -> ConsolidateRun:
    """The run that keeps waiting, with what changed in its files since it was shown."""
    reason = "; ".join(f"{path} {why}" for path, why in sorted(conflicts.items())) + end
    since = ChangeSet()
    for change in change_set(held):
        if change.path in conflicts and (text := _text(now, change.path)) != change.before:
            since = since.with_file(change.path, change.before, text)
    left, names = tuple(sorted(held.candidates())), tuple(sorted(conflicts))
    return ConsolidateRun(held.run_id, "conflict", reason, left=left, conflicts=names, diff=unified(since))


def _rests_on(resolution: Resolution, shown: frozenset[str]) -> bool:
    """Whether a candidate went into a record that an editor holds unsaved: it stays staged until that is on disk."""
    names = {name_of(ref) for path in shown if (ref := record_at(path))}
    return bool(names & set(resolution.records))


def reject(store: Store, run_id: str) -> HeldRun:
    """Drop a run that waits; its candidates are decided anew by the next one."""
    with store.consolidation_lock(()):
        held = find(store, run_id)
        store.drop_held(held.run_id)
        store.append_audit("reject", {"run_id": held.run_id, "candidates": sorted(held.candidates())})
        return held


def _in_no_record(held: HeldRun, preview: Snapshot, staged: frozenset[str]) -> list[str]:
    """The candidates that a run would close though nothing that they are in or covered by would be there."""
    closing = [r for r in held.closed if r.action not in ("discarded", "kept")]
    places = set(staged - held.candidates())  # twins of a candidate go the way of that one
    while more := {r.candidate for r in closing if r.candidate not in places and _is_recorded(r, preview, places)}:
        places |= more
    return [r.candidate for r in closing if r.candidate not in places]


def _is_recorded(resolution: Resolution, preview: Snapshot, places: Container[str]) -> bool:
    """Whether a record that a candidate went into or is covered by is there, or a candidate that has such a place; an
    offered workflow is nobody's to write."""
    if resolution.action != "applied" and any(record in places for record in resolution.records):
        return True
    refs = [named(record) for record in resolution.records]
    return any(ref and (ref.kind is Kind.WORKFLOW or preview.document(ref)) for ref in refs)


def _not_yet(changes: ChangeSet, snapshot: Snapshot) -> ChangeSet:
    """Without what stands on disk already: an earlier accept may have died before it closed the candidates."""

    return ChangeSet({change.path: change for change in changes if _text(snapshot, change.path) != change.after})


def _text(snapshot: Snapshot, path: str) -> str | None:
    document = snapshot.documents.get(path)
    return document.text if document else None
