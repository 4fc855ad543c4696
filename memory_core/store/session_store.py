"""Our own session logs as a library: for people who write an agent in Python and want its sessions remembered.

A log only ever grows. Knows no agent, no model and no domain of the extension entries.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_core.errors import SessionError, StoreError
from memory_core.ids import utc_now, uuid7
from memory_core.sessions import own_log
from memory_core.sessions.fields import text_at
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.sessions.model import EntryKind, Session
from memory_core.sessions.resume import ResumeView, resume
from memory_core.store.discovery import find_root
from memory_core.store.files import remove
from memory_core.store.ordinary import open_binary, read_bytes
from memory_core.store.own_logs import append_entries, own_log_path
from memory_core.store.session_files import read_log
from memory_core.text import counted

SESSION_KINDS = ("chat", "code", "scheduled", "subagent")


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session as its first record tells it. `scope`: whom it belongs to; empty for one shared at its level."""

    session_id: str
    agent: str
    session_kind: str
    started_at: str | None
    scope: Mapping[str, str]
    path: Path


@dataclass(frozen=True, slots=True)
class Deleted:
    """What `delete` did. `bytes`: size of the log that is gone; `kept`: what else speaks of the session and stays, in
    words, because it belongs to somebody else: candidates, records, the archive."""

    session_id: str
    bytes: int
    kept: tuple[str, ...]


class SessionStore:
    """The session logs in one folder, `.omoide/sessions` of a workspace.

    Every method reads from and writes to the disk at once, so several processes may use one store. Errors are
    SessionError (no such session, an entry that lacks a field) and StoreError (the disk refuses).
    """

    def __init__(self, folder: Path, now: Callable[[], datetime] = utc_now) -> None:
        self.folder = folder
        self._now = now

    @classmethod
    def of_workspace(cls, start: Path, now: Callable[[], datetime] = utc_now) -> SessionStore:
        """The store of the workspace that a folder lies in. SessionError where there is none."""
        layout = find_root(start)
        if layout is None:
            raise SessionError(f"No memory root in {start} or above it: run `omoide init` in your project's folder.")
        return cls(layout.sessions, now)

    def create(
        self,
        agent: str,
        *,
        session_kind: str = "chat",
        cwd: str | None = None,
        scope: Mapping[str, str] | None = None,
        session_id: str | None = None,
        **more: Any,
    ) -> str:
        """Begin a session; returns its id. `scope`: of agent, session, tenant, principal those that apply."""
        if session_kind not in SESSION_KINDS:
            raise SessionError(f"`{session_kind}` is no kind of session: one of {', '.join(SESSION_KINDS)}.")
        now = self._now()
        session_id = session_id or uuid7(now)
        path = self.path(session_id)
        if path.exists():
            raise SessionError(f"There is a session `{session_id}` already: append to it, or choose another id.")
        start = own_log.session_start(
            now, session_id=session_id, agent=agent, session_kind=session_kind, cwd=cwd, scope=scope
        )
        append_entries(path, [start | more])
        return session_id

    def append(self, session_id: str, kind: EntryKind | str, **fields: Any) -> str:
        """Append an entry, on disk when this returns; its id. `fields`: those that the kind needs, see
        `sessions.own_log.REQUIRED`; others are kept as they are."""
        path = self._existing(session_id)
        try:
            record = own_log.record(EntryKind(kind), self._now(), **fields)
            own_log.encode([record])
        except ValueError as error:
            raise SessionError(f"The entry was not appended to session `{session_id}`: {error}.") from error
        append_entries(path, [record])
        return str(record["id"])

    def extend(self, session_id: str, domain: str, payload: Any) -> str:
        """Append a value of another domain: the newest that parses counts there, nobody else looks into it."""
        return self.append(session_id, EntryKind.EXTENSION, domain=domain, payload=payload)

    def read(self, session_id: str) -> Session:
        """All entries, also those of a log that another process is writing."""
        return read_log(self._existing(session_id))

    def resume(self, session_id: str, max_tokens: int | None = None) -> ResumeView:
        """What to give a model that goes on with the session; see `sessions.resume`."""
        return resume(self.read(session_id), max_tokens)

    def extensions(self, session_id: str, domain: str) -> list[Any]:
        """The payloads of a domain, oldest first, for the domain to fold."""
        return [payload for name, payload in self.read(session_id).extensions if name == domain]

    def sessions(self, scope: Mapping[str, str] | None = None) -> list[SessionInfo]:
        """The sessions whose scope is exactly `scope`, newest first. None means those without a scope, never all of
        them: a caller that forgets its scope must not see what belongs to others."""
        wanted = dict(scope or {})
        infos = [info for path in sorted(self.folder.glob("*.jsonl")) if (info := self._info(path))]
        found = [info for info in infos if dict(info.scope) == wanted]
        return sorted(found, key=lambda info: (info.started_at or "", info.session_id), reverse=True)

    def fork(self, session_id: str, through_entry: int) -> str:
        """A new session that begins with the entries of another up to one of them, included. The source is not
        touched; extensions are not carried over, so its extract pointer begins anew."""
        path = self._existing(session_id)
        source = read_log(path)
        if not 0 <= through_entry < len(source.entries):
            last = len(source.entries) - 1
            raise SessionError(f"Session `{session_id}` has no entry {through_entry}: its last one is {last}.")
        origin = {"session_id": session_id, "through_entry": through_entry}
        new = self.create(
            source.agent,
            session_kind=source.session_kind,
            cwd=source.cwds[0] if source.cwds else None,
            scope=source.scope,
            forked_from=origin,
        )
        kept = [(line, value) for line, value in _records(path) if line <= through_entry and _is_history(value)]
        if kept:
            lines = [line for line, _ in kept]
            append_entries(self.path(new), [_moved(value, lines) for _, value in kept])
        return new

    def rewind(self, session_id: str, through_entry: int) -> None:
        """Go back to an entry: what came after it stays in the log and is labelled `rolled_back` from now on, left out
        by `resume` and no evidence for an extract. The extract pointer keeps its place: indices never change."""
        last = len(self.read(session_id).entries) - 1
        if not 0 <= through_entry <= last:
            raise SessionError(f"Session `{session_id}` has no entry {through_entry}: its last one is {last}.")
        text = f"Went back to entry {through_entry}."
        self.append(session_id, EntryKind.SYSTEM, text=text, subtype="rewind", through_entry=through_entry)

    def delete(self, session_id: str) -> Deleted:
        """Delete a session's log and nothing else. Memory made from it is not history: it stays, and is named."""
        path = self._existing(session_id)
        kept = tuple(self._others(session_id))
        try:
            size = path.stat().st_size
            remove(path)
        except OSError as error:
            raise StoreError(f"{path} cannot be deleted ({error.strerror}): check permissions.") from error
        return Deleted(session_id, size, kept)

    def path(self, session_id: str) -> Path:
        """Where the log of a session lies, existing or not."""
        return own_log_path(self.folder, session_id)

    def _existing(self, session_id: str) -> Path:
        path = self.path(session_id)
        if not path.is_file():
            raise SessionError(f"No session `{session_id}` in {self.folder}: `create` begins one.")
        return path

    def _info(self, path: Path) -> SessionInfo | None:
        """What the first record says; None for a sidecar of another program's session, or a file that is no log."""
        speaks, start = False, None
        try:
            for _, value in _records(path):
                kind = text_at(value, "kind")
                if kind == EntryKind.SESSION_START and start is None:
                    start = value
                elif kind != EntryKind.EXTENSION:
                    speaks = True
                    break
        except OSError:
            return None
        session_id = text_at(start, "session_id")
        if not start or not session_id or (not speaks and self.path(session_id) != path):
            return None
        scope = {key: item for key, item in dict(start.get("scope") or {}).items() if isinstance(item, str)}
        kind = text_at(start, "session_kind") or "chat"
        return SessionInfo(session_id, text_at(start, "agent"), kind, text_at(start, "ts") or None, scope, path)

    def _others(self, session_id: str) -> list[str]:
        """What else in the workspace names a session, in words with counts."""
        root, needle = self.folder.parent, session_id.encode()
        places = (
            ("staging file", "memory/_staging/*.json"),
            ("record", "memory/*.md"),
            ("record", "memory/[dr]*/*.md"),
            ("record", "knowledge/*.md"),
            ("archived file", "memory/_archive/**/*"),
        )
        counts: Counter[str] = Counter()
        for what, pattern in places:
            counts[what] += sum(needle in read_bytes(path) for path in root.glob(pattern) if path.is_file())
        return [f"{counted(number, what)} made from it" for what, number in counts.items() if number]


def _records(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """The committed records of a log, each with its line, which is its entry index."""
    with open_binary(path) as stream:
        frames = [item for item in read_frames(stream, Repairs()) if isinstance(item, Frame) and item.terminated]
    return [(frame.line, frame.value) for frame in frames]


def _moved(value: dict[str, Any], lines: Sequence[int]) -> dict[str, Any]:
    """A record in a log that begins with the entries of `lines`: going back to one of them leads to its new place."""
    through = value.get("through_entry")
    if text_at(value, "kind") != EntryKind.SYSTEM or not isinstance(through, int):
        return value
    return {**value, "through_entry": bisect_right(lines, through)}  # the first entry is the new session's own start


def _is_history(value: Mapping[str, Any]) -> bool:
    return text_at(value, "kind") not in (EntryKind.SESSION_START, EntryKind.EXTENSION)
