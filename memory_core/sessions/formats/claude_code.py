"""Claude Code's transcripts, all versions: one API message over several lines, tool results in role `user`, a tree.

All branches are kept in file order (an abandoned attempt is evidence). Reads one file; what other files repeat is not
its business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import at, flag, instant, map_at, text_at
from memory_core.sessions.formats import claude_answers
from memory_core.sessions.frames import Frame, Repairs
from memory_core.sessions.model import EntryKind, Gap, Session, Speaker
from memory_core.sessions.speaker import Spoken, merged, spoken
from memory_core.sessions.tools import block_text, call_summary, result_summary, result_text, touched_paths

FORMAT = "claude-code"

# Line types with an envelope, and the metadata lines without one that are known to carry nothing said. What is in
# neither is counted as unknown: new types come with almost every release.
_CONVERSATION = frozenset({"user", "assistant", "system", "attachment", "progress", "summary"})
_METADATA = frozenset({
    "file-history-snapshot", "queue-operation", "permission-mode", "last-prompt", "ai-title", "custom-title", "tag",
    "agent-name", "agent-color", "agent-setting", "pr-link", "teleported-from", "mode", "worktree-state",
    "content-replacement", "marble-origami-commit", "marble-origami-snapshot", "attribution-snapshot",
    "speculation-accept", "task-summary",
})  # fmt: skip
_KNOWN = _CONVERSATION | _METADATA
_ATTACHMENTS = frozenset({
    "hook_success", "skill_listing", "deferred_tools_delta", "mcp_instructions_delta", "file", "edited_text_file",
    "todo_reminder", "task_reminder", "plan_mode", "plan_mode_exit", "plan_file_reference", "compact_file_reference",
    "nested_memory", "date_change", "companion_intro", "command_permissions", "directory", "opened_file_in_ide",
    "selected_lines_in_ide", "diagnostics", "agent_listing_delta", "invoked_skills", "auto_mode", "output_style",
})  # fmt: skip
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is one of Claude Code's: a known type together with a key that only its lines have."""
    name = text_at(value, "type")
    if name in ("user", "assistant") and isinstance(value.get("message"), dict):
        return True
    if name in ("user", "assistant", "system", "attachment", "progress"):
        return any(key in value for key in ("sessionId", "parentUuid", "isSidechain", "userType", "uuid"))
    if name == "summary":
        return "summary" in value and "leafUuid" in value
    return name in _METADATA and any(key in value for key in ("sessionId", "messageId", "snapshot", "uuid"))


@dataclass
class _Reading:
    """What must be remembered between lines. `by_uuid`: the entries each uuid gave (first, past the last), one pair a
    copy; `blocks`: what each API message said already; `queued`: texts typed while the agent worked whose ordinary line
    has not come yet; `tools`: name and summary of each call."""

    builder: SessionBuilder
    session_ids: Counter[str] = field(default_factory=Counter)
    first_id: str = ""
    agent_ids: int = 0
    main_lines: int = 0
    by_uuid: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    blocks: dict[str, set[tuple[str, str, str]]] = field(default_factory=dict)
    queued: Counter[str] = field(default_factory=Counter)
    tools: dict[str, tuple[str, str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    summary_leaf: str = ""


def read(items: Iterator[Frame | Gap], name: str, repairs: Repairs) -> Session:
    """The session of a transcript. `name`: the file's name without its ending."""
    reading = _Reading(SessionBuilder(FORMAT, FORMAT))
    for item in items:
        if isinstance(item, Gap):
            reading.builder.gaps.append(item)
        else:
            _line(reading, item)
    builder = reading.builder
    builder.title = _title(reading)
    if reading.agent_ids and not reading.main_lines:
        builder.session_kind = "subagent"
    return builder.session(_session_id(reading, name), repairs.counts)


def _title(reading: _Reading) -> str | None:
    """What the session is called. Old summaries name other sessions too: only one whose leaf stands here counts."""
    titles = dict(reading.titles)
    if reading.summary_leaf not in reading.by_uuid or titles.get("summary", "").startswith("API Error"):
        titles.pop("summary", None)
    return next((titles[key] for key in _TITLES if key in titles), None)


def _session_id(reading: _Reading, name: str) -> str:
    """The id on the lines, not the file name; the name decides only where lines of several sessions stand in one file,
    and for a sub-agent's own file, whose lines carry its parent's id."""
    if reading.builder.session_kind == "subagent" and name.startswith("agent-"):
        return name
    if name in reading.session_ids or not reading.first_id:
        return name
    return reading.first_id


def _line(reading: _Reading, frame: Frame) -> None:
    value, builder = frame.value, reading.builder
    name = text_at(value, "type")
    session_id = text_at(value, "sessionId")
    if session_id:
        reading.session_ids[session_id] += 1
        reading.first_id = reading.first_id or session_id
    if name not in _KNOWN:
        builder.skip(f"unknown:{name or 'no type'}")
        return
    ts = instant(value.get("timestamp"))
    builder.saw_instant(ts)
    builder.saw_cwd(text_at(value, "cwd"))
    if name in ("user", "assistant"):
        sub_agent = flag(value, "isSidechain") or bool(text_at(value, "agentId"))
        reading.agent_ids += sub_agent
        reading.main_lines += not sub_agent
    start = len(builder.entries)
    match name:
        case "user":
            _user(reading, frame, ts)
        case "assistant":
            _assistant(reading, frame, ts)
        case "system":
            _system(reading, frame, ts)
        case "attachment":
            _attachment(reading, frame, ts)
        case "queue-operation":
            _queue(reading, frame, ts)
        case "progress":
            # Nested copies of a sub-agent's messages and of hooks' output: the originals have lines of their own.
            builder.skip(f"progress:{text_at(value, 'data', 'type') or 'other'}")
        case _:
            _metadata(reading, frame, ts)
    if uuid := text_at(value, "uuid"):
        _drop_copy(reading, uuid, start)


def _drop_copy(reading: _Reading, uuid: str, start: int) -> None:
    """Undo the line just read when a line with this uuid said the same before; a changed content stays."""
    entries = reading.builder.entries
    new = entries[start:]
    copies = reading.by_uuid.setdefault(uuid, [])
    for first, last in copies:
        old = entries[first:last]
        if [_said(e) for e in old] == [_said(e) for e in new]:
            del entries[start:]
            reading.builder.skip("duplicate:uuid")
            return
    copies.append((start, len(entries)))


def _said(entry: Any) -> tuple[Any, ...]:
    return entry.kind, entry.text, entry.output, entry.call_id, entry.arguments


def _user(reading: _Reading, frame: Frame, ts: str | None) -> None:
    value, builder = frame.value, reading.builder
    uuid = text_at(value, "uuid") or None
    content = at(value, "message", "content")
    blocks = content if isinstance(content, list) else [content]
    parts: list[Spoken] = []
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            _say(reading, frame, ts, parts, uuid)
            parts = []
            _tool_result(reading, frame, block, ts)
        else:
            parts += _spoken(reading, value, block_text(block))
    _say(reading, frame, ts, parts, uuid)
    if not blocks or content is None:
        builder.skip("user:empty")


def _spoken(reading: _Reading, value: dict[str, Any], text: str) -> list[Spoken]:
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


def _say(reading: _Reading, frame: Frame, ts: str | None, parts: list[Spoken], uuid: str | None) -> None:
    builder = reading.builder
    for part in merged(parts):
        if part.speaker is Speaker.HUMAN and reading.queued[part.text] > 0:
            reading.queued[part.text] -= 1
            builder.skip("duplicate:queued")
            continue
        builder.add(part.kind, part.speaker, part.text, frame, ts, native_id=uuid, subtype=part.subtype)


def _tool_result(reading: _Reading, frame: Frame, block: dict[str, Any], ts: str | None) -> None:
    value, builder = frame.value, reading.builder
    call_id = text_at(block, "tool_use_id") or None
    content = result_text(block.get("content"))
    tool, summary = reading.tools.get(call_id or "", ("", ""))
    uuid = text_at(value, "uuid") or None
    builder.add(
        EntryKind.TOOL_RESULT,
        Speaker.TOOL,
        result_summary(content),
        frame,
        ts,
        native_id=uuid,
        call_id=call_id,
        tool=tool or None,
        content=content,
        is_error=flag(block, "is_error"),
    )
    if flag(value, "isSidechain"):  # a sub-agent has nobody to ask
        return
    refused = text_at(value, "toolDenialKind") == "user-rejected"
    answer = claude_answers.human_answer(
        tool, summary, content, value.get("toolUseResult"), is_error=flag(block, "is_error"), refused=refused
    )
    if answer:
        text, subtype = answer
        builder.add(
            EntryKind.USER_MESSAGE, Speaker.HUMAN, text, frame, ts, native_id=uuid, call_id=call_id, subtype=subtype
        )


def _assistant(reading: _Reading, frame: Frame, ts: str | None) -> None:
    value, builder = frame.value, reading.builder
    message = map_at(value, "message")
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    said = reading.blocks.setdefault(text_at(message, "id"), set()) if text_at(message, "id") else set()
    local = text_at(message, "model") == "<synthetic>" or flag(value, "isApiErrorMessage")
    subtype = "sidechain" if flag(value, "isSidechain") else None
    uuid = text_at(value, "uuid") or None
    for block in blocks:
        name = text_at(block, "type")
        key = (name, text_at(block, "id"), text_at(block, "text") or text_at(block, "thinking"))
        if key in said and any(key):
            builder.skip("duplicate:message_block")
            continue
        said.add(key)
        match name:
            case "text" if local:
                builder.system(block_text(block), "api_error", frame, ts, uuid)
            case "text" if block_text(block).strip():
                text = block_text(block).strip()
                fields = {"native_id": uuid, "subtype": subtype}
                builder.add(EntryKind.ASSISTANT_MESSAGE, Speaker.ASSISTANT, text, frame, ts, **fields)
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                _tool_call(reading, frame, block, ts, subtype)
            case "thinking" if text_at(block, "thinking").strip():
                text = text_at(block, "thinking").strip()
                builder.add(EntryKind.REASONING, Speaker.ASSISTANT, text, frame, ts, native_id=uuid, subtype=subtype)
            case "thinking" | "redacted_thinking" | "text" | "fallback":
                builder.skip(f"block:{name}")
            case _ if name.endswith("_tool_result"):
                _tool_result(reading, frame, block, ts)
            case _:
                builder.skip(f"unknown:block:{name or 'no type'}")


def _tool_call(reading: _Reading, frame: Frame, block: dict[str, Any], ts: str | None, subtype: str | None) -> None:
    tool = text_at(block, "name") or "tool"
    arguments = map_at(block, "input")
    call_id = text_at(block, "id") or None
    summary = call_summary(tool, arguments)
    if call_id:
        reading.tools[call_id] = tool, summary
    reading.builder.add(
        EntryKind.TOOL_CALL,
        Speaker.ASSISTANT,
        summary,
        frame,
        ts,
        native_id=text_at(frame.value, "uuid") or None,
        call_id=call_id,
        tool=tool,
        arguments=arguments,
        paths=touched_paths(arguments),
        subtype=subtype,
    )


def _system(reading: _Reading, frame: Frame, ts: str | None) -> None:
    value = frame.value
    subtype = text_at(value, "subtype") or "notice"
    text = result_text(value.get("content")).strip()
    uuid = text_at(value, "uuid") or None
    if subtype == "local_command" and text:  # newer versions log typed commands and their output here
        parts = spoken(text)
        if any(part.subtype in ("command", "command_output") for part in parts):
            _say(reading, frame, ts, parts, uuid)
            return
    if text:
        reading.builder.system(text, subtype, frame, ts, uuid)
    else:
        reading.builder.skip(f"system:{subtype}")


def _attachment(reading: _Reading, frame: Frame, ts: str | None) -> None:
    value, builder = frame.value, reading.builder
    attachment = map_at(value, "attachment")
    name = text_at(attachment, "type")
    match name:
        case "queued_command":
            prompt = result_text(attachment.get("prompt"))
            origin = text_at(attachment, "origin", "kind") or "human"
            notified = text_at(attachment, "commandMode") == "task-notification" or origin != "human"
            if notified or flag(attachment, "isMeta"):
                builder.system(prompt, "injected", frame, ts, text_at(value, "uuid") or None)
            else:
                _queued(reading, frame, ts, prompt, arrived=True)
        case "hook_additional_context":
            text = result_text(attachment.get("content")).strip()
            builder.system(text, "injected", frame, ts, text_at(value, "uuid") or None)
        case _ if name in _ATTACHMENTS:
            builder.skip(f"attachment:{name}")
        case _:
            builder.skip(f"unknown:attachment:{name or 'no type'}")


def _queue(reading: _Reading, frame: Frame, ts: str | None) -> None:
    """Text typed while the agent worked: often a correction. It comes back later as an ordinary line or attachment."""
    text = result_text(frame.value.get("content"))
    if text_at(frame.value, "operation") == "enqueue" and text.strip():
        _queued(reading, frame, ts, text, arrived=False)
    else:
        reading.builder.skip("queue-operation")


def _queued(reading: _Reading, frame: Frame, ts: str | None, text: str, *, arrived: bool) -> None:
    """The first copy of a queued text becomes the entry. `arrived`: this copy is the one the agent was given."""
    builder = reading.builder
    for part in merged(_spoken(reading, frame.value, text)):
        if part.speaker is not Speaker.HUMAN:
            builder.system(part.text, part.subtype or "injected", frame, ts, text_at(frame.value, "uuid") or None)
        elif arrived and reading.queued[part.text] > 0:
            reading.queued[part.text] -= 1
            builder.skip("duplicate:queued")
        else:
            # An attachment may be followed by an ordinary line with the same text just as the queue's own line is.
            reading.queued[part.text] += not arrived
            native_id = text_at(frame.value, "uuid") or None
            subtype = part.subtype or "queued"
            builder.add(part.kind, part.speaker, part.text, frame, ts, native_id=native_id, subtype=subtype)


def _metadata(reading: _Reading, frame: Frame, ts: str | None) -> None:
    """Lines beside the conversation. Titles and links are kept as extensions, the rest is counted."""
    value, builder = frame.value, reading.builder
    name = text_at(value, "type")
    if key := _TITLES.get(name):
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
