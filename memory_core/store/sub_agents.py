"""The logs that an agent's helpers left beside its session's own: which there are, for whoever wants to read one.

They are no part of a workspace's history (`docs/sessions.md` says why), so nothing here is listed or extracted.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_core.sessions.model import Session
from memory_core.store.file_search import found
from memory_core.store.session_files import open_log
from memory_core.store.session_places import read_head

# Runs of Claude Code that repeat the session's whole history: to sum it up, and to answer a question aside.
_REPEATS = ("agent-acompact-", "agent-aside_question-")


@dataclass(frozen=True, slots=True)
class SubAgentLog:
    """A helper's log. `repeats`: whether it holds the session's own history once more."""

    path: Path
    repeats: bool


def sub_agent_logs(session: Session) -> list[SubAgentLog]:
    """The logs of a session's helpers, by name: in the folder named like the session, and, from older versions of
    Claude Code, beside its log. Agents that keep helpers elsewhere are not looked through for them."""
    path = session.path
    if path is None or not path.is_file():
        return []
    match session.agent:
        case "claude-code":
            logs = list(found(path.parent / session.session_id / "subagents", "**/agent-*.jsonl"))
            logs += [log for log in found(path.parent, "agent-*.jsonl") if log != path and _is_of(log, session)]
        case "gemini-cli":
            logs = list(found(path.parent / session.session_id, "*.json*"))
        case _:
            logs = []
    return [SubAgentLog(log, log.name.startswith(_REPEATS)) for log in logs]


def _is_of(log: Path, session: Session) -> bool:
    try:
        with open_log(log) as stream:
            return session.session_id in read_head(stream).ids
    except OSError:
        return False
