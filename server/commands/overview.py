"""`omoide.overview`: what a memory holds, what waits in it and what happened lately, for a view beside the text.

Cheap enough to be asked after every change: it reads the staging folder, the list of runs and the ends of two logs. The
records and the sessions of a workspace are asked for apart, when somebody looks at them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.errors import MemoryCoreError
from memory_core.store.ordinary import open_binary
from server import errors
from server.background import in_thread
from server.commands import arguments
from server.commands.candidates import listed
from server.convert.uris import from_path
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace

NAME = "omoide.overview"
MOST = 100  # candidates, and runs: more than a person looks through in a list
LATELY = 40
_END = 65_536  # bytes of a log that are looked at for what happened lately


async def overview(ls: Server, *args: Any) -> dict[str, Any]:
    """Answers `{workspace, root, records, problems, jobs, candidates, open, invalid, held, runs, failed, activity}`:
    `records` numbers by kind, `candidates` the oldest of the `open` ones with their evidence, `failed` slices that
    could not be extracted, `activity` the latest first."""
    root = arguments.root_of(ls, arguments.read(NAME, args, {}))
    workspace = await arguments.workspace_of(ls, root)
    snapshot = await ls.loader.snapshot(root)
    state = ls.status.of(root)
    try:
        found = await in_thread("overview", lambda: _found(workspace, snapshot))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    return {
        "workspace": str(root.layout.workspace),
        "root": from_path(root.layout.root),
        "problems": state["problems"],
        "jobs": state["jobs"],
        **found,
    }


def _found(workspace: Workspace, snapshot: Snapshot | None) -> dict[str, Any]:
    refs = [document.ref for document in snapshot.documents.values()] if snapshot else []
    staging = listed(workspace, None)
    held = [
        {"run_id": run.run_id, "created_at": run.created_at, "reason": run.reason, "files": len(run.changes)}
        for run in workspace.store.held()
    ]
    failed = [
        {"session_id": letter.source.session_id, "range": list(letter.source.range), "reason": letter.reason}
        for letter in workspace.store.dead_letters()
    ]
    return {
        "records": Counter(str(ref.kind) for ref in refs if ref),
        "candidates": staging["candidates"][:MOST],
        "open": len(staging["candidates"]),
        "invalid": staging["invalid"],
        "held": held,
        "runs": [asdict(run) for run in workspace.store.runs()[:MOST]],
        "failed": failed,
        "activity": activity(workspace)[:LATELY],
    }


def activity(workspace: Workspace) -> list[dict[str, Any]]:
    """What the usage and the audit log say last, latest first: `{at, event, actor, source, status, run_id, records}`,
    without the empty ones. Lines that cannot be read are left out, as in every report."""
    layout = workspace.layout
    events = [(event, _read) for event in _lines(layout.usage)] + [(event, _done) for event in _lines(layout.audit)]
    # Times are whole seconds; ids, made later, are larger.
    events.sort(key=lambda it: (str(it[0].get("occurred_at", "")), str(it[0].get("id", ""))), reverse=True)
    return [plain(event) for event, plain in events if event.get("occurred_at")]


def _read(event: dict[str, Any]) -> dict[str, Any]:
    records = [record for record in event.get("records") or () if isinstance(record, dict)]
    named = [{"kind": record.get("kind"), "slug": record.get("slug")} for record in records]
    return _given(at=event.get("occurred_at"), event=event.get("event"), actor=event.get("actor"),
                  source=event.get("source"), records=named)  # fmt: skip


def _done(event: dict[str, Any]) -> dict[str, Any]:
    changes = [change for change in event.get("changes") or () if isinstance(change, dict)]
    named = [{key: change.get(key) for key in ("op", "kind", "slug")} for change in changes]
    if not named and event.get("kind"):  # a rename that the editor did
        named = [{"kind": event["kind"], "slug": event.get("new_slug") or event.get("slug")}]
    return _given(at=event.get("occurred_at"), event=event.get("event"), status=event.get("status"),
                  reason=event.get("reason"), run_id=event.get("run_id"), session_id=event.get("session_id"),
                  records=named)  # fmt: skip


def _given(**fields: Any) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value}


def _lines(log: Path) -> Iterator[dict[str, Any]]:
    """The objects in the last lines of a log; none where there is no log."""
    try:
        with open_binary(log) as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _END))
            data = file.read()
    except OSError:
        return
    for line in data.split(b"\n")[1 if size > _END else 0 :]:
        try:
            value = json.loads(line)
        except ValueError:  # an empty line, or one that is being written
            continue
        if isinstance(value, dict):
            yield value
