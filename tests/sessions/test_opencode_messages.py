"""OpenCode 2 writes into tables of its own, beside those of version 1, which stand still from then on."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.store.session_database import open_tables
from memory_core.store.session_files import database_format, read_log
from tests.sessions.open_code import TABLES as FIRST

SECOND = """
CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, fork_session_id TEXT, directory TEXT,
                         title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER,
                              data TEXT);
"""
AT = 1_772_359_200_000


class Database:
    """A database with the tables of one version or of both."""

    def __init__(self, path: Path, tables: str) -> None:
        self.path = path
        self._messages = 0
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(tables)

    def add(self, table: str, **values: Any) -> None:
        marks = ", ".join("?" * len(values))
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
            connection.commit()

    def session(self, table: str, name: str, parent: str | None = None) -> None:
        times = {"time_created": AT, "time_updated": AT}
        self.add(table, id=name, parent_id=parent, directory="/w/app", title="Talk", version="2.0.12", **times)

    def first(self, session: str, name: str, role: str, text: str) -> None:
        about = json.dumps({"role": role, "time": {"created": AT}})
        self.add("message", id=name, session_id=session, time_created=AT, data=about)
        part = json.dumps({"type": "text", "text": text})
        ids = {"id": name.replace("msg", "prt"), "message_id": name, "session_id": session}
        self.add("part", **ids, time_created=AT, data=part)

    def second(self, session: str, name: str, kind: str, data: object) -> None:
        self._messages += 1
        text = data if isinstance(data, str) else json.dumps(data)
        ids = {"id": name, "session_id": session, "type": kind, "seq": self._messages}
        self.add("session_message", **ids, time_created=AT, data=text)

    def read(self, session: str) -> Session:
        return read_log(self.path / session)


@pytest.fixture
def both(tmp_path: Path) -> Database:
    database = Database(tmp_path / "opencode.db", FIRST + SECOND)
    database.session("session", "ses_1")
    database.first("ses_1", "msg_1", "user", "Refactor the store.")
    return database


def said(session: Session) -> list[tuple[Speaker, str]]:
    return [(entry.speaker, entry.text) for entry in session.entries]


def places(entries: tuple[Entry, ...]) -> list[tuple[str | None, str | None]]:
    return [(entry.native_id, entry.sha256) for entry in entries]


def test_a_session_goes_on_behind_its_old_entries_when_the_agent_is_upgraded(both: Database) -> None:
    """They keep their places, so that nothing is extracted twice, and what came since is not passed over."""
    before = both.read("ses_1")
    both.session("session_v2", "ses_1")
    both.second("ses_1", "msg_1", "user", {"text": "Refactor the store."})
    both.second("ses_1", "msg_2", "user", {"text": "Use MySQL for the orders service."})
    after = both.read("ses_1")
    assert places(after.entries[:1]) == places(before.entries)
    assert said(after) == [
        (Speaker.HUMAN, "Refactor the store."),
        (Speaker.HUMAN, "Use MySQL for the orders service."),
    ]


def test_a_session_of_the_first_version_alone_is_read_as_it_was(both: Database) -> None:
    both.second("ses_1", "msg_9", "model-switched", {"model": {"id": "m"}})
    session = both.read("ses_1")
    assert said(session) == [(Speaker.HUMAN, "Refactor the store.")]
    assert session.skipped["message:model-switched"] == 1


@pytest.mark.parametrize("tables", [SECOND, FIRST + SECOND])
def test_sessions_of_either_version_are_listed_once(tmp_path: Path, tables: str) -> None:
    database = Database(tmp_path / "opencode-beta.db", tables)
    database.session("session_v2", "ses_2")
    database.session("session_v2", "ses_3", parent="ses_2")
    if tables != SECOND:
        database.session("session", "ses_1")
        database.session("session", "ses_2")
    known = database_format(database.path)
    with open_tables(database.path, known.tables) as opened:
        listed = {session.session_id: session.parent for session in known.sessions(opened)}
    assert listed == {"ses_2": "", "ses_3": "ses_2"} | ({} if tables == SECOND else {"ses_1": ""})


def test_every_kind_of_message_is_told_as_what_it_is(tmp_path: Path) -> None:
    database = Database(tmp_path / "opencode.db", SECOND)
    database.session("session_v2", "ses_2")
    database.second("ses_2", "msg_1", "user", {"text": "Run the tests.", "time": {"created": AT + 1_000}})
    state = {"status": "completed", "input": {"command": "pytest"}, "content": [{"type": "text", "text": "2 failed"}]}
    parts: list[object] = [
        {"type": "reasoning", "text": "They want the tests run."},
        {"type": "tool", "id": "call_1", "name": "bash", "state": state},
        {"type": "text", "text": "Two tests fail."},
        "no part",
    ]
    database.second("ses_2", "msg_2", "assistant", {"content": parts, "error": {"message": "stopped"}})
    database.second("ses_2", "msg_3", "synthetic", {"text": "Go on as the plan says."})
    database.second("ses_2", "msg_4", "compaction", {"summary": "Tests were run."})
    database.second("ses_2", "msg_5", "hologram", {"text": "?"})
    database.second("ses_2", "msg_6", "user", "no json")
    session = database.read("ses_2")
    assert [(entry.kind, entry.speaker, entry.text or entry.tool) for entry in session.entries] == [
        (EntryKind.USER_MESSAGE, Speaker.HUMAN, "Run the tests."),
        (EntryKind.REASONING, Speaker.ASSISTANT, "They want the tests run."),
        (EntryKind.TOOL_CALL, Speaker.ASSISTANT, "bash: pytest"),
        (EntryKind.TOOL_RESULT, Speaker.TOOL, "2 failed"),
        (EntryKind.ASSISTANT_MESSAGE, Speaker.ASSISTANT, "Two tests fail."),
        (EntryKind.SYSTEM, Speaker.SYSTEM, "stopped"),
        (EntryKind.SYSTEM, Speaker.SYSTEM, "Go on as the plan says."),
        (EntryKind.SYSTEM, Speaker.SYSTEM, "[The conversation was compacted here.]"),
        (EntryKind.SYSTEM, Speaker.SYSTEM, "Tests were run."),
    ]
    assert session.entries[0].ts == "2026-03-01T10:00:01.000Z"
    assert session.skipped["unknown:message:hologram"] == 1
    assert {gap.reason for gap in session.gaps} == {
        "part 3 of message msg_2 is no object",
        "message msg_6 is no valid JSON object",
    }
