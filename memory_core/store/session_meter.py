"""How much was said in sessions since they were last extracted, kept up to date at the price of what was appended.

For whoever watches logs (an editor, a hook). A figure for a trigger: the extract itself reads the log anew and counts
exactly. What has no end that grows (one document, a session among others in a database or a history) is read again,
whole, when its file changed. Watches nothing by itself and calls no model.
"""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memory_core.errors import SessionBusy, SessionError
from memory_core.sessions.activity import activity_tokens
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.sessions.pointer import Pointer
from memory_core.sessions.read import read_stream
from memory_core.store.log_tail import Change, TailState, follow
from memory_core.store.session_database import FileStamp, is_settled, stamp_of_files
from memory_core.store.session_files import split_part

log = logging.getLogger(__name__)

_WHOLE = (".json", ".md")  # endings of logs that are no lines of JSON
# Said by a program when its run is over, in the formats that say so.
_MESSAGES = (EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE)
_ENDS = frozenset({"run_completed", "task_complete", "turn_end", "session_end", "shutdown"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A session as metered. `tokens`: activity since the pointer, estimated; `entries`: how many the session has, by
    the same estimate; `finished`: whether its last run came to an end, as far as the log tells: an assistant's words
    with no tool call open after them."""

    session_id: str
    agent: str
    path: Path
    tokens: int
    entries: int
    finished: bool


# Entries by their ids and by their words, each with the tokens that were counted and how its text began.
_Said = dict[tuple[EntryKind, str | None, str | int], tuple[int, int, int]]
_REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class _Known:
    """`said`: the latest entries, by what tells that one is written again, with their tokens. `file`: of a session that
    is read whole, with its `stamp` when it was read."""

    state: TailState | None
    reading: Reading
    open_calls: frozenset[str]
    said: _Said
    file: Path | None = None
    stamp: FileStamp | None = None


class SessionMeter:
    """Readings by log, or by place below a file of several. `read`: the whole session in a log; `pointer`: how far a
    session was extracted."""

    def __init__(self, read: Callable[[Path], Session], pointer: Callable[[Session], Pointer]) -> None:
        self._read = read
        self._pointer = pointer
        self._known: dict[Path, _Known] = {}

    def measure(self, path: Path) -> Reading | None:
        """The reading of a log now; None when the log is gone or no session. An unchanged log costs one `stat` (of a
        database two), an appended one the reading of what is new. OSError when it cannot be read, SessionBusy when it
        may be in a moment; what is known of it then stays."""
        known = self._known.get(path)
        file = known.file if known else _file_of_whole(path)
        if file is not None:
            return self._read_again(path, file, known)
        tail = follow(path, known.state if known else None)
        if tail.change is Change.GONE:
            self._known.pop(path, None)
            return None
        if known and tail.change is Change.UNCHANGED:
            return known.reading
        part = _part(tail.data, path) if known and tail.change is Change.APPENDED else None
        try:
            new = self._added(known, part) if known and part else self._whole(path)
        except SessionError as error:
            log.debug("%s is not metered: %s", path, error)
            self._known.pop(path, None)
            return None
        self._known[path] = replace(new, state=tail.state)
        return new.reading

    def last(self, path: Path) -> Reading | None:
        """The last reading of a log, without a look at it."""
        known = self._known.get(path)
        return known.reading if known else None

    def extracted(self, path: Path) -> None:
        """An extract moved the pointer of a log's session: measure it anew next time."""
        self._known.pop(path, None)

    def _read_again(self, path: Path, file: Path, known: _Known | None) -> Reading | None:
        """The reading of a session that is read whole when its file changed."""
        stamp = stamp_of_files(file)
        if known and stamp is not None and stamp == known.stamp:
            return known.reading
        try:
            new = self._whole(path) if stamp is not None else None
        except SessionBusy:
            raise
        except SessionError as error:
            log.debug("%s is not metered: %s", path, error)
            new = None
        if stamp is None or new is None:
            self._known.pop(path, None)
            return None
        self._known[path] = replace(new, file=file, stamp=stamp if is_settled(stamp, time.time_ns()) else None)
        return new.reading

    def _whole(self, path: Path) -> _Known:
        session = self._read(path)
        fresh = session.entries[self._pointer(session).processed_through_entry + 1 :]
        open_calls = _open_calls(frozenset(), session.entries)
        reading = Reading(
            session.session_id,
            session.agent,
            path,
            activity_tokens(fresh),
            len(session.entries),
            _finished(session.entries, open_calls, before=False),
        )
        return _Known(None, reading, open_calls, _latest(session.entries))

    def _added(self, known: _Known, part: Session) -> _Known:
        open_calls = _open_calls(known.open_calls, part.entries)
        before, after = dict(known.said), _Said()
        new = [_tokens_more(entry, before, after) for entry in part.entries]
        reading = replace(
            known.reading,
            tokens=known.reading.tokens + sum(tokens for tokens, _ in new),
            entries=known.reading.entries + sum(not again for _, again in new),
            finished=_finished(part.entries, open_calls, before=known.reading.finished),
        )
        return _Known(None, reading, open_calls, dict([*before.items(), *after.items()][-2 * _REMEMBERED :]))


def _tokens_more(entry: Entry, before: _Said, after: _Said) -> tuple[int, bool]:
    """The tokens that an entry adds, and whether it was there `before`: formats write a message again when it has
    grown, when it is sent, or in another form. `after`: what it is known by from now on; words that were found again
    are new when they are said a third time."""
    tokens, names = activity_tokens([entry]), _names(entry)
    about = tokens, len(entry.text), hash(entry.text)
    for name in names:
        counted, length, text = before.get(name, (0, 0, 0))
        if name in before and hash(entry.text[:length]) == text:
            del before[name]
            after |= dict.fromkeys(names if isinstance(name[2], str) else (), about)
            return max(0, tokens - counted), True
    after |= dict.fromkeys(names, about)
    return tokens, False


def _latest(entries: Sequence[Entry]) -> _Said:
    said: _Said = {}
    for entry in entries[-_REMEMBERED:]:
        _tokens_more(entry, {}, said)
    return said


def _names(entry: Entry) -> list[tuple[EntryKind, str | None, str | int]]:
    names: list[tuple[EntryKind, str | None, str | int]] = []
    if entry.native_id:
        names.append((entry.kind, entry.call_id, entry.native_id))
    if entry.kind in _MESSAGES:
        names.append((entry.kind, None, hash(entry.text)))
    return names


def _file_of_whole(path: Path) -> Path | None:
    """The file of a session that is read whole: of a document, or of a place below a file; None for lines of JSON."""
    file, part = split_part(path)
    return file if part is not None or path.suffix in _WHOLE else None


def _part(data: bytes, path: Path) -> Session | None:
    """The entries in what was appended; None where that cannot be read without what stands before it."""
    try:
        return read_stream(io.BytesIO(data), path.name.split(".", 1)[0], str(path))
    except SessionError:
        return None


def _open_calls(before: frozenset[str], entries: Sequence[Entry]) -> frozenset[str]:
    calls = set(before)
    for entry in entries:
        if entry.call_id and entry.kind is EntryKind.TOOL_CALL:
            calls.add(entry.call_id)
        elif entry.call_id and entry.kind is EntryKind.TOOL_RESULT:
            calls.discard(entry.call_id)
    return frozenset(calls)


def _finished(entries: Sequence[Entry], open_calls: frozenset[str], *, before: bool) -> bool:
    """Whether a run is over after these entries; `before`: whether it was before them."""
    for entry in reversed(entries):
        if entry.subtype in _ENDS:
            return True
        if entry.kind is EntryKind.ASSISTANT_MESSAGE and entry.speaker is Speaker.ASSISTANT:
            return not open_calls
        if entry.kind in (EntryKind.USER_MESSAGE, EntryKind.TOOL_CALL, EntryKind.TOOL_RESULT):
            return False
    return before
