"""OpenCode's sessions: messages and their parts, from its database or from the tree of JSON files before it.

Both hold the same objects; only the way to them differs. After a migration both may stand side by side: which one
counts is not decided here. In the database, version 2 writes its messages into a table of its own
(`opencode_messages`): what version 1 wrote is told as it always was, so that places in it stay true, and what came
since behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from memory_core.sessions.builder import SessionBuilder
from memory_core.sessions.document import neighbor, record_hash
from memory_core.sessions.fields import flag, instant, map_at, text_at
from memory_core.sessions.formats import opencode_messages
from memory_core.sessions.formats.opencode_parts import Message, tell_error, tell_part
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.source import Source
from memory_core.sessions.tables import Listed, Tables, json_cell, listed_in, name_cell
from memory_core.sessions.transcript import Place, Transcript

FORMAT = "opencode"
# Everything that is read, of either version or of both; accounts and credentials lie in the same file.
TABLES = ("session", "message", "part")
VERSIONS = (TABLES, opencode_messages.TABLES, ("session", "session_message"))
_SESSION = ("id", "parent_id", "directory", "title", "version", "time_created", "time_updated")

# Ids alone begin anew every 795 days: they hold 48 bits of a count of which each millisecond takes 4,096.
_ORDER = ("time_created", "id")
_PART = ("id", "message_id", "time_created", "data")

Parts = Iterable[tuple[str, Any]]


def recognizes(value: Any) -> bool:
    """Whether a document is a session's head in the tree of files."""
    if not isinstance(value, dict) or not text_at(value, "id").startswith("ses"):
        return False
    return "messages" not in value and ("directory" in value or "projectID" in value)


def sessions(tables: Tables) -> Iterator[Listed]:
    """All sessions of a database."""
    return listed_in(tables, _sessions(tables))


def _sessions(tables: Tables) -> Iterator[Listed]:
    newer = list(tables.rows("session_v2", _SESSION))
    known = {name_cell(row["id"]) for row in newer} - {""}
    older = (row for row in tables.rows("session", _SESSION) if name_cell(row["id"]) not in known)
    for row in (*newer, *older):
        times = instant(row["time_created"]), instant(row["time_updated"])
        yield Listed(name_cell(row["id"]), str(row["directory"] or ""), *times, parent=str(row["parent_id"] or ""))


def read_database(tables: Tables, source: Source) -> Session:
    """One session of a database, `source.part`."""
    builder = SessionBuilder(FORMAT, FORMAT)
    wanted = source.part or ""
    for table in ("session", "session_v2"):
        for row in tables.rows(table, _SESSION, {"id": wanted}):
            times = {"created": row["time_created"], "updated": row["time_updated"]}
            _head(builder, {**row, "parentID": row["parent_id"], "time": times})
    told = _first_version(builder, tables, source, wanted)
    transcript = Transcript(builder)
    for message in opencode_messages.rows(tables, source, wanted):
        if message.name not in told:
            opencode_messages.tell(transcript, message)
    builder.gaps += [Gap(None, None, problem) for problem in tables.problems]
    return builder.session(wanted, source.repairs.counts)


def _first_version(builder: SessionBuilder, tables: Tables, source: Source, wanted: str) -> set[str]:
    """Tell what version 1 wrote of a session. Answers the ids of the messages of which it had a part."""
    parts: dict[str, list[tuple[str, Any]]] = {}
    for row in tables.rows("part", _PART, {"session_id": wanted}, _ORDER):
        parts.setdefault(str(row["message_id"]), []).append((str(row["id"]), json_cell(source, row["data"])))
    told = set(parts)
    columns = ("id", "time_created", "data")
    messages = (
        (str(row["id"]), json_cell(source, row["data"]), parts.pop(str(row["id"]), []))
        for row in tables.rows("message", columns, {"session_id": wanted}, _ORDER)
    )
    _tell(builder, messages)
    _tell(builder, ((name, {}, orphans) for name, orphans in sorted(parts.items())))  # their message was not written
    return told


def read_tree(value: dict[str, Any], source: Source) -> Session:
    """One session of the tree of files, from its head `storage/session/<project>/<id>.json`."""
    builder = SessionBuilder(FORMAT, FORMAT)
    session_id = text_at(value, "id") or source.name
    _head(builder, value)
    _tell(builder, _from_files(source, session_id))
    return builder.session(session_id, source.repairs.counts)


def _from_files(source: Source, session_id: str) -> Iterator[tuple[str, Any, Parts]]:
    messages: list[tuple[float, str, Any]] = []
    for file in source.beside.names("..", "..", "message", session_id):
        if file.endswith(".json"):
            message = neighbor(source, "..", "..", "message", session_id, file)
            created = map_at(message, "time").get("created")
            before = messages[-1][0] if messages else 0  # a damaged one stays where its name has it
            created = created if isinstance(created, int | float) else before
            messages.append((created, file.removesuffix(".json"), message))
    for _, name, message in sorted(messages, key=lambda found: found[0]):
        files = [f for f in source.beside.names("..", "..", "part", name) if f.endswith(".json")]
        yield name, message, [(f.removesuffix(".json"), neighbor(source, "..", "..", "part", name, f)) for f in files]


def _head(builder: SessionBuilder, value: dict[str, Any]) -> None:
    builder.saw_cwd(text_at(value, "directory"))
    builder.saw_version(text_at(value, "version"))
    builder.title = text_at(value, "title") or None
    builder.session_kind = "subagent" if text_at(value, "parentID") else "code"
    builder.saw_instant(instant(map_at(value, "time").get("created")))
    builder.saw_instant(instant(map_at(value, "time").get("updated")))


def _tell(builder: SessionBuilder, messages: Iterable[tuple[str, Any, Parts]]) -> None:
    transcript = Transcript(builder)
    for message_id, value, parts in messages:
        message = value if isinstance(value, dict) else {}
        if not isinstance(value, dict):
            builder.gaps.append(Gap(None, None, f"message {message_id} is no valid JSON object"))
        role = text_at(message, "role") or ("assistant" if "parentID" in message else "user" if message else "")
        ts = instant(map_at(message, "time").get("created"))
        builder.saw_cwd(text_at(message, "path", "cwd"))
        about = Message(role, ts, summary=flag(message, "summary") and role == "assistant")
        place = Place(None, ts, message_id, record_hash(message))
        for part_id, part in parts:
            if not isinstance(part, dict):
                builder.gaps.append(Gap(None, None, f"part {part_id} is no valid JSON object"))
                continue
            at = Place(None, instant(map_at(part, "time").get("start")) or ts, part_id, record_hash(part))
            with transcript.record(at, "part"):
                tell_part(transcript, about, part, at)
        tell_error(transcript, message, place)
