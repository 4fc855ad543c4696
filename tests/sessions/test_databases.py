"""Databases are read whatever their owner does, and no trace is left: no lock that stops it, no file beside it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memory_core.errors import SessionError
from memory_core.store.session_files import read_log
from memory_core.store.write_ahead import applied
from tests.sessions.agents import DATA, made_database


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(DATA / "opencode/opencode.sql", tmp_path)
    return tmp_path


def made(folder: Path) -> Path:
    return made_database(folder / "opencode.sql", wal=True)


def names(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def texts(path: Path) -> list[str]:
    return [entry.text for entry in read_log(path / "ses_2").entries if entry.text]


@pytest.fixture
def writer(folder: Path) -> Iterator[sqlite3.Connection]:
    """The agent at work: a committed change stands in the log of changes only."""
    path = made(folder)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute(
            "INSERT INTO part VALUES ('prt_24', 'msg_20', 'ses_2', 1, '{\"type\":\"text\",\"text\":\"And now?\"}')"
        )
        connection.commit()
        yield connection


def test_a_closed_database_in_wal_mode_is_read_without_a_new_file(folder: Path) -> None:
    path = made(folder)
    before = names(folder)
    assert "Add feature flags." in texts(path)
    assert names(folder) == before
    assert not (folder / "opencode.db-shm").exists()


def test_what_a_running_agent_has_committed_is_read(folder: Path, writer: sqlite3.Connection) -> None:
    before = names(folder)
    assert "And now?" in texts(folder / "opencode.db")
    assert names(folder) == before
    writer.execute("DELETE FROM part WHERE id = 'prt_24'")  # the owner was not locked out
    writer.commit()
    assert "And now?" not in texts(folder / "opencode.db")


def test_what_is_being_written_is_not_read_before_it_is_committed(folder: Path, writer: sqlite3.Connection) -> None:
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM part")
    assert "And now?" in texts(folder / "opencode.db")
    writer.rollback()


def test_changes_that_an_agent_left_behind_are_applied_in_memory(
    folder: Path, writer: sqlite3.Connection, tmp_path: Path
) -> None:
    """A copy, or the rest after a crash: the database and its log of changes, without the shared index."""
    left = tmp_path / "left"
    left.mkdir()
    for name in ("opencode.db", "opencode.db-wal"):
        shutil.copy(folder / name, left)
    before = names(left)
    assert "And now?" in texts(left / "opencode.db")
    assert names(left) == before
    assert not (left / "opencode.db-shm").exists()


def test_a_torn_log_of_changes_counts_up_to_its_last_whole_change(folder: Path, writer: sqlite3.Connection) -> None:
    wal = folder / "opencode.db-wal"
    whole = wal.read_bytes()
    for end in (len(whole) - 100, 40, 10, 0):
        torn = folder / "torn-wal"
        torn.write_bytes(whole[:end])
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(applied(folder / "opencode.db", torn))
            count = connection.execute("SELECT count(*) FROM part WHERE id = 'prt_24'").fetchone()[0]
            assert count == 0
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_locked_database_is_one_clear_line(folder: Path) -> None:
    path = made_database(folder / "opencode.sql")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(SessionError, match=r"cannot be read now \(database is locked\)"):
            read_log(path / "ses_2")
        connection.execute("ROLLBACK")
    assert texts(path)


def test_a_damaged_page_costs_its_table_and_not_the_session(folder: Path) -> None:
    path = made_database(folder / "opencode.sql")
    with closing(sqlite3.connect(path)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'part'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(path.read_bytes())
    data[(root - 1) * size : root * size] = b"\xee" * size
    path.write_bytes(data)
    session = read_log(path / "ses_2")
    assert session.title == "Feature flags"
    assert any("table part is damaged" in gap.reason for gap in session.gaps)


def test_a_database_without_a_name_of_a_session_lists_how_many_there_are(folder: Path) -> None:
    path = made(folder)
    with pytest.raises(SessionError, match=r"holds 2 sessions: name one of them, for example .*ses_2"):
        read_log(path)


def test_a_database_of_another_program_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.commit()
    with pytest.raises(SessionError, match="no agent"):
        read_log(path)


def test_tables_of_an_older_version_lack_columns_and_are_read(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """CREATE TABLE session (id TEXT, directory TEXT); INSERT INTO session VALUES ('ses_9', '/w/app');
            CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);
            INSERT INTO message VALUES ('m', 'ses_9', '{"role":"user"}');
            CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data BLOB);
            INSERT INTO part VALUES ('p', 'm', 'ses_9', CAST('{"type":"text","text":"Hi."}' AS BLOB));"""
        )
    session = read_log(path)
    assert [(entry.text, entry.native_id) for entry in session.entries] == [("Hi.", "p")]
    assert session.path == path / "ses_9"
