"""Gemini CLI's chats: one document, or a log of records that replace each other, set fields and rewind.

What was rewound is kept, marked. The folder of the project stands in a file beside the log, not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import record_hash
from memory_core.sessions.fields import instant, list_at, text_at
from memory_core.sessions.formats.gemini_messages import KINDS, tell_message
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.source import Source
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "gemini-cli"
_HEAD = ("projectHash", "startTime", "lastUpdated")


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is the head of a log, or one of its own kinds of change."""
    if "$set" in value or "$rewindTo" in value:
        return True
    if "sessionId" in value and "type" not in value:
        return any(key in value for key in _HEAD) and "requests" not in value
    return text_at(value, "type") in ("user", "gemini") and "content" in value and "message" not in value


def recognizes_document(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("messages"), list)
        and "sessionId" in value
        and any(key in value for key in _HEAD)
    )


@dataclass
class _Chat:
    """The chat while its log is folded. `messages`: by id, in order of appearance, each as last written and with the
    line it stands in; `places`: which one in that order an id is; `rewound`: ids that a rewind took back; `standing`:
    those it has not, as a heap with the latest on top, so that a chat rewound again and again costs each of them once.
    """

    head: dict[str, Any] = field(default_factory=dict)
    messages: dict[str, tuple[dict[str, Any], Frame | None]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    rewound: set[str] = field(default_factory=set)
    standing: list[tuple[int, str]] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)

    def put(self, message: Any, frame: Frame | None) -> None:
        if not isinstance(message, dict):
            line, offset = (frame.line, frame.offset) if frame else (None, None)
            self.gaps.append(Gap(line, offset, f"message {len(self.messages) + 1} is no object"))
            return
        name = text_at(message, "id") or f"message-{len(self.messages)}"
        self.messages[name] = message, frame  # a known id keeps its place: the record is a newer state of it
        if name not in self.places or name in self.rewound:
            heappush(self.standing, (-self.places.setdefault(name, len(self.places)), name))
        self.rewound.discard(name)

    def rewind(self, to: str) -> bool:
        """Take back a message and everything after it; False when there is no such message."""
        if (place := self.places.get(to)) is None:
            return False
        while self.standing and -self.standing[0][0] >= place:
            self.rewound.add(heappop(self.standing)[1])
        return True


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a log of records."""
    chat = _Chat()
    for item in items:
        if isinstance(item, Gap):
            chat.gaps.append(item)
        else:
            _fold(chat, item)
    return _session(chat, source)


def read_document(value: dict[str, Any], source: Source) -> Session:
    """The session of a document."""
    chat = _Chat(head=value)
    for message in list_at(value, "messages"):
        chat.put(message, None)
    return _session(chat, source)


def _fold(chat: _Chat, frame: Frame) -> None:
    value = frame.value
    changed = value.get("$set")
    if isinstance(changed, dict):
        for message in list_at(changed, "messages"):
            chat.put(message, frame)
        chat.head |= {key: item for key, item in changed.items() if key != "messages"}
    elif "$rewindTo" in value:
        if not chat.rewind(text_at(value, "$rewindTo")):
            chat.gaps.append(Gap(frame.line, frame.offset, "a rewind to a message that is not there"))
    elif "type" not in value and "sessionId" in value:
        chat.head |= value
        for message in list_at(value, "messages"):
            chat.put(message, frame)
    elif "type" in value or "content" in value:
        chat.put(value, frame)
    else:
        chat.gaps.append(Gap(frame.line, frame.offset, "a record of no known kind"))


def _session(chat: _Chat, source: Source) -> Session:
    builder = SessionBuilder(FORMAT, FORMAT)
    builder.gaps += chat.gaps
    transcript = Transcript(builder)
    head = chat.head
    if text_at(head, "kind") == "subagent":
        builder.session_kind = "subagent"
    builder.title = text_at(head, "summary") or None
    builder.saw_cwd((source.beside.read("..", ".project_root") or b"").decode("utf-8", "replace").strip())
    for folder in list_at(head, "directories"):
        builder.saw_cwd(folder if isinstance(folder, str) else "")
    builder.saw_instant(instant(head.get("startTime")))
    for name, (message, frame) in chat.messages.items():
        place = Place(frame, instant(message.get("timestamp")), name, None if frame else record_hash(message))
        with transcript.record(place, "message"):
            if text_at(message, "type") in KINDS:
                tell_message(transcript, message, place)
            else:
                builder.unknown(text_at(message, "type") or "no type")
        if name in chat.rewound:
            builder.relabel_from(name, "rolled_back")
    builder.saw_instant(instant(head.get("lastUpdated")))
    return builder.session(text_at(head, "sessionId") or source.name, source.repairs.counts)
