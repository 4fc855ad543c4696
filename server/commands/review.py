"""Runs that wait for a person, in the editor: shown as a page of diffs, accepted, rejected, and asked about once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memory_core.errors import MemoryCoreError
from memory_core.text import counted
from server import errors
from server.background import in_thread
from server.choice import choose
from server.commands import arguments
from server.commands.open_records import OpenRecords, Unsaved
from server.convert.uris import from_path
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.consolidate.task import ConsolidateRun
    from memory_core.staging import HeldRun
    from memory_core.workspace import Workspace
    from server.state import Root

ACTIONS = ("review", "accept", "reject")
REVIEW, ACCEPT, REJECT, LATER = "Review", "Accept", "Reject", "Not now"


async def carry_out(ls: Server, root: Root, action: str, run_id: str, *, quiet: bool) -> dict[str, Any]:
    """What `omoide.consolidate` answers when it is asked about a run that waits: the run itself for `review`, with the
    `uri` of its page; what became of it otherwise."""
    workspace = await arguments.workspace_of(ls, root)
    try:
        match action:
            case "review":
                return await _review(ls, workspace, run_id, quiet=quiet)
            case "accept":
                run = await _accept(ls, root, workspace, run_id)
                if not quiet:
                    ls.say(*accepted(run))
                    if run.diff:
                        ls.note(f"What changed since the run {run.run_id} was made:\n{run.diff}")
                return run.plain() | ({"changed_since": run.diff} if run.status == "conflict" else {})
            case _:
                dropped = await in_thread("reject", lambda: _reject(workspace, run_id))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    ls.status.staging_changed(root)
    left = sorted(dropped.candidates())
    if not quiet:
        ls.say(f"Omoide: dropped; {counted(len(left), 'candidate')} wait for the next consolidation.")
    return {"run_id": dropped.run_id, "status": "rejected", "left": left}


async def ask(ls: Server, root: Root, run: ConsolidateRun) -> None:
    """Tell the person of a run that was held, and do what they choose."""
    text = f"Omoide: the consolidation waits for your review. {run.reason}"
    titles = (REVIEW, ACCEPT, LATER)
    for _ in range(2):  # once as it is found, once after it was shown
        chosen = await choose(ls, text, titles, types.MessageType.Warning)
        if chosen == REVIEW:
            await carry_out(ls, root, "review", run.run_id, quiet=False)
            text = f"Omoide: write the run {run.run_id} as it is shown?"
            titles = (ACCEPT, REJECT, LATER)
            continue
        if chosen in (ACCEPT, REJECT):
            try:
                await carry_out(ls, root, str(chosen).lower(), run.run_id, quiet=False)
            except JsonRpcException as error:
                ls.say(f"Omoide: {error.message}", types.MessageType.Error)
        return


def accepted(run: ConsolidateRun) -> tuple[str, types.MessageType]:
    """The outcome of accepting in one line for people."""
    if run.status == "committed":
        text = f"{counted(len(run.changes), 'record')} changed, {counted(len(run.closed), 'candidate')} closed."
        unsaved = f" {run.reason.partition('; ')[2]}." if run.left else ""
        return f"Omoide: {text}{unsaved}", types.MessageType.Info
    what = " The server's log shows what changed since the run was made." if run.diff else ""
    return f"Omoide: not accepted: {run.reason}. The run still waits.{what}", types.MessageType.Warning


async def _review(ls: Server, workspace: Workspace, run_id: str, *, quiet: bool) -> dict[str, Any]:
    shown, path = await in_thread("review", lambda: _page(workspace, run_id))
    uri = from_path(path)
    if not quiet:
        ls.show(uri)
    return {"held": [shown], "uri": uri}


async def _accept(ls: Server, root: Root, workspace: Workspace, run_id: str) -> ConsolidateRun:
    busy, editor = Unsaved(ls, root), OpenRecords(ls, root)
    try:
        return await in_thread("accept", lambda: _write(workspace, run_id, busy, editor))
    finally:
        ls.loader.load(root)
        ls.status.staging_changed(root)


def _write(workspace: Workspace, run_id: str, busy: Unsaved, editor: OpenRecords) -> ConsolidateRun:
    from memory_core.consolidate import held

    return held.accept(workspace.store, run_id, workspace.config, now=workspace.now, busy=busy, editor=editor)


def _reject(workspace: Workspace, run_id: str) -> HeldRun:
    from memory_core.consolidate import held

    return held.reject(workspace.store, run_id)


def _page(workspace: Workspace, run_id: str) -> tuple[dict[str, Any], Path]:
    """A run as plain data, and the page of it, which lies in the cache: it can be made again at any time."""
    from memory_core.consolidate import held, review
    from memory_core.store.files import require_inside, write_whole

    run = held.find(workspace.store, run_id)
    staged = review.staged_in(workspace.store.staging().files)
    path = workspace.layout.cache / "reviews" / f"{run.run_id}.md"
    require_inside(workspace.layout.root, path)
    write_whole(path, review.page(run, staged).encode("utf-8", "replace"))
    return review.plain(run, staged), path
