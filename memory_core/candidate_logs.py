"""The logs of the sessions that staged candidates come from, as far as they can be read: one read for each session.

Decides nothing about candidates (`consolidate.doubt` does) and keeps no session.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from memory_core.consolidate.doubt import Heard, Log, LogOf
from memory_core.errors import SessionError
from memory_core.extract.evidence import MOST_OUTPUT, clean, said, speaker_of
from memory_core.sessions.model import Entry, EntryKind, Session
from memory_core.staging import StagingSource
from memory_core.store.one_id import read_listed
from memory_core.store.session_ref import SessionRef


def logs_of(discover: Callable[[], Sequence[SessionRef]]) -> LogOf:
    """What finds the log of sources. `discover`: the sessions of the workspace, asked once at most, and only where a
    source's own path leads to no log of its session."""
    known: dict[str, Path] | None = None

    def log_of(sources: Sequence[StagingSource]) -> Log | None:
        nonlocal known
        session_id = sources[0].session_id
        for path in dict.fromkeys(source.log for source in sources if source.log):
            if session := _session(Path(path), session_id):
                return session.entries, heard
        if known is None:
            known = {ref.session_id: ref.path for ref in reversed(discover())}
        found = known.get(session_id)
        session = _session(found, session_id) if found else None
        return (session.entries, heard) if session else None

    return log_of


def heard(entry: Entry) -> Heard:
    """Who speaks in an entry and what they say, exactly as the extract takes it."""
    if entry.kind in (EntryKind.TOOL_CALL, EntryKind.TOOL_RESULT) and speaker_of(entry) is None:
        return "tool", clean(entry.text, MOST_OUTPUT)
    speaker = speaker_of(entry)
    return (speaker.value if speaker else None), said(entry)


def _session(path: Path, session_id: str) -> Session | None:
    with contextlib.suppress(SessionError, OSError, ValueError):
        session = read_listed(path, session_id)
        return session if session.session_id == session_id else None
    return None
