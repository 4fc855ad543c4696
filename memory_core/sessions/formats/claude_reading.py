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
from memory_core.sessions.formats.claude_queue import Queue
from memory_core.sessions.formats.claude_rewound import Tree
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Speaker
from memory_core.sessions.source import Source
from memory_core.sessions.speaker import Spoken, handed_plan, merged, spoken

FORMAT = "claude-code"
# Where the program says that it put an output.
_PERSISTED = re.compile(r"<persisted-output>.*?saved to:[ \t]*([^\n]+)", re.DOTALL)
# What begins a turn that no person typed. Front ends have names of their own for a person's: `user`, `sdk`.
_PROGRAMS_TURNS = frozenset({
    "scheduled", "cron", "task_notification", "task-notification", "peer", "agent", "system", "coordinator",
    "auto_continuation", "auto-continuation",
})  # fmt: skip
TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}


@dataclass
class Reading:
    """What must be remembered between lines. `by_uuid`: the entries that the first line of a uuid gave (first, past the
    last); `said`: of a uuid on several lines, hashes of what they said; `blocks`: what each API message said already;
    `queue`: texts typed while the agent worked; `tools`: name and summary of each call; `tree`: which line follows
    which."""

    builder: SessionBuilder
    source: Source
    queue: Queue
    session_ids: Counter[str] = field(default_factory=Counter)
    first_id: str = ""
    agent_ids: int = 0
    main_lines: int = 0
    by_uuid: dict[str, tuple[int, int]] = field(default_factory=dict)
    said: dict[str, set[bytes]] = field(default_factory=dict)
    blocks: dict[str, set[tuple[str, str, str]]] = field(default_factory=dict)
    tools: dict[str, tuple[str, str]] = field(default_factory=dict)
    tree: Tree = field(default_factory=Tree)
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


def parts_of(reading: Reading, value: dict[str, Any], text: str, *, block: bool = False) -> list[Spoken]:
    """The parts of a text of role `user`: what the record says of its origin first, then the filter of texts."""
    if not text.strip():
        return []
    parts = spoken(text, lambda tag: reading.builder.skip(f"cut:{tag}"), block=block)
    if flag(value, "isSidechain") or text_at(value, "agentId"):
        return [Spoken(EntryKind.USER_MESSAGE, Speaker.ASSISTANT, text.strip(), "subagent_prompt")]
    if (plan := text_at(value, "planContent").strip()) and plan in text:
        return handed_plan(text)
    subtype = None
    if flag(value, "isCompactSummary"):
        subtype = "compact_summary"
    elif flag(value, "isMeta"):
        subtype = "meta"
    elif _by_program(value):
        subtype = "injected"
    if subtype is None:
        return parts
    return [Spoken(EntryKind.SYSTEM, Speaker.SYSTEM, text.strip(), subtype)]


def _by_program(value: dict[str, Any]) -> bool:
    """Whether a line says of itself that no person typed it."""
    if any(flag(value, name) for name in ("isVisibleInTranscriptOnly", "turnCompanion")):
        return True
    if text_at(value, "scheduledTaskId") or text_at(value, "sourceToolUseID"):  # the latter: what a skill's call brings
        return True
    if origin := text_at(value, "origin", "kind"):
        return origin != "human"
    return text_at(value, "turnOrigin") in _PROGRAMS_TURNS or text_at(value, "promptSource") == "system"


def say(reading: Reading, frame: Frame, ts: str | None, parts: list[Spoken], uuid: str | None) -> None:
    builder, queue = reading.builder, reading.queue
    again = uuid in reading.by_uuid  # a copy of a line that was read: it says nothing about the queue
    for part in merged(parts):
        if part.speaker is Speaker.HUMAN and not again:
            if (index := queue.delivered(part.text, uuid, typed=True)) is not None:
                builder.skip("duplicate:queued")
                if uuid:
                    reading.by_uuid.setdefault(uuid, (index, index + 1))
                continue
            if part.subtype is None:  # a command may be typed while others wait
                queue.settle()
                queue.waiting.clear()
        elif not again:
            queue.not_typed(part.text)
        builder.add(part.kind, part.speaker, part.text, frame, ts, native_id=uuid, subtype=part.subtype)
