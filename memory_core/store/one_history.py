"""Sessions that share a history, found by the first ids in their logs, and read with their copied part labelled.

Which of two is the copy is decided in `sessions.copies`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from memory_core.errors import SessionError
from memory_core.sessions.copies import with_copies_marked
from memory_core.sessions.fields import list_at, map_at, text_at
from memory_core.sessions.formats.claude_history import HISTORY
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.sessions.model import EntryKind, Session
from memory_core.store.extract_pointers import passed_copies
from memory_core.store.one_id import read_listed
from memory_core.store.ordinary import open_binary
from memory_core.store.session_files import open_log
from memory_core.store.session_ref import SessionRef, stands_in

# Records looked at: metadata and snapshots may stand before the first message, but never this many.
_HEAD = 60
_TAIL = 1 << 16  # bytes at the end of a log in which the session that is going on is named
_SESSION = re.compile(rb'"sessionId": ?"([^"\\]{1,100})"')
_IDS = ("uuid", "id", "messageId")
_MESSAGES = (EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE)
# Where formats name the session that this one was made from.
_PARENTS = (
    ("forkedFrom", "sessionId"),
    ("payload", "forked_from_id"),
    ("payload", "parent_thread_id"),
    ("payload", "source", "subagent", "thread_spawn", "parent_thread_id"),
    ("forked_from", "session_id"),
)
_PARENT_KEYS = ("parentSession", "parent_session_id")


def family_of(path: Path) -> tuple[str, ...]:
    """What a log of lines shares with copies of it: the id of its first message, and the sessions it names as its
    origin; for an import what the log that it was made from shares. Empty for other shapes, and for a list of prompts:
    the sessions in it have nothing in common."""
    if not path.name.endswith((".jsonl", ".jsonl.zst")) or path.name == HISTORY:
        return ()
    ids: dict[str, None] = {}
    first = ""
    with open_log(path) as stream:
        for item in islice(read_frames(stream, Repairs()), _HEAD):
            if not isinstance(item, Frame):
                continue
            value = item.value
            for parent in (*(text_at(value, *keys) for keys in _PARENTS), *(text_at(value, k) for k in _PARENT_KEYS)):
                if parent:
                    ids.setdefault(parent)
            for kin in list_at(value, "origin", "family"):
                if isinstance(kin, str):
                    ids.setdefault(kin)
            if session := text_at(value, "sessionId") or text_at(map_at(value, "payload"), "id"):
                ids.setdefault(session)
            first = first or _first_id(value)
    for session in _last_sessions(path):
        ids.setdefault(session)
    return tuple(([first] if first else []) + list(ids))


def _last_sessions(path: Path) -> list[str]:
    """The sessions on the last lines of a log: one may go on in the file of another."""
    if path.name.endswith(".zst"):  # its end cannot be had without all of it
        return []
    with open_binary(path) as stream:
        stream.seek(max(0, path.stat().st_size - _TAIL))
        return list(dict.fromkeys(found.decode("utf-8", "replace") for found in _SESSION.findall(stream.read())))


def _first_id(value: dict[str, Any]) -> str:
    """The id of a message; records about files and titles carry ids that copies do not share. That of an imported one
    is the one it had."""
    if text_at(value, "kind") in _MESSAGES:
        return text_at(value, "origin", "native_id")
    if text_at(value, "type") not in ("user", "assistant", "message"):
        return ""
    return next((found for name in _IDS if (found := text_at(value, name))), "")


def relatives(ref: SessionRef, refs: Sequence[SessionRef]) -> list[SessionRef]:
    """The other sessions of the same agent that may share a history with one, in the order of `refs`. What only stands
    in for a log shares nothing that could be recognized."""
    kin = _kin_of(refs)
    places = {place for name in _names(ref) for place in kin.by_name.get((ref.agent, name), ())}
    return [refs[place] for place in sorted(places) if refs[place].path != ref.path and not stands_in(refs[place])]


@dataclass(frozen=True, slots=True)
class _Kin:
    """Sessions by what they may share: the places in a list at which an agent and a name stand."""

    refs: Sequence[SessionRef]
    by_name: Mapping[tuple[str, str], Sequence[int]]


_latest = _Kin((), {})


def _kin_of(refs: Sequence[SessionRef]) -> _Kin:
    """Made once for each list: whoever asks for one session of it asks for the next, and to look through all of them
    each time takes the square of their number."""
    global _latest  # the list that was asked about last, which nobody changes
    kin = _latest
    if kin.refs is not refs:
        by_name: dict[tuple[str, str], list[int]] = {}
        for place, ref in enumerate(refs):
            for name in _names(ref):
                by_name.setdefault((ref.agent, name), []).append(place)
        _latest = kin = _Kin(refs, by_name)
    return kin


def _names(ref: SessionRef) -> set[str]:
    return {ref.session_id, *ref.family}


def read_once(ref: SessionRef, refs: Sequence[SessionRef], sessions_dir: Path) -> Session:
    """A session as its log has it, with what it repeats from others labelled `copied`. A relative that cannot be read
    is left out: then nothing proves a copy. `sessions_dir`: where it is kept how far each was extracted."""
    session = read_listed(ref.path, ref.session_id)
    others: list[Session] = []
    for other in relatives(ref, refs):
        try:
            others.append(read_listed(other.path, other.session_id))
        except SessionError:
            continue
    return with_copies_marked(session, others, partial(passed_copies, sessions_dir)) if others else session
