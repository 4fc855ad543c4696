"""Claude Code's lines beside the conversation: notices, attachments, the queue of typed texts, titles and links.

What a person typed while the agent worked stands here, and counts as a person's.
"""

from __future__ import annotations

from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import flag, map_at, text_at
from memory_core.sessions.formats.claude_reading import FORMAT, TITLES, Reading, parts_of, say
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Speaker
from memory_core.sessions.speaker import merged, spoken
from memory_core.sessions.tools import result_text

_ATTACHMENTS = frozenset({
    "hook_success", "skill_listing", "deferred_tools_delta", "mcp_instructions_delta", "file", "edited_text_file",
    "todo_reminder", "task_reminder", "plan_mode", "plan_mode_exit", "plan_file_reference", "compact_file_reference",
    "nested_memory", "date_change", "companion_intro", "command_permissions", "directory", "opened_file_in_ide",
    "selected_lines_in_ide", "diagnostics", "agent_listing_delta", "invoked_skills", "auto_mode", "output_style",
})  # fmt: skip


def system(reading: Reading, frame: Frame, ts: str | None) -> None:
    value = frame.value
    subtype = text_at(value, "subtype") or "notice"
    text = result_text(value.get("content")).strip()
    uuid = text_at(value, "uuid") or None
    if subtype == "local_command" and text:  # newer versions log typed commands and their output here
        parts = spoken(text)
        if any(part.subtype in ("command", "command_output") for part in parts):
            say(reading, frame, ts, parts, uuid)
            return
    if text:
        reading.builder.system(text, subtype, frame, ts, uuid)
    else:
        reading.builder.skip(f"system:{subtype}")


def attachment(reading: Reading, frame: Frame, ts: str | None) -> None:
    value, builder = frame.value, reading.builder
    attachment = map_at(value, "attachment")
    reading.queue.attached = True
    name = text_at(attachment, "type")
    match name:
        case "queued_command":
            prompt = result_text(attachment.get("prompt"))
            origin = text_at(attachment, "origin", "kind") or "human"
            notified = text_at(attachment, "commandMode") == "task-notification" or origin != "human"
            if notified or flag(attachment, "isMeta"):
                reading.queue.not_typed(prompt.strip())
                builder.system(prompt, "injected", frame, ts, text_at(value, "uuid") or None)
            else:
                _queued(reading, frame, ts, prompt, arrived=True)
        case "hook_additional_context":
            text = result_text(attachment.get("content")).strip()
            builder.system(text, "injected", frame, ts, text_at(value, "uuid") or None)
        case _ if name in _ATTACHMENTS:
            builder.skip(f"attachment:{name}")
        case _:
            builder.unknown(f"attachment:{name or 'no type'}")


def queue(reading: Reading, frame: Frame, ts: str | None) -> None:
    """Text typed while the agent worked: often a correction. It comes back later as an ordinary line or attachment."""
    text = result_text(frame.value.get("content"))
    operation = text_at(frame.value, "operation")
    if operation == "enqueue" and text.strip():
        _queued(reading, frame, ts, text, arrived=False)
        return
    reading.builder.skip("queue-operation")
    if operation == "popAll":
        reading.queue.taken_back()
    elif operation == "remove":
        reading.queue.taken_out([part.text for part in merged(spoken(text))], text_at(frame.value, "reason"))


def _queued(reading: Reading, frame: Frame, ts: str | None, text: str, *, arrived: bool) -> None:
    """The first copy of a queued text becomes the entry. `arrived`: this copy is the one the agent was given."""
    builder = reading.builder
    native_id = text_at(frame.value, "uuid") or None
    for part in merged(parts_of(reading, frame.value, text)):
        if part.speaker is not Speaker.HUMAN:
            builder.system(part.text, part.subtype or "injected", frame, ts, native_id)
        elif arrived and (index := reading.queue.delivered(part.text, native_id)) is not None:
            builder.skip("duplicate:queued")
            if native_id:
                reading.by_uuid.setdefault(native_id, (index, index + 1))
        else:
            subtype = part.subtype or "queued"
            entry = builder.add(part.kind, part.speaker, part.text, frame, ts, native_id=native_id, subtype=subtype)
            if not arrived:  # an attachment's text comes no second time
                reading.queue.put(part.text, entry.index)


def metadata(reading: Reading, frame: Frame, ts: str | None) -> None:
    """Lines beside the conversation. Titles and links are kept as extensions, the rest is counted."""
    value, builder = frame.value, reading.builder
    name = text_at(value, "type")
    if key := TITLES.get(name):
        title = text_at(value, key)
        if not title or reading.titles.get(name) == title:  # an idle agent repeats its title again and again
            builder.skip(name)
            return
        reading.titles[name] = title
        reading.summary_leaf = text_at(value, "leafUuid") or reading.summary_leaf
        payload: dict[str, Any] = {"title": title} | ({"leaf": leaf} if (leaf := text_at(value, "leafUuid")) else {})
        _extension(builder, frame, ts, name, payload)
    elif name == "pr-link":
        keys = ("prNumber", "prUrl", "prRepository")
        _extension(builder, frame, ts, name, {key: value[key] for key in keys if key in value})
    else:
        builder.skip(name)


def _extension(builder: SessionBuilder, frame: Frame, ts: str | None, name: str, payload: dict[str, Any]) -> None:
    builder.add(
        EntryKind.EXTENSION, Speaker.SYSTEM, "", frame, ts, domain=f"{FORMAT}.{name}", payload=payload, subtype=name
    )
