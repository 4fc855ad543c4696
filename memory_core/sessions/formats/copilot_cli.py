"""Copilot CLI: logs of events (two generations, and the transcripts that its editor extension keeps), one a line.

The oldest generation, a document, is in `copilot_document`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.fields import at, flag, instant, list_at, map_at, text_at
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.source import Source
from memory_core.sessions.tools import arguments_of, result_text
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "copilot-cli"

_TYPE = re.compile(
    r"(?:session|user|assistant|system|tool|subagent|skill|hook|permission|elicitation|command|external_tool|pending_messages"
    r"|sampling|user_input|exit_plan_mode|model|mcp)\.\w+|abort"
)
_SILENT = frozenset({
    "session.shutdown", "session.model_change", "session.truncation", "session.compaction_start", "session.idle",
    "session.handoff", "session.snapshot_rewind", "session.usage_info", "session.mode_changed", "session.task_complete",
    "session.plan_changed", "session.workspace_file_changed", "session.import_legacy", "assistant.turn_start",
    "assistant.turn_end", "assistant.intent", "assistant.usage", "assistant.message_delta", "tool.execution_progress",
    "tool.execution_partial_result", "pending_messages.modified",
})  # fmt: skip
_REFUSED = re.compile(
    r"The user rejected|[Rr]ejected by (?:the )?user|[Uu]ser (?:denied|declined)|Permission denied by the user"
)
_ANSWER = re.compile(r"User (?:responded|selected|answered|chose)[^:]{0,40}:\s*(.+)\Z", re.DOTALL)
_REASON = re.compile(r"(?:feedback|reason|instead)[^:\n]{0,40}:\s*(.+)\Z", re.DOTALL)
_NAME = re.compile(r"^(?:name|summary):[ \t]*(.+?)[ \t]*$", re.MULTILINE)


def recognizes(value: dict[str, Any]) -> bool:
    return bool(_TYPE.fullmatch(text_at(value, "type"))) and isinstance(value.get("data"), dict)


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a log of events."""
    builder = SessionBuilder(FORMAT, FORMAT)
    transcript = Transcript(builder)
    session_id = ""
    for item in items:
        if isinstance(item, Gap):
            builder.gaps.append(item)
            continue
        place = Place(item, instant(item.value.get("timestamp")), text_at(item.value, "id") or None)
        with transcript.record(place):
            data = map_at(item.value, "data")
            if agent := text_at(item.value, "agentId"):  # a sub-agent's event; older ones say so in their data
                data = {**data, "agentId": agent}
            _event(transcript, text_at(item.value, "type"), data, place)
        session_id = session_id or text_at(item.value, "data", "sessionId")
    if source.name == "events":  # the file's folder is named after the session, and describes it
        found = _NAME.search((source.beside.read("workspace.yaml") or b"").decode("utf-8", "replace"))
        transcript.title(found[1].strip("'\"") if found else "")
    name = source.folder if source.name == "events" else source.name
    return builder.session(session_id or name, source.repairs.counts)


def _event(transcript: Transcript, name: str, data: dict[str, Any], place: Place) -> None:
    """One event, by its type; a type not known here is counted."""
    side = "sidechain" if text_at(data, "parentToolCallId") or text_at(data, "agentId") else None
    match name:
        case "session.start" | "session.resume" | "session.context_changed":
            transcript.builder.saw_cwd(text_at(data, "context", "cwd") or text_at(data, "cwd"))
            transcript.builder.saw_version(text_at(data, "copilotVersion"))
            transcript.skip(name)
        case "user.message":
            _user(transcript, data, place)
        case "system.message" | "system.notification":
            transcript.system(result_text(data.get("content")), "injected", place)
        case "assistant.message":
            transcript.reasoning(text_at(data, "reasoningText"), place, side)
            transcript.assistant(result_text(data.get("content")), place, side)
            for request in list_at(data, "toolRequests"):
                tool, arguments = text_at(request, "name"), arguments_of(at(request, "arguments"))
                transcript.call(tool, arguments, text_at(request, "toolCallId") or None, place, side)
        case "assistant.reasoning":
            transcript.skip(name)  # the message carries it too
        case "tool.execution_start" | "tool.user_requested":
            arguments = arguments_of(data.get("arguments"))
            transcript.call(text_at(data, "toolName"), arguments, text_at(data, "toolCallId") or None, place, side)
        case "tool.execution_complete":
            _result(transcript, data, place, side)
        case "session.compaction_complete":
            transcript.system(text_at(data, "summaryContent") or text_at(data, "summary"), "compact_summary", place)
        case "session.info" | "session.warning" | "session.error":
            transcript.system(text_at(data, "message"), name.removeprefix("session."), place)
        case "session.title_changed":
            transcript.title(text_at(data, "title"))
        case "abort":
            transcript.system(f"[aborted: {text_at(data, 'reason') or 'no reason given'}]", "interruption", place)
        case _ if name in _SILENT or name.partition(".")[0] in ("hook", "permission", "skill", "subagent"):
            transcript.skip(name)
        case _:
            transcript.unknown(name or "no type")


def _user(transcript: Transcript, data: dict[str, Any], place: Place) -> None:
    """What was typed, not what was sent: `transformedContent` adds the program's reminders."""
    text = result_text(data.get("content"))
    sender = text_at(data, "source")
    if text_at(data, "parentToolCallId") or text_at(data, "agentId"):
        transcript.agent_prompt(text, place)
    elif (
        flag(data, "isAutopilotContinuation")
        or flag(data, "isSystemInitiated")
        or (sender and sender not in ("user", "cli", "human") and not sender.startswith("command"))
    ):
        transcript.system(text, "injected", place)
    else:
        transcript.user(text, place)
    for attachment in list_at(data, "attachments"):
        transcript.skip(f"attachment:{text_at(attachment, 'type') or 'other'}")


def _result(transcript: Transcript, data: dict[str, Any], place: Place, side: str | None) -> None:
    error = data.get("error")
    failed = data.get("success") is False or bool(error)
    result = data.get("result")
    content = result_text(at(result, "content") if isinstance(result, dict) else result)
    if failed and not content:
        content = text_at(error, "message") or result_text(error)
    call_id = text_at(data, "toolCallId") or None
    tool, summary = transcript.result(content, call_id, place, is_error=failed, subtype=side)
    tool = tool or text_at(data, "toolName")
    if side:
        return
    refused = (failed and text_at(error, "code") in ("rejected", "denied")) or flag(data, "userRejected")
    if refused or (failed and not text_at(error, "code") and _REFUSED.match(content)):
        reason = _REASON.search(content) if refused else None  # a tool that failed may say anything
        transcript.decision(reason[1] if reason else f"Rejected {summary or tool}", "rejection", place, call_id)
    elif tool == "ask_user" and not failed and content.strip():
        answer = _ANSWER.match(content.strip())
        asked = summary.removeprefix("ask_user: ") if summary != "ask_user" else ""
        said = answer[1] if answer else content.strip()
        transcript.decision(f"{said} (asked: {asked})" if asked else said, "question_answer", place, call_id)
