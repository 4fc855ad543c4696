"""`omoide.extract`: stage candidates from sessions. Answers what `omoide extract --json` prints."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.errors import SessionError
from server import errors
from server.commands import arguments
from server.commands.confirm import Confirmation
from server.extracted import reported, summary
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.extract.task import ExtractRun
    from memory_core.ports import Progress
    from memory_core.sessions.model import Session
    from memory_core.workspace import Workspace

log = logging.getLogger(__name__)

NAME = "omoide.extract"
ALLOWED = {"session": str, "log": str, "all": bool, "if_due": bool, "dry_run": bool, "retry": bool, "provider": str}


async def extract(ls: Server, *args: Any) -> dict[str, Any]:
    """Of one session, one log file, all sessions or, with none of these, the session that was written to last; with
    `retry` alone those with a part that failed too often to be tried by itself."""
    given = arguments.read(NAME, args, ALLOWED)
    if sum(bool(given.get(key)) for key in ("session", "log", "all")) > 1:
        raise errors.invalid_params(f"{NAME} takes one of session, log and all.")
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    provider = given.get("provider") or ls.state.settings.provider
    confirmation = Confirmation(ls, workspace, provider, by_itself=given.get("if_due", False))

    async def work(progress: Progress) -> list[ExtractRun]:
        from memory_core.providers.registry import extract_worker

        progress.report("looking for sessions")
        sessions = _sessions(workspace, root.layout.workspace, given)
        chosen = provider
        if not given.get("dry_run"):
            waiting = _waiting(workspace, sessions, if_due=given.get("if_due", False))
            model = workspace.config.memory.extract_model
            make = partial(extract_worker, workspace.config, workspace.environment, provider, workspace.models)
            chosen = await confirmation.of("extract", waiting, "session", model, make)
        return await workspace.extract(
            sessions,
            provider=chosen,
            if_due=given.get("if_due", False),
            dry_run=given.get("dry_run", False),
            retry=given.get("retry", False),
            progress=progress,
        )

    runs = await ls.jobs.run("extract", root, "Omoide: extract", work)
    report = reported(ls, runs)
    if not given.get("quiet"):
        ls.say(*summary(runs))
    return {"runs": [run.plain() for run in runs], "report": report}


def _waiting(workspace: Workspace, sessions: list[Session], *, if_due: bool) -> int:
    """How many sessions have something that would be sent."""
    from memory_core.extract.job import due, unextracted_tokens

    pointers = [(session, workspace.store.pointer(session)) for session in sessions]
    if if_due:
        return sum(due(session, pointer, workspace.config) is not None for session, pointer in pointers)
    return sum(unextracted_tokens(session, pointer) > 0 for session, pointer in pointers)


def _sessions(workspace: Workspace, folder: Path, given: dict[str, Any]) -> list[Session]:
    from memory_core.store.session_files import read_log

    if path := given.get("log"):
        return [read_log(folder / path)]
    if session := given.get("session"):
        return [workspace.session(session)]
    if given.get("retry") and not given.get("all"):
        return workspace.failed_sessions()[0]
    found = workspace.sessions()
    sessions: list[Session] = []
    for ref in found if given.get("all") else found[:1]:
        try:
            sessions.append(workspace.read_session(ref, found))
        except SessionError as error:  # one unreadable log must not keep the others waiting
            log.warning("%s", error)
    return sessions
