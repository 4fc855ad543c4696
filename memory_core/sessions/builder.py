"""Collects the entries of one log while it is read, and numbers them. Decides nothing about their meaning."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from memory_core.sessions.frames import Frame
from memory_core.sessions.model import UNKNOWN, Entry, EntryKind, Gap, Packer, Session, Speaker

# Characters of tool output kept as they are; what comes after them is kept compressed. Short output is not worth it.
_PLAIN_OUTPUT = 16_000_000
_SHORT = 1_000


class SessionBuilder:
    """The session read so far. Entries only ever get appended, so an index never changes while a log grows."""

    def __init__(self, log_format: str, agent: str) -> None:
        self.log_format = log_format
        self.agent = agent
        self.entries: list[Entry] = []
        self.kinds: set[EntryKind] = set()  # of which there is an entry
        self.gaps: list[Gap] = []
        self.skipped: Counter[str] = Counter()
        self.session_kind = "code"
        self.title: str | None = None
        self.scope: dict[str, str] = {}
        self.agent_version: str | None = None
        self._cwds: dict[str, None] = {}
        self._first: str | None = None
        self._last: str | None = None
        self._output = 0
        self._packer: Packer | None = None

    def add(
        self, kind: EntryKind, speaker: Speaker, text: str, frame: Frame | None, ts: str | None = None, **fields: Any
    ) -> Entry:
        """Append an entry standing in `frame` (None where the file is not line-based)."""
        if frame is not None:
            fields.setdefault("line", frame.line)  # one by one: a second dict for each entry takes twice as long
            fields.setdefault("offset", frame.offset)
            fields.setdefault("length", frame.length)
            fields.setdefault("sha256", frame.sha256)
        content = fields.get("content")
        if content and len(content) > _SHORT:
            self._output += len(content)
            if self._output > _PLAIN_OUTPUT:
                self._packer = self._packer or Packer()
                fields = {**fields, "content": None, "packed": self._packer.pack(content)}
        entry = Entry(len(self.entries), kind, speaker, text, ts, **fields)
        self.entries.append(entry)
        self.kinds.add(kind)
        return entry

    def system(
        self, text: str, subtype: str, frame: Frame | None, ts: str | None = None, native_id: str | None = None
    ) -> Entry:
        return self.add(EntryKind.SYSTEM, Speaker.SYSTEM, text, frame, ts, subtype=subtype, native_id=native_id)

    def unread(self, line: int, text: str, subtype: str) -> Entry:
        """A filler for a line that holds no record that can be read, so that it has an index and its place."""
        return self.add(EntryKind.SYSTEM, Speaker.SYSTEM, text, None, subtype=subtype, line=line)

    def skip(self, name: str, count: int = 1) -> None:
        """Count a record, or a part of one, that carries nothing said."""
        self.skipped[name] += count

    def unknown(self, name: str) -> None:
        """Count a record, or a part of one, of a type that no reader knows: a newer program may say words so."""
        self.skip(UNKNOWN + name)

    def relabel(self, index: int, subtype: str, speaker: Speaker | None = None) -> None:
        """Give an entry that later turned out to be something else its finer word, or its speaker; index and text
        stay."""
        entry = self.entries[index]
        self.entries[index] = replace(entry, subtype=subtype, speaker=speaker or entry.speaker)

    def identify(self, index: int, native_id: str | None) -> None:
        """Give an entry the id of a later record that says the same; index and text stay."""
        self.entries[index] = replace(self.entries[index], native_id=native_id)

    def relabel_from(self, native_id: str, subtype: str) -> None:
        """Give everything told of a record and of its parts (`id`, `id/part`) a finer word where it has none."""
        for index in range(len(self.entries) - 1, -1, -1):
            name = self.entries[index].native_id or ""
            if name != native_id and not name.startswith(f"{native_id}/"):
                break
            if self.entries[index].subtype is None:
                self.relabel(index, subtype)

    def saw_cwd(self, cwd: str) -> None:
        if cwd:
            self._cwds.setdefault(cwd)

    def saw_version(self, version: str) -> None:
        """Note which version of the agent's program wrote; of a resumed session the latest counts."""
        self.agent_version = version or self.agent_version

    def saw_instant(self, ts: str | None) -> None:
        """Note when something happened; the log's first and latest instants are the session's."""
        if ts:
            self._first = self._first or ts
            self._last = ts if self._last is None or ts > self._last else self._last

    def session(self, session_id: str, repairs: Counter[str], path: Path | None = None) -> Session:
        return Session(
            session_id=session_id,
            agent=self.agent,
            path=path,
            entries=tuple(self.entries),
            gaps=tuple(self.gaps),
            skipped=dict(self.skipped),
            cwds=tuple(self._cwds),
            started_at=self._first,
            updated_at=self._last,
            session_kind=self.session_kind,
            title=self.title,
            scope=self.scope,
            log_format=self.log_format,
            repairs=dict(repairs),
            agent_version=self.agent_version,
        )
