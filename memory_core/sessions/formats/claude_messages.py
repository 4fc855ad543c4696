"""Claude Code's `user` and `assistant` lines: blocks, tool results in role `user`, what a person decided in them.

Notices, attachments and metadata are in `claude_notes`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memory_core.sessions.fields import at, flag, map_at, text_at
from memory_core.sessions.formats import claude_answers
from memory_core.sessions.formats.claude_reading import Reading, parts_of, say, whole_output
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Speaker
from memory_core.sessions.speaker import Spoken, is_expanded
from memory_core.sessions.tools import block_text, call_summary, result_summary, result_text, touched_paths

_TYPED = frozenset({"", "text", "image", "document"})  # blocks in role `user` that a person put there


def user(reading: Reading, frame: Frame, ts: str | None) -> None:
    value, builder = frame.value, reading.builder
    uuid = text_at(value, "uuid") or None
    content = at(value, "message", "content")
    blocks = content if isinstance(content, list) else [content]
    parts: list[Spoken] = []
    expanded = False  # a slash command stands in the blocks so far: what follows is its prompt
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            say(reading, frame, ts, parts, uuid)
            parts = []
            _tool_result(reading, frame, block, ts)
        elif isinstance(block, dict) and text_at(block, "type") not in _TYPED:
            builder.unknown(f"block:{text_at(block, 'type') or 'no type'}")
        else:
            text = block_text(block)
            told = parts_of(reading, value, text, block=len(blocks) > 1)
            parts += [_expansion(part) for part in told] if expanded else told
            expanded = expanded or is_expanded(text)
    say(reading, frame, ts, parts, uuid)
    if not blocks or content is None:
        builder.skip("user:empty")


def _expansion(part: Spoken) -> Spoken:
    """A part of a slash command's prompt, which no person typed."""
    return replace(part, kind=EntryKind.SYSTEM, speaker=Speaker.SYSTEM, subtype="injected")


def _tool_result(reading: Reading, frame: Frame, block: dict[str, Any], ts: str | None) -> None:
    value, builder = frame.value, reading.builder
    call_id = text_at(block, "tool_use_id") or None
    content = whole_output(reading, result_text(block.get("content")))
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


def assistant(reading: Reading, frame: Frame, ts: str | None) -> None:
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
        own_id = text_at(block, "id") or text_at(block, "tool_use_id")
        key = (name, own_id, text_at(block, "text") or text_at(block, "thinking"))
        if key in said and any(key[1:]):  # what has neither an id nor words is no copy of anything
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
                builder.unknown(f"block:{name or 'no type'}")


def _tool_call(reading: Reading, frame: Frame, block: dict[str, Any], ts: str | None, subtype: str | None) -> None:
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
