"""Whether a staged slice is of a session as it is now, so that a run takes it over instead of asking again. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from memory_core.sessions.anchors import entry_hash
from memory_core.sessions.model import Session
from memory_core.staging import Anchor, StagingFile, StagingSource


def staged_at(files: Iterable[StagingFile], session: Session, start: int) -> StagingFile | None:
    """The staged slice of a session that an entry lies in: an earlier run wrote it and did not get to its pointer. What
    an agent staged by quotes is of no run, and says nothing of what stands between these."""
    mine = (file for file in files if file.run_id and file.source.range[0] <= start <= file.source.range[1])
    return next((file for file in mine if _is_of(file, session)), None)


def is_from(source: StagingSource, session: Session) -> bool:
    """Whether a source names a session. Older files name no agent."""
    return source.session_id == session.session_id and source.agent in (None, session.agent)


def _is_of(file: StagingFile, session: Session) -> bool:
    """A log that was cut or written anew since a slice was staged is another one, and what it says now was never
    staged."""
    first, last = file.source.range
    if not is_from(file.source, session) or not 0 <= first <= last < len(session.entries):
        return False
    if file.source.through is not None:
        return file.source.through == entry_hash(session.entries[last])
    anchors = [anchor for ref in file.candidates() for anchor in ref.candidate.evidence]
    return all(_holds(anchor, session) for anchor in anchors)


def _holds(anchor: Anchor, session: Session) -> bool:
    """Whether an entry that an anchor names still is the one it was made from; an edited line keeps its id or time."""
    first, last = anchor.entry_range
    return any(
        entry_hash(entry) == anchor.sha256
        or (anchor.native_id is not None and entry.native_id == anchor.native_id)
        or (anchor.ts is not None and entry.ts == anchor.ts)
        for entry in session.entries[max(0, first) : last + 1]
    )
