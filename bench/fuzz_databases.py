"""Databases of agents under fuzzing: bytes of the file and of what lies beside it, and schemas that nobody expects.

Each input is a database in a folder of its own, read as `omoide sessions` and `omoide extract` would. It is read, or
refused in one sentence, in bounded time; and the folder is afterwards what it was before.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from memory_core.errors import MemoryCoreError, SessionError
from memory_core.sessions.export import FORMATS, exported
from memory_core.store.agent_looks import Looking, look_at_database
from memory_core.store.session_files import read_log
from memory_core.store.session_places import Belonging

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = {"opencode": ROOT / "tests/data/sessions/opencode/opencode.sql"}
SAMPLES |= {"goose": ROOT / "tests/data/sessions/goose/sessions.sql"}
TABLES = {"opencode": ("session", "message", "part"), "goose": ("sessions", "messages")}
SETTINGS = (
    "", "PRAGMA page_size = 512", "PRAGMA page_size = 65536", "PRAGMA encoding = 'UTF-16le'",
    "PRAGMA encoding = 'UTF-16be'", "PRAGMA auto_vacuum = 1",
)  # fmt: skip
CELLS = (
    "NULL", "x''", "x'ff00fe'", "9223372036854775807", "-9223372036854775808", "1e308", "9e999", "-9e999", "''", "'\0'",
    "CAST(x'ff' AS TEXT)", "CAST(x'eda080' AS TEXT)", "'ses_2'", "'../../etc/passwd'", "'/etc/passwd'", "'a/b'", "'.'",
    "'20260301_2'", "'/w/app'", "'[]'", "'{}'", "'null'", "zeroblob(70000)", "printf('%.*c', 100000, 'x')",
    "'{\"type\":\"text\",\"text\":\"\\ud800\"}'", "'[{\"type\":\"text\",\"text\":\"\\udc00\"}]'", "1772359200000", "-1",
    "'{\"role\":\"user\",\"time\":{\"created\":1' || printf('%.*c', 400, '0') || '}}'", "'2026-03-01 10:00:00'",
    "replace(printf('%.*c', 3000, 'x'), 'x', '[')", "replace(printf('%.*c', 900, 'x'), 'x', '{\"a\":')",
    "'\u202e\x1b[2J'",
)  # fmt: skip
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
Stamp = dict[str, tuple[int, int, bytes]]


@cache
def sample(agent: str, setting: str, wal: bool) -> dict[str, bytes]:
    """The files of a valid database, by what follows its name; with `wal` a change stands in the log only."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.db")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(setting)
            if wal:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA wal_autocheckpoint = 0")
            connection.executescript(SAMPLES[agent].read_text(encoding="utf-8"))
            connection.execute(f"UPDATE {TABLES[agent][-1]} SET session_id = session_id")
            return {found.name.removeprefix("x.db"): found.read_bytes() for found in sorted(Path(folder).iterdir())}


def files_of(data: bytes) -> dict[str, bytes]:
    """A database and its log of changes out of bytes: the length of the first, then both."""
    end = int.from_bytes(data[:4], "big")
    return {"": data[4 : 4 + end], **({"-wal": data[4 + end :]} if data[4 + end :] else {})}


def packed(files: dict[str, bytes]) -> bytes:
    return len(files[""]).to_bytes(4, "big") + files[""] + files.get("-wal", b"")


def seeds() -> list[bytes]:
    return [packed(sample(agent, setting, wal)) for agent in SAMPLES for setting in SETTINGS for wal in (False, True)]


def database(data: bytes) -> None:
    """The bytes of a database, with those of its log of changes behind it."""
    with _folder() as folder:
        for ending, content in files_of(data).items():
            (folder / f"x.db{ending}").write_bytes(content)
        survived(folder / "x.db")


def survived(path: Path) -> None:
    """Read a database as every command does; nothing in its folder changes, and it takes no longer than it may."""
    before = _stamp(path.parent)
    failed: list[BaseException] = []
    thread = threading.Thread(target=_reading, args=(path, failed), daemon=True)
    thread.start()
    thread.join(60)
    if thread.is_alive():
        raise AssertionError(f"{path} is read without end")
    if failed:
        raise failed[0]
    if (after := _stamp(path.parent)) != before:
        changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        raise AssertionError(f"changed beside {path}: {', '.join(changed)}")


def _reading(path: Path, failed: list[BaseException]) -> None:
    try:
        with _sentence():
            refs = list(look_at_database(Looking("opencode", path.parent, Belonging(Path("/w/app"))), path))
            for ref in refs[:5]:
                assert path in ref.path.parents, f"{ref.path} is no place in {path}"
        for part in ("ses_2", "20260301_2", ""):
            with _sentence():
                session = read_log(path / part if part else path)
                for form in FORMATS:
                    exported(session, form)
    except BaseException as error:  # noqa: BLE001 - of another thread: it is raised in the first one
        failed.append(error)


@contextmanager
def _sentence() -> Iterator[None]:
    """Errors that say in one sentence what is wrong are fine; all others are not."""
    try:
        yield
    except MemoryCoreError as error:
        if "\n" in str(error) or not isinstance(error, SessionError):
            raise AssertionError(f"not one sentence: {error!r}") from error


def _stamp(folder: Path) -> Stamp:
    return {
        found.name: (found.stat().st_mtime_ns, found.stat().st_size, found.read_bytes())
        for found in folder.iterdir()
        if found.is_file()
    }


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def databases(source: random.Random) -> int:
    """A database with something wrong: its bytes, its log of changes, its rows, its schema, or what lies beside it."""
    agent, setting = source.choice(list(SAMPLES)), source.choice(SETTINGS)
    with _folder() as folder:
        path = folder / "x.db"
        for ending, content in sample(agent, setting, source.random() < 0.4).items():
            (folder / f"x.db{ending}").write_bytes(content)
        before: list[Callable[[], object]] = []
        for _ in range(source.randrange(1, 4)):
            if all(found.is_file() and not found.is_symlink() for found in folder.iterdir()):
                source.choice(ATTACKS)(source, agent, path, before)
        survived(path)
        for undo in before:
            undo()
    return 1


def _bytes(source: random.Random, _agent: str, path: Path, _undo: list[Callable[[], object]]) -> None:
    """Bytes anywhere, most often in the head of the file or of a page, where they steer."""
    target = source.choice([found for found in path.parent.iterdir() if found.is_file()])
    data = bytearray(target.read_bytes()) or bytearray(1)
    for _ in range(source.randrange(1, 10)):
        page = source.randrange(max(1, len(data) // 512)) * 512
        at = min(len(data) - 1, source.choice((source.randrange(100), page + source.randrange(16), page)))
        data[at : at + source.choice((1, 2, 4))] = bytes(source.choice((0, 1, 2, 5, 13, 127, 128, 255)) for _ in "ab")
    target.write_bytes(data[: source.choice((len(data), len(data), source.randrange(len(data) + 1)))])


def _wal(source: random.Random, _agent: str, path: Path, _undo: list[Callable[[], object]]) -> None:
    """A log of changes with sums that are right and contents that are not."""
    page = source.choice((int.from_bytes(path.read_bytes()[16:18], "big"), 512, 4096, 7, 0, 4, 65536)) & 0xFFFF
    head = struct.pack(">IIIIII", 0x377F0682, 3007000, page, 0, 1, 2)
    sums = _sums(head, (0, 0))
    frames = [head + struct.pack(">II", *sums)]
    for _ in range(source.randrange(4)):
        numbers = [source.choice((1, 2, 3, 0, 2**31, 2**32 - 1)) for _ in range(2)]
        content = path.read_bytes()[:page].ljust(page, b"\0")
        sums = _sums(content, _sums(struct.pack(">II", *numbers), sums))
        frames.append(struct.pack(">IIII", *numbers, 1, 2) + struct.pack(">II", *sums) + content)
    path.with_name("x.db-wal").write_bytes(b"".join(frames) + bytes(source.randrange(50)))


def _sums(data: bytes, start: tuple[int, int]) -> tuple[int, int]:
    words = struct.unpack(f"<{len(data) // 8 * 2}I", data[: len(data) // 8 * 8])
    first, second = start
    for low, high in zip(words[::2], words[1::2], strict=True):
        first = (first + low + second) & 0xFFFFFFFF
        second = (second + high + first) & 0xFFFFFFFF
    return first, second


def _rows(source: random.Random, agent: str, path: Path, _undo: list[Callable[[], object]]) -> None:
    """Cells of any type, rows twice, tables of any number of rows."""
    with _changing(path) as connection:
        for _ in range(source.randrange(1, 5)):
            table = source.choice(TABLES[agent])
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] or ["id"]
            cell, column = source.choice(CELLS), source.choice(columns)
            value = json.dumps(source.choice((None, [[]], {"a": [1]}, "x" * 9, 2**70))).replace("'", "''")
            for change in source.sample(
                (
                    f"UPDATE {table} SET {column} = {cell}",
                    f"UPDATE {table} SET {column} = '{value}' WHERE rowid % 2",
                    f"INSERT INTO {table} SELECT * FROM {table}",
                    f"INSERT INTO {table} ({column}) VALUES ({cell})",
                    f"DELETE FROM {table} WHERE rowid % 2",
                ),
                2,
            ):
                with suppress(sqlite3.Error):
                    connection.execute(change)


def _schema(source: random.Random, agent: str, path: Path, _undo: list[Callable[[], object]]) -> None:
    """Tables that are none, columns that are computed, and code of a database that runs when it is read."""
    table = source.choice(TABLES[agent])
    with _changing(path) as connection:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] or ["id"]
        same = ", ".join(f"'ses_2' AS {column}" for column in columns)
        column = source.choice(columns)
        moved = f"ALTER TABLE {table} RENAME TO moved"
        for change in source.choice(
            (
                [f"DROP TABLE {table}"],
                [f"ALTER TABLE {table} DROP COLUMN {column}"],
                [f"ALTER TABLE {table} RENAME COLUMN {column} TO other"],
                [moved, f"CREATE VIEW {table} AS {ENDLESS} {same} FROM n"],
                [moved, f"CREATE VIEW {table} AS SELECT a.* FROM moved a, moved b, moved c, moved d, moved e, moved f"],
                [moved, f"CREATE VIEW {table} AS SELECT * FROM {table}"],
                [moved, f"CREATE VIRTUAL TABLE {table} USING fts5({', '.join(columns)})"],
                [moved, f"CREATE TABLE {table} (id TEXT, session_id TEXT AS (id || id || id), data AS (id))"],
                [moved, f"CREATE TABLE {table} ({', '.join(columns)}, PRIMARY KEY ({columns[0]})) WITHOUT ROWID"],
                [moved, f"CREATE TABLE {table} ({', '.join(f'{c} COLLATE NOCASE' for c in columns)})"],
                [f"CREATE INDEX i ON {table} (session_id COLLATE RTRIM, {column} || {column})"],
                [f"CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END"],
                [f"CREATE TABLE x.{table} (id)", f"CREATE TEMP VIEW {table} AS SELECT 1"],
                ["PRAGMA writable_schema = ON", f"UPDATE sqlite_master SET rootpage = {source.randrange(9)}"],
                ["PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = 'CREATE TABLE x(' || name"],
                ["PRAGMA writable_schema = ON", "INSERT INTO sqlite_master SELECT * FROM sqlite_master"],
            )
        ):
            with suppress(sqlite3.Error):
                connection.execute(change)


def _beside(source: random.Random, _agent: str, path: Path, undo: list[Callable[[], object]]) -> None:
    """Something that is no file of SQLite's in its place, or a writer that holds the database."""
    place = path.with_name(f"x.db{source.choice(('-wal', '-shm', '-journal'))}")
    if (change := source.randrange(8)) < 4:
        place.unlink(missing_ok=True)
    match change:
        case 0:
            getattr(os, "mkfifo", os.mkdir)(place)
        case 1:
            place.mkdir()
        case 2:
            place.symlink_to(source.choice(("/dev/zero", "nowhere", place.name, "x.db")))
        case 3:
            place.write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(source.randrange(600)))
        case 4:
            real = path.with_name("real.db")
            with suppress(OSError):
                path.rename(real)
                path.symlink_to(real)
        case 5:
            data = path.read_bytes()
            path.write_bytes(data[:18] + source.choice((b"\1\2", b"\2\1", b"\2\2", b"\3\3", b"\0\0")) + data[20:])
        case 6:
            path.write_bytes(b"")
        case _:
            holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            undo.append(holder.close)
            with suppress(sqlite3.Error):
                holder.execute(source.choice(("BEGIN EXCLUSIVE", "BEGIN IMMEDIATE", "PRAGMA locking_mode = EXCLUSIVE")))


@contextmanager
def _changing(path: Path) -> Iterator[sqlite3.Connection]:
    """The database opened by somebody who may do anything to it; one that is damaged stays as it is."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=0)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        with suppress(sqlite3.Error):
            yield connection
    finally:
        kept = path.with_name("kept")
        wal = path.with_name("x.db-wal")
        if wal.exists():  # closing would apply it
            shutil.copy(wal, kept)
        connection.close()
        if kept.exists():
            kept.unlink() if wal.exists() else kept.rename(wal)


ATTACKS: tuple[Callable[[random.Random, str, Path, list[Callable[[], object]]], None], ...] = (
    _bytes, _bytes, _wal, _rows, _rows, _schema, _schema, _beside,
)  # fmt: skip
