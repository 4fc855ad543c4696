"""Claude Code's transcripts, all versions: one API message over several lines, tool results in role `user`, a tree.

All branches are kept in file order, those that a person took back with a label. Reads one file; what other files repeat
is not its business.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import neighbor
from memory_core.sessions.fields import flag, instant, text_at
from memory_core.sessions.formats import claude_messages, claude_notes
from memory_core.sessions.formats.claude_queue import Queue
from memory_core.sessions.formats.claude_reading import FORMAT, TITLES, Reading
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import Entry, Gap, Session
from memory_core.sessions.source import Source

# Line types with an envelope, and the metadata lines without one that are known to carry nothing said. What is in
# neither is counted as unknown: new types come with almost every release.
_CONVERSATION = frozenset({"user", "assistant", "system", "attachment", "progress", "summary"})
_METADATA = frozenset({
    "file-history-snapshot", "queue-operation", "permission-mode", "last-prompt", "ai-title", "custom-title", "tag",
    "agent-name", "agent-color", "agent-setting", "pr-link", "teleported-from", "mode", "worktree-state",
    "content-replacement", "marble-origami-commit", "marble-origami-snapshot", "attribution-snapshot",
    "speculation-accept", "task-summary",
})  # fmt: skip
_KNOWN = _CONVERSATION | _METADATA


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is one of Claude Code's: a known type together with a key that only its lines have."""
    name = text_at(value, "type")
    if name in ("user", "assistant") and isinstance(value.get("message"), dict):
        return True
    if name in ("user", "assistant", "system", "attachment", "progress"):
        return any(key in value for key in ("sessionId", "parentUuid", "isSidechain", "userType", "uuid"))
    if name == "summary":
        return "summary" in value and "leafUuid" in value
    return name in _METADATA and any(key in value for key in ("sessionId", "messageId", "snapshot", "uuid"))


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a transcript."""
    builder = SessionBuilder(FORMAT, FORMAT)
    reading = Reading(builder, source, Queue(builder))
    for item in items:
        if isinstance(item, Gap):
            reading.builder.gaps.append(item)
        else:
            _guarded_line(reading, item)
    reading.tree.mark(builder, reading.by_uuid)
    builder.title = _title(reading)
    if reading.agent_ids and not reading.main_lines:
        builder.session_kind = "subagent"
        about = neighbor(source, f"{source.name}.meta.json")
        builder.title = builder.title or text_at(about, "description") or None
    return builder.session(_session_id(reading, source.name), source.repairs.counts)


def _title(reading: Reading) -> str | None:
    """What the session is called. Old summaries name other sessions too: only one whose leaf stands here counts."""
    titles = dict(reading.titles)
    if reading.summary_leaf not in reading.by_uuid or titles.get("summary", "").startswith("API Error"):
        titles.pop("summary", None)
    return next((titles[key] for key in TITLES if key in titles), None)


def _session_id(reading: Reading, name: str) -> str:
    """The id on the lines, not the file name; the name decides only where lines of several sessions stand in one file,
    and for a sub-agent's own file, whose lines carry its parent's id."""
    if reading.builder.session_kind == "subagent" and name.startswith("agent-"):
        return name
    if name in reading.session_ids or not reading.first_id:
        return name
    return reading.first_id


def _guarded_line(reading: Reading, frame: Frame) -> None:
    try:
        _line(reading, frame)
    except RecursionError:
        reading.builder.gaps.append(Gap(frame.line, frame.offset, "nested too deeply"))


def _line(reading: Reading, frame: Frame) -> None:
    value, builder = frame.value, reading.builder
    name = text_at(value, "type")
    session_id = text_at(value, "sessionId")
    if session_id:
        reading.session_ids[session_id] += 1
        reading.first_id = reading.first_id or session_id
    if name not in _KNOWN:
        builder.unknown(name or "no type")
        return
    ts = instant(value.get("timestamp"))
    builder.saw_instant(ts)
    builder.saw_cwd(text_at(value, "cwd"))
    builder.saw_version(text_at(value, "version"))
    if name in ("user", "assistant"):
        sub_agent = flag(value, "isSidechain") or bool(text_at(value, "agentId"))
        reading.agent_ids += sub_agent
        reading.main_lines += not sub_agent
    start = len(builder.entries)
    match name:
        case "user":
            claude_messages.user(reading, frame, ts)
        case "assistant":
            claude_messages.assistant(reading, frame, ts)
        case "system":
            claude_notes.system(reading, frame, ts)
        case "attachment":
            claude_notes.attachment(reading, frame, ts)
        case "queue-operation":
            claude_notes.queue(reading, frame, ts)
        case "progress":
            # Nested copies of a sub-agent's messages and of hooks' output: the originals have lines of their own.
            builder.skip(f"progress:{text_at(value, 'data', 'type') or 'other'}")
        case _:
            claude_notes.metadata(reading, frame, ts)
    if uuid := text_at(value, "uuid"):
        if uuid not in reading.by_uuid:
            reading.tree.add(builder, uuid, text_at(value, "parentUuid"), start)
        _drop_copy(reading, uuid, start)


def _drop_copy(reading: Reading, uuid: str, start: int) -> None:
    """Undo the line just read when a line with this uuid said the same before; a changed content stays."""
    entries = reading.builder.entries
    if (first := reading.by_uuid.get(uuid)) is None:
        reading.by_uuid[uuid] = start, len(entries)
        return
    said = reading.said.get(uuid) or {_said(entries[slice(*first)])}
    reading.said[uuid] = said
    if (now := _said(entries[start:])) in said:
        del entries[start:]
        reading.builder.skip("duplicate:uuid")
    said.add(now)


def _said(entries: list[Entry]) -> bytes:
    """A hash of what entries say."""
    told = [(e.kind, e.text, e.output, e.call_id, dict(e.arguments)) for e in entries]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).digest()
