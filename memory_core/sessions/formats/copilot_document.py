"""Copilot CLI's oldest generation: one document that holds the same turns twice, as shown and as sent to the model.

What was shown (`timeline`) says who spoke; what was sent (`chatMessages`) is read only where that is missing.
"""

from __future__ import annotations

from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import record_hash
from memory_core.sessions.fields import at, instant, list_at, map_at, text_at
from memory_core.sessions.formats.copilot_cli import FORMAT
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.source import Source
from memory_core.sessions.tools import arguments_of, result_text
from memory_core.sessions.transcript import Place, Transcript


def recognizes(value: Any) -> bool:
    return isinstance(value, dict) and (
        (isinstance(value.get("timeline"), list) and "sessionId" in value)
        or isinstance(value.get("chatMessages"), list)
    )


def read(value: dict[str, Any], source: Source) -> Session:
    """The session of a document."""
    builder = SessionBuilder(FORMAT, FORMAT)
    transcript = Transcript(builder)
    builder.saw_instant(instant(value.get("startTime")))
    builder.saw_cwd(text_at(value, "cwd") or text_at(value, "context", "cwd"))
    timeline, messages = list_at(value, "timeline"), list_at(value, "chatMessages")
    tell, records = (_shown, timeline) if timeline else (_sent, messages)
    if timeline and messages:
        builder.skip("duplicate:chatMessages", len(messages))
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            builder.gaps.append(Gap(None, None, f"record {number + 1} is no object"))
            continue
        name = text_at(record, "id") or f"{'timeline' if timeline else 'message'}-{number}"
        place = Place(None, instant(record.get("timestamp")), name, record_hash(record))
        with transcript.record(place):
            tell(transcript, record, place)
    session_id = text_at(value, "sessionId") or source.name.removeprefix("session_").partition("_")[0]
    return builder.session(session_id, source.repairs.counts)


def _shown(transcript: Transcript, record: dict[str, Any], place: Place) -> None:
    name = text_at(record, "type")
    text = result_text(record.get("text", record.get("content")))
    match name:
        case "user":
            transcript.user(text, place)
        case "copilot":
            transcript.assistant(text, place)
        case "tool_call_requested" | "tool_call_completed":
            call_id = text_at(record, "callId") or text_at(record, "toolCallId") or place.native_id
            if call_id not in transcript.calls:
                arguments = arguments_of(record.get("arguments"))
                transcript.call(text_at(record, "name") or text_at(record, "toolName"), arguments, call_id, place)
            if name == "tool_call_completed":
                result = record.get("result")
                kind = text_at(result, "type")
                log = at(result, "log") if isinstance(result, dict) else result
                content = result_text(log if log is not None else at(result, "content"))
                _, summary = transcript.result(
                    content, call_id, place, is_error=kind in ("failure", "rejected", "denied")
                )
                if kind in ("rejected", "denied"):
                    transcript.decision(f"Rejected {summary}", "rejection", place, call_id)
        case "info" | "warning" | "error":
            transcript.system(text, name, place)
        case _:
            transcript.unknown(name or "no type")


def _sent(transcript: Transcript, record: dict[str, Any], place: Place) -> None:
    text = result_text(record.get("content"))
    match text_at(record, "role"):
        case "user":
            transcript.user(text, place)
        case "assistant":
            transcript.assistant(text, place)
            for call in list_at(record, "tool_calls"):
                function = map_at(call, "function")
                arguments = arguments_of(function.get("arguments"))
                transcript.call(text_at(function, "name"), arguments, text_at(call, "id") or None, place)
        case "tool":
            transcript.result(text, text_at(record, "tool_call_id") or None, place)
        case "system" | "developer":
            transcript.system(text, "injected", place)
        case role:
            transcript.unknown(f"role:{role or 'none'}")
