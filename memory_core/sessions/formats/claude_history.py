"""Claude Code's list of typed prompts: what is left of a session once its transcript was cleaned up.

One file for all projects; a session is the lines with its id. Answers are not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import instant, map_at, text_at
from memory_core.sessions.formats.claude_reading import FORMAT
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.source import Source
from memory_core.sessions.transcript import Place, Transcript

HISTORY = "history.jsonl"
_PASTED = re.compile(r"\[Pasted text #(\d+)[^\]]*\]")


def recognizes(value: dict[str, Any]) -> bool:
    return isinstance(value.get("display"), str) and "timestamp" in value and "project" in value


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """A list of prompts as one session, or the session `source.part` from its lines."""
    builder = SessionBuilder(FORMAT, FORMAT)
    transcript = Transcript(builder)
    for item in items:
        if isinstance(item, Gap):
            builder.gaps.append(item)
            continue
        place = Place(item, instant(item.value.get("timestamp")))
        with transcript.record(place):
            builder.saw_cwd(text_at(item.value, "project"))
            typed = _typed(item.value)
            transcript.user(typed, place, "command" if typed.startswith("/") else None)
    return builder.session(source.part or source.name, source.repairs.counts)


def _typed(value: dict[str, Any]) -> str:
    """What was typed, with what was pasted into it."""
    pasted = map_at(value, "pastedContents")
    return _PASTED.sub(lambda m: text_at(pasted, m[1], "content") or m[0], text_at(value, "display"))
