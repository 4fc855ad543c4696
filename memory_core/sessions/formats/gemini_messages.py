"""Messages of Gemini CLI: what was typed before it was expanded, thoughts, tools with their results.

How a chat is put together from its log is in `gemini`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from memory_core.sessions.fields import at, instant, list_at, map_at, text_at
from memory_core.sessions.tools import arguments_of, result_text
from memory_core.sessions.transcript import Place, Transcript

KINDS = frozenset({"user", "gemini", "model", "info", "warning", "error"})
_FILES = re.compile(r"^--- Content from referenced files ---[ \t]*$", re.MULTILINE)
_FILES_END = "--- End of content ---"
_FILE = re.compile(r"\s*Content from ")  # what the program writes below that line
_HOOK = re.compile(r"^<hook_context>.*</hook_context>", re.DOTALL | re.MULTILINE)
_DISMISSED = "User dismissed ask_user dialog"
_REFUSED = re.compile(r"\[Operation Cancelled\]|User did not allow tool call")


def tell_message(transcript: Transcript, message: dict[str, Any], place: Place) -> None:
    """One message, by its type."""
    name = text_at(message, "type")
    match name:
        case "user":
            shown = _text(message.get("displayContent"))
            _user(transcript, shown if shown.strip() else _text(message.get("content")), place)
        case "gemini" | "model":
            for thought in list_at(message, "thoughts"):
                words = [text_at(thought, "subject"), text_at(thought, "description")]
                transcript.reasoning(": ".join(word for word in words if word), place)
            transcript.assistant(_text(message.get("content")), place)
            for call in list_at(message, "toolCalls"):
                _tool(transcript, call, place)
        case _:
            transcript.system(_text(message.get("content")), name, place)


def _user(transcript: Transcript, text: str, place: Place) -> None:
    """What was typed, without what the program read for it: files that it names, and what a hook said."""
    words = _HOOK.sub("", text)
    begin, end = _FILES.search(words), words.rfind(_FILES_END)
    if begin and (end > begin.start() or _FILE.match(words, begin.end())):
        words = words[: begin.start()] + (words[end + len(_FILES_END) :] if end > begin.start() else "")
    if words != text:
        transcript.skip("cut:gemini_context")
    if words.strip() or not text.strip():
        transcript.user(words, place)
    else:
        transcript.system(text, "injected", place)


def _text(content: Any) -> str:
    """Text of a string or of a list of parts; other parts become a marker."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = content.get("parts", [content])
    words = []
    for part in content if isinstance(content, list) else []:
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, dict) and not part.get("thought"):
            media = map_at(part, "inlineData")
            words.append(text_at(part, "text") or (f"[{text_at(media, 'mimeType') or 'media'}]" if media else ""))
    return "\n".join(word for word in words if word)


def _tool(transcript: Transcript, call: Any, place: Place) -> None:
    tool = text_at(call, "name") or "tool"
    call_id = text_at(call, "id") or None
    place = Place(place.frame, instant(at(call, "timestamp")) or place.ts, place.native_id, place.sha256)
    summary = transcript.call(tool, arguments_of(at(call, "args")), call_id, place)
    status = text_at(call, "status")
    content = _output(at(call, "result")) or result_text(at(call, "resultDisplay"))
    if not content and status not in ("success", "error", "cancelled"):
        transcript.skip(f"tool:{status or 'no status'}")
        return
    transcript.result(content, call_id, place, is_error=status in ("error", "cancelled"))
    if status == "cancelled" or (status == "error" and _REFUSED.match(content.lstrip())):
        transcript.decision(f"Rejected {summary}", "rejection", place, call_id)
    elif tool == "ask_user" and status == "success" and not content.startswith(_DISMISSED):
        transcript.decision(_answers(content, map_at(call, "args")), "question_answer", place, call_id)


def _output(result: Any) -> str:
    """What the model was given: function responses, each with its output or its error."""
    if isinstance(result, str):
        return result
    parts = result if isinstance(result, list) else [result] if isinstance(result, dict) else []
    words = []
    for part in parts:
        response = at(part, "functionResponse", "response")
        if isinstance(response, dict):
            inner = response.get("output", response.get("error", response))
            words.append(result_text(inner))
        else:
            words.append(_text([part]))
    return "\n".join(word for word in words if word)


def _answers(content: str, arguments: dict[str, Any]) -> str:
    """A person's answers to the agent's questions, by number, each with its question behind it."""
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        return content
    answers = map_at(given, "answers")
    questions = list_at(arguments, "questions")
    lines = []
    for key, answer in answers.items():
        question = text_at(questions[int(key)], "question") if key.isdecimal() and int(key) < len(questions) else ""
        said = result_text(answer)
        lines.append(f"{said} (asked: {question})" if question else said)
    return "\n".join(lines)
