"""The sessions of a workspace as lists show them: how long, when, how much of each is not extracted yet.

Unchanged logs are not read again. A log that cannot be read is an error of its own, the others are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any

from memory_core.errors import SessionError
from memory_core.redact import brief
from memory_core.sessions.activity import activity_tokens
from memory_core.sessions.model import Session, Speaker
from memory_core.store.extract_pointers import read_pointer
from memory_core.store.one_history import read_once, relatives
from memory_core.store.own_logs import sidecar_path
from memory_core.store.session_cache import SessionCache, has_types
from memory_core.store.session_files import split_part
from memory_core.store.session_ref import SessionRef

MOST_TITLE = 400  # characters of a title that an agent gave
TITLE = 80  # characters of a title that is made of what was said


@dataclass(frozen=True, slots=True)
class Listed:
    """One session. `entries`: how many; `unextracted_tokens`: activity after the extract pointer, estimated, without
    what another session has too; `gaps`: damaged places of the log; `unknown`: records of types that no reader knows.
    `title`: the agent's, else what a person said first; `imported`: whether the log is a copy that we made of another
    program's; `imports`: such copies of it that say nothing more and are not read; `copy_of`: ids of the sessions that
    it repeats something from, which is read there."""

    session_id: str
    agent: str
    path: str
    entries: int
    started_at: str | None
    updated_at: str | None
    unextracted_tokens: int
    gaps: int
    unknown: int
    title: str | None
    imported: bool
    imports: Sequence[str]
    copy_of: Sequence[str]


_PLAIN: Mapping[str, tuple[type, ...]] = {
    "session_id": (str,), "agent": (str,), "path": (str,), "entries": (int,), "started_at": (str, NoneType),
    "updated_at": (str, NoneType), "unextracted_tokens": (int,), "gaps": (int,), "unknown": (int,),
    "title": (str, NoneType), "imported": (bool,), "imports": (list,), "copy_of": (list,),
}  # fmt: skip


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
            yield Listed(**cache.answer("listed", files, partial(_plain, ref, every, sessions_dir), _is_plain))
        except SessionError as error:
            yield error


def _files(ref: SessionRef, every: Sequence[SessionRef], sessions_dir: Path) -> list[Path] | None:
    """The files that a row depends on; None for a session that lies in several files of its own."""
    file, part = split_part(ref.path)
    if part is None and not file.name.endswith((".jsonl", ".zst")):
        return None
    if part is not None and file.suffix not in (".db", ".sqlite"):
        return None
    kin = relatives(ref, every)
    others = [split_part(other.path)[0] for other in kin]
    others += [sidecar_path(sessions_dir, other.agent, other.session_id) for other in kin]
    place = [] if part is None else [file / part]  # two sessions of one database are two questions
    return [file, sidecar_path(sessions_dir, ref.agent, ref.session_id), *others, *ref.imports, *place]


def _measured(ref: SessionRef, every: Sequence[SessionRef], sessions_dir: Path) -> Listed:
    session = read_once(ref, every, sessions_dir)
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
        sum(session.unknown.values()),
        brief(session.title, MOST_TITLE) if session.title else _opening(session),  # it is kept in the cache as well
        ref.imported,
        [str(path) for path in ref.imports],
        list(session.originals),
    )


def _opening(session: Session) -> str | None:
    """What a person said first, for a session that nobody gave a title."""
    said = (entry.text for entry in session.entries if entry.speaker is Speaker.HUMAN and entry.text.strip())
    first = next(said, None)
    return brief(first, TITLE) if first else None


def _plain(ref: SessionRef, every: Sequence[SessionRef], sessions_dir: Path) -> dict[str, Any]:
    return asdict(_measured(ref, every, sessions_dir))


def _is_plain(value: Any) -> bool:
    """Whether a row as it was kept is one; somebody else may have written there."""
    return has_types(value, _PLAIN) and all(
        isinstance(name, str) for names in (value["imports"], value["copy_of"]) for name in names
    )
