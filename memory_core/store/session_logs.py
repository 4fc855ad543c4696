"""Session logs on disk: found, read, and (our own format alone) appended to; the extract pointers that lie beside them.

Another program's log is never written. Formats are read in `sessions`.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from memory_core.errors import SessionError, StoreError
from memory_core.ids import utc_now
from memory_core.sessions import own_log, pointer
from memory_core.sessions.fields import at, text_at
from memory_core.sessions.formats import claude_code, codex
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.sessions.model import Entry, EntryKind, Gap, Session
from memory_core.sessions.pointer import Pointer
from memory_core.sessions.read import read_stream
from memory_core.store.log_append import append_lines
from memory_core.store.session_places import (
    Belonging,
    Head,
    claude_files,
    claude_folders,
    codex_files,
    codex_folders,
    found,
    read_head,
)
from memory_core.store.unpack import ZSTD_MAGIC, Unpacked

log = logging.getLogger(__name__)

_ENDINGS = (".jsonl.zst", ".jsonl", ".json")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_FOREIGN = {claude_code.FORMAT: claude_files, codex.FORMAT: codex_files}
_FOLDERS = {claude_code.FORMAT: claude_folders, codex.FORMAT: codex_folders}
_SIDECAR_KINDS = frozenset({EntryKind.SESSION_START, EntryKind.EXTENSION})


@dataclass(frozen=True, slots=True)
class SessionRef:
    """A session's log as discovery sees it, without reading the whole of it. `updated_at`: when the file last changed;
    `cwd`: the folder that made it one of this workspace; `size`: bytes of the file."""

    session_id: str
    agent: str
    path: Path
    cwd: str | None
    started_at: str | None
    updated_at: str
    size: int


def discover(
    workspace: Path, sessions_dir: Path, environment: Mapping[str, str], sources: Sequence[str]
) -> list[SessionRef]:
    """The sessions of a workspace, newest first. `sources`: the agents to look for.

    A foreign log belongs here when a cwd inside it is the workspace, lies below it, or lies in a linked worktree of it.
    A log that cannot be read is logged and left out.
    """
    refs: list[SessionRef] = []
    belonging = Belonging(workspace)
    if own_log.FORMAT in sources:
        refs += _each(found(sessions_dir, "*.jsonl"), _own_ref)
    for agent, files in _FOREIGN.items():
        if agent in sources:
            refs += _each(files(workspace, environment), partial(_foreign_ref, agent, belonging, workspace))
    refs.sort(key=lambda ref: (ref.updated_at, ref.session_id), reverse=True)
    # The same id under two folders is one session whose project was moved: the newest file is it.
    return list({(ref.agent, ref.session_id): ref for ref in reversed(refs)}.values())[::-1]


def session_folders(
    workspace: Path, sessions_dir: Path, environment: Mapping[str, str], sources: Sequence[str]
) -> list[Path]:
    """The folders that `discover` looks into, existing or not."""
    own = [sessions_dir] if own_log.FORMAT in sources else []
    return own + [p for agent, of in _FOLDERS.items() if agent in sources for p in of(workspace, environment)]


def _each(paths: Iterable[Path], ref_of: Callable[[Path], SessionRef | None]) -> Iterator[SessionRef]:
    unreadable = 0
    for path in paths:
        try:
            ref = ref_of(path)
        except (OSError, SessionError) as error:
            unreadable += 1
            log.warning("%s is left out of the sessions: %s", path, error)
            continue
        if ref is not None:
            yield ref
    if unreadable:
        log.warning("%d session logs could not be read.", unreadable)


def _own_ref(path: Path) -> SessionRef | None:
    """Our own log; None for a sidecar, which only carries what we keep about another program's session."""
    session_id, agent, cwd, started, speaks = "", own_log.FORMAT, None, None, False
    with path.open("rb") as stream:
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
    if not speaks and path.name.startswith(tuple(f"{name}." for name in _FOREIGN)):
        return None
    return _ref(path, session_id or path.stem, agent, cwd, started)


def _foreign_ref(agent: str, belonging: Belonging, workspace: Path, path: Path) -> SessionRef | None:
    if path.suffix == ".json":  # the first generation of Codex: one document, small
        session = read_log(path)
        cwd = next((cwd for cwd in session.cwds if belonging.holds(cwd)), None)
        inside = not session.cwds and workspace in path.parents
        return _ref(path, session.session_id, agent, cwd, session.started_at) if cwd or inside else None
    with open_log(path) as stream:
        head = read_head(stream)
    if head.sub_agent:
        return None
    cwd = head.cwd if head.cwd and belonging.holds(head.cwd) else _later_cwd(path, belonging)
    if cwd is None and (head.cwd is not None or workspace not in path.parents):
        return None
    return _ref(path, _foreign_id(path, agent, head), agent, cwd, head.started_at)


def _later_cwd(path: Path, belonging: Belonging) -> str | None:
    """A cwd of the workspace further down in a log that began elsewhere. Bytes are compared first: most logs of other
    projects never name this folder, and then no line is parsed."""
    with open_log(path) as stream:
        for line in stream:
            if b'"cwd"' not in line or not any(needle in line for needle in belonging.needles):
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            cwd = text_at(value, "cwd") or text_at(value, "payload", "cwd")
            if cwd and belonging.holds(cwd):
                return cwd
    return None


def _foreign_id(path: Path, agent: str, head: Head) -> str:
    """The id that the reader will give the session, from the head alone where possible."""
    name = _name(path)
    if agent == codex.FORMAT:
        return head.ids[0] if head.ids else codex.id_of_name(name)
    if not head.ids or name in head.ids:
        return name
    if _UUID.fullmatch(name):  # a copied history may stand before the file's own lines
        with open_log(path) as stream:
            if any(name.encode() in line and text_at(_parsed(line), "sessionId") == name for line in stream):
                return name
    return head.ids[0]


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _ref(path: Path, session_id: str, agent: str, cwd: str | None, started_at: str | None) -> SessionRef:
    stat = path.stat()
    updated = datetime.fromtimestamp(stat.st_mtime, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return SessionRef(session_id, agent, path, cwd, started_at, updated, stat.st_size)


def _name(path: Path) -> str:
    """A log's file name without its endings."""
    for ending in _ENDINGS:
        if path.name.endswith(ending):
            return path.name.removesuffix(ending)
    return path.name


@contextmanager
def open_log(path: Path) -> Iterator[BinaryIO]:
    """A log's bytes, unpacked when it is stored compressed."""
    with path.open("rb") as stream:
        if stream.peek(len(ZSTD_MAGIC)).startswith(ZSTD_MAGIC):
            yield io.BufferedReader(Unpacked(stream))
        else:
            yield stream


def read_log(path: Path) -> Session:
    """The session in a log of any known format. SessionError where there is no such log; an empty file is an empty
    session."""
    try:
        if path.is_dir():
            raise SessionError(f"{path} is a folder: name one log file in it.")
        with open_log(path) as stream:
            session = read_stream(stream, _name(path), str(path))
            raw = getattr(stream, "raw", None)
            damage = raw.damage if isinstance(raw, Unpacked) else None
    except FileNotFoundError as error:
        raise SessionError(f"{path} does not exist: `omoide sessions` lists the logs of this workspace.") from error
    except OSError as error:
        raise SessionError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    gaps = (*session.gaps, Gap(None, None, damage)) if damage else session.gaps
    return replace(session, path=path, gaps=gaps)


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
    return sidecar_path(sessions_dir, session.agent, session.session_id)


def _is_own(session: Session) -> bool:
    return session.log_format == own_log.FORMAT or (not session.log_format and session.agent == own_log.FORMAT)


def read_pointer(sessions_dir: Path, session: Session) -> Pointer:
    """How far a session was extracted, as the file says now (the session may have been read long ago)."""
    path = pointer_log(sessions_dir, session)
    found: list[tuple[str, Any]] = []
    try:
        with path.open("rb") as stream:
            for line in stream:
                value = _parsed(line) if b'"extension"' in line and line.endswith(b"\n") else None
                if text_at(value, "kind") == EntryKind.EXTENSION:
                    found.append((text_at(value, "domain"), at(value, "payload")))
    except FileNotFoundError:
        return Pointer()
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    return pointer.fold(found) if _is_own(session) else _placed(session, pointer.pointers(found))


def _placed(session: Session, found: list[tuple[Pointer, dict[str, Any] | None]]) -> Pointer:
    """The newest pointer, or where to go on in a log that is not what it was when that pointer was written."""
    if not found:
        return Pointer()
    newest, mark = found[-1]
    if pointer.stands(session.entries, newest, mark):
        return newest
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
