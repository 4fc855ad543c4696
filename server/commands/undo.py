"""`omoide.undo`: take a run back, or list the runs that can be. Answers what `omoide undo --json` prints."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.errors import MemoryCoreError
from memory_core.text import counted
from server import errors
from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.consolidate.undo import UndoResult
    from memory_core.workspace import Workspace

NAME = "omoide.undo"


async def undo(ls: Server, *args: Any) -> dict[str, Any]:
    """Records open with unsaved edits are in the way: they would be saved over what came back."""
    given = arguments.read(NAME, args, {"run_id": str})
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    run_id = given.get("run_id")
    if run_id is None:
        return {"runs": [asdict(run) for run in await in_thread("runs", workspace.store.runs)]}
    busy = ls.state.busy(root)
    try:
        result = await in_thread("undo", lambda: _take_back(workspace, run_id, busy))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    await ls.loader.refresh(root, {*result.restored, *result.removed})
    ls.status.staging_changed(root)
    if not given.get("quiet"):
        ls.say(*summary(result))
    return result.plain(run_id)


def _take_back(workspace: Workspace, run_id: str, busy: frozenset[str]) -> UndoResult:
    from memory_core.consolidate.undo import undo as take_back
    from memory_core.consolidate.undo import whole_id

    run_id = whole_id(workspace.store, run_id)
    run = workspace.store.archived(run_id)
    unsaved = [file.path for file in run.files if file.path in busy] if run else []
    if unsaved:
        raise MemoryCoreError(f"{', '.join(unsaved)} has unsaved edits: save or undo them first.")
    return take_back(workspace.store, run_id, now=workspace.now)


def summary(result: UndoResult) -> tuple[str, types.MessageType]:
    """The outcome in one line for people."""
    if result.conflicts:
        path, reason = sorted(result.conflicts.items())[0]
        more = f" and {len(result.conflicts) - 1} more" if len(result.conflicts) > 1 else ""
        return f"Omoide: {path}{more} left alone: it {reason}.", types.MessageType.Warning
    if result.nothing:
        return "Omoide: that run is taken back already.", types.MessageType.Info
    logs = len(result.logs.taken) + len(result.logs.brought)
    more = f", {counted(logs, 'log')} too" if logs else ""
    records = counted(len(result.removed) + len(result.restored), "record")
    staged = f", {counted(len(result.reopened), 'candidate')} staged again" if result.reopened else ""
    return f"Omoide: {records} as before{more}{staged}.", types.MessageType.Info
