"""A log of any known format as a session: finds out whose it is by its content, then hands it to that format.

Opens no file by name; the store does. To add a format: one module, and one row in `catalog`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, islice
from typing import Any, BinaryIO

from memory_core.errors import SessionError
from memory_core.sessions.catalog import DOCUMENTS, FORMATS, TEXTS, DocumentFormat, Format
from memory_core.sessions.document import whole_part
from memory_core.sessions.frames import MAX_RECORD, Frame, Rewound, decode_document, read_frames
from memory_core.sessions.lines import read_lines
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.source import Source

# Records looked at before a log is called foreign: damage and metadata may stand first.
_SNIFFED = 50
_HEAD = 1 << 13
# A document written for people to read: no log of lines begins like this.
_NO_LINES = re.compile(rb"\[|\{\s*\n")
_BOM = b"\xef\xbb\xbf"
_SUPPORTED = "`omoide sessions places` lists the agents whose logs are read"


def read_stream(stream: BinaryIO, name: str, place: str, source: Source | None = None) -> Session:
    """The session in a stream of bytes. `name`: the file's name without endings, the session's id where the log has
    none; `place`: how to call the file in messages; `source`: what else is known of it. SessionError for bytes that are
    no session log."""
    source = source or Source(name)
    head = stream.read(_HEAD)
    start = head.removeprefix(_BOM).lstrip()
    if not start.startswith((b"{", b"[")):
        beginning = head.decode("utf-8", "replace")
        if text := next((f for f in TEXTS if f.recognizes(beginning)), None):
            return text.read(read_lines(Rewound(head, stream), source.repairs), source)
    items = read_frames(Rewound(head, stream), source.repairs)
    first = list(islice(items, _SNIFFED))
    frames = [item for item in first if isinstance(item, Frame)]
    if start.startswith((b"{", b"[")) and (len(first) == 1 or not isinstance(next(iter(first), None), Frame)):
        document = frames[0].value if len(first) == 1 and frames else _document(stream)
        if found := _recognized_document(document):
            return found.read(document, source)
        if document is None and _NO_LINES.match(start) and (session := _from_whole_part(stream, source)):
            return session
        if document in ([], {}):  # a stub: the agent has not written anything yet
            return Session(name, "unknown", None, repairs=dict(source.repairs.counts))
    if framed := recognized(frames):
        return framed.read(chain(first, items), source)
    if session := _from_whole_part(stream, source):
        return session
    if (not first or not frames) and _may_be_unfinished(head):
        return Session(name, "unknown", None, repairs=dict(source.repairs.counts))
    if b"\0" in head:
        raise SessionError(f"{place} is a binary file, not a session log: {_SUPPORTED}.")
    raise SessionError(f"{place} is no session log of a known format: {_SUPPORTED}.")


def _from_whole_part(stream: BinaryIO, source: Source) -> Session | None:
    """The session in a document that breaks off, as far as it is whole."""
    raw = _bytes_of(stream)
    mended = whole_part(raw, source.repairs) if raw and raw.lstrip(_BOM + b" \t\r\n")[:1] in (b"{", b"[") else None
    if not mended or not (found := _recognized_document(mended[0])):
        return None
    session = found.read(mended[0], source)
    broken = Gap(None, mended[1], "the document is damaged from here on: what stands before it is read")
    return replace(session, gaps=(*session.gaps, broken))


def recognized(frames: Iterable[Frame]) -> Format | None:
    """The format of the first record that any format claims."""
    return next((f for frame in frames for f in FORMATS if f.recognizes(frame.value)), None)


def _recognized_document(document: Any) -> DocumentFormat | None:
    return next((f for f in DOCUMENTS if document is not None and f.recognizes(document)), None)


def _may_be_unfinished(head: bytes) -> bool:
    """Whether a file without a whole record may become a log: nothing yet, or the beginning of a first record."""
    text = head.removeprefix(_BOM).strip(b" \t\r\n\0")
    return not text or (text.startswith((b'{"', b"[")) and b"\n" not in text)


def _document(stream: BinaryIO) -> Any:
    """The one JSON document a file is, None when it is none; the stream stands where it stood."""
    raw = _bytes_of(stream)
    return None if raw is None else decode_document(raw)


def _bytes_of(stream: BinaryIO) -> bytes | None:
    """All bytes of a stream, None where there are too many or where it cannot go back."""
    if not stream.seekable():
        return None
    at = stream.tell()
    stream.seek(0)
    raw = stream.read(MAX_RECORD + 1)
    stream.seek(at)
    return None if len(raw) > MAX_RECORD else raw
