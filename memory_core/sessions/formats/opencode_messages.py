"""OpenCode's messages since version 2: one row each, whose column says what it is, with its parts inside.

The table stands beside those of version 1, which are not written any more (OpenCode 2.0.3 and later; the same messages
keep their ids). Which of the two a message is told from is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from memory_core.sessions.document import record_hash
from memory_core.sessions.fields import instant, list_at, map_at, text_at
from memory_core.sessions.formats.opencode_parts import Message, tell_error, tell_part
from memory_core.sessions.model import Gap
from memory_core.sessions.source import Source
from memory_core.sessions.tables import Tables, json_cell, name_cell
from memory_core.sessions.transcript import Place, Transcript

TABLES = ("session_v2", "session_message")
_COLUMNS = ("id", "type", "seq", "time_created", "data")
_SILENT = frozenset({"model-switched", "agent-switched", "location-switched", "idle"})


class Row(NamedTuple):
    """One message: its id, its type, and its data, None where these are no JSON object."""

    name: str
    type: str
    created: Any
    data: dict[str, Any] | None


def rows(tables: Tables, source: Source, session_id: str) -> Iterator[Row]:
    """The messages of a session in their order."""
    for row in tables.rows("session_message", _COLUMNS, {"session_id": session_id}, ("seq", "id")):
        data = json_cell(source, row["data"])
        yield Row(
            name_cell(row["id"]), str(row["type"] or ""), row["time_created"], data if isinstance(data, dict) else None
        )


def tell(transcript: Transcript, row: Row) -> None:
    """One message and its parts; a type not known here is counted."""
    if row.data is None:
        transcript.builder.gaps.append(Gap(None, None, f"message {row.name} is no valid JSON object"))
        return
    ts = instant(map_at(row.data, "time").get("created")) or instant(row.created)
    place = Place(None, ts, row.name, record_hash(row.data))
    with transcript.record(place, "message"):
        _told(transcript, row.type, row.data, place)


def _told(transcript: Transcript, name: str, data: dict[str, Any], place: Place) -> None:
    match name:
        case "user":
            transcript.user(text_at(data, "text"), place)
        case "assistant":
            for number, part in enumerate(list_at(data, "content")):
                _part(transcript, part, number, place)
            tell_error(transcript, data, place)
        case "system" | "synthetic":
            transcript.system(text_at(data, "text"), "injected", place)
        case "compaction":
            transcript.system("[The conversation was compacted here.]", "compaction", place)
            transcript.system(text_at(data, "summary"), "compact_summary", place)
        case "shell":
            said = "\n".join(filter(None, (text_at(data, "command"), text_at(data, "output"))))
            transcript.system(said, "command_output", place)
        case _ if name in _SILENT:
            transcript.skip(f"message:{name}")
        case _:
            transcript.unknown(f"message:{name or 'no type'}")


def _part(transcript: Transcript, part: Any, number: int, place: Place) -> None:
    if not isinstance(part, dict):
        transcript.builder.gaps.append(Gap(None, None, f"part {number} of message {place.native_id} is no object"))
        return
    state = map_at(part, "state")
    if "output" not in state and "content" in state:
        state = {**state, "output": state["content"]}
    # As version 1 had it, where a tool's part had its call's id beside its own.
    named = {"callID": text_at(part, "id"), "tool": text_at(part, "tool") or text_at(part, "name"), "state": state}
    tool = text_at(part, "type") == "tool"
    at = place._replace(native_id=f"{place.native_id}/{number}", sha256=record_hash(part))
    tell_part(transcript, Message("assistant", place.ts), {**part, **named} if tool else part, at)
