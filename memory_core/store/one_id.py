"""Several logs of one session id: a folder of logs that was synchronized, a session that was resumed elsewhere.

A log of which another one holds everything is the same session, left behind; one with words of its own is a session
too, and goes by an id that is made of its place. What both hold is labelled in `one_history`. An import of a log that
came back is such a log too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from memory_core.errors import SessionError
from memory_core.sessions.copies import as_first_logged
from memory_core.sessions.model import Entry, EntryKind, Session
from memory_core.store.ordinary import open_binary
from memory_core.store.own_logs import sidecar_path
from memory_core.store.session_cache import SessionCache
from memory_core.store.session_files import read_log
from memory_core.store.session_ref import SessionRef, stands_in

_PIECE = 1 << 16
_SAID = frozenset({EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE})


def id_at(session_id: str, path: Path) -> str:
    """The id of a session of whose id there is another one, which was there first."""
    return f"{session_id}~{hashlib.sha256(str(path).encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def read_listed(path: Path, session_id: str) -> Session:
    """The session in a log, by the id under which it is listed. Errors as `read_log`."""
    session = read_log(path)
    return replace(session, session_id=session_id) if session_id == id_at(session.session_id, path) else session


def with_ids_of_their_own(refs: Sequence[SessionRef], cache: SessionCache, sessions_dir: Path) -> list[SessionRef]:
    """The sessions, without logs of which another of the same id holds everything. `sessions_dir`: with what we know of
    each: a session goes on by the id that it had, also where its log is the last one left."""
    # As `sidecar_path` writes the sign before the hash.
    known = {path.name for path in sessions_dir.glob("*%7E*.jsonl")}

    def named(ref: SessionRef, number: int = 0) -> SessionRef:
        its_own = id_at(ref.session_id, ref.path)
        if not number and sidecar_path(sessions_dir, ref.agent, its_own).name not in known:
            return ref
        return replace(ref, session_id=its_own, family=(*ref.family, ref.session_id))

    groups: dict[tuple[str, str], dict[Path, SessionRef]] = {}
    for ref in refs:
        if not stands_in(ref):
            groups.setdefault((ref.agent, ref.session_id), {})[ref.path] = ref
    told: dict[tuple[str, str, Path], SessionRef | None] = {}  # a file may hold several sessions
    for (agent, name), group in groups.items():
        imports = {path for path, ref in group.items() if ref.imported}
        # Of a database and the files before it, every session stands in both, and each look would read all of them.
        if len(group) < 2 or not (imports or all(path.is_file() for path in group)):
            told |= {(agent, name, path): named(ref) for path, ref in group.items()} if known else {}
            continue
        paths = sorted(group)
        kept = cache.answer(f"one id:{agent}", paths, partial(_kept, group), partial(_are_among, paths))
        told |= dict.fromkeys((agent, name, path) for path in paths)
        told |= {(agent, name, path): named(group[path], number) for number, path in enumerate(map(Path, kept))}
        first = told[agent, name, Path(kept[0])]
        if first and (left := imports.difference(map(Path, kept))):
            told[agent, name, first.path] = replace(first, imports=tuple(sorted(left)))
    return [found for ref in refs if (found := told.get((ref.agent, ref.session_id, ref.path), ref))]


def _are_among(paths: Sequence[Path], kept: Any) -> bool:
    """Whether a kept answer is one about these files: the cache may have come with the repository."""
    return isinstance(kept, list) and bool(kept) and {str(path) for path in paths} >= set(map(str, kept))


def _kept(group: dict[Path, SessionRef]) -> list[str]:
    """The logs with words of their own, the one first that went its own way first: it had the id when it was alone."""
    newest = sorted(group, key=lambda path: (group[path].updated_at, str(path)), reverse=True)
    longer: list[Path] = []
    for path in sorted(newest, key=lambda path: -group[path].size):
        if not any(_begins_with(other, path) for other in longer):
            longer.append(path)
    if len(longer) == 1:
        return [str(longer[0])]
    sessions: dict[Path, Session] = {}
    unread: list[str] = []  # whoever reads it says what is wrong with it
    for path in sorted(longer, key=newest.index):
        try:
            sessions[path] = read_log(path)
        except (SessionError, OSError):
            unread.append(str(path))
    sessions = dict(zip(sessions, as_first_logged(list(sessions.values())), strict=True))
    agent = next((session.agent for session in sessions.values()), "")  # of the newest
    said = {path: sum(1 for _ in _said(session)) for path, session in sessions.items()}
    seen: set[Hashable] = set()
    kept: list[Path] = []
    # Of an import and its original that say the same, the original is read.
    for path in sorted(sessions, key=lambda path: (-said[path], group[path].imported, -len(sessions[path].entries))):
        if sessions[path].agent != agent:
            continue  # the same words as another of its programs keeps them
        if not kept or any(not _names(entry) & seen for entry in _said(sessions[path])):
            kept.append(path)
            seen |= {name for entry in _said(sessions[path]) for name in _names(entry)}
    return [*map(str, sorted(kept, key=lambda path: _parting(path, kept, sessions))), *unread]


def _begins_with(log: Path, shorter: Path) -> bool:
    """Whether a log is another one, byte for byte, and what was said since: most are, and need not be read."""
    try:
        with open_binary(log) as whole, open_binary(shorter) as beginning:
            while piece := beginning.read(_PIECE):
                if whole.read(len(piece)) != piece:
                    return False
            return True
    except OSError:
        return False


def _parting(path: Path, kept: Iterable[Path], sessions: dict[Path, Session]) -> tuple[str, str]:
    """When a session first said what no other one has."""
    others = {name for other in kept if other != path for entry in _said(sessions[other]) for name in _names(entry)}
    return next((e.ts or "" for e in _said(sessions[path]) if not _names(e) & others), ""), str(path)


def _said(session: Session) -> Iterable[Entry]:
    return (entry for entry in session.entries if entry.text and entry.kind in _SAID)


def _names(entry: Entry) -> set[Hashable]:
    """What tells that two entries are one: what is said, and its id or its time."""
    return {(name, entry.kind, entry.text) for name in (entry.native_id, entry.ts)}
