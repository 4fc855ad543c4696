"""What must be remembered between the lines of Claude Code's transcripts, and how a text of role `user` is told.

Which line says what is in `claude_messages` and `claude_notes`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import flag, text_at
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Speaker
from memory_core.sessions.source import Source
from memory_core.sessions.speaker import Spoken, merged, spoken

FORMAT = "claude-code"
# Where the program says that it put an output.
_PERSISTED = re.compile(r"<persisted-output>.*?saved to:[ \t]*([^\n]+)", re.DOTALL)
TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}


@dataclass
class Reading:
    """What must be remembered between lines. `by_uuid`: the entries that the first line of a uuid gave (first, past the
    last); `said`: of a uuid on several lines, hashes of what they said; `blocks`: what each API message said already;
    `queued`: texts typed while the agent worked whose ordinary line has not come yet; `tools`: name and summary of each
    call."""

    builder: SessionBuilder
    source: Source
    session_ids: Counter[str] = field(default_factory=Counter)
    first_id: str = ""
    agent_ids: int = 0
    main_lines: int = 0
    by_uuid: dict[str, tuple[int, int]] = field(default_factory=dict)
    said: dict[str, set[bytes]] = field(default_factory=dict)
    blocks: dict[str, set[tuple[str, str, str]]] = field(default_factory=dict)
    queued: Counter[str] = field(default_factory=Counter)
    tools: dict[str, tuple[str, str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    summary_leaf: str = ""


def whole_output(reading: Reading, content: str) -> str:
    """A tool's output; one that was too large for the line stands in a file beside the log."""
    match = _PERSISTED.search(content[:2000])
    if not match:
        return content
    file = re.split(r"[\\/]", match[1].strip())[-1]
    beside, name = reading.source.beside, reading.source.name
    raw = beside.read(name, "tool-results", file) or beside.read("..", "tool-results", file)
    reading.builder.skip("tool-results:read" if raw is not None else "tool-results:missing")
    return content if raw is None else raw.decode("utf-8", "replace")


def parts_of(reading: Reading, value: dict[str, Any], text: str) -> list[Spoken]:
    """The parts of a text of role `user`: what the record says of its origin first, then the filter of texts."""
    if not text.strip():
        return []
    parts = spoken(text, lambda tag: reading.builder.skip(f"cut:{tag}"))
    if flag(value, "isSidechain") or text_at(value, "agentId"):
        return [Spoken(EntryKind.USER_MESSAGE, Speaker.ASSISTANT, text.strip(), "subagent_prompt")]
    subtype = None
    if flag(value, "isCompactSummary"):
        subtype = "compact_summary"
    elif flag(value, "isMeta"):
        subtype = "meta"
    elif (origin := text_at(value, "origin", "kind")) and origin != "human":
        subtype = "injected"
    if subtype is None:
        return parts
    return [Spoken(EntryKind.SYSTEM, Speaker.SYSTEM, text.strip(), subtype)]


def say(reading: Reading, frame: Frame, ts: str | None, parts: list[Spoken], uuid: str | None) -> None:
    builder = reading.builder
    for part in merged(parts):
        if part.speaker is Speaker.HUMAN and reading.queued[part.text] > 0:
            reading.queued[part.text] -= 1
            builder.skip("duplicate:queued")
            continue
        builder.add(part.kind, part.speaker, part.text, frame, ts, native_id=uuid, subtype=part.subtype)
