"""`omoide.consolidate`: turn staged candidates into records. Answers what `omoide consolidate --json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.errors import MemoryCoreError
from memory_core.text import counted
from server import errors
from server.commands import arguments
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.consolidate.task import ConsolidateRun
    from memory_core.ports import Progress

NAME = "omoide.consolidate"
ALLOWED = {"if_due": bool, "dry_run": bool, "provider": str}


async def consolidate(ls: Server, *args: Any) -> dict[str, Any]:
    """Records that are open with unsaved edits are left alone."""
    given = arguments.read(NAME, args, ALLOWED)
    root = arguments.root_of(ls, given)
    try:
        workspace = await ls.loader.workspace(root)
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    provider = given.get("provider") or ls.state.settings.provider
    busy = ls.state.busy(root)

    async def work(progress: Progress) -> ConsolidateRun:
        return await workspace.consolidate(
            provider=provider,
            if_due=given.get("if_due", False),
            dry_run=given.get("dry_run", False),
            busy=busy,
            progress=progress,
        )

    try:
        run = await ls.jobs.run("consolidate", root, "Omoide: consolidate", work)
    finally:
        ls.loader.load(root)  # also after a failure: some of it may have been written
    if not given.get("quiet"):
        ls.say(*summary(run))
    return run.plain()


def summary(run: ConsolidateRun) -> tuple[str, types.MessageType]:
    """The outcome in one line for people."""
    why = f" {run.reason}" if run.reason else ""
    match run.status:
        case "committed":
            text = f"{counted(len(run.changes), 'record')} changed, {counted(len(run.closed), 'candidate')} closed."
            return f"Omoide: {text}", types.MessageType.Info
        case "nothing":
            return f"Omoide: nothing to consolidate.{why}", types.MessageType.Info
        case "conflict":
            text = f"{counted(len(run.conflicts), 'record')} left alone: changed meanwhile.{why}"
            return f"Omoide: {text}", types.MessageType.Warning
        case "held":
            return f"Omoide: the consolidation waits for your review.{why}", types.MessageType.Warning
        case "failed":
            return f"Omoide: the consolidation failed.{why}", types.MessageType.Error
