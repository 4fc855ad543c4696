"""How far each session was extracted: in its own log, or in a sidecar where the log is another program's.

What a pointer holds, and where it leads in a log that changed, is decided in `sessions.pointer`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_core.config import SESSION_SOURCES
from memory_core.errors import SessionError
from memory_core.ids import utc_now
from memory_core.sessions import own_log, pointer
from memory_core.sessions.copies import COPIED, TAKEN_BACK
from memory_core.sessions.fields import text_at
from memory_core.sessions.formats import copilot_chat, copilot_cli
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.sessions.model import Entry, Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.import_pointers import read_elsewhere
from memory_core.store.log_extensions import extensions
from memory_core.store.ordinary import open_binary
from memory_core.store.own_logs import append_entries, own_log_path, sidecar_path
from memory_core.store.session_files import read_log
from memory_core.store.session_ref import stands_in

log = logging.getLogger(__name__)

# A chat of VS Code is read from its transcript until its requests are written; no other agent has the ids of another.
_FORMS = {copilot_chat.FORMAT: (copilot_cli.FORMAT,)}


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
    """How far a session was extracted, as the file says now (the session may have been read long ago). What an extract
    went by is asked for once it counts: what somebody had taken back, and a copy whose original is gone unread."""
    found, last = extensions(pointer_log(sessions_dir, session))
    elsewhere = read_elsewhere(sessions_dir, session)
    if not _is_own(session) and _is_of_another_log(session, pointer.pointers(found)):
        return _farther(_by_time(sessions_dir, session), elsewhere)
    place = _farther(_pointer(session, found, last), elsewhere)
    return _before_what_counts_again(sessions_dir, session, place, found)


def _farther(one: Pointer, other: Pointer) -> Pointer:
    return other if other.processed_through_entry > one.processed_through_entry else one


def _pointer(session: Session, found: list[tuple[str, Any]], last: int) -> Pointer:
    if not _is_own(session):
        return _placed(session, pointer.pointers(found))
    own = pointer.fold(found)
    # A pointer stands behind what it is about; one that points further is from before lines were taken out by hand.
    return replace(own, processed_through_entry=min(own.processed_through_entry, last))


def _is_of_another_log(session: Session, found: list[tuple[Pointer, dict[str, Any] | None]]) -> bool:
    """Whether nothing that was noted of a session stands in this log of it: it was extracted from another one, or never
    yet. A log of its own that was written anew is no other: what it has now may have come in anywhere."""
    if not found or not stands_in(session):
        return not found
    known = pointer.stands(session.entries, *found[-1]) or pointer.relocated(session.entries, found) != Pointer()
    return not known


def _by_time(sessions_dir: Path, session: Session) -> Pointer:
    """How far a session was extracted from other logs of it: what stands in for one that is gone, or the same words as
    another of its programs kept them, has neither its ids nor its bytes."""
    agents = SESSION_SOURCES if stands_in(session) else _FORMS.get(session.agent, ())
    sidecars = (sidecar_path(sessions_dir, agent, session.session_id) for agent in agents)
    others = (path for path in sidecars if path.is_file() and not _speaks_of_another(path, session.session_id))
    marks = [mark for path in others for _, mark in pointer.pointers(extensions(path)[0])]
    return pointer.until(session.entries, marks)


def _before_what_counts_again(
    sessions_dir: Path, session: Session, place: Pointer, found: list[tuple[str, Any]]
) -> Pointer:
    copied = pointer.copied_from(found)
    read = {
        name: pointer.fold(extensions(sidecar_path(sessions_dir, session.agent, name))[0]).processed_through_entry
        for name in frozenset().union(*copied.values())
    }
    missed = pointer.taken_back(found) | {n for n, names in copied.items() if n > max(read[name] for name in names)}
    behind = session.entries[: place.processed_through_entry + 1] if missed else ()
    again = (e.index for e in behind if e.index in missed and e.subtype not in {COPIED, *TAKEN_BACK})
    first = next(again, None)
    return place if first is None else Pointer(first - 1, place.staging_id)


def pointed_at(sessions_dir: Path, session: Session) -> frozenset[str]:
    """The staging files that a pointer of a session was ever written for."""
    found, _ = extensions(pointer_log(sessions_dir, session))
    return frozenset(p.staging_id for p, _ in pointer.pointers(found) if p.staging_id)


def passed_copies(sessions_dir: Path, session: Session) -> frozenset[int]:
    """The entries of a session that extracts went by as copies of another one's."""
    return pointer.passed(extensions(pointer_log(sessions_dir, session))[0])


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
    earlier = extensions(path)[0]
    passed = pointer.taken_back(earlier) | pointer.passed(earlier)
    if passed or any(entry.subtype in {COPIED, *TAKEN_BACK} for entry in session.entries):
        before = read_pointer(sessions_dir, session).processed_through_entry
        # A log of ours takes its pointer along when it goes, so that nobody could tell whether it was read.
        originals = () if _is_own(session) else session.originals
        if passing := pointer.passing(session.entries, before, new, passed, originals):
            records.insert(0, own_log.extension(now, pointer.PASSED_DOMAIN, passing))
    if not _is_own(session) and not (path.exists() and path.stat().st_size):
        records.insert(0, own_log.start_of(session, now))
    append_entries(path, records)
