"""How far a session was extracted from the other one of its two logs: an import, and the log that it was made from.

Each carries a pointer of its own, and the places in one are not those in the other.
"""

from __future__ import annotations

from pathlib import Path

from memory_core.errors import SessionError
from memory_core.sessions import own_log, pointer
from memory_core.sessions.copies import as_first_logged
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.log_extensions import extensions
from memory_core.store.own_logs import own_log_path, sidecar_path
from memory_core.store.session_files import read_log


def read_elsewhere(sessions_dir: Path, session: Session) -> Pointer:
    """The pointer in this log that an extract of the other log leads to; the beginning where there is no such log, or
    nothing of it was extracted. StoreError when it cannot be read."""
    if session.is_import:
        return _of_original(sessions_dir, session)
    path = own_log_path(sessions_dir, session.session_id)
    if session.log_format == own_log.FORMAT or not path.is_file():
        return Pointer()
    try:
        copy = read_log(path)
    except SessionError:
        return Pointer()  # whoever lists it says what is wrong
    return _of_import(session, copy) if copy.is_import and copy.agent == session.agent else Pointer()


def _of_original(sessions_dir: Path, session: Session) -> Pointer:
    found = pointer.pointers(extensions(sidecar_path(sessions_dir, session.agent, session.session_id))[0])
    if not found:
        return Pointer()
    (first,) = as_first_logged([session])
    place = pointer.relocated(first.entries, found)
    # What the original was extracted up to may have had no words, and then it is not in the import.
    return place if place != Pointer() else pointer.until(first.entries, (mark for _, mark in found))


def _of_import(session: Session, copy: Session) -> Pointer:
    newest = pointer.fold(copy.extensions)
    read = copy.entries[: newest.processed_through_entry + 1]
    last = next((entry.index for entry in reversed(read) if entry.origin), None)
    if last is None:
        return Pointer()
    first, here = as_first_logged([copy, session])
    through = Pointer(last, newest.staging_id)
    return pointer.relocated(here.entries, [(through, pointer.mark_of(first.entries, through))])
