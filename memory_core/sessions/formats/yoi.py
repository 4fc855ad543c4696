"""Segments of Yoi's sessions, the ancestor of our own log: the entry index is the line, as its records cite it.

Each segment is read on its own, under its own id; the parent's history at its start is a copy and is only counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import flag, instant, list_at, map_at, text_at
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Gap, Session, Speaker
from memory_core.sessions.source import Source
from memory_core.sessions.speaker import human_text
from memory_core.sessions.tools import arguments_of, call_summary, result_summary, result_text, touched_paths

FORMAT = "yoi"
_KINDS = frozenset({
    "segment_start", "invoke", "user_input", "assistant_item", "tool_result", "system_item", "turn_end",
    "run_completed", "run_errored", "paused_turn_abandoned", "config_changed", "llm_usage", "extension",
})  # fmt: skip
_SIGILS = {"file_ref": ("@", "path"), "knowledge_ref": ("#", "slug"), "workflow_invoke": ("/", "slug")}


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is a segment's. Our own logs share some kinds, but write their times as text."""
    kind, ts = value.get("kind"), value.get("ts")
    return isinstance(kind, str) and kind in _KINDS and isinstance(ts, int) and not isinstance(ts, bool)


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a segment. Blank lines are no entries there; every other line is one."""
    builder = SessionBuilder(FORMAT, FORMAT)
    for item in items:
        if isinstance(item, Gap):
            builder.gaps.append(item)
            line = item.line or 0
            builder.unread(line, f"[line {line + 1} of the log cannot be read: {item.reason}]", "gap")
            continue
        if not item.terminated:
            source.repairs.counts["unfinished_tail"] += item.length  # the newline is the commit mark
            continue
        try:
            _entry(builder, item)
        except RecursionError:
            builder.gaps.append(Gap(item.line, item.offset, "nested too deeply"))
            builder.unread(item.line, f"[line {item.line + 1} of the log is nested too deeply]", "gap")
    return builder.session(source.name, source.repairs.counts)


def _entry(builder: SessionBuilder, frame: Frame) -> None:
    value = frame.value
    ts = instant(value.get("ts"))
    builder.saw_instant(ts)
    name = text_at(value, "kind")
    match name:
        case "segment_start":
            _start(builder, frame, ts)
        case "user_input":
            _user(builder, frame, ts)
        case "assistant_item" | "tool_result" | "system_item":
            _item(builder, frame, ts, map_at(value, "item"))
        case "extension":
            fields = {"domain": text_at(value, "domain") or None, "payload": value.get("payload")}
            builder.add(EntryKind.EXTENSION, Speaker.SYSTEM, "", frame, ts, **fields)
        case "llm_usage":
            keys = ("input_total_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
            payload = {key: value.get(key) for key in keys}
            builder.add(EntryKind.USAGE, Speaker.SYSTEM, "", frame, ts, payload=payload)
        case "run_errored":
            builder.system(text_at(value, "message"), "error", frame, ts)
        case _ if name in _KINDS:
            subtype = "interruption" if flag(value, "interrupted") or name == "paused_turn_abandoned" else name
            builder.system("", subtype, frame, ts)
        case _:
            builder.unknown(name or "no kind")
            builder.system("", "unknown", frame, ts)


def _start(builder: SessionBuilder, frame: Frame, ts: str | None) -> None:
    value = frame.value
    keys = ("session_id", "forked_from", "compacted_from")
    payload = {key: value[key] for key in keys if value.get(key)}
    config = map_at(value, "config")
    builder.saw_cwd(text_at(config, "cwd") or text_at(config, "working_dir") or text_at(value, "cwd"))
    if isinstance(session := value.get("session_id"), str):
        builder.scope["session"] = session
    if copies := list_at(value, "history"):
        builder.skip("copied_history", len(copies))
    builder.add(EntryKind.SESSION_START, Speaker.SYSTEM, "", frame, ts, payload=payload)


def _user(builder: SessionBuilder, frame: Frame, ts: str | None) -> None:
    """What a person put in, with references written as they were typed."""
    words = []
    for segment in list_at(frame.value, "segments"):
        kind = text_at(segment, "kind")
        if sigil := _SIGILS.get(kind):
            words.append(sigil[0] + text_at(segment, sigil[1]))
        else:
            words.append(text_at(segment, "content"))
    typed = "".join(words).strip()
    text = human_text(typed, lambda tag: builder.skip(f"cut:{tag}"))
    extensions = list_at(frame.value, "extensions")
    fields = {"payload": {"extensions": extensions}} if extensions else {}
    if text or not typed:
        builder.add(EntryKind.USER_MESSAGE, Speaker.HUMAN, text, frame, ts, **fields)
    else:
        builder.system(typed, "injected", frame, ts)


def _item(builder: SessionBuilder, frame: Frame, ts: str | None, item: dict[str, Any]) -> None:
    kind = text_at(item, "kind")
    call_id = text_at(item, "call_id") or None
    fields: dict[str, Any]
    match kind:
        case "message":
            text = "\n\n".join(t for part in list_at(item, "content") if (t := _part(part)))
            if text_at(item, "role") == "assistant":
                builder.add(EntryKind.ASSISTANT_MESSAGE, Speaker.ASSISTANT, text, frame, ts)
            else:
                builder.system(text, "injected", frame, ts)
        case "tool_call":
            tool, arguments = text_at(item, "name") or "tool", arguments_of(item.get("arguments"))
            fields = {"call_id": call_id, "tool": tool, "arguments": arguments, "paths": touched_paths(arguments)}
            summary = call_summary(tool, arguments)
            builder.add(EntryKind.TOOL_CALL, Speaker.ASSISTANT, summary, frame, ts, **fields)
        case "tool_result":
            content = item.get("content")
            text = text_at(item, "summary") or result_summary(result_text(content))
            full = result_text(content) if content is not None else None
            fields = {"call_id": call_id, "content": full, "is_error": flag(item, "is_error")}
            builder.add(EntryKind.TOOL_RESULT, Speaker.TOOL, text, frame, ts, **fields)
        case "reasoning":
            summary = "\n".join(part for part in list_at(item, "summary") if isinstance(part, str))
            builder.add(EntryKind.REASONING, Speaker.ASSISTANT, text_at(item, "text") or summary, frame, ts)
        case _ if text_at(frame.value, "kind") == "system_item":
            text = text_at(item, "body") or text_at(item, "text") or text_at(item, "message")
            builder.system(text, "interruption" if kind == "interrupt" else "injected", frame, ts)
        case _:
            builder.unknown(f"item:{kind or 'no kind'}")
            builder.system("", "unknown", frame, ts)


def _part(part: Any) -> str:
    return text_at(part, "text") or text_at(part, "refusal")
