"""The parts of OpenCode's messages: text, reasoning, tools with their state, and what only marks a step.

Where parts come from, a database or files, is not its business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from memory_core.sessions.fields import flag, instant, map_at, text_at
from memory_core.sessions.formats import claude_answers
from memory_core.sessions.tools import arguments_of, result_text
from memory_core.sessions.transcript import Place, Transcript

_SILENT = frozenset({"step-start", "step-finish", "patch", "snapshot", "agent", "retry", "file"})
_REJECTED = re.compile(
    r"The user rejected permission to use this (?:specific )?tool call|The user dismissed this question"
)
_FEEDBACK = re.compile(r"with the following feedback:\s*(.+)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Message:
    """What a message says of its parts. `summary`: an assistant's message that stands for a compacted history."""

    role: str
    ts: str | None
    summary: bool = False


def tell_part(transcript: Transcript, message: Message, part: dict[str, Any], place: Place) -> None:
    """One part, by its type; a type not known here is counted."""
    name = text_at(part, "type")
    match name:
        case "text" if flag(part, "synthetic") or flag(part, "ignored"):
            transcript.system(text_at(part, "text"), "injected", place)
        case "text" if message.summary:
            transcript.system(text_at(part, "text"), "compact_summary", place)
        case "text" if message.role == "assistant":
            transcript.assistant(text_at(part, "text"), place)
        case "text" if message.role == "user":
            transcript.user(text_at(part, "text"), place)
        case "text":  # its message is gone: nobody can say whose words these are
            transcript.system(text_at(part, "text"), "unknown_speaker", place)
        case "reasoning":
            transcript.reasoning(text_at(part, "text"), place)
        case "tool":
            _tool(transcript, part, place)
        case "subtask":
            arguments: dict[str, Any] = {key: part[key] for key in ("prompt", "description", "agent") if key in part}
            transcript.call("subtask", arguments, None, place)
        case "compaction":
            transcript.system("[The conversation was compacted here.]", "compaction", place)
        case _ if name in _SILENT:
            transcript.skip(f"part:{name}")
        case _:
            transcript.unknown(f"part:{name or 'no type'}")


def tell_error(transcript: Transcript, message: dict[str, Any], place: Place) -> None:
    """What ended an assistant's message, where something did."""
    if error := map_at(message, "error"):
        said = text_at(error, "data", "message") or text_at(error, "message") or text_at(error, "name")
        kind = "interruption" if text_at(error, "name") == "MessageAbortedError" else "error"
        transcript.system(said, kind, place)


def _tool(transcript: Transcript, part: dict[str, Any], place: Place) -> None:
    """A tool part holds both the call and, once there is one, its result."""
    state = map_at(part, "state")
    call_id = text_at(part, "callID") or place.native_id
    tool = text_at(part, "tool")
    summary = transcript.call(tool, arguments_of(state.get("input")), call_id, place)
    status = text_at(state, "status")
    if status not in ("completed", "error"):
        transcript.skip(f"tool:{status or 'no status'}")
        return
    failed = status == "error"
    content = result_text(state.get("error") if failed else state.get("output"))
    end = instant(map_at(state, "time").get("end")) or place.ts
    at = Place(None, end, place.native_id, place.sha256)
    transcript.result(content, call_id, at, is_error=failed)
    if failed and _REJECTED.match(content):
        feedback = _FEEDBACK.search(content)
        transcript.decision(feedback[1] if feedback else f"Rejected {summary}", "rejection", at, call_id)
    elif tool == "question":
        answer = claude_answers.human_answer(
            "AskUserQuestion", summary, content, map_at(state, "metadata"), is_error=failed, refused=False
        )
        if answer:
            transcript.decision(answer[0], answer[1], at, call_id)
