"""VS Code's Copilot Chat: the chat as one object, from a log of mutations, the older document, or an export.

A request that was undone is kept, marked. Native ids name request and part, since lines of a mutation log move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import file_of_uri, neighbor, record_hash
from memory_core.sessions.fields import at, flag, instant, list_at, map_at, text_at
from memory_core.sessions.formats.copilot_parts import Rounds, tell_parts
from memory_core.sessions.frames import Frame
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.replay import Replay
from memory_core.sessions.source import Source
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "copilot-chat"


def recognizes(value: dict[str, Any]) -> bool:
    """Whether a record is a mutation. Other logs use words as kinds."""
    kind = value.get("kind")
    if not isinstance(kind, int) or isinstance(kind, bool) or not 0 <= kind <= 3:
        return False
    return isinstance(value.get("v"), dict) if kind == 0 else "k" in value or isinstance(value.get("v"), list)


def recognizes_document(value: Any) -> bool:
    """Whether a document is a chat of the older kind, or an export."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("requests"), list)
        and any(key in value for key in ("responderUsername", "requesterUsername", "sessionId", "version"))
    )


def read(items: Iterator[Frame | Gap], source: Source) -> Session:
    """The session of a log of mutations."""
    replay = Replay("requests", "requestId")
    replay.run(items)
    return _session(replay.state, replay.elements(), replay.gaps, source)


def read_document(value: dict[str, Any], source: Source) -> Session:
    """The session of a document."""
    requests = list_at(value, "requests")
    gaps = [Gap(None, None, f"request {n + 1} is no object") for n, r in enumerate(requests) if not isinstance(r, dict)]
    return _session(value, [(r, True) for r in requests if isinstance(r, dict)], gaps, source)


def _session(
    chat: dict[str, Any], requests: Iterable[tuple[dict[str, Any], bool]], gaps: list[Gap], source: Source
) -> Session:
    builder = SessionBuilder(FORMAT, FORMAT)
    builder.gaps += gaps
    builder.title = text_at(chat, "customTitle") or None
    builder.saw_instant(instant(chat.get("creationDate")))
    workspace = neighbor(source, "..", "workspace.json") if source.folder == "chatSessions" else None
    builder.saw_cwd(file_of_uri(at(workspace, "folder")))
    transcript = Transcript(builder)
    for number, (request, standing) in enumerate(requests):
        name = text_at(request, "requestId") or f"request-{number}"
        place = Place(None, instant(request.get("timestamp")), name, record_hash(request.get("message")))
        with transcript.record(place, "request"):
            _request(transcript, request, place, name)
        if not standing:
            builder.relabel_from(place.native_id or "", "rolled_back")
    builder.saw_instant(instant(chat.get("lastMessageDate")))
    return builder.session(text_at(chat, "sessionId") or source.name, source.repairs.counts)


def _request(transcript: Transcript, request: dict[str, Any], place: Place, name: str) -> None:
    text = _typed(request.get("message"))
    if flag(request, "isSystemInitiated"):  # what a terminal printed, or others wrote
        transcript.system(text, "injected", place)
    elif text_at(request, "origin", "kind") == "delegation":
        transcript.agent_prompt(text, place)
    elif text.strip():
        transcript.user(text, place)
    else:
        transcript.skip("request:empty")
    for variable in list_at(request, "variableData", "variables"):
        transcript.skip(f"attachment:{text_at(variable, 'kind') or 'other'}")
    result = map_at(request, "result")
    rounds = Rounds.of(map_at(result, "metadata"))
    tell_parts(transcript, list_at(request, "response"), name, place.ts, rounds)
    if message := text_at(result, "errorDetails", "message"):
        transcript.system(message, "error", Place(None, place.ts, f"{name}/error", record_hash(message)))
    if flag(request, "isCanceled"):
        mark = Place(None, place.ts, f"{name}/canceled", record_hash(name))
        transcript.system("[The person stopped this request.]", "interruption", mark)


def _typed(message: Any) -> str:
    """What was typed: the text itself, or that of the parts it was taken apart into."""
    if isinstance(message, str):
        return message
    if text := text_at(message, "text"):
        return text
    return "".join(text_at(part, "text") for part in list_at(message, "parts"))
