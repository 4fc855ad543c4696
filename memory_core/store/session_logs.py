"""Session logs on disk: found, read, and (our own format alone) appended to; the extract pointers that lie beside them.

Another program's log is never written. Formats are read in `sessions`.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from memory_core.errors import SessionError, StoreError
from memory_core.ids import utc_now
from memory_core.sessions import own_log, pointer
from memory_core.sessions.fields import at, text_at
from memory_core.sessions.formats import claude_history, specstory
from memory_core.sessions.formats.cline import EXTENSIONS
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.sessions.model import Entry, EntryKind, Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.agent_looks import Look, Looking
from memory_core.store.agents import AGENTS
from memory_core.store.log_append import append_lines
from memory_core.store.one_history import family_of
from memory_core.store.ordinary import open_binary
from memory_core.store.session_cache import SessionCache
from memory_core.store.session_files import open_log, read_log
from memory_core.store.session_places import Belonging, found, home_of
from memory_core.store.session_ref import SessionRef, are_plain, from_plain, ref

__all__ = [
    "SessionRef", "append_entries", "append_pointer", "discover", "is_of", "open_log", "pointer_log", "read_log",
    "read_pointer", "session_folders", "sidecar_path",
]  # fmt: skip

log = logging.getLogger(__name__)

# Agents as sessions name them, whose sidecars stand beside our own logs.
_SIDECARS = (*(agent.name for agent in AGENTS), *EXTENSIONS.values())
_SIDECAR_KINDS = frozenset({EntryKind.SESSION_START, EntryKind.EXTENSION})


def discover(
    workspace: Path,
    sessions_dir: Path,
    environment: Mapping[str, str],
    sources: Sequence[str],
    cache: SessionCache | None = None,
) -> list[SessionRef]:
    """The sessions of a workspace, newest first. `sources`: the agents to look for; `cache`: what was learned of them
    the last time.

    A foreign log belongs here when a cwd inside it is the workspace, lies below it, or lies in a linked worktree of it.
    A log that cannot be read is logged and left out.
    """
    refs: list[SessionRef] = []
    belonging = Belonging(workspace)
    cache = cache or SessionCache(None, "")
    home = home_of(environment)
    at_home = home is not None and home.is_relative_to(workspace)  # whose links there are the person's own
    if own_log.FORMAT in sources:
        files = ((path, _own_refs) for path in found(sessions_dir, "*.jsonl"))
        refs += _each(files, Looking(own_log.FORMAT, workspace, belonging), cache, None)
    for agent in AGENTS:
        if agent.name in sources:
            looking = Looking(agent.name, workspace, belonging)
            refs += _each(agent.files(workspace, environment), looking, cache, None if at_home else workspace)
    logged = {ref.session_id for ref in refs if not _stands_in(ref)}
    refs = [ref for ref in refs if not _stands_in(ref) or ref.session_id not in logged]
    refs.sort(key=lambda ref: (ref.updated_at, ref.session_id), reverse=True)
    # The same id under two folders is one session whose project was moved: the newest file is it.
    return list({(ref.agent, ref.session_id): ref for ref in reversed(refs)}.values())[::-1]


def _stands_in(ref: SessionRef) -> bool:
    """Whether a log only stands in for another that may be gone: an export, or the list of what was typed."""
    return ref.agent == specstory.FORMAT or ref.path.parent.name == claude_history.HISTORY


def session_folders(
    workspace: Path, sessions_dir: Path, environment: Mapping[str, str], sources: Sequence[str]
) -> list[Path]:
    """The folders that `discover` looks into, existing or not."""
    own = [sessions_dir] if own_log.FORMAT in sources else []
    return own + [f for agent in AGENTS if agent.name in sources for f in agent.folders(workspace, environment)]


def _each(
    files: Iterable[tuple[Path, Look]], looking: Looking, cache: SessionCache, brought: Path | None
) -> Iterator[SessionRef]:
    """`brought`: the folder that others may have put links into."""
    unreadable = 0
    for path, look in files:
        if brought is not None and _leads_out(path, brought):
            log.warning("%s is left out of the sessions: it is a link out of this project.", path)
            continue
        try:
            kept = cache.answer(f"look:{looking.agent}", [path], partial(_looked, look, looking, path), are_plain)
            yield from (from_plain(plain) for plain in kept)
        except (OSError, SessionError) as error:
            unreadable += 1
            log.warning("%s is left out of the sessions: %s", path, error)
    if unreadable:
        log.warning("%d session logs could not be read.", unreadable)


def _leads_out(path: Path, workspace: Path) -> bool:
    """Whether a log that lies in the workspace really lies elsewhere: a repository may bring a link to the log of
    another project, which would be taken for one of this."""
    return os.path.normpath(path).startswith(f"{workspace}{os.sep}") and not _lies_in(path, workspace)


def _lies_in(path: Path, workspace: Path) -> bool:
    return os.path.realpath(path).startswith(os.path.realpath(workspace) + os.sep)


def is_of(session: Session, workspace: Path) -> bool:
    """Whether a session that was read from a path which a file names is one of a workspace: by a folder that it names,
    or by where its log lies. What names the path may have come with the repository."""
    belonging = Belonging(workspace)
    own = session.path is not None and _lies_in(session.path, workspace)
    return own or any(belonging.holds(cwd) for cwd in session.cwds)


def _looked(look: Look, looking: Looking, path: Path) -> list[dict[str, Any]]:
    """What a look says of a file, as plain data."""
    refs = list(look(looking, path))
    family = family_of(path) if refs else ()
    return [{**asdict(ref), "path": str(ref.path), "family": list(family)} for ref in refs]


def _own_refs(_looking: Looking, path: Path) -> list[SessionRef]:
    found_here = _own_ref(path)
    return [found_here] if found_here else []


def _own_ref(path: Path) -> SessionRef | None:
    """Our own log; None for a sidecar, which only carries what we keep about another program's session."""
    session_id, agent, cwd, started, speaks = "", own_log.FORMAT, None, None, False
    with open_binary(path) as stream:
        for item in read_frames(stream, Repairs()):
            if not isinstance(item, Frame) or not item.terminated:
                continue
            kind = text_at(item.value, "kind")
            started = started or text_at(item.value, "ts") or None
            if kind == EntryKind.SESSION_START and not session_id:
                session_id = text_at(item.value, "session_id")
                agent = text_at(item.value, "agent") or agent
                cwd = text_at(item.value, "cwd") or None
            if kind not in _SIDECAR_KINDS:
                speaks = True
                break
    if not speaks and path.name.startswith(tuple(f"{name}." for name in _SIDECARS)):
        return None
    return ref(path, session_id or path.stem, agent, cwd, started)


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def append_entries(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Append records (`sessions.own_log` makes them) to a log of our own format, creating it: one write, on disk when
    this returns. A tail without newline was never committed and is cut first. StoreError when the file is another
    program's, or when it cannot be written; it is then as long as before."""
    append_lines(path, own_log.encode(records), _must_be_ours)


def _must_be_ours(path: Path, stream: BinaryIO) -> None:
    """Refuse a file whose first whole record is not of our format."""
    first = next((item for item in read_frames(stream, Repairs()) if isinstance(item, Frame)), None)
    if first and not isinstance(first.value.get("kind"), str):
        raise StoreError(f"{path} is another program's log: Omoide only ever reads it.")


def sidecar_path(sessions_dir: Path, agent: str, session_id: str) -> Path:
    """Where we keep what we know about another program's session. Ids come from foreign logs and are not trusted: what
    is not a plain character is percent-encoded, so that no id names another place."""
    return sessions_dir / f"{_plain(agent)}.{_plain(session_id)}.jsonl"


def own_log_path(sessions_dir: Path, session_id: str) -> Path:
    """Where a session in our own format lies, whatever its id is made of."""
    return sessions_dir / f"{_plain(session_id)}.jsonl"


def _plain(name: str) -> str:
    encoded = "".join(
        char if re.fullmatch(r"[A-Za-z0-9._-]", char) else "".join(f"%{byte:02X}" for byte in char.encode())
        for char in name
    )
    if len(encoded) <= 120:
        return encoded or "%"
    return f"{encoded[:80]}-{hashlib.sha256(name.encode()).hexdigest()[:24]}"


def pointer_log(sessions_dir: Path, session: Session) -> Path:
    """The file that carries a session's extract pointer: its own log in our format, else the sidecar."""
    if _is_own(session):
        return session.path or own_log_path(sessions_dir, session.session_id)
    path = sidecar_path(sessions_dir, session.agent, session.session_id)
    # A session in our own format may be called like that, and its pointer is another one.
    return path.with_suffix(".sidecar.jsonl") if _speaks_of_another(path, session.session_id) else path


def _speaks_of_another(path: Path, session_id: str) -> bool:
    """Whether a file is the log of a session with another id."""
    try:
        with open_binary(path) as stream:
            first = next((item for item in read_frames(stream, Repairs()) if isinstance(item, Frame)), None)
    except OSError:
        return False  # there is none, or whoever reads it says what is wrong
    named = text_at(first.value, "session_id") if first else ""
    return bool(named) and named != session_id


def _is_own(session: Session) -> bool:
    return session.log_format == own_log.FORMAT or (not session.log_format and session.agent == own_log.FORMAT)


def read_pointer(sessions_dir: Path, session: Session) -> Pointer:
    """How far a session was extracted, as the file says now (the session may have been read long ago)."""
    path = pointer_log(sessions_dir, session)
    found: list[tuple[str, Any]] = []
    last = 0  # the line of the newest extension
    try:
        with open_binary(path) as stream:
            for number, line in enumerate(stream):
                value = _parsed(line) if b'"extension"' in line and line.endswith(b"\n") else None
                if text_at(value, "kind") == EntryKind.EXTENSION:
                    found.append((text_at(value, "domain"), at(value, "payload")))
                    last = number
    except FileNotFoundError:
        return Pointer()
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    if not _is_own(session):
        return _placed(session, pointer.pointers(found))
    own = pointer.fold(found)
    # A pointer stands behind what it is about; one that points further is from before lines were taken out by hand.
    return replace(own, processed_through_entry=min(own.processed_through_entry, last))


def _placed(session: Session, found: list[tuple[Pointer, dict[str, Any] | None]]) -> Pointer:
    """The newest pointer, or where to go on in a log that is not what it was when that pointer was written."""
    if not found:
        return Pointer()
    newest, mark = found[-1]
    if pointer.stands(session.entries, newest, mark):
        return _or_before(session.entries, newest, mark)
    entries = _entries_now(session)  # the session may have been read before another process extracted more of it
    if entries is None or pointer.stands(entries, newest, mark):
        return newest
    place = pointer.relocated(entries, found)
    went_on = f"after entry {place.processed_through_entry}" if place != Pointer() else "at its beginning"
    log.warning(
        "The log of session %s was cut or rewritten since it was last extracted: extracting starts %s.",
        session.session_id,
        went_on,
    )
    return place


def _or_before(entries: Sequence[Entry], newest: Pointer, mark: dict[str, Any] | None) -> Pointer:
    """The pointer, or the entry before it where its own one was still being written."""
    if not pointer.grown(entries, newest, mark):
        return newest
    return replace(newest, processed_through_entry=newest.processed_through_entry - 1)


def _entries_now(session: Session) -> Sequence[Entry] | None:
    """The entries as the file has them now; None when it cannot be read any more."""
    if session.path is None:
        return session.entries
    try:
        return read_log(session.path).entries
    except SessionError:
        return None


def append_pointer(sessions_dir: Path, session: Session, new: Pointer, now: datetime | None = None) -> None:
    """Append the pointer: to our own log, or to the sidecar of another program's session."""
    now = now or utc_now()
    path = pointer_log(sessions_dir, session)
    records = [own_log.extension(now, pointer.DOMAIN, new.payload())]
    mark = None if _is_own(session) else pointer.mark_of(session.entries, new)
    if mark:
        records.insert(0, own_log.extension(now, pointer.MARK_DOMAIN, mark))
    if not _is_own(session) and not (path.exists() and path.stat().st_size):
        start = own_log.session_start(
            now,
            session_id=session.session_id,
            agent=session.agent,
            session_kind=session.session_kind,
            cwd=session.cwds[0] if session.cwds else None,
            scope=session.scope,
        )
        records.insert(0, start)
    append_entries(path, records)
