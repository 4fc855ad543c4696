"""Goose's sessions: from its database, from the older log of lines, or from an export. One kind of message in all.

Tool results travel in the role of the user; messages that a person never sees are not a person's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import record_hash
from memory_core.sessions.fields import at, flag, instant, list_at, map_at, text_at
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.source import Source
from memory_core.sessions.tables import Listed, Tables, json_cell, listed_in, name_cell
from memory_core.sessions.tools import arguments_of, block_text, result_text
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "goose"
TABLES = ("sessions", "messages")
_SESSION = ("id", "name", "description", "working_dir", "created_at", "updated_at", "session_type")
_SUB_AGENT = ("sub_agent", "subagent")
_DECLINED = "The user has declined to run this tool"
_DECLINED_MOST = 400  # characters of the program's whole notice; what goes on is a tool's output that quotes it
_SILENT = frozenset({"image", "toolConfirmationRequest", "actionRequired", "redactedThinking", "frontendToolRequest"})


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is the head of a log, or a message of one."""
    if "role" in value:
        return "created" in value and isinstance(value.get("content"), list)
    return "working_dir" in value and "type" not in value


def recognizes_document(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("conversation"), list) and "working_dir" in value


def sessions(tables: Tables) -> Iterator[Listed]:
    """All sessions of a database."""
    return listed_in(tables, _sessions(tables))


def _sessions(tables: Tables) -> Iterator[Listed]:
    for row in tables.rows("sessions", _SESSION):
        parent = "another" if row["session_type"] in _SUB_AGENT else ""
        times = _utc(row["created_at"]), _utc(row["updated_at"])
        yield Listed(name_cell(row["id"]), str(row["working_dir"] or ""), *times, parent=parent)


def read_database(tables: Tables, source: Source) -> Session:
    """One session of a database, `source.part`."""
    builder = SessionBuilder(FORMAT, FORMAT)
    transcript = Transcript(builder)
    wanted = source.part or ""
    for row in tables.rows("sessions", _SESSION, {"id": wanted}):
        _head(builder, row)
    columns = ("id", "message_id", "role", "content_json", "created_timestamp", "metadata_json")
    for row in tables.rows("messages", columns, {"session_id": wanted}, ("id",)):  # a clock may go back
        content = json_cell(source, row["content_json"])
        name = str(row["message_id"] or row["id"])
        if not isinstance(content, list):
            builder.gaps.append(Gap(None, None, f"message {name} is no valid JSON list"))
            continue
        message = {"role": row["role"], "content": content, "metadata": json_cell(source, row["metadata_json"])}
        place = Place(None, instant(row["created_timestamp"]), name, record_hash(message))
        with transcript.record(place, "message"):
            _message(transcript, message, place)
    builder.gaps += [Gap(None, None, problem) for problem in tables.problems]
    return builder.session(wanted, source.repairs.counts)


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a log of lines: a head, then messages."""
    builder = SessionBuilder(FORMAT, FORMAT)
    transcript = Transcript(builder)
    for item in items:
        if isinstance(item, Gap):
            builder.gaps.append(item)
        elif "role" not in item.value:
            _head(builder, item.value)
            builder.skip("head")
        else:
            place = Place(item, instant(item.value.get("created")), text_at(item.value, "id") or None)
            with transcript.record(place, "message"):
                _message(transcript, item.value, place)
    return builder.session(source.name, source.repairs.counts)


def read_document(value: dict[str, Any], source: Source) -> Session:
    """The session of an export."""
    builder = SessionBuilder(FORMAT, FORMAT)
    transcript = Transcript(builder)
    _head(builder, value)
    for number, message in enumerate(list_at(value, "conversation")):
        if not isinstance(message, dict):
            builder.gaps.append(Gap(None, None, f"message {number + 1} is no object"))
            continue
        name = text_at(message, "id") or f"message-{number}"
        place = Place(None, instant(message.get("created")), name, record_hash(message))
        with transcript.record(place, "message"):
            _message(transcript, message, place)
    return builder.session(text_at(value, "id") or source.name, source.repairs.counts)


def _head(builder: SessionBuilder, row: dict[str, Any]) -> None:
    builder.saw_cwd(text_at(row, "working_dir"))
    builder.title = text_at(row, "name") or text_at(row, "description") or builder.title
    builder.saw_instant(_utc(row.get("created_at")))
    if text_at(row, "session_type") in _SUB_AGENT:
        builder.session_kind = "subagent"


def _utc(value: Any) -> str | None:
    """SQLite's `2026-03-01 10:00:00`, which is UTC, as an instant."""
    found = instant(value)
    return f"{found[:10]}T{found[11:]}Z" if found and len(found) == 19 and found[10] == " " else found


def _message(transcript: Transcript, message: dict[str, Any], place: Place) -> None:
    role = text_at(message, "role").lower()
    hidden = map_at(message, "metadata").get("userVisible") is False
    for block in list_at(message, "content"):
        name = text_at(block, "type")
        match name:
            case "text" if hidden:  # a summary that stands for older messages, or a reminder to the agent
                transcript.system(text_at(block, "text"), "injected", place)
            case "text" if role == "user":
                transcript.user(block_text(block), place)
            case "text":
                transcript.assistant(text_at(block, "text"), place)
            case "thinking" | "reasoning":
                transcript.reasoning(text_at(block, "thinking") or text_at(block, "text"), place)
            case "toolRequest":
                call = map_at(block, "toolCall")
                inner = map_at(call, "value") or call
                arguments = arguments_of(inner.get("arguments"))
                transcript.call(text_at(inner, "name"), arguments, text_at(block, "id") or None, place)
            case "toolResponse":
                _response(transcript, block, place)
            case "systemNotification" | "contextLengthExceeded" | "summarizationRequested":
                transcript.system(text_at(block, "msg") or name, "notice", place)
            case _ if name in _SILENT:
                transcript.skip(f"block:{name}")
            case _:
                transcript.unknown(f"block:{name or 'no type'}")


def _response(transcript: Transcript, block: dict[str, Any], place: Place) -> None:
    result = map_at(block, "toolResult")
    inner = result.get("value")
    content = result_text(at(inner, "content") if isinstance(inner, dict) and "content" in inner else inner)
    failed = text_at(result, "status") == "error" or "error" in result or flag(inner, "isError")
    content = content or result_text(result.get("error"))
    call_id = text_at(block, "id") or None
    _, summary = transcript.result(content, call_id, place, is_error=failed)
    if content.startswith(_DECLINED) and len(content) < _DECLINED_MOST:
        transcript.decision(f"Rejected {summary or 'a tool call'}", "rejection", place, call_id)
