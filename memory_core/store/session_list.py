"""The sessions of a workspace as lists show them: how long, when, how much of each is not extracted yet.

Unchanged logs are not read again. A log that cannot be read is an error of its own, the others are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memory_core.errors import SessionError
from memory_core.sessions.activity import activity_tokens
from memory_core.store.agent_looks import SessionRef
from memory_core.store.one_history import read_once, relatives
from memory_core.store.session_cache import SessionCache
from memory_core.store.session_files import split_part
from memory_core.store.session_logs import read_pointer, sidecar_path


@dataclass(frozen=True, slots=True)
class Listed:
    """One session. `entries`: how many; `unextracted_tokens`: activity after the extract pointer, estimated, without
    what another session has too; `gaps`: damaged places of the log."""

    session_id: str
    agent: str
    path: str
    entries: int
    started_at: str | None
    updated_at: str | None
    unextracted_tokens: int
    gaps: int
    title: str | None


def listed(
    refs: Sequence[SessionRef], every: Sequence[SessionRef], sessions_dir: Path, cache: SessionCache
) -> Iterator[Listed | SessionError]:
    """The sessions of `refs`, in their order. `every`: all sessions of the workspace, among which copies are looked
    for."""
    for ref in refs:
        files = _files(ref, every, sessions_dir)
        try:
            if files is None:
                yield _measured(ref, every, sessions_dir)
                continue
            plain = cache.answer("listed", files, partial(_plain, ref, every, sessions_dir))
            yield _from_plain(plain) or _measured(ref, every, sessions_dir)
        except SessionError as error:
            yield error


def _files(ref: SessionRef, every: Sequence[SessionRef], sessions_dir: Path) -> list[Path] | None:
    """The files that a row depends on; None for a session that lies in several files of its own."""
    file, part = split_part(ref.path)
    if part is None and not file.name.endswith((".jsonl", ".zst")):
        return None
    if part is not None and file.suffix not in (".db", ".sqlite"):
        return None
    others = [split_part(other.path)[0] for other in relatives(ref, every)]
    place = [] if part is None else [file / part]  # two sessions of one database are two questions
    return [file, sidecar_path(sessions_dir, ref.agent, ref.session_id), *others, *place]


def _measured(ref: SessionRef, every: Sequence[SessionRef], sessions_dir: Path) -> Listed:
    session = read_once(ref, every)
    fresh = session.entries[read_pointer(sessions_dir, session).processed_through_entry + 1 :]
    return Listed(
        session.session_id,
        session.agent if session.agent != "unknown" else ref.agent,
        str(ref.path),
        len(session.entries),
        session.started_at or ref.started_at,
        session.updated_at or ref.updated_at,
        activity_tokens(fresh),
        len(session.gaps),
        session.title,
    )


def _plain(ref: SessionRef, every: Sequence[SessionRef], sessions_dir: Path) -> dict[str, Any]:
    return asdict(_measured(ref, every, sessions_dir))


def _from_plain(plain: Any) -> Listed | None:
    """A row as it was kept; None where somebody else wrote it."""
    try:
        return Listed(**plain)
    except TypeError:
        return None
