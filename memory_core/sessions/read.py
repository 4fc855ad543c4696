"""A log of any known format as a session: finds out whose it is by its content, then hands it to that format.

Opens no file by name; the store does. To add a format: one module with `recognizes` and `read`, one row in FORMATS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, BinaryIO

from memory_core.errors import SessionError
from memory_core.sessions.formats import claude_code, codex, codex_document, omoide
from memory_core.sessions.frames import MAX_RECORD, Frame, Repairs, Rewound, decode_document, read_frames
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.own_log import FORMAT as OWN_FORMAT

# Records looked at before a log is called foreign: damage and metadata may stand first.
_SNIFFED = 50
_HEAD = 1 << 13
_BOM = b"\xef\xbb\xbf"
_SUPPORTED = "Omoide reads its own logs and those of Claude Code and Codex"


@dataclass(frozen=True)
class Format:
    """A log format: how one of its records is recognized, and how a log of them is read."""

    name: str
    recognizes: Callable[[dict[str, Any]], bool]
    read: Callable[[Iterator[Frame | Gap], str, Repairs], Session]


FORMATS = (
    Format(OWN_FORMAT, omoide.recognizes, omoide.read),
    Format(claude_code.FORMAT, claude_code.recognizes, claude_code.read),
    Format(codex.FORMAT, codex.recognizes, codex.read),
)

# Formats that are known by sight only, so that the message can name them.
_BY_SIGHT: tuple[tuple[str, Callable[[dict[str, Any]], bool]], ...] = (
    ("a pi or OpenClaw session", lambda r: r.get("type") == "session" and "id" in r and "timestamp" in r),
    ("a Copilot CLI session", lambda r: str(r.get("type", "")).startswith("session.") and "data" in r),
    ("a VS Code Copilot Chat session", lambda r: r.get("kind") == 0 and isinstance(r.get("v"), dict)),
    ("a VS Code Copilot Chat session", lambda r: "requests" in r and "responderUsername" in r),
    ("a Gemini CLI session", lambda r: "sessionId" in r and ("projectHash" in r or "messages" in r)),
)


def read_stream(stream: BinaryIO, name: str, place: str) -> Session:
    """The session in a stream of bytes. `name`: the file's name without endings, the session's id where the log has
    none; `place`: how to call the file in messages. SessionError for bytes that are no session log."""
    repairs = Repairs()
    head = stream.read(_HEAD)
    if b"\0" in head:
        raise SessionError(f"{place} is a binary file, not a session log: {_SUPPORTED}.")
    items = read_frames(Rewound(head, stream), repairs)
    first = list(islice(items, _SNIFFED))
    frames = [item for item in first if isinstance(item, Frame)]
    if found := recognized(frames):
        return found.read(chain(first, items), name, repairs)
    document = frames[0].value if len(frames) == 1 and len(first) == 1 else _document(head, stream, first)
    if codex_document.recognizes(document):
        return codex_document.read(document, name, repairs)
    if not first and _may_be_unfinished(head):
        return Session(name, "unknown", None, repairs=dict(repairs.counts))
    raise SessionError(f"{place} is {_looks_like([f.value for f in frames] + [document])}: {_SUPPORTED}.")


def recognized(frames: Iterable[Frame]) -> Format | None:
    """The format of the first record that any format claims."""
    return next((f for frame in frames for f in FORMATS if f.recognizes(frame.value)), None)


def _may_be_unfinished(head: bytes) -> bool:
    """Whether a file without a whole record may become a log: nothing yet, or the beginning of a first record."""
    text = head.removeprefix(_BOM).strip()
    return not text or (text.startswith(b'{"') and b"\n" not in text)


def _document(head: bytes, stream: BinaryIO, first: list[Frame | Gap]) -> Any:
    """The one JSON document a file is, None when it is none. Only a file whose first line is no record is tried."""
    start = head.removeprefix(_BOM).lstrip()
    if not start.startswith(b"{") or (first and isinstance(first[0], Frame)) or not stream.seekable():
        return None
    stream.seek(0)
    raw = stream.read(MAX_RECORD + 1)
    if len(raw) > MAX_RECORD:
        return None
    return decode_document(raw)


def _looks_like(values: list[Any]) -> str:
    """What a foreign file seems to be, in words."""
    for value in values:
        for words, matches in _BY_SIGHT:
            if isinstance(value, dict) and matches(value):
                return f"{words}, a format that is not read yet"
    return "no session log of a known format"
