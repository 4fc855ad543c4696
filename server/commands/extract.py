"""`omoide.extract`: stage candidates from sessions. Answers what `omoide extract --json` prints."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.errors import MemoryCoreError, SessionError
from memory_core.text import counted
from server import errors
from server.commands import arguments
from server.commands.confirm import Confirmation
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.extract.task import ExtractRun
    from memory_core.ports import Progress
    from memory_core.sessions.model import Session
    from memory_core.workspace import Workspace
    from server.state import Root

log = logging.getLogger(__name__)

NAME = "omoide.extract"
ALLOWED = {"session": str, "log": str, "all": bool, "if_due": bool, "dry_run": bool, "provider": str}


async def extract(ls: Server, *args: Any) -> dict[str, Any]:
    """Of one session, one log file, all sessions or, with none of these, the session that was written to last."""
    given = arguments.read(NAME, args, ALLOWED)
    if sum(bool(given.get(key)) for key in ("session", "log", "all")) > 1:
        raise errors.invalid_params(f"{NAME} takes one of session, log and all.")
    root = arguments.root_of(ls, given)
    workspace = await _opened(ls, root)
    provider = given.get("provider") or ls.state.settings.provider
    confirmation = Confirmation(ls, workspace, provider)

    async def work(progress: Progress) -> list[ExtractRun]:
        from memory_core.providers.registry import extract_worker

        progress.report("looking for sessions")
        sessions = _sessions(workspace, root.layout.workspace, given)
        if not given.get("dry_run"):
            waiting = _waiting(workspace, sessions, if_due=given.get("if_due", False))
            model = workspace.config.memory.extract_model
            make = partial(extract_worker, workspace.config, workspace.environment, provider)
            await confirmation.of("extract", waiting, "session", model, make)
        return await workspace.extract(
            sessions,
            provider=provider,
            if_due=given.get("if_due", False),
            dry_run=given.get("dry_run", False),
            progress=progress,
        )

    runs = await ls.jobs.run("extract", root, "Omoide: extract", work)
    if not given.get("quiet"):
        ls.say(*summary(runs))
    return {"runs": [run.plain() for run in runs]}


async def _opened(ls: Server, root: Root) -> Workspace:
    try:
        return await ls.loader.workspace(root)
    except MemoryCoreError as error:
        raise errors.of_core(error) from error


def _waiting(workspace: Workspace, sessions: list[Session], *, if_due: bool) -> int:
    """How many sessions have something that would be sent."""
    from memory_core.extract.job import due, unextracted_tokens

    pointers = [(session, workspace.store.pointer(session)) for session in sessions]
    if if_due:
        return sum(due(session, pointer, workspace.config) is not None for session, pointer in pointers)
    return sum(unextracted_tokens(session, pointer) > 0 for session, pointer in pointers)


def _sessions(workspace: Workspace, folder: Path, given: dict[str, Any]) -> list[Session]:
    from memory_core.store.session_logs import read_log

    if path := given.get("log"):
        return [read_log(folder / path)]
    if session := given.get("session"):
        return [workspace.session(session)]
    found = workspace.sessions()
    sessions: list[Session] = []
    for ref in found if given.get("all") else found[:1]:
        try:
            sessions.append(workspace.read_session(ref, found))
        except SessionError as error:  # one unreadable log must not keep the others waiting
            log.warning("%s", error)
    return sessions


def summary(runs: list[ExtractRun]) -> tuple[str, types.MessageType]:
    """The outcome in one line for people."""
    failed = [run for run in runs if run.status == "failed"]
    found = sum(sum((run.counts or {}).values()) for run in runs if run.status == "staged")
    if failed:
        text = f"Omoide: {len(failed)} of {len(runs)} extracts failed: {failed[0].reason}"
        return text, types.MessageType.Warning
    if not runs:
        return "Omoide: no session of this workspace was found.", types.MessageType.Info
    skipped = [run for run in runs if run.status == "skipped"]
    if skipped and not found:
        return f"Omoide: {counted(len(skipped), 'session')} skipped: {skipped[0].reason}", types.MessageType.Info
    if not found:
        return "Omoide: nothing new to remember.", types.MessageType.Info
    return f"Omoide: {counted(found, 'candidate')} staged.", types.MessageType.Info
