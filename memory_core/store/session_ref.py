"""A session's log as discovery sees it, as a value and as plain data for a cache. Reads no log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType
from typing import Any

from memory_core.sessions.formats import claude_history, specstory
from memory_core.sessions.model import Session
from memory_core.store.session_cache import has_types


@dataclass(frozen=True, slots=True)
class SessionRef:
    """A session's log as discovery sees it, without reading the whole of it. `path`: the file, or a place below a file
    that holds several sessions; `updated_at`: when the file last changed, or the session where its database says so;
    `cwd`: the folder that made it one of this workspace; `size`: bytes of the file; `family`: ids that it shares with
    sessions it may have a history in common with (`store.one_history`); `imported`: whether the log is a copy that we
    made of another program's; `imports`: such copies of the session that say nothing more and are not read."""

    session_id: str
    agent: str
    path: Path
    cwd: str | None
    started_at: str | None
    updated_at: str
    size: int
    family: tuple[str, ...] = ()
    imported: bool = False
    imports: tuple[Path, ...] = ()


def is_list_of_prompts(found: SessionRef | Session) -> bool:
    """Whether all that is there of a session is what was typed in it."""
    return found.path is not None and found.path.parent.name == claude_history.HISTORY


def stands_in(found: SessionRef | Session) -> bool:
    """Whether a log only stands in for another that may be gone: an export, or the list of what was typed."""
    return found.agent == specstory.FORMAT or is_list_of_prompts(found)


_PLAIN: Mapping[str, tuple[type, ...]] = {
    "session_id": (str,), "agent": (str,), "path": (str,), "cwd": (str, NoneType), "started_at": (str, NoneType),
    "updated_at": (str,), "size": (int,), "family": (list,), "imported": (bool,),
}  # fmt: skip


def are_plain(value: Any) -> bool:
    """Whether a value from outside is a list of references as plain data."""
    return isinstance(value, list) and all(
        has_types(item, _PLAIN) and all(isinstance(name, str) for name in item["family"]) for item in value
    )


def plain(found: SessionRef, family: Sequence[str]) -> dict[str, Any]:
    """A reference to one log as plain data, with the family that the log tells."""
    data = {**asdict(found), "path": str(found.path), "family": list(family)}
    del data["imports"]  # that is told from several logs
    return data


def from_plain(data: dict[str, Any]) -> SessionRef:
    """A reference from data that `are_plain` holds for: what `plain` made of one."""
    return SessionRef(**{**data, "path": Path(data["path"]), "family": tuple(data["family"])})


def ref(
    path: Path,
    session_id: str,
    agent: str,
    cwd: str | None,
    started_at: str | None,
    *,
    file: Path | None = None,
    updated_at: str | None = None,
) -> SessionRef:
    """A session as its file stands on disk."""
    stat = (file or path).stat()
    return SessionRef(session_id, agent, path, cwd, started_at, updated_at or _instant(stat.st_mtime), stat.st_size)


def _instant(seconds: float) -> str:
    """The time of a file; one that no calendar has (a clock that was wrong, an archive) counts as the beginning."""
    try:
        at = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        at = datetime.fromtimestamp(0, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
