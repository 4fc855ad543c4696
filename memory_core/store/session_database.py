"""Agents' databases, read and never written: no lock that stops their owner, no file beside them, named tables only.

Knows no agent's tables; formats name what they read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.errors import SessionError
from memory_core.store.ordinary import open_binary
from memory_core.store.write_ahead import applied

if TYPE_CHECKING:
    import sqlite3

log = logging.getLogger(__name__)

MAGIC = b"SQLite format 3\0"
_WAIT_S = 1.0


def is_database(path: Path) -> bool:
    try:
        with open_binary(path) as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def open_tables(path: Path, names: Sequence[str]) -> Iterator[DatabaseTables]:
    """The named tables of a database. SessionError when it cannot be read now."""
    import sqlite3

    try:
        with closing(_connect(path)) as connection:
            tables = DatabaseTables(connection, names)
            connection.set_authorizer(_only(frozenset(names)))
            yield tables
    except UnicodeDecodeError as error:  # how the module answers when a message of SQLite quotes damaged bytes
        raise SessionError(f"{path} is damaged: restore it, or start its agent once.") from error
    except sqlite3.Error as error:
        said = " ".join(str(error).split())
        raise SessionError(f"{path} cannot be read now ({said}): its agent may be writing it; try again.") from error
    except OSError as error:
        raise SessionError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that leaves no trace. In WAL mode SQLite would create `-wal` and `-shm` where they are missing, also
    for readers; so a database without a log of changes is opened as immutable, one whose owner is at work shares the
    index that the owner keeps, and one that was left behind with changes is read into memory.
    https://www.sqlite.org/wal.html "Read-Only Databases"."""
    import sqlite3

    with open_binary(path) as stream:
        head = stream.read(100)
    if not head.startswith(MAGIC):
        raise SessionError(f"{path} is no SQLite database.")
    uri = path.absolute().as_uri()
    if head[18:20] != b"\2\2":  # a rollback journal: reading creates nothing
        return _ready(sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=_WAIT_S))
    wal = path.with_name(f"{path.name}-wal")
    if not wal.exists() or wal.stat().st_size == 0:
        return _ready(sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, timeout=_WAIT_S))
    if path.with_name(f"{path.name}-shm").exists():
        try:
            connection = sqlite3.connect(f"{uri}?mode=ro&readonly_shm=1", uri=True, timeout=_WAIT_S)
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return _ready(connection)
        except sqlite3.OperationalError as error:
            log.debug("%s is read into memory: %s", path, error)
    connection = sqlite3.connect(":memory:")
    connection.deserialize(applied(path, wal))
    return _ready(connection)


def _ready(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _only(names: frozenset[str]) -> Callable[..., int]:
    """Lets SQLite read the named tables and nothing else of the file."""
    import sqlite3

    def allowed(action: int, first: str | None, *_rest: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT or (action == sqlite3.SQLITE_READ and first in names):
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    return allowed


class DatabaseTables:
    """The `sessions.tables.Tables` of an open connection."""

    def __init__(self, connection: sqlite3.Connection, names: Sequence[str]) -> None:
        self._connection = connection
        self.problems: list[str] = []
        self._columns: dict[str, frozenset[str]] = {}
        for name in names:
            found = connection.execute("SELECT name FROM pragma_table_info(?)", (name,)).fetchall()
            self._columns[name] = frozenset(str(row[0]) for row in found)

    def has(self, names: Sequence[str]) -> bool:
        """Whether all of the tables are there."""
        return all(self._columns.get(name) for name in names)

    def rows(
        self,
        table: str,
        columns: Sequence[str],
        where: Mapping[str, str] | None = None,
        order: Sequence[str] = (),
    ) -> Iterator[dict[str, Any]]:
        import sqlite3

        there = self._columns[table]
        wanted = [column for column in columns if column in there]
        if not wanted or any(column not in there for column in where or ()):
            return
        # Table and column names come from the formats' own lists, compared with the schema; values are bound.
        sql = f"SELECT {', '.join(map(_quoted, wanted))} FROM {_quoted(table)}"  # noqa: S608
        if where:
            sql += " WHERE " + " AND ".join(f"{_quoted(column)} = ?" for column in where)
        if sorting := [column for column in order if column in there]:
            sql += f" ORDER BY {', '.join(map(_quoted, sorting))}"
        try:
            for row in self._connection.execute(sql, tuple((where or {}).values())):
                yield {**dict.fromkeys(columns), **dict(zip(wanted, row, strict=True))}
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if "locked" in str(error):
                raise
            why = "its bytes are no text" if isinstance(error, UnicodeDecodeError) else " ".join(str(error).split())
            self.problems.append(f"table {table} is damaged ({why}): what follows in it is lost")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
