"""The order of messages in databases: agents' ids begin anew, and clocks go back."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from memory_core.store.session_files import read_log
from tests.sessions.open_code import TABLES

WRAPPED = 26 * 2**36  # milliseconds: 2026-08-14T11:19:55Z, when OpenCode's ids began anew
GOOSE = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, working_dir TEXT, created_at TEXT,
                       updated_at TEXT, session_type TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT,
                       content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);
"""
TIMES = (WRAPPED - 9000, WRAPPED - 5000, WRAPPED + 5000, WRAPPED + 7000)


def id_at(prefix: str, milliseconds: int) -> str:
    return f"{prefix}_{(milliseconds * 4096 + 1) % 2**48:012x}AbCdEfGhIjKlMn"


def said(place: Path) -> list[str]:
    return [entry.text for entry in read_log(place).entries]


def test_a_session_of_opencode_goes_on_over_the_day_its_ids_began_anew(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(TABLES)
        database.execute("INSERT INTO session (id, directory) VALUES ('ses_1', '/w')")
        for number, at in enumerate(TIMES):
            about = json.dumps({"role": "user", "time": {"created": at}})
            message = id_at("msg", at)
            columns = "(id, session_id, time_created, data)"
            database.execute(f"INSERT INTO message {columns} VALUES (?, 'ses_1', ?, ?)", (message, at, about))
            for place in (0, 1):
                text = json.dumps({"type": "text", "text": f"words {number}.{place}"})
                part = (id_at("prt", at + place), message, at + place, text)
                columns = "(id, message_id, session_id, time_created, data)"
                database.execute(f"INSERT INTO part {columns} VALUES (?, ?, 'ses_1', ?, ?)", part)
        database.commit()
    assert said(path / "ses_1") == [f"words {number}.{place}" for number in range(4) for place in (0, 1)]


def test_files_of_opencode_are_in_the_order_of_their_times(tmp_path: Path) -> None:
    def put(place: str, value: object) -> Path:
        path = tmp_path / "storage" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path

    head = put("session/p/ses_1.json", {"id": "ses_1", "directory": "/w"})
    for number, at in enumerate(TIMES):
        message = id_at("msg", at)
        put(f"message/ses_1/{message}.json", {"role": "user", "time": {"created": at}})
        put(f"part/{message}/prt_1.json", {"type": "text", "text": f"words {number}"})
    put(f"message/ses_1/{id_at('msg', TIMES[0] + 1)}.json", "torn")
    session = read_log(head)
    assert [entry.text for entry in session.entries] == ["words 0", "words 1", "words 2", "words 3"]
    assert len(session.gaps) == 1


def test_messages_of_goose_are_in_the_order_they_were_added(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(GOOSE)
        database.execute("INSERT INTO sessions (id, working_dir) VALUES ('s', '/w')")
        for number, at in enumerate((1_772_000_000, 1_772_000_010, 1_771_999_000, 1_771_999_010)):
            row = (f"m{number}", json.dumps([{"type": "text", "text": f"words {number}"}]), at)
            columns = "(message_id, session_id, role, content_json, created_timestamp)"
            database.execute(f"INSERT INTO messages {columns} VALUES (?, 's', 'user', ?, ?)", row)
        database.commit()
    assert said(path / "s") == ["words 0", "words 1", "words 2", "words 3"]
