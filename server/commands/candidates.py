"""`omoide.staging` and `omoide.closeCandidate`: what waits for a consolidation, and closing some of it by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_core.errors import MemoryCoreError
from server import errors
from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.staging import CandidateRef
    from memory_core.workspace import Workspace

CLOSE = "omoide.closeCandidate"
ACTIONS = ("duplicate", "already_covered", "discarded")  # the others are a consolidation's


async def staging(ls: Server, *args: Any) -> dict[str, Any]:
    """The open candidates with their evidence, oldest first; of one candidate or staging file with `candidate`."""
    given = arguments.read("omoide.staging", args, {"candidate": str})
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    return await in_thread("staging", lambda: listed(workspace, given.get("candidate")))


async def close_candidate(ls: Server, *args: Any) -> dict[str, Any]:
    """Close a candidate with the reason, which is all that is kept of it beside its id."""
    allowed = {"candidate": str, "action": str, "reason": str}
    given = arguments.read(CLOSE, args, allowed, ("candidate", "action", "reason"))
    action = arguments.one_of(CLOSE, "action", given["action"], ACTIONS)
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    closed = {"candidate": given["candidate"], "action": action, "reason": given["reason"]}
    try:
        await in_thread("close", lambda: _close(workspace, closed))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    ls.status.staging_changed(root)
    return {"closed": [closed]}


def listed(workspace: Workspace, wanted: str | None) -> dict[str, Any]:
    """The open candidates as plain data, oldest first; `wanted`: only this candidate, or those of this file."""
    area = workspace.store.staging()
    found = [ref for file in area.files for ref in file.candidates() if ref.id in area.open]
    if wanted:
        found = [ref for ref in found if wanted in (ref.id, ref.id.partition("/")[0])]
        if not found:
            raise errors.request_failed(_unknown(wanted))
    invalid = [{"file": file, "reason": reason} for file, reason in area.invalid]
    return {"candidates": [_plain(ref) for ref in found], "invalid": invalid, "bytes": area.bytes}


def _plain(ref: CandidateRef) -> dict[str, Any]:
    from memory_core.staging import headline

    return {**ref.plain(), "headline": headline(ref.candidate)}


def _close(workspace: Workspace, closed: dict[str, str]) -> None:
    from memory_core.ids import rfc3339
    from memory_core.staging import Resolution

    if closed["candidate"] not in workspace.store.staging().open:
        raise MemoryCoreError(_unknown(closed["candidate"]))
    workspace.store.close([Resolution.model_validate({**closed, "recorded_at": rfc3339(workspace.now())})])


def _unknown(candidate: str) -> str:
    return f"There is no open candidate `{candidate}`: `omoide.staging` lists them."
