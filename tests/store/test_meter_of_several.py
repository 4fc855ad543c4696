"""The meter and sessions that are read whole: among others in a database or a history of Markdown, in one document."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory_core.errors import SessionBusy
from memory_core.store.session_database import is_settled, stamp_of_files
from memory_core.store.session_meter import SessionMeter
from tests.sessions.agents import DATA

LONG_AGO_NS = 1_700_000_000_000_000_000


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript((DATA / "opencode/opencode.sql").read_text(encoding="utf-8"))
    return path


@pytest.fixture
def agent(database: Path) -> Iterator[sqlite3.Connection]:
    """The database's owner at work: what it commits stands in the log of changes."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        yield connection


def say(agent: sqlite3.Connection, number: int, role: str, text: str) -> None:
    about = {"role": role, "time": {"created": 1772359300000 + number}}
    message = (f"msg_5{number}", "ses_2", 1772359300000 + number, json.dumps(about))
    part = (f"prt_5{number}", f"msg_5{number}", "ses_2", 1772359300000, json.dumps({"type": "text", "text": text}))
    agent.execute("BEGIN")
    agent.execute("INSERT INTO message VALUES (?, ?, ?, ?)", message)
    agent.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", part)
    agent.execute("COMMIT")


def aged(database: Path) -> None:
    """The files as if nobody had written to them for long; an agent that is at work writes again later."""
    for path in (database, database.with_name(f"{database.name}-wal")):
        if path.exists():
            os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))


def test_session_in_a_database_is_counted_as_it_grows_and_its_run_ends(
    database: Path, agent: sqlite3.Connection, meter: SessionMeter
) -> None:
    place = database / "ses_2"
    say(agent, 1, "user", "Please keep the flags in one file, since nobody finds them in a table.")
    first = meter.measure(place)
    say(agent, 2, "assistant", "Done: all flags are in one file now, and the table is gone.")
    second = meter.measure(place)
    assert first
    assert second
    assert (first.session_id, first.agent, first.path) == ("ses_2", "opencode", place)
    assert 0 < first.tokens < second.tokens
    assert second.entries == first.entries + 1
    assert (first.finished, second.finished) == (False, True)


def test_database_that_stands_still_is_asked_of_the_system_and_not_opened(
    database: Path, agent: sqlite3.Connection, meter: SessionMeter, reads: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    say(agent, 1, "user", "Keep the flags in one file.")
    aged(database)
    first = meter.measure(database / "ses_2")

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("the database was opened")

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(sqlite3, "connect", refuse)
    assert meter.measure(database / "ses_2") is first
    assert len(reads) == 1


def test_change_in_the_log_of_changes_alone_is_noticed(
    database: Path, agent: sqlite3.Connection, meter: SessionMeter, reads: list[Path]
) -> None:
    say(agent, 1, "user", "Keep the flags in one file.")
    aged(database)
    before = meter.measure(database / "ses_2")
    main = database.read_bytes()
    say(agent, 2, "user", "And name the file after the team.")
    after = meter.measure(database / "ses_2")
    assert database.read_bytes() == main
    assert before
    assert after
    assert after.tokens > before.tokens
    assert len(reads) == 2


def test_stamp_of_files_that_were_just_written_is_not_believed(
    database: Path, meter: SessionMeter, reads: list[Path]
) -> None:
    """A log of changes is written over in place: two changes in one step of the clock look like one."""
    meter.measure(database / "ses_2")
    meter.measure(database / "ses_2")
    assert len(reads) == 2
    stamp = stamp_of_files(database)
    assert stamp
    assert not is_settled(stamp, stamp[1] + 1)
    assert is_settled(stamp, stamp[1] + 60_000_000_000)


def test_measuring_leaves_nothing_beside_a_database_and_holds_nothing_open(database: Path, meter: SessionMeter) -> None:
    before = {path.name: path.read_bytes() for path in database.parent.iterdir()}
    for _ in range(3):
        assert meter.measure(database / "ses_2")
    assert {path.name: path.read_bytes() for path in database.parent.iterdir()} == before
    with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as owner:
        owner.execute("PRAGMA journal_mode = DELETE")  # needs the database for itself


def test_locked_database_keeps_its_last_reading_and_is_read_when_it_is_free(
    database: Path, meter: SessionMeter
) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as owner:
        owner.execute("PRAGMA journal_mode = DELETE")
        before = meter.measure(database / "ses_2")
        assert before
        say(owner, 1, "user", "And name the file after the team.")
        owner.execute("BEGIN EXCLUSIVE")
        with pytest.raises(SessionBusy, match="database is locked"):
            meter.measure(database / "ses_2")
        assert meter.last(database / "ses_2") is before
        owner.execute("ROLLBACK")
    after = meter.measure(database / "ses_2")
    assert after
    assert after.tokens > before.tokens


def test_session_that_was_deleted_from_its_database_and_a_database_that_went_are_gone(
    database: Path, meter: SessionMeter
) -> None:
    place = database / "ses_2"
    assert meter.measure(place)
    with closing(sqlite3.connect(database, isolation_level=None)) as owner:
        for table, column in (("session", "id"), ("message", "session_id"), ("part", "session_id")):
            owner.execute(f"DELETE FROM {table} WHERE {column} = 'ses_2'")
    assert meter.measure(place) is None
    assert meter.last(place) is None
    assert meter.measure(database / "ses_3")
    database.unlink()
    assert meter.measure(database / "ses_3") is None


def test_session_in_a_history_of_markdown_is_counted_as_it_grows(tmp_path: Path, meter: SessionMeter) -> None:
    history = tmp_path / ".aider.chat.history.md"
    history.write_text("\n# aider chat started at 2026-03-01 10:00:00\n\n#### Keep flags in one file.  \n", "utf-8")
    place = history / "2026-03-01T10-00-00"
    first = meter.measure(place)
    with history.open("a", encoding="utf-8") as log:
        log.write("\nDone, they are in one file now.\n")
    second = meter.measure(place)
    assert first
    assert second
    assert 0 < first.tokens < second.tokens


@pytest.mark.parametrize("indent", [None, 1])
def test_document_is_counted_as_it_grows(tmp_path: Path, meter: SessionMeter, indent: int | None) -> None:
    """On one line it stayed as it was met first, and on several what was written anew counted as appended."""
    task = tmp_path / "123/api_conversation_history.json"
    task.parent.mkdir()
    said = [{"role": "user", "content": [{"type": "text", "text": "<task>\nKeep the flags in one file.\n</task>"}]}]
    task.write_text(json.dumps(said, indent=indent), "utf-8")
    first = meter.measure(task)
    said.append({"role": "assistant", "content": [{"type": "text", "text": "Done, they are in one file now."}]})
    task.write_text(json.dumps(said, indent=indent), "utf-8")
    second = meter.measure(task)
    assert first
    assert second
    assert (first.entries, second.entries) == (1, 2)
    assert 0 < first.tokens < second.tokens
    assert (first.finished, second.finished) == (False, True)
