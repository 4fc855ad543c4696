"""Databases that somebody made or damaged to hold up whoever reads them, to be written beside, or to lead elsewhere."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import struct
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from bench.fuzz_databases import _sums
from memory_core.errors import SessionError
from memory_core.sessions.model import Session
from memory_core.store.agent_looks import Looking, look_at_database
from memory_core.store.session_database import open_tables
from memory_core.store.session_files import read_log
from memory_core.store.session_places import Belonging
from memory_core.store.write_ahead import applied
from tests.sessions.agents import DATA, made_database


@pytest.fixture
def database(tmp_path: Path) -> Path:
    shutil.copy(DATA / "opencode/opencode.sql", tmp_path)
    path = made_database(tmp_path / "opencode.sql")
    (tmp_path / "opencode.sql").unlink()
    return path


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A database and its log of changes, left behind by an agent that was killed."""
    shutil.copy(DATA / "opencode/opencode.sql", tmp_path)
    path = made_database(tmp_path / "opencode.sql", wal=True)
    folder = tmp_path / "left"
    folder.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("INSERT INTO part SELECT 'prt_24', message_id, session_id, 1, data FROM part LIMIT 1")
        connection.commit()
        for name in ("opencode.db", "opencode.db-wal"):
            shutil.copy(path.with_name(name), folder)
    return folder / "opencode.db"


def change(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def read_in_time(path: Path) -> Session | Exception:
    """What reading gives, given up after far longer than it may take."""
    given: list[Session | Exception] = []

    def run() -> None:
        try:
            given.append(read_log(path))
        except SessionError as error:
            given.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(20)
    assert given, "it is read without end"
    return given[0]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize("ending", ["journal", "wal"])
def test_a_pipe_beside_a_database_is_never_waited_for(database: Path, ending: str) -> None:
    os.mkfifo(database.with_name(f"opencode.db-{ending}"))
    error = read_in_time(database / "ses_2")
    assert f"opencode.db-{ending} beside it is no ordinary file" in str(error)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_in_place_of_the_shared_index_is_never_waited_for(left: Path) -> None:
    os.mkfifo(left.with_name("opencode.db-shm"))
    found = read_in_time(left / "ses_2")
    assert isinstance(found, Session)
    assert found.entries


@pytest.mark.parametrize("versions", [b"\1\2", b"\2\1"])
def test_versions_that_differ_in_the_head_create_no_file(database: Path, versions: bytes) -> None:
    data = database.read_bytes()
    database.write_bytes(data[:18] + versions + data[20:])
    assert isinstance(read_in_time(database / "ses_2"), Session)
    assert names(database.parent) == {"opencode.db"}


@pytest.mark.parametrize("rest", [b"", b"what another database left"])
def test_a_log_of_changes_beside_a_database_with_a_journal_creates_no_file(database: Path, rest: bytes) -> None:
    database.with_name("opencode.db-wal").write_bytes(rest)
    assert isinstance(read_in_time(database / "ses_2"), Session)
    assert names(database.parent) == {"opencode.db", "opencode.db-wal"}


def test_a_broken_log_beside_an_old_index_is_not_waited_for(left: Path) -> None:
    """SQLite tries a hundred times, ten seconds long, and each of a database's sessions is read by itself."""
    left.with_name("opencode.db-wal").write_bytes(b"\xee" * 9000)
    left.with_name("opencode.db-shm").write_bytes(bytes(32768))
    tried: list[str] = []
    real = sqlite3.connect

    def connect(name: str, *args: object, **fields: object) -> sqlite3.Connection:
        tried.append(name)
        return real(name, *args, **fields)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect)
        assert read_log(left / "ses_2").entries
    assert set(tried) == {":memory:"}


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_changes_are_found_beside_the_database_that_a_link_leads_to(left: Path, tmp_path: Path) -> None:
    link = tmp_path / "linked.db"
    link.symlink_to(left)
    assert any(entry.native_id == "prt_24" for entry in read_log(link / "ses_2").entries) or any(
        "prt_24" in gap.reason for gap in read_log(link / "ses_2").gaps
    )


def forged_log(page_size: int, number: int, pages: int, content: bytes) -> bytes:
    """A log of changes with one frame, whose sums are right."""
    head = struct.pack(">IIIIII", 0x377F0682, 3007000, page_size, 0, 1, 2)
    sums = _sums(head, (0, 0))
    frame = struct.pack(">II", number, pages)
    done = _sums(content, _sums(frame, sums))
    return head + struct.pack(">II", *sums) + frame + struct.pack(">IIII", 1, 2, *done) + content


@pytest.mark.parametrize(("number", "pages"), [(1, 2**32 - 1), (2**32 - 1, 1), (2**31, 2**31)])
def test_a_change_beyond_the_file_takes_no_memory(database: Path, number: int, pages: int) -> None:
    wal = database.with_name("opencode.db-wal")
    wal.write_bytes(forged_log(4096, number, pages, bytes(4096)))
    assert len(applied(database, wal)) == database.stat().st_size


@pytest.mark.parametrize("page_size", [0, 4, 7, 12, 513])
def test_a_page_size_that_is_none_is_no_error_of_ours(database: Path, page_size: int) -> None:
    data = database.read_bytes()
    database.write_bytes(data[:16] + page_size.to_bytes(2, "big") + b"\2\2" + data[20:])
    wal = database.with_name("opencode.db-wal")
    wal.write_bytes(forged_log(page_size, 1, 1, data[:page_size]))
    with pytest.raises(SessionError):
        read_log(database / "ses_2")


VIEWS = {
    "endless": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT id, session_id FROM n, moved",
    "of itself by itself": "SELECT a.* FROM " + ", ".join(f"message {name}" for name in "abcdefghijklmnopqrst"),
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_in_place_of_a_table_is_not_read(database: Path, view: str) -> None:
    change(database, f"ALTER TABLE part RENAME TO moved; CREATE VIEW part AS {VIEWS[view]}")
    assert "database of no agent" in str(read_in_time(database / "ses_2"))


def test_pages_that_point_at_each_other_end_with_the_room_that_the_file_has(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'session'"
        [root] = connection.execute(query).fetchone()
        [count] = connection.execute("PRAGMA page_count").fetchone()
    data = bytearray(database.read_bytes())
    leaf = bytes(data[(root - 1) * 4096 : root * 4096])
    chain = [root, *range(count + 1, count + 12)]
    data.extend(bytes(4096 * 11))
    for page, following in pairwise(chain):  # 400 ways from each to the next
        cells = b"".join(struct.pack(">IB", following, 1 + n // 4) for n in range(400))
        start = 4096 - len(cells)
        places = b"".join(struct.pack(">H", start + 5 * n) for n in range(400))
        head = struct.pack(">BHHHBI", 5, 0, 400, start, 0, following)
        data[(page - 1) * 4096 : page * 4096] = (head + places).ljust(start, b"\0") + cells
    data[(chain[-1] - 1) * 4096 : chain[-1] * 4096] = leaf
    data[28:32] = struct.pack(">I", len(data) // 4096)
    database.write_bytes(data)
    with open_tables(database, ("session",)) as tables:
        rows = sum(1 for _ in tables.rows("session", ("id", "directory")))
        assert rows < len(data)
        assert [problem for problem in tables.problems if "goes on without end" in problem]


def test_rows_are_in_order_whatever_their_types(database: Path) -> None:
    change(
        database,
        "CREATE TABLE t (a); INSERT INTO t VALUES ('b'), (2.5), (x'00'), (NULL), ('a'), (-1), (9223372036854775807)",
    )
    with open_tables(database, ("t",)) as tables, closing(sqlite3.connect(database)) as connection:
        ours = [row["a"] for row in tables.rows("t", ("a",), order=("a",))]
        assert ours == [row[0] for row in connection.execute("SELECT a FROM t ORDER BY a")]


def test_a_database_that_is_written_while_it_is_read_is_said(left: Path) -> None:
    left.with_name("opencode.db-wal").unlink()

    def read() -> None:
        with open_tables(left, ("part",)) as tables:
            list(tables.rows("part", ("id",)))
            os.utime(left, ns=(1, 1))

    with pytest.raises(SessionError, match="was written while it was read"):
        read()


def test_a_session_that_a_database_does_not_hold_is_said(database: Path) -> None:
    with pytest.raises(SessionError, match="holds no session 'ses_9'"):
        read_log(database / "ses_9")


def test_a_column_that_is_needed_and_missing_is_a_gap(database: Path) -> None:
    change(database, "ALTER TABLE part RENAME COLUMN session_id TO session")
    assert "table part has no column session_id: nothing of it is read" in {
        gap.reason for gap in read_log(database / "ses_2").gaps
    }


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.WARNING):
        yield caplog


@pytest.mark.parametrize("name", ["/home/other/secret.jsonl", "../../other/secret", "", ".", "a//b", "NULL"])
def test_an_id_that_leads_elsewhere_names_no_session(
    database: Path, name: str, warnings: pytest.LogCaptureFixture
) -> None:
    value = name if name == "NULL" else f"'{name}'"
    change(database, f"UPDATE session SET id = {value} WHERE id = 'ses_2'")
    looking = Looking("opencode", Path("/w/app"), Belonging(Path("/w/app")))
    assert list(look_at_database(looking, database)) == []
    assert "without an id" in warnings.text or "its id is no name" in warnings.text


def test_an_integer_of_hundreds_of_digits_is_no_time(database: Path) -> None:
    data = '{"role":"user","time":{"created":1' + "0" * 400 + "}}"
    change(database, f"UPDATE message SET data = '{data}' WHERE id = 'msg_20'")
    assert any(entry.text == "Add feature flags." for entry in read_log(database / "ses_2").entries)


def test_a_schema_for_which_sqlite_asks_too_much_memory_is_damage(tmp_path: Path) -> None:
    """Found by coverage-guided fuzzing: SQLite says that it has no memory, and Python raises an error of its own."""
    data = bytearray(2560)
    data[:24] = b"SQLite format 3\0" + bytes([2, 0, 0, 0, 0, 64, 32, 32])
    data[100], data[111] = 5, 5  # the first page leads to the fifth
    data[2048], data[2052], data[2058:2060] = 13, 3, bytes([1, 199])
    data[2503:2516] = b"\xff" * 13  # a row that claims to be larger than all memory
    data[2517] = 41
    path = tmp_path / "opencode.db"
    path.write_bytes(data)
    with pytest.raises(SessionError, match="is damaged: restore it"):
        read_log(path / "ses_2")
