"""Sessions of pi and OpenClaw: a tree of entries in one file, all branches kept in file order.

OpenClaw writes pi's format; whose log it is shows in the folder. Which copies of a log count is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import neighbor
from memory_core.sessions.fields import at, instant, list_at, map_at, text_at
from memory_core.sessions.formats import openclaw_texts
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import EntryKind, Gap, Session, Speaker
from memory_core.sessions.source import Source
from memory_core.sessions.tools import arguments_of, block_text, result_text
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "pi"
OPENCLAW = "openclaw"
OPENCLAW_HOMES = (".openclaw", ".clawdbot", ".moltbot", ".moldbot")  # as it is called now, then older names
_FILE = re.compile(r"\s*<file name=\"")
_FILE_END = re.compile(r"^(?:<file name=\"[^\n]*)?</file>[ \t]*$", re.MULTILINE)
_ENTRIES = frozenset({
    "session", "message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom",
    "custom_message", "label", "session_info",
})  # fmt: skip


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is a head, or an entry of the tree."""
    name = text_at(value, "type")
    if name == "session":
        return "id" in value and "timestamp" in value and "data" not in value
    if name == "message":
        return isinstance(value.get("message"), dict) and "role" in value["message"] and "sessionId" not in value
    return name in _ENTRIES and "parentId" in value and "data" not in value


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a tree of entries."""
    agent = OPENCLAW if _at_home(source.folders) else FORMAT
    builder = SessionBuilder(FORMAT, agent)
    if agent == OPENCLAW and _begun_by_an_agent(source):
        builder.session_kind = "subagent"
    transcript = Transcript(builder)
    session_id, claw = "", agent == OPENCLAW
    for item in items:
        if isinstance(item, Gap):
            builder.gaps.append(item)
            continue
        value = item.value
        if text_at(value, "type") == "session":
            session_id = session_id or text_at(value, "id")
            builder.saw_cwd(text_at(value, "cwd"))
        place = Place(item, instant(value.get("timestamp")), text_at(value, "id") or None)
        claw = claw or _by_openclaw(value)
        with transcript.record(place):
            _entry(transcript, value, place, claw=claw)
    return builder.session(session_id or source.name.rpartition("_")[2], source.repairs.counts)


def _at_home(folders: Iterable[str]) -> bool:
    return not set(OPENCLAW_HOMES).isdisjoint(folders)


def _by_openclaw(value: dict[str, Any]) -> bool:
    """Whether an entry is as OpenClaw alone writes it, also where the log was copied out of its folder."""
    custom = text_at(value, "customType")
    if custom == "model-snapshot" or custom.startswith(OPENCLAW):
        return True
    if _at_home(re.split(r"[\\/]", text_at(value, "cwd"))) or text_at(value, "message", "provider") == OPENCLAW:
        return True
    message = map_at(value, "message")
    texts = _texts(message.get("content")) if text_at(message, "role") == "user" else []
    return any(openclaw_texts.is_quoting(text) for text in texts)


def _begun_by_an_agent(source: Source) -> bool:
    """Whether OpenClaw's list of sessions beside a log says that an agent began it."""
    listed = neighbor(source, "sessions.json")
    entries = listed.items() if isinstance(listed, dict) else ()
    return any(":subagent:" in key and text_at(value, "sessionId") == source.name for key, value in entries)


def _entry(transcript: Transcript, value: dict[str, Any], place: Place, *, claw: bool) -> None:
    """One entry of the tree, by its type; a type not known here is counted. `claw`: whether OpenClaw wrote it."""
    name = text_at(value, "type")
    match name:
        case "message":
            _message(transcript, map_at(value, "message"), place, claw=claw)
        case "compaction":
            transcript.system(text_at(value, "summary"), "compact_summary", place)
        case "branch_summary":
            transcript.system(text_at(value, "summary"), "branch_summary", place)
        case "custom_message":
            transcript.system(result_text(value.get("content")), "injected", place)
        case "session_info":
            transcript.title(text_at(value, "name"))
            transcript.skip(name)
        case "custom":
            domain = f"{FORMAT}.{text_at(value, 'customType') or 'custom'}"
            fields = {"domain": domain, "payload": value.get("data"), "subtype": name}
            transcript.add(EntryKind.EXTENSION, Speaker.SYSTEM, "", place, **fields)
        case _ if name in _ENTRIES:
            transcript.skip(name)
        case _:
            transcript.unknown(name or "no type")


def _message(transcript: Transcript, message: dict[str, Any], place: Place, *, claw: bool) -> None:
    role = text_at(message, "role")
    content = message.get("content")
    match role:
        case "user":
            _user(transcript, _texts(content), place, claw=claw)
        case "assistant":
            _assistant(transcript, message, place)
        case "toolResult":
            call_id = text_at(message, "toolCallId") or None
            transcript.result(result_text(content), call_id, place, is_error=message.get("isError") is True)
        case "bashExecution":  # a command that the person ran, and what came of it
            command = text_at(message, "command")
            fields = {"subtype": "command"}
            transcript.add(EntryKind.USER_MESSAGE, Speaker.HUMAN, f"! {command}", place, **fields)
            transcript.system(text_at(message, "output"), "command_output", place)
        case "compactionSummary" | "branchSummary":
            subtype = "compact_summary" if role == "compactionSummary" else "branch_summary"
            transcript.system(text_at(message, "summary") or result_text(content), subtype, place)
        case "custom" | "hookMessage" | "system":
            transcript.system(result_text(content), "injected", place)
        case _:
            transcript.unknown(f"role:{role or 'none'}")


def _user(transcript: Transcript, texts: list[str], place: Place, *, claw: bool) -> None:
    """A message of role `user`. OpenClaw puts more than a person's words there."""
    words = texts
    if claw:
        words = [openclaw_texts.typed(text, lambda name: transcript.skip(f"cut:{name}")) for text in words]
    words = [_without_files(text) for text in words]
    if any(words) or not any(texts):
        transcript.user(words, place)
    else:
        transcript.system("\n\n".join(texts), "injected", place)


def _without_files(text: str) -> str:
    """What was typed behind the files that were given with it, which may hold ends of such elements."""
    ends = list(_FILE_END.finditer(text)) if _FILE.match(text) else []
    return text[ends[-1].end() :].strip() if ends else text


def _assistant(transcript: Transcript, message: dict[str, Any], place: Place) -> None:
    for block in _blocks(message.get("content")):
        name = text_at(block, "type")
        match name:
            case "text":
                transcript.assistant(text_at(block, "text"), place)
            case "thinking":
                transcript.reasoning(text_at(block, "thinking"), place)
            case "toolCall":
                arguments = arguments_of(at(block, "arguments"))
                transcript.call(text_at(block, "name"), arguments, text_at(block, "id") or None, place)
            case _:
                transcript.unknown(f"block:{name or 'no type'}")
    if text_at(message, "stopReason") == "aborted":
        transcript.system("[aborted]", "interruption", place)
    elif error := text_at(message, "errorMessage"):
        transcript.system(error, "api_error", place)


def _texts(content: Any) -> list[str]:
    return [block_text(block) for block in _blocks(content)]


def _blocks(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list_at({"c": content}, "c")
