"""`omoide.preview`: a consolidation that is kept for review, and what a run that waits would write, file by file.

For editors that show files side by side. Nothing is written but the run itself, which `omoide.consolidate` accepts or
rejects.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memory_core.errors import MemoryCoreError
from server import errors
from server.background import in_thread
from server.commands import arguments
from server.commands.confirm import Confirmation
from server.commands.open_records import Unsaved
from server.convert.uris import from_path
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.consolidate.task import ConsolidateRun
    from memory_core.ports import Progress
    from memory_core.workspace import Workspace
    from server.state import Root

NAME = "omoide.preview"


async def preview(ls: Server, *args: Any) -> dict[str, Any]:
    """Of the run that waits as `run_id`, or of a new one, about one `candidate` where it is given. Answers `{status,
    reason, run_id, files, closed}`; `files` as `{op, path, uri, before, after, because}`, none where nothing came of
    it."""
    given = arguments.read(NAME, args, {"run_id": str, "provider": str, "candidate": str})
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    run_id, status, reason = given.get("run_id"), "held", ""
    if run_id is None:
        only = frozenset({given["candidate"]}) if "candidate" in given else None
        run = await _new_run(ls, root, workspace, given.get("provider") or ls.state.settings.provider, only)
        if run.status != "held":
            return {"status": run.status, "reason": run.reason, "run_id": run.run_id, "files": [], "closed": []}
        run_id, status, reason = run.run_id, run.status, run.reason
    try:
        shown = await in_thread("preview", lambda: _shown(workspace, run_id))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    return {"status": status, "reason": reason, **shown}


async def _new_run(
    ls: Server, root: Root, workspace: Workspace, provider: str | None, only: frozenset[str] | None
) -> ConsolidateRun:
    memory = replace(workspace.config.memory, consolidate_review="preview")
    asking = replace(workspace, config=replace(workspace.config, memory=memory))
    busy, confirmation = Unsaved(ls, root), Confirmation(ls, asking, provider)

    async def work(progress: Progress) -> ConsolidateRun:
        chosen = await confirmation.of_consolidation(only)
        return await asking.consolidate(provider=chosen, busy=busy, progress=progress, only=only)

    try:
        return await ls.jobs.run("consolidate", root, "Omoide: preview of a consolidation", work)
    finally:
        ls.loader.load(root)  # a run that closes candidates without a record is not kept for review
        ls.status.staging_changed(root)


def _shown(workspace: Workspace, run_id: str) -> dict[str, Any]:
    from memory_core.consolidate import held, review

    run = held.find(workspace.store, run_id)
    plain = review.plain(run, review.staged_in(workspace.store.staging().files))
    because = {change["path"]: change["because"] for change in plain["changes"]}
    files = [
        {
            "op": change.op,
            "path": change.path,
            "uri": from_path(workspace.layout.absolute(change.path)),
            "before": change.before,
            "after": change.after,
            "because": because[change.path],
        }
        for change in held.change_set(run)
    ]
    return {"reason": run.reason, "run_id": run.run_id, "files": files, "closed": plain["closed"]}
