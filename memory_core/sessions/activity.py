"""How much was said and done in entries: the figure behind the extract trigger. Reads no log and no pointer."""

from __future__ import annotations

from collections.abc import Iterable

from memory_core.sessions.copies import COPIED
from memory_core.sessions.model import Entry, EntryKind, Speaker
from memory_core.tokens import estimate

_TOOLS = (EntryKind.TOOL_CALL, EntryKind.TOOL_RESULT)
_MESSAGES = (EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE)


def activity_tokens(entries: Iterable[Entry]) -> int:
    """Estimated tokens of what people and assistants said and of the tools' summaries. Reasoning, injected text, full
    tool results and what another session has too do not count, since no extract reads them."""
    return sum(
        estimate(entry.text)
        for entry in entries
        if entry.subtype != COPIED
        and (entry.kind in _TOOLS or (entry.kind in _MESSAGES and entry.speaker in (Speaker.HUMAN, Speaker.ASSISTANT)))
    )
