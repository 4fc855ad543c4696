"""The extract pointer: how far a session has been extracted. An extension of domain `memory.extract`, folded here.

Another program's log is not ours to keep: it may be cut or written anew between two extracts, and then an index alone
points at something else, or at nothing for ever. A mark before each pointer says what stood there. Reads no file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from memory_core.sessions.copies import COPIED, TAKEN_BACK
from memory_core.sessions.model import Entry, EntryKind, Speaker

DOMAIN = "memory.extract"
MARK_DOMAIN = "memory.extract.mark"
# What an extract went by: because another session was to be asked for it, or because somebody had taken it back.
PASSED_DOMAIN = "memory.extract.passed"
_SAID = frozenset({EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE})
_MOST_ENTRIES = 10_000_000  # of a log: a line that somebody else wrote may name any number
_IDENTITIES = ("native_id", "sha256", "ts")  # of an entry, the surest first
# An id that only counts, as readers give where a format has none: `message-3`, `ordinal:12`.
_COUNTED = re.compile(r"(?:[a-z]+[-:])?\d{1,9}(?:/\d{1,9})?")
_SAME_MOMENT = timedelta(minutes=1)  # in two logs of a session, one of which may tell the minute alone


@dataclass(frozen=True, slots=True)
class Pointer:
    """`processed_through_entry`: the last entry extracted, -1 before the first. `staging_id`: None when that run
    found nothing."""

    processed_through_entry: int = -1
    staging_id: str | None = None

    def payload(self) -> dict[str, Any]:
        return {"processed_through_entry": self.processed_through_entry, "staging_id": self.staging_id}


def fold(extensions: Iterable[tuple[str, Any]]) -> Pointer:
    """The pointer that a session's extensions add up to: the newest one that parses wins."""
    found = pointers(extensions)
    return found[-1][0] if found else Pointer()


def pointers(extensions: Iterable[tuple[str, Any]]) -> list[tuple[Pointer, dict[str, Any] | None]]:
    """All pointers that parse, oldest first, each with its mark; older ones have none."""
    found: list[tuple[Pointer, dict[str, Any] | None]] = []
    mark: dict[str, Any] | None = None
    for domain, payload in extensions:
        if not isinstance(payload, dict):
            continue
        through, staging = payload.get("processed_through_entry"), payload.get("staging_id")
        if domain == MARK_DOMAIN:
            mark = payload
        elif domain == DOMAIN and isinstance(through, int) and not isinstance(through, bool) and through >= -1:
            its_own = mark if mark and mark.get("entry") == through else None
            found.append((Pointer(through, staging if isinstance(staging, str) and staging else None), its_own))
            mark = None
    return found


def passed(extensions: Iterable[tuple[str, Any]]) -> frozenset[int]:
    """The entries that extracts went by as copies of another session's."""
    return _passed(extensions, "entries")


def copied_from(extensions: Iterable[tuple[str, Any]]) -> dict[int, frozenset[str]]:
    """Of these, the ones of which it is known, with the sessions that were to be asked."""
    found: dict[int, frozenset[str]] = {}
    for domain, payload in extensions:
        if domain == PASSED_DOMAIN and isinstance(payload, dict):
            for index in _indices([payload.get("of")]):
                found.pop(index, None)
            names = payload.get("from")
            originals = frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else None
            if originals:
                found |= dict.fromkeys(_indices(payload.get("entries")), originals)
    return found


def taken_back(extensions: Iterable[tuple[str, Any]]) -> frozenset[int]:
    """The entries that extracts went by because somebody had taken them back, and that none has read since."""
    return _passed(extensions, "taken_back")


def _passed(extensions: Iterable[tuple[str, Any]], why: str) -> frozenset[int]:
    found: set[int] = set()
    for domain, payload in extensions:
        if domain == PASSED_DOMAIN and isinstance(payload, dict):
            found = (found - _indices([payload.get("of")])) | _indices(payload.get(why))
    return frozenset(found)


def _indices(spans: Any) -> set[int]:
    found: set[int] = set()
    for span in spans if isinstance(spans, list) else ():
        match span:
            case [int(first), int(last)] if 0 <= first <= last < _MOST_ENTRIES:
                found.update(range(first, last + 1))
    return found


def passing(
    entries: Sequence[Entry], after: int, new: Pointer, before: Collection[int] = (), originals: Sequence[str] = ()
) -> dict[str, Any] | None:
    """What a pointer goes by, to be stored before it; None where that is nothing. `before`: what earlier ones went by;
    what is read now is no longer among that. `originals`: the sessions that are to be asked for the copies."""
    read = entries[after + 1 : new.processed_through_entry + 1]
    copies, back = (_spans(e.index for e in read if e.subtype in why) for why in ({COPIED}, TAKEN_BACK))
    if not copies and not back and not any(entry.index in before for entry in read):
        return None
    asked = {"entries": copies, "from": list(originals), "taken_back": back}
    return {"of": [after + 1, new.processed_through_entry], **{name: value for name, value in asked.items() if value}}


def _spans(indices: Iterable[int]) -> list[list[int]]:
    spans: list[list[int]] = []
    for index in indices:
        if spans and spans[-1][1] == index - 1:
            spans[-1][1] = index
        else:
            spans.append([index, index])
    return spans


def mark_of(entries: Sequence[Entry], pointer: Pointer) -> dict[str, Any] | None:
    """What stands at a pointer's last entry, to be stored before it; None where nothing tells it from others."""
    at = pointer.processed_through_entry
    if not 0 <= at < len(entries):
        return None
    entry = entries[at]
    names = {name: value for name in _IDENTITIES if (value := getattr(entry, name))}
    if not names:
        return None
    said = {"length": len(entry.text), "words": _hash(entry.text)} if entry.kind in _SAID else {}
    mark = {"entry": at, "kind": str(entry.kind), **names, **said, "messages": _messages(entries[: at + 1])}
    person = next((e for e in reversed(entries[: at + 1]) if e.speaker is Speaker.HUMAN and e.ts), None)
    return mark | ({"person": {"ts": person.ts, "words": _hash(person.text)}} if person else {})


def stands(entries: Sequence[Entry], pointer: Pointer, mark: dict[str, Any] | None) -> bool:
    """Whether a log still holds at the pointer what it held when the pointer was written. A line that was edited in
    place keeps its id or its time."""
    at = pointer.processed_through_entry
    if at < 0:
        return True
    if at >= len(entries) or mark is None:
        return at < len(entries)
    return any(_same(entries[at], mark, name) for name in _telling(entries[at], mark)) or grown(entries, pointer, mark)


def grown(entries: Sequence[Entry], pointer: Pointer, mark: dict[str, Any] | None) -> bool:
    """Whether the last extracted entry is a message that its program was still writing then: it goes on now where it
    ended. Some formats write an answer anew while it grows, and what was added would never be extracted."""
    at, length = pointer.processed_through_entry, (mark or {}).get("length")
    if mark is None or not isinstance(length, int) or not 0 <= at < len(entries):
        return False
    text = entries[at].text
    return len(text) > length and _hash(text[:length]) == mark.get("words")


def relocated(entries: Sequence[Entry], found: Sequence[tuple[Pointer, dict[str, Any] | None]]) -> Pointer:
    """The pointer in a log that was cut or written anew: the newest one whose entry is still there, wherever it stands
    now, unless something was said in front of it since; the beginning where none is. Extracting twice is mended later,
    passing over is not."""
    for pointer, mark in reversed(found):
        if mark is None:
            continue
        for name in _IDENTITIES:
            alike = (e for e in entries if str(e.kind) == mark.get("kind") and name in _telling(e, mark))
            same = [e.index for e in alike if _same(e, mark, name)]
            if same:
                if _messages(entries[: same[-1] + 1]) > mark.get("messages", len(entries)):
                    break  # an older pointer may stand before what was put in
                return Pointer(same[-1], pointer.staging_id)
    return Pointer()


def until(entries: Sequence[Entry], marks: Iterable[Mapping[str, Any] | None]) -> Pointer:
    """The pointer in another log of a session: behind what a person said last of what was extracted, and behind the
    answer to it where that is the same. Another log may have the time at which something was typed, while the agent
    still answered, so that the time of an answer tells nothing. The beginning where no time is known."""
    words = [_hash(entry.text) if entry.kind in _SAID else "" for entry in entries]
    return Pointer(max((_read_by(entries, words, mark) for mark in marks if mark), default=-1))


def _read_by(entries: Sequence[Entry], words: Sequence[str], mark: Mapping[str, Any]) -> int:
    """The last entry of another log that had been extracted when a mark was written; -1 for none."""
    person = mark.get("person")
    person = person if isinstance(person, Mapping) else mark  # older marks know the last entry alone
    read = _moment(person.get("ts"))
    if read is None:
        return -1
    moments = [_moment(entry.ts) for entry in entries]
    late = next((n for n, moment in enumerate(moments) if moment and moment > read + _SAME_MOMENT), len(entries))
    same = (n for n in reversed(range(late)) if moments[n] and words[n] and words[n] == person.get("words"))
    through = next(same, None)
    if through is None:
        late = next((n for n, moment in enumerate(moments) if moment and moment > read), len(entries))
        through = next((n for n in reversed(range(late)) if moments[n]), -1)
    for entry in entries[through + 1 :]:
        if entry.speaker is Speaker.HUMAN:
            break
        through = entry.index if words[entry.index] and words[entry.index] == mark.get("words") else through
    return through


def _moment(ts: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(ts) if isinstance(ts, str) else None
    except ValueError:
        return None
    return found if found is None or found.tzinfo else found.replace(tzinfo=UTC)


def _messages(entries: Iterable[Entry]) -> int:
    return sum(entry.kind in _SAID for entry in entries)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _telling(entry: Entry, mark: dict[str, Any]) -> Sequence[str]:
    """What can tell whether an entry is the marked one: where both have an id, that alone, since `ok` is said often. An
    id that is a number tells nothing: another message has it after one was taken back."""
    if entry.native_id and (marked := mark.get(_IDENTITIES[0])):
        return _IDENTITIES[1:] if _COUNTED.fullmatch(str(marked)) else _IDENTITIES[:1]
    return _IDENTITIES


def _same(entry: Entry, mark: dict[str, Any], name: str) -> bool:
    return mark.get(name) is not None and getattr(entry, name) == mark[name]
