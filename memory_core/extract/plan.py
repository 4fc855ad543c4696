"""What to extract next: the slices of a session after its pointer, and whether an extract is due.

Pure: reads no store and calls no model. Every entry after the pointer is in exactly one slice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory_core.config import Config
from memory_core.extract.evidence import collect, said, speaker_of
from memory_core.extract.language import detect
from memory_core.extract.render import index_line, lead_room, overhead, overview_line
from memory_core.extract.task import Slice
from memory_core.sessions.activity import activity_tokens
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.sessions.pointer import Pointer
from memory_core.tokens import count

# Entries that hold nothing to extract. A session in which only these follow the pointer has no new entries: our own
# log gets one of them with each extract, and would otherwise never be finished.
_BOOKKEEPING = frozenset({EntryKind.EXTENSION, EntryKind.USAGE, EntryKind.SESSION_START})
_LOOK_BACK = 0.5  # how much of a full slice is kept at least to end it before a human's message
_LEAD_TURNS = 4  # messages of a person that a slice's lead goes back: an answer says little without its question
_LEAD_ENTRIES = 400  # most entries of a lead


def plan_slices(session: Session, pointer: Pointer, max_input_tokens: int, language: str = "auto") -> list[Slice]:
    """The slices after the pointer, in order; none when nothing but bookkeeping follows it.

    A slice's input has at most `max_input_tokens` tokens. Slices end before a message, preferably a human's; tool
    calls stay with the message before them. What stands before a slice is its lead: an extract may run between a
    question and its answer. `language`: as set, or `auto` for that of the human's messages.
    """
    start, end = pointer.processed_through_entry + 1, len(session.entries) - 1
    if not any(entry.kind not in _BOOKKEEPING for entry in session.entries[start:]):
        return []
    before = _lead(session, start)
    spoken = slice_language(session, start if before is None else before, end, language)
    spoken = slice_language(session, start, end, language, spoken)
    slices = []
    for first, last in _pack(session, start, end, max_input_tokens - overhead(spoken), max_input_tokens):
        own = slice_language(session, first, last, language, spoken)
        slices.append(Slice(session, first, last, own, _lead(session, first)))
    return slices


def _lead(session: Session, start: int) -> int | None:
    """Where the lead of a slice that begins at `start` begins: some messages of a person before it, and the assistant's
    last one before these. None where nobody said anything before it."""
    turns, found = 0, None
    for entry in reversed(session.entries[max(0, start - _LEAD_ENTRIES) : start]):
        speaker = speaker_of(entry)
        if speaker is None:
            continue
        found = entry.index
        turns += speaker is Speaker.HUMAN
        if turns > _LEAD_TURNS or (turns == _LEAD_TURNS and speaker is Speaker.ASSISTANT):
            break
    return found


def has_messages(view: Slice) -> bool:
    """Whether anybody said anything in a slice; without that, no worker is asked."""
    return any(speaker_of(entry) is not None and said(entry) for entry in view.entries)


def unextracted_tokens(session: Session, pointer: Pointer) -> int:
    """Activity since the pointer, estimated in tokens: what was said, and the summaries of what tools did."""
    return activity_tokens(session.entries[pointer.processed_through_entry + 1 :])


def due(session: Session, pointer: Pointer, config: Config) -> str | None:
    """Why an extract is due, in words; None while it is not. A threshold of 0 never makes one due."""
    threshold = config.memory.extract_threshold
    tokens = unextracted_tokens(session, pointer)
    return (
        f"{tokens} activity tokens since the last extract, threshold {threshold}" if 0 < threshold <= tokens else None
    )


def slice_language(session: Session, start: int, end: int, setting: str, fallback: str = "en") -> str:
    """The language of a stretch: the setting, else that of the human's messages, else of all messages."""
    if setting != "auto":
        return setting
    entries = session.entries[start : end + 1]
    human = [said(entry) for entry in entries if speaker_of(entry) is Speaker.HUMAN]
    if (found := detect(human)) is not None:
        return found
    return fallback if human else detect([said(e) for e in entries if speaker_of(e) is not None]) or fallback


def _pack(session: Session, start: int, end: int, room: int, max_tokens: int) -> Iterator[tuple[int, int]]:
    """Ranges whose lines fit into `room` tokens, cut only where a message begins."""
    costs = _costs(session, start, end, max_tokens)
    stretches = _stretches(session.entries[start : end + 1], end)
    first = start
    used = 0
    spared = lead_room(max_tokens)
    room -= spared if first else 0
    comfortable: tuple[int, int] | None = None  # last human boundary in this slice, and the tokens before it
    for begin, last in stretches:
        cost = sum(costs.get(index, 0) for index in range(begin, last + 1))
        if used and used + cost > room:
            cut, before = comfortable if comfortable and comfortable[1] >= _LOOK_BACK * room else (begin, used)
            yield first, cut - 1
            room -= 0 if first else spared
            first, used, comfortable = cut, used - before, None
            if used and used + cost > room:  # what is behind the human boundary does not go with this one either
                yield first, begin - 1
                first, used = begin, 0
        if used and speaker_of(session.entries[begin]) is Speaker.HUMAN:
            comfortable = (begin, used)
        used += cost
    yield first, end


def _stretches(entries: Sequence[Entry], end: int) -> list[tuple[int, int]]:
    """A message with everything up to the next one; what stands before the first message is part of its stretch."""
    begins = [entry.index for entry in entries if speaker_of(entry) is not None] or [end]
    begins[0] = entries[0].index
    return [(begin, following - 1) for begin, following in zip(begins, [*begins[1:], end + 1], strict=True)]


def _costs(session: Session, start: int, end: int, max_tokens: int) -> dict[int, int]:
    """Tokens of each entry's line. A call pays for its result too, and the result once more in case they get parted."""
    costs: dict[int, int] = {}
    for item in collect(session, start, end):
        line = overview_line(item, max_tokens) if item.kind == "message" else index_line(item)
        costs[item.entries[0]] = count(line) + 1
        if item.call and item.result:
            costs[item.result.index] = 0 if item.entries[1] == item.entries[0] + 1 else costs[item.entries[0]]
    return costs
