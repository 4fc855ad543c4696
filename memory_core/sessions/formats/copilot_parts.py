"""The parts of a response of Copilot Chat: Markdown in pieces, tools, thinking, and the questions a person answered.

What a request is, and which requests there are, is in `copilot_chat`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memory_core.sessions.document import file_of_uri, record_hash
from memory_core.sessions.fields import at, flag, list_at, map_at, text_at
from memory_core.sessions.tools import arguments_of, result_text
from memory_core.sessions.transcript import Place, Transcript

_SILENT = frozenset({
    "prepareToolInvocation", "codeblockUri", "undoStop", "progressTaskSerialized", "progressTask", "progressMessage",
    "mcpServersStarting", "hook", "command", "treeData", "references", "codeCitations", "notebookEditGroup",
    "multiDiffData", "extensions", "pullRequest", "agentMarker", "usedContext", "contentReference", "move",
    "clearToPreviousToolInvocation",
})  # fmt: skip
# What VS Code writes about a tool's confirmation: refused, and passed over.
_DENIED, _SKIPPED = 0, 5


@dataclass
class Rounds:
    """What the model was told beside what was shown: arguments of calls, and results, in order of the rounds."""

    arguments: dict[str, dict[str, Any]] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, metadata: dict[str, Any]) -> Rounds:
        rounds = cls()
        for step in list_at(metadata, "toolCallRounds"):
            for call in list_at(step, "toolCalls"):
                if identity := text_at(call, "id"):
                    rounds.arguments[_plain(identity)] = arguments_of(at(call, "arguments"))
        for identity, result in map_at(metadata, "toolCallResults").items():
            rounds.results[_plain(identity)] = _value_text(at(result, "content"))
        return rounds


def _plain(call_id: str) -> str:
    """A call's id without what VS Code puts behind it (`call_1__vscode-17`)."""
    return call_id.partition("__vscode")[0]


def tell_parts(transcript: Transcript, parts: list[Any], request: str, ts: str | None, rounds: Rounds) -> None:
    """A response in order. Markdown that was cut in pieces, around references and edits, is one message again."""
    text: list[str] = []
    first = 0

    def flush() -> None:
        said = "".join(text)
        if said.strip():
            transcript.assistant(said, Place(None, ts, f"{request}/{first}", record_hash(said)))
        text.clear()

    for index, part in enumerate(parts):
        kind = text_at(part, "kind")
        piece = _markdown(part, kind)
        if piece is not None:
            first = first if text else index
            text.append(piece)
            continue
        if kind in _SILENT:
            transcript.skip(f"part:{kind}")
            continue
        flush()
        place = Place(None, ts, f"{request}/{index}", record_hash(part))
        if isinstance(part, dict):
            _part(transcript, kind, part, place, rounds)
        else:
            transcript.unknown("part:no object")
    flush()


def _markdown(part: Any, kind: str) -> str | None:
    """The Markdown of a part, None for a part that is something else."""
    if isinstance(part, str):
        return part
    if kind in ("", "markdownContent", "markdownVuln"):
        value = at(part, "content") if kind else at(part, "value")
        return value if isinstance(value, str) else text_at(value, "value") if isinstance(value, dict) else None
    if kind == "inlineReference":
        reference = at(part, "inlineReference")
        name = text_at(part, "name") or text_at(reference, "name")
        path = file_of_uri(at(reference, "uri") or at(reference, "location", "uri") or reference)
        return f"`{name or path.rpartition('/')[2]}`" if name or path else ""
    return None


def _part(transcript: Transcript, kind: str, part: dict[str, Any], place: Place, rounds: Rounds) -> None:
    match kind:
        case "thinking":
            value = part.get("value")
            words = value if isinstance(value, list) else [value]
            transcript.reasoning("\n".join(word for word in words if isinstance(word, str)), place)
        case "toolInvocationSerialized" | "toolInvocation":
            _tool(transcript, part, place, rounds)
        case "textEditGroup":
            path = file_of_uri(part.get("uri"))
            transcript.call("edit", {"path": path} if path else {}, None, place)
        case "questionCarousel":
            _questions(transcript, part, place)
        case "elicitationSerialized" | "elicitation" | "elicitation2":
            asked = _value_text(part.get("title"))
            transcript.assistant(asked, place, "question")
            answer = result_text(part.get("acceptedResult")) or text_at(part, "state")
            if answer and answer != "pending":
                transcript.decision(f"{answer} (asked: {asked})" if asked else answer, "question_answer", place)
        case "confirmation":
            words = [_value_text(part.get(key)) for key in ("title", "message")]
            transcript.system(": ".join(word for word in words if word), "confirmation", place)
        case "warning" | "errorDetails" | "error" | "info":
            text = _value_text(part.get("content")) or _value_text(part.get("message"))
            transcript.system(text, "error" if kind.startswith("error") else kind, place)
        case _:
            transcript.unknown(f"part:{kind or 'no kind'}")


def _tool(transcript: Transcript, part: dict[str, Any], place: Place, rounds: Rounds) -> None:
    """A tool as it was shown: its call, and its result once it is done."""
    call_id = text_at(part, "toolCallId") or text_at(part, "callId") or place.native_id
    key = _plain(call_id or "")
    special = map_at(part, "toolSpecificData")
    arguments = rounds.arguments.get(key) or _shown_arguments(special, part)
    summary = transcript.call(text_at(part, "toolId") or text_at(part, "toolName"), arguments, call_id, place)
    confirmed = part.get("isConfirmed")
    kind = confirmed.get("type") if isinstance(confirmed, dict) else _DENIED if confirmed is False else None
    shown = _value_text(part.get("pastTenseMessage")) or _value_text(part.get("resultDetails"))
    content = rounds.results.get(key) or _terminal(special) or shown
    denied = kind in (_DENIED, _SKIPPED) and not isinstance(kind, bool)
    if content or flag(part, "isComplete"):
        failed = denied or flag(map_at(part, "resultDetails"), "isError")
        transcript.result(content, call_id, place, is_error=failed)
    if denied:
        word = "Rejected" if kind == _DENIED else "Skipped"
        transcript.decision(f"{word} {summary}", "rejection", place, call_id)


def _shown_arguments(special: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """What can be said of a call's arguments where only the display was kept."""
    command = text_at(special, "commandLine", "original") or text_at(special, "command")
    if command:
        return {"command": command}
    if raw := special.get("rawInput"):
        return arguments_of(raw)
    uris = list(map_at(part, "invocationMessage", "uris").values())
    paths = [path for uri in uris if (path := file_of_uri(uri))]
    said = _value_text(part.get("invocationMessage"))
    return ({"path": paths[0]} if paths else {}) | ({"description": said} if said else {})


def _terminal(special: dict[str, Any]) -> str:
    return text_at(special, "terminalCommandOutput", "text")


def _questions(transcript: Transcript, part: dict[str, Any], place: Place) -> None:
    """A set of questions and what the person answered."""
    questions = {
        text_at(q, "id"): _value_text(at(q, "message")) or text_at(q, "title") for q in list_at(part, "questions")
    }
    transcript.assistant("\n".join(text for text in questions.values() if text), place, "question")
    lines = []
    for key, answer in map_at(part, "data").items():
        said = _answer(answer)
        if said:
            lines.append(f"{said} (asked: {questions[key]})" if questions.get(key) else said)
    transcript.decision("\n".join(lines), "question_answer", place)


def _answer(answer: Any) -> str:
    if isinstance(answer, dict):
        words = [_answer(answer.get(key)) for key in ("selectedValue", "selectedValues", "freeformValue", "value")]
        return ", ".join(word for word in words if word)
    if isinstance(answer, list):
        return ", ".join(word for word in map(_answer, answer) if word)
    return answer if isinstance(answer, str) else ""


def _value_text(value: Any) -> str:
    """Text of what VS Code stores as Markdown objects, prompt trees or plain strings."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(text for item in value if (text := _value_text(item)))
    if not isinstance(value, dict):
        return ""
    if "children" in value or "node" in value:
        return _tree_text(value)
    inner = value.get("value", value.get("text", value.get("content", value.get("output"))))
    return _value_text(inner)


def _tree_text(node: Any) -> str:
    """The text in a rendered prompt: leaves carry it, in order."""
    if not isinstance(node, dict):
        return ""
    own = text_at(node, "text")
    inner = _tree_text(node["node"]) if "node" in node else ""
    return own + inner + "".join(_tree_text(child) for child in list_at(node, "children"))
