"""A session as a model is to see it again: who said what in order, calls paired with results, bounded, honestly cut.

Pure. Reasoning and bookkeeping stay out; text that was injected stays in, since the model saw it then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.sessions.model import Entry, EntryKind, Session
from memory_core.text import counted
from memory_core.tokens import count

ROLLED_BACK = "rolled_back"
_HIDDEN = frozenset({ROLLED_BACK, "gap", "blank", "unknown", "rewind", "recovered"})  # the last: `legacy`, fragments


@dataclass(frozen=True, slots=True)
class Said:
    """A message. `role`: `user`, `assistant`, or `system` for what the host put into the session."""

    role: str
    text: str
    entry: int


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call with its result; `result` None where the log has none, because the run was interrupted."""

    call: Entry
    result: Entry | None
    entry: int


@dataclass(frozen=True, slots=True)
class ResumeView:
    """What to give the model. `trimmed`: how many messages and tool uses were left out at the beginning; `unpaired`:
    results whose call is not in the log, which no model accepts and which are left out too."""

    items: tuple[Said | ToolUse, ...]
    trimmed: int = 0
    unpaired: int = 0

    @property
    def trim_marker(self) -> str | None:
        """The line that tells the model of the cut; it belongs before the first item."""
        if not self.trimmed:
            return None
        return f"[{counted(self.trimmed, 'earlier message')} and tool uses are not shown. They are in the session log.]"


def resume(session: Session, max_tokens: int | None = None) -> ResumeView:
    """The newest part of a session that fits into `max_tokens` (None: all of it), beginning with a user's message
    where one is in it. A call and its result are never parted; a single item larger than the room is kept."""
    items, unpaired = _items(session.entries)
    first = _first_that_fits(items, max_tokens)
    return ResumeView(tuple(items[first:]), first, unpaired)


def _items(entries: Sequence[Entry]) -> tuple[list[Said | ToolUse], int]:
    shown = [entry for entry in entries if entry.subtype not in _HIDDEN]
    results: dict[str, Entry] = {}
    for entry in shown:
        if entry.kind is EntryKind.TOOL_RESULT and entry.call_id:
            results.setdefault(entry.call_id, entry)
    items: list[Said | ToolUse] = []
    paired: set[int] = set()
    for entry in shown:
        match entry.kind:
            case EntryKind.USER_MESSAGE:
                items.append(Said("user", entry.text, entry.index))
            case EntryKind.ASSISTANT_MESSAGE:
                items.append(Said("assistant", entry.text, entry.index))
            case EntryKind.SYSTEM if entry.text:
                items.append(Said("system", entry.text, entry.index))
            case EntryKind.TOOL_CALL:
                result = results.pop(entry.call_id or "", None)
                if result is not None:
                    paired.add(result.index)
                items.append(ToolUse(entry, result, entry.index))
            case _:
                pass
    unpaired = sum(e.kind is EntryKind.TOOL_RESULT and e.index not in paired for e in shown)
    return items, unpaired


def _first_that_fits(items: Sequence[Said | ToolUse], max_tokens: int | None) -> int:
    if max_tokens is None:
        return 0
    used, first = 0, len(items)
    while first and (used := used + _cost(items[first - 1])) <= max_tokens:
        first -= 1
    first = min(first, len(items) - 1) if items else 0
    begins = (n for n in range(first, len(items)) if _is_user(items[n]))
    return first if first == 0 else next(begins, first)


def _is_user(item: Said | ToolUse) -> bool:
    return isinstance(item, Said) and item.role == "user"


def _cost(item: Said | ToolUse) -> int:
    if isinstance(item, Said):
        return 4 + count(item.text)
    result = (item.result.output or item.result.text) if item.result else ""
    return 4 + sum(map(count, (item.call.text, str(dict(item.call.arguments)), result)))
