"""Codex rollouts of JSON lines: bare items of 2025, wrapped lines since, numbered lines of the newest generation.

Each text stands in a rollout twice or more; only the first copy becomes an entry. Rolled-back turns stay, marked: an
index must not change while a log grows. Items themselves are read in `codex_items`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import at, instant, list_at, map_at, text_at
from memory_core.sessions.formats.codex_items import CALLS, OUTPUTS, SILENT, Rollout, read_item
from memory_core.sessions.formats.codex_texts import by_editor
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Gap, Session, Speaker
from memory_core.sessions.source import Source
from memory_core.sessions.tools import block_text
from memory_core.sessions.transcript import Place

FORMAT = "codex"

_WRAPPED = frozenset({
    "session_meta", "turn_context", "response_item", "event_msg", "compacted", "inter_agent_communication",
    "inter_agent_communication_metadata", "world_state", "session_state",
})  # fmt: skip
_BARE = CALLS | OUTPUTS | SILENT | {"message", "reasoning"}
# Events that repeat what items say, or tell of progress only.
_SILENT_EVENTS = frozenset({
    "token_count", "task_started", "task_complete", "turn_started", "turn_complete", "patch_apply_begin",
    "patch_apply_end", "mcp_tool_call_begin", "mcp_tool_call_end", "web_search_begin", "web_search_end",
    "exec_command_begin", "exec_command_end", "context_compacted", "entered_review_mode", "exited_review_mode",
    "thread_settings_applied", "agent_reasoning_section_break", "turn_diff", "plan_update", "view_image_tool_call",
    "item_started", "thread_goal_updated", "stream_error", "image_generation_end", "undo_completed", "background_event",
    "dynamic_tool_call_request", "dynamic_tool_call_response", "collab_agent_spawn_end", "collab_waiting_end",
})  # fmt: skip
_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
_FILE_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is a rollout's: a wrapped line, a bare item, a state line, or the bare head of 2025."""
    name = text_at(value, "type")
    if name in _WRAPPED:
        return isinstance(value.get("payload", value.get("item")), dict)
    if name == "message":
        content = value.get("content")
        return "role" in value and isinstance(content, list) and "message" not in value
    if name in ("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"):
        return "call_id" in value
    if name in ("reasoning", "local_shell_call"):
        return "summary" in value or "action" in value
    return "type" not in value and (value.get("record_type") == "state" or _is_bare_head(value))


def _is_bare_head(value: dict[str, Any]) -> bool:
    return (
        "type" not in value and "id" in value and "timestamp" in value and ("instructions" in value or "git" in value)
    )


@dataclass
class _Copy:
    """A parent's history at the start of a child's rollout: from which entry on, how many lines it has, and whether the
    parent's turn marks were copied too."""

    start: int
    lines: int = 0
    marked: bool = False


@dataclass
class _Reading:
    """`rolled`: the stretches of entries that were taken back, in order; what stands in one is not looked at again."""

    rollout: Rollout
    own_id: str = ""
    copy: _Copy | None = None
    rolled: list[tuple[int, int]] = field(default_factory=list)

    @property
    def builder(self) -> SessionBuilder:
        return self.rollout.builder


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a rollout."""
    reading = _Reading(Rollout(SessionBuilder(FORMAT, FORMAT)))
    for item in items:
        if isinstance(item, Gap):
            reading.builder.gaps.append(item)
        else:
            _guarded_line(reading, item)
    if reading.copy and reading.copy.marked:  # the child has not begun a turn of its own yet
        reading.copy.lines += 1
        _drop_copy(reading, reading.copy)
    reading.rollout.end()
    return reading.builder.session(reading.own_id or id_of_name(source.name), source.repairs.counts)


def id_of_name(name: str) -> str:
    """The session id in a rollout's file name (`rollout-<local time>-<uuid>`), the whole name where there is none."""
    match = _FILE_UUID.search(name)
    return match[0] if match else name


def _guarded_line(reading: _Reading, frame: Frame) -> None:
    try:
        _line(reading, frame)
    except RecursionError:
        reading.builder.gaps.append(Gap(frame.line, frame.offset, "nested too deeply"))


def _line(reading: _Reading, frame: Frame) -> None:
    value, builder = frame.value, reading.builder
    name = text_at(value, "type")
    ts = instant(value.get("timestamp"))
    builder.saw_instant(ts)
    if name not in _WRAPPED:
        _bare(reading, frame, ts)
        return
    payload = map_at(value, "payload") or map_at(value, "item")
    ordinal = value.get("ordinal")
    native_id = text_at(payload, "id") or (f"ordinal:{ordinal}" if isinstance(ordinal, int) else None)
    place = Place(frame, ts, native_id)
    if reading.copy:
        reading.copy.lines += 1
        _end_copy(reading, name, payload)
    match name:
        case "session_meta":
            _meta(reading, payload)
        case "turn_context":
            builder.saw_cwd(text_at(payload, "cwd"))
            builder.skip(name)
        case "response_item":
            read_item(reading.rollout, payload, place)
        case "event_msg":
            _event(reading, payload, place)
        case "compacted":
            _compacted(reading, payload, place)
        case "inter_agent_communication":
            text = text_at(payload, "content") or text_at(payload, "message")
            if text:
                fields = {"subtype": "subagent_prompt"}
                reading.rollout.add(EntryKind.USER_MESSAGE, Speaker.ASSISTANT, text, place, **fields)
            else:
                builder.skip(name)
        case _:
            builder.skip(name)


def _bare(reading: _Reading, frame: Frame, ts: str | None) -> None:
    """A line of the second generation: an item without wrapper and time, a state line, or the head."""
    value, builder = frame.value, reading.builder
    if value.get("record_type") == "state":
        builder.skip("state")
    elif "type" not in value and _is_bare_head(value):
        reading.own_id = reading.own_id or text_at(value, "id")
        builder.skip("head")
    elif text_at(value, "type") in _BARE:
        read_item(reading.rollout, value, Place(frame, ts, text_at(value, "id") or None))
    else:
        builder.unknown(text_at(value, "type") or "no type")


def _meta(reading: _Reading, payload: dict[str, Any]) -> None:
    """The first head names the file. Another session's head after it begins a copy of that session's history."""
    session_id = text_at(payload, "id") or text_at(payload, "session_id")
    builder = reading.builder
    builder.skip("session_meta")
    if not reading.own_id:
        reading.own_id = session_id
        reading.rollout.editor = by_editor(text_at(payload, "originator"))
        builder.saw_cwd(text_at(payload, "cwd"))
        builder.saw_version(text_at(payload, "cli_version"))
        builder.saw_instant(instant(payload.get("timestamp")))
        if is_sub_agent(payload):
            builder.session_kind = "subagent"
    elif session_id and session_id != reading.own_id and reading.copy is None:
        reading.rollout.release()
        reading.copy = _Copy(len(builder.entries), 1)


def is_sub_agent(payload: dict[str, Any]) -> bool:
    """Whether a head is that of a thread which an agent started. A person's fork has a parent too, but no such mark."""
    return (
        isinstance(at(payload, "source", "subagent"), dict | str)
        or text_at(payload, "thread_source") == "subagent"
        or bool(text_at(payload, "parent_thread_id"))
    )


def _end_copy(reading: _Reading, name: str, payload: dict[str, Any]) -> None:
    """Drop the copied history when the child's own first turn begins.

    Turn ids are UUIDs of version 7 in rollouts that copy the parent's turn marks: such a turn is the child's own when
    its id is not older than the child's. Elsewhere marks are not copied, and the first `task_started` is the child's.
    """
    started = name == "event_msg" and text_at(payload, "type") in ("task_started", "turn_started")
    if not (started or name == "turn_context") or reading.copy is None:
        return
    turn_id = text_at(payload, "turn_id")
    if _UUID7.fullmatch(turn_id) and _UUID7.fullmatch(reading.own_id):
        own = turn_id[:13].lower() >= reading.own_id[:13].lower()  # the 48 bits of milliseconds
        reading.copy.marked = not own
    else:
        own = started
    if own:
        _drop_copy(reading, reading.copy)


def _drop_copy(reading: _Reading, copy: _Copy) -> None:
    """The last line counted is the one after the copy."""
    del reading.builder.entries[copy.start :]
    reading.builder.skip("copied_history", copy.lines - 1)
    reading.rollout = Rollout(reading.builder)
    reading.copy = None


def _event(reading: _Reading, payload: dict[str, Any], place: Place) -> None:
    rollout, name = reading.rollout, text_at(payload, "type")
    match name:
        case "user_message":
            if text_at(payload, "kind") in ("", "plain"):
                rollout.user_event(text_at(payload, "message"), "event", place)
            else:
                rollout.system(text_at(payload, "message"), "injected", place)
        case "agent_message":
            rollout.assistant(text_at(payload, "message"), "event", place)
        case "agent_reasoning" | "agent_reasoning_raw_content":
            rollout.reasoning(text_at(payload, "text"), "event", place)
        case "item_completed":
            _completed(rollout, map_at(payload, "item"), place)
        case "turn_aborted":
            rollout.interrupted("event", place)
        case "error":
            rollout.system(text_at(payload, "message"), "error", place)
        case "thread_rolled_back":
            _rolled_back(reading, payload.get("num_turns"), place)
        case "thread_name_updated":
            title = text_at(payload, "thread_name") or text_at(payload, "name")
            rollout.builder.title = title or rollout.builder.title
            rollout.builder.skip(name)
        case _ if name in _SILENT_EVENTS or name.endswith("_delta"):
            rollout.builder.skip(f"event:{name}")
        case _:
            rollout.builder.unknown(f"event:{name or 'no type'}")


def _completed(rollout: Rollout, item: dict[str, Any], place: Place) -> None:
    """A finished item of the newest generation. Commands and file changes stand as response items too."""
    name = text_at(item, "type")
    content = item.get("content")
    text = (
        "\n\n".join(t for b in content if (t := _item_text(b))) if isinstance(content, list) else text_at(item, "text")
    )
    place = Place(place.frame, place.ts, text_at(item, "id") or place.native_id)
    match name:
        case "UserMessage" | "userMessage" | "user_message":
            rollout.user_event(text, "completed", place)
        case "AgentMessage" | "agentMessage" | "agent_message":
            rollout.assistant(text or text_at(item, "message"), "completed", place)
        case "Plan" | "plan":
            rollout.assistant(text or text_at(item, "text"), "completed", place, "plan")
        case _:
            rollout.builder.skip(f"event:item_completed:{name or 'no type'}")


def _item_text(block: Any) -> str:
    return text_at(block, "text") or block_text(block)


def _compacted(reading: _Reading, payload: dict[str, Any], place: Place) -> None:
    text = text_at(payload, "message").strip()
    if text:
        reading.rollout.system(text, "compact_summary", place)
    else:
        reading.builder.skip("compacted")
    if copies := list_at(payload, "replacement_history"):
        reading.builder.skip("compacted:replacement_history", len(copies))


def _rolled_back(reading: _Reading, count: Any, place: Place) -> None:
    """Mark the last turns as taken back by the person; a turn begins with the person's message."""
    builder = reading.builder
    reading.rollout.release()
    turns = count if isinstance(count, int) and count > 0 else 1
    at_entry = len(builder.entries)
    while turns and at_entry:
        if reading.rolled and reading.rolled[-1][1] >= at_entry:
            at_entry = min(at_entry, reading.rolled.pop()[0])
            continue
        at_entry -= 1
        entry = builder.entries[at_entry]
        if entry.subtype is None:
            turns -= entry.kind is EntryKind.USER_MESSAGE
            builder.relabel(at_entry, "rolled_back")
    reading.rolled.append((at_entry, len(builder.entries)))
    reading.rollout.system(f"[{count} turns rolled back]", "rollback", place)
