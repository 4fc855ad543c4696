"""Record changes on their way out: to the editor where a file of theirs is open there, else to the store as one run.

What a change consists of is the core's `refactor`; this decides who writes it, and never writes half of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.errors import MemoryCoreError
from server import errors, open_mentions
from server.background import in_thread
from server.commands import arguments
from server.convert import edits
from server.features import file_operations
from server.language_server import Server
from server.planned import planned, texts_before

if TYPE_CHECKING:
    from memory_core.changes import ChangeSet
    from memory_core.refactor.file_edits import FileEdits
    from memory_core.refactor.referrers import Refusal
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace
    from server.state import Root

Plan = Callable[["Snapshot", "Workspace"], "ChangeSet | Refusal"]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a change. `status`: committed (by the store, under `run_id`), applied (by the editor, whose undo
    takes it back) or dry-run."""

    status: str
    changes: list[dict[str, str]]
    run_id: str | None = None
    diff: str | None = None

    def plain(self) -> dict[str, Any]:
        shown = {"status": self.status, "run_id": self.run_id, "changes": self.changes}
        return shown if self.diff is None else {**shown, "diff": self.diff}


@dataclass(frozen=True, slots=True)
class Change:
    """A change to be made. `event` and `facts` go into the audit log, `note` is the person's reason; `alone`: no
    consolidation may run meanwhile, since it could add a reference to what goes; `moved`: a path and its next."""

    event: str
    plan: Plan
    facts: Mapping[str, Any]
    note: str = ""
    alone: bool = False
    moved: tuple[str, str] | None = None


async def write(ls: Server, root: Root, change: Change, *, dry_run: bool = False, by_store: bool = False) -> Written:
    """Carry a change out. The request fails, with the reason and nothing written, where the core refuses it, where a
    file was changed meanwhile, or where the editor does not apply it. `by_store`: also files that are open there;
    these must have no unsaved edits then."""
    from memory_core.refactor.diff import unified
    from memory_core.refactor.referrers import Refusal

    workspace = await arguments.workspace_of(ls, root)
    changes, to = await planned(ls, root, lambda snapshot: change.plan(snapshot, workspace), texts_before)
    if isinstance(changes, Refusal):
        raise errors.refused(changes)
    if dry_run:
        return Written("dry-run", changes.plain(), diff=unified(changes))
    busy = ls.state.busy(root)
    if by_store and (unsaved := [file.path for file in changes if file.path in busy]):
        raise errors.request_failed(f"{', '.join(unsaved)} has unsaved edits: save or undo them first.")
    shown = ls.state.texts_of(root)
    if not by_store and any(file.path in shown for file in changes):
        return await _by_the_editor(ls, root, change, changes, to)
    try:
        run_id = await in_thread("write", lambda: _commit(workspace, change))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    finally:
        await asyncio.shield(ls.loader.refresh(root, {file.path for file in changes}))
    return Written("committed", changes.plain(), run_id)


async def _by_the_editor(ls: Server, root: Root, change: Change, changes: ChangeSet, to: edits.Places) -> Written:
    """The whole change, so that it is one step of the editor's undo."""
    label = f"Omoide: {change.event}"
    if change.moved:
        outside = _outside(ls, root, *change.moved)
        edit = edits.workspace_edit(_with_move(changes, *change.moved), to, label=label, outside=outside)
    else:
        edit = edits.of_changes(changes, to, label=label)
    if edit is None:
        raise errors.request_failed("Your editor cannot apply this change: save and close the files it is about first.")
    if change.moved:
        _expect_rename(ls, root, *change.moved)
    answer = asyncio.wrap_future(ls.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit, label)))
    await asyncio.wait({answer})
    failure = answer.exception()
    if failure or not answer.result().applied:
        why = failure or answer.result().failure_reason or "it gave no reason"
        raise errors.request_failed(f"The editor did not apply the change: {why}")
    await ls.loader.refresh(root, {file.path for file in changes})
    return Written("applied", changes.plain())


def _outside(ls: Server, root: Root, old: str, new: str) -> list[types.TextDocumentEdit]:
    from memory_core.layout import record_at

    source, target = record_at(old), record_at(new)
    return open_mentions.renamed(ls.state, root, source, target) if source and target else []


def _expect_rename(ls: Server, root: Root, old: str, new: str) -> None:
    """Reads of the record under its old name count for the new one, whichever way the rename is done."""
    from memory_core.layout import record_at

    source, target = record_at(old), record_at(new)
    if source and target:
        file_operations.expect_rename(ls, root, source, target)


def _with_move(changes: ChangeSet, old: str, new: str) -> list[FileEdits]:
    """A change set in which one file goes and comes back under another name, as edits that keep it one file."""
    from memory_core.refactor.file_edits import FileEdits, edits_between, file_edits

    before, after = changes.files[old].before or "", changes.files[new].after or ""
    moved = FileEdits(old, before, edits_between(before, after), new)
    return [moved, *(file_edits(change) for change in changes if change.path not in (old, new))]


def _commit(workspace: Workspace, change: Change) -> str:
    """The id of the run that wrote all of a change, planned anew over what lies on disk now."""
    from memory_core.consolidate.one_run import commit_whole
    from memory_core.refactor.referrers import Refusal

    store = workspace.store
    with store.consolidation_lock(()) if change.alone else nullcontext():
        changes = change.plan(store.load(), workspace)
        if isinstance(changes, Refusal):
            raise MemoryCoreError(changes.told)
        run_id, conflicts = "", store.conflicts(changes)
        if not conflicts:
            run_id, conflicts = commit_whole(
                store, changes, event=change.event, facts=change.facts, note=change.note, now=workspace.now
            )
        if conflicts:
            why = "; ".join(f"{path} {reason}" for path, reason in sorted(conflicts.items()))
            raise MemoryCoreError(f"{why}: nothing was changed.")
        return run_id
