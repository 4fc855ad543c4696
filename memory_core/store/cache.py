"""The index on disk: outlines of files by path, size and time, and answers that took long. One SQLite file in `cache/`.

Disposable: without it every answer is the same and takes longer. It is nobody's authority, so whatever is wrong with
it (a damaged file, another version, a second process that holds it) means reading the records instead.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from memory_core import outline
from memory_core.errors import StoreError
from memory_core.layout import MARKER, Layout
from memory_core.store.files import ignored_by_git, make_folder, require_inside
from memory_core.store.ordinary import is_odd
from memory_core.store.own_database import SIDES, drop_foreign, is_as_made

if TYPE_CHECKING:
    import sqlite3

log = logging.getLogger(__name__)

SCHEMA = 1
NAME = "index.sqlite3"
_WAIT_S = 2.0  # for another process that is writing; a reader never waits
_MOST_ANSWERS = 8  # kept; each stands for one state of the whole workspace

TABLES = """
    CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE files (path TEXT PRIMARY KEY, mtime_ns INTEGER, ctime_ns INTEGER, size INTEGER, sha256 BLOB,
                        outline TEXT) WITHOUT ROWID;
    CREATE TABLE answers (key BLOB PRIMARY KEY, answer TEXT);
"""
_DROP = "DROP TABLE IF EXISTS about; DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS answers;"

T = TypeVar("T")


class Row(NamedTuple):
    """What is known of one file. A file whose `stamp` differs is another one."""

    stamp: tuple[int, int, int]  # mtime_ns, ctime_ns, size
    sha256: bytes
    outline: str


@dataclass(frozen=True, slots=True)
class Cache:
    """The cache of one root. Every method gives up quietly: the caller has the records themselves."""

    layout: Layout

    @property
    def path(self) -> Path:
        return self.layout.cache / NAME

    def rows(self) -> dict[str, Row]:
        """All rows by path; empty when there is no usable cache."""

        def read(connection: sqlite3.Connection) -> dict[str, Row]:
            query = "SELECT path, mtime_ns, ctime_ns, size, sha256, outline FROM files"
            return {p: Row((m, c, s), sha, text) for p, m, c, s, sha, text in connection.execute(query)}

        return self._read(read) or {}

    def update(self, changed: Mapping[str, Row], gone: Collection[str] = ()) -> bool:
        """Write some rows and drop others, all or nothing; False when that was not possible now."""

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM files WHERE path = ?", ((path,) for path in gone))
            connection.executemany(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)",
                ((path, *row.stamp, row.sha256, row.outline) for path, row in sorted(changed.items())),
            )

        return not (changed or gone) or self._write(write)

    def answer(self, key: bytes) -> str | None:
        """A kept answer to the question that `key` stands for."""

        def read(connection: sqlite3.Connection) -> str | None:
            found = connection.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
            return found[0] if found else None

        return self._read(read)

    def keep_answer(self, key: bytes, answer: str) -> bool:
        """Keep an answer; the oldest ones make room for it. The key must stand for everything the answer hangs on."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, answer))
            connection.execute(
                "DELETE FROM answers WHERE rowid NOT IN (SELECT rowid FROM answers ORDER BY rowid DESC LIMIT ?)",
                (_MOST_ANSWERS,),
            )

        return self._write(write)

    def _read(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        import sqlite3

        if not os.path.lexists(self.path) or self._is_odd():
            return None
        try:
            with self._connection(0.0) as connection:
                return work(connection) if _fits(connection) else None
        except sqlite3.DatabaseError as error:
            self._failed(error)
        except OSError as error:
            log.info("%s is not used (%s).", self.path, error.strerror)
        except StoreError as error:
            log.warning("%s", error)
        return None

    def _write(self, work: Callable[[sqlite3.Connection], None]) -> bool:
        import sqlite3

        try:
            if not self._make_folder() or self._is_odd():
                return False
            with self._connection(_WAIT_S) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = OFF")  # nothing is lost with it
                connection.execute("BEGIN IMMEDIATE")
                if not _fits(connection):
                    _make_tables(connection)
                work(connection)
                connection.execute("COMMIT")
            return True
        except sqlite3.DatabaseError as error:
            self._failed(error)
        except OSError as error:
            log.info("%s is not written (%s): the next start reads every record.", self.path, error.strerror)
        except StoreError as error:
            log.warning("%s", error)
        return False

    @contextmanager
    def _connection(self, wait: float) -> Iterator[sqlite3.Connection]:
        import sqlite3

        require_inside(self.layout.root, self.layout.cache)
        drop_foreign(self.path)
        connection = sqlite3.connect(self.path, timeout=wait, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()

    def _is_odd(self) -> bool:
        """Whether a pipe or the like stands where SQLite would open a file and wait."""
        return any(is_odd(self.path.with_name(NAME + end)) for end in ("", "-journal", "-wal", "-shm"))

    def _make_folder(self) -> bool:
        """Make `cache/`, ignored by git on its own; never where there is no root."""
        if not (self.layout.root / MARKER).is_dir():
            return False
        require_inside(self.layout.root, self.layout.cache)
        make_folder(self.layout.cache)
        ignored_by_git(self.layout.cache)
        return True

    def _failed(self, error: sqlite3.DatabaseError) -> None:
        import sqlite3

        if isinstance(error, sqlite3.OperationalError | sqlite3.InterfaceError):
            # Locked by another process, a disk that is full, a folder that may not be written: the file is sound.
            log.info("%s is not used now (%s).", self.path, error)
            return
        log.warning("%s is damaged (%s): it is made anew from the records.", self.path, error)
        for end in SIDES:
            with contextlib.suppress(OSError):
                os.unlink(f"{self.path}{end}")  # noqa: PTH108


def _fits(connection: sqlite3.Connection) -> bool:
    """Whether the tables are there and were written by code that means the same by them."""
    import sqlite3

    if not is_as_made(connection, TABLES):
        raise sqlite3.DatabaseError("it holds what Omoide did not make")
    try:
        found = connection.execute("SELECT value FROM about WHERE key = 'version'").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return False
        raise
    return bool(found and found[0] == version())


def _make_tables(connection: sqlite3.Connection) -> None:
    for statement in (_DROP + TABLES).split(";"):
        connection.execute(statement)
    connection.execute("INSERT INTO about VALUES ('version', ?)", (version(),))


@functools.cache
def version() -> str:
    """The version of what the cache holds: the schema, and the code that outlines and answers come from, told by the
    size and time of its files, so that an edit of a rule or a new release is another version."""
    package = Path(outline.__file__).parent
    found: list[str] = []
    for folder in (package, package / "records", package / "lint", package / "lint/rules"):
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".pyc")):
                    status = entry.stat()
                    found.append(f"{folder.name}/{entry.name} {status.st_size} {status.st_mtime_ns}")
    code = hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()[:16]
    return f"{SCHEMA}.{outline.FORMAT}.{code}"
