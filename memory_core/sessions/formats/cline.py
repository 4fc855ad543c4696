"""Tasks of Cline, Roo Code and Kilo Code: a list of the messages to the model, or the list of what was shown.

Which extension wrote a task shows in the folder. What a text block holds is taken apart in `cline_texts`.
"""

from __future__ import annotations

from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import neighbor, objects, record_hash
from memory_core.sessions.fields import flag, instant, text_at
from memory_core.sessions.formats.cline_texts import (
    Typed,
    assistant_text,
    cwd_in,
    result_parts,
    tagged,
    told_result,
    user_text,
)
from memory_core.sessions.model import EntryKind, Gap, Session, Speaker
from memory_core.sessions.source import Source
from memory_core.sessions.tools import arguments_of, on_a_line, result_text
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "cline"
# The extensions' folders under an editor's `globalStorage`, and how we call their agents.
EXTENSIONS = {
    "saoudrizwan.claude-dev": "cline",
    "rooveterinaryinc.roo-cline": "roo-code",
    "kilocode.kilo-code": "kilo-code",
}
_FILES = ("api_conversation_history", "ui_messages")
_HUMAN_SAYS = frozenset({"task", "text", "user_feedback", "user_feedback_diff", "user_message"})


def recognizes_document(value: Any) -> bool:
    """Whether a document is a list of messages (`role`, `content`), or of what was shown (`ts`, `say` or `ask`)."""
    records = objects(value)
    if isinstance(value, dict) and any(key in value for key in ("projectHash", "requests", "conversation", "mapping")):
        return False
    return any(_is_message(r) or _is_shown(r) for r in records[:20])


def _is_message(record: dict[str, Any]) -> bool:
    return record.get("role") in ("user", "assistant") and isinstance(record.get("content"), list | str)


def _is_shown(record: dict[str, Any]) -> bool:
    return record.get("type") in ("say", "ask") and "ts" in record


def read_document(value: Any, source: Source) -> Session:
    """The session of a task, from whichever of its lists was given."""
    builder = SessionBuilder(FORMAT, agent_of(source))
    transcript = Transcript(builder)
    records = value.get("messages") if isinstance(value, dict) else value
    records = records if isinstance(records, list) else []
    shown = any(isinstance(record, dict) and _is_shown(record) for record in records[:20])
    has_tags = any(tagged(record) for record in records)
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            builder.gaps.append(Gap(None, None, f"message {number + 1} is no object"))
            continue
        place = Place(None, instant(record.get("ts")), f"message-{number}", record_hash(record))
        with transcript.record(place, "message"):
            if shown:
                _shown(transcript, record, place)
            elif _is_message(record):
                _message(transcript, record, place, has_tags=has_tags)
            else:
                builder.unknown(f"role:{text_at(record, 'role') or 'none'}")
    about = neighbor(source, "history_item.json")
    builder.saw_cwd(text_at(about, "workspace") or text_at(about, "cwdOnTaskInitialization") or text_at(value, "cwd"))
    first = next((e.text for e in builder.entries if e.speaker is Speaker.HUMAN), "")
    builder.title = on_a_line(text_at(about, "task") or first, 100) or None
    name = source.folder if source.name in _FILES else source.name.removesuffix(".messages")
    return builder.session(name or source.name, source.repairs.counts)


def agent_of(source: Source) -> str:
    """Which extension wrote a task, by the folders it lies in."""
    return next((EXTENSIONS[name] for name in source.folders if name in EXTENSIONS), FORMAT)


def _message(transcript: Transcript, message: dict[str, Any], place: Place, *, has_tags: bool) -> None:
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    user = message.get("role") == "user"
    if user:  # the program's details stand in the last of its texts
        texts = [text_at(block, "text") for block in blocks if text_at(block, "type") == "text"]
        transcript.builder.saw_cwd(cwd_in(texts[-1]) if texts else "")
    pending: list[str] = []  # the tool results of older versions, written as texts, each under a heading
    for block in blocks:
        name = text_at(block, "type")
        match name:
            case "text" if user:
                _user_block(transcript, text_at(block, "text"), place, pending, has_tags=has_tags)
            case "text":
                assistant_text(transcript, text_at(block, "text"), place)
            case "tool_use":
                _call(transcript, block, place)
            case "tool_result":
                _result(transcript, block, place)
            case "thinking" | "reasoning":
                transcript.reasoning(text_at(block, "thinking") or text_at(block, "text"), place)
            case "image" | "document":
                transcript.skip(f"block:{name}")
            case _:
                transcript.unknown(f"block:{name or 'no type'}")


def _user_block(transcript: Transcript, text: str, place: Place, pending: list[str], *, has_tags: bool) -> None:
    parts = result_parts(text)
    if parts is not None:
        pending[:] = [parts[0]]
        if parts[1]:
            _told_result(transcript, parts[1], place, pending)
        return
    if pending:
        _told_result(transcript, text, place, pending)
        return
    for typed in user_text(text, has_tags=has_tags):
        _typed(transcript, typed, place)


def _told_result(transcript: Transcript, text: str, place: Place, pending: list[str]) -> None:
    """A result that stands as text under its call's heading."""
    tool = pending[0].partition(" ")[0]
    call_id = transcript.latest.get(tool)  # to which a result without an id belongs
    words = told_result(text, tool)
    rest = "\n".join(typed.text for typed in words if not typed.human)
    if rest.strip():
        transcript.answered.discard(call_id or "")
        transcript.result(rest, call_id, place, is_error=rest.lstrip().startswith("Error"))
    for typed in words:
        if typed.human:
            _typed(transcript, typed, place)


def _typed(transcript: Transcript, typed: Typed, place: Place) -> None:
    if not typed.human:
        transcript.system(typed.text, "injected", place)
    elif typed.subtype:
        transcript.decision(typed.text, typed.subtype, place)
    else:
        transcript.user(typed.text, place)


def _call(transcript: Transcript, block: dict[str, Any], place: Place) -> None:
    tool, arguments = text_at(block, "name"), arguments_of(block.get("input"))
    if tool in ("attempt_completion", "plan_mode_respond", "ask_followup_question"):
        said = text_at(arguments, "result") or text_at(arguments, "response") or text_at(arguments, "question")
        transcript.assistant(said, place, "question" if tool == "ask_followup_question" else None)
    transcript.call(tool, arguments, text_at(block, "id") or None, place)


def _result(transcript: Transcript, block: dict[str, Any], place: Place) -> None:
    content = result_text(block.get("content"))
    call_id = text_at(block, "tool_use_id") or None
    words = told_result(content, transcript.calls.get(call_id or "", ("", ""))[0])
    rest = "\n".join(typed.text for typed in words if not typed.human)
    transcript.result(rest or content, call_id, place, is_error=flag(block, "is_error"))
    for typed in words:
        if typed.human:
            transcript.decision(typed.text, typed.subtype or "feedback", place, call_id)


def _shown(transcript: Transcript, record: dict[str, Any], place: Place) -> None:
    """What the panel showed: the only source where the other list is gone."""
    if record.get("partial") is True:
        transcript.skip("partial")
        return
    name = text_at(record, "say") or text_at(record, "ask")
    text = text_at(record, "text")
    first = EntryKind.USER_MESSAGE not in transcript.builder.kinds
    match name:
        case "text" if first and text_at(record, "type") == "say":
            transcript.user(text, place)  # the task itself, in versions that do not mark it
        case "text" | "completion_result" | "plan_mode_respond":
            transcript.assistant(_question(text), place)
        case "followup":
            transcript.assistant(_question(text), place, "question")
        case "reasoning":
            transcript.reasoning(text, place)
        case _ if name in _HUMAN_SAYS:
            transcript.user(text, place)
        case "tool" | "command" | "use_mcp_server":
            arguments = arguments_of(text) if text.startswith("{") else {"command": text}
            tool = text_at(arguments, "tool") or name
            transcript.call(tool, {k: v for k, v in arguments.items() if k != "tool"}, None, place)
        case "command_output" | "mcp_server_response" | "api_req_failed" | "error":
            transcript.system(text, "error" if "error" in name or "failed" in name else "command_output", place)
        case _:
            transcript.skip(f"{text_at(record, 'type')}:{name or 'none'}")


def _question(text: str) -> str:
    """A question or answer of the panel, which newer versions wrap in JSON."""
    if not text.startswith("{"):
        return text
    inner = arguments_of(text)
    return text_at(inner, "question") or text_at(inner, "response") or text
