"""Agents' databases, read and never written: no lock that stops their owner, no file beside them, named tables only.

Knows no agent's tables; formats name what they read. How much one statement may cost is in `bounded_rows`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.errors import SessionBusy, SessionError
from memory_core.store.bounded_rows import Bound, Endless, in_order
from memory_core.store.ordinary import is_odd, open_binary
from memory_core.store.write_ahead import applied, is_log

if TYPE_CHECKING:
    import sqlite3

log = logging.getLogger(__name__)

MAGIC = b"SQLite format 3\0"
_WAIT_S = 1.0
_TIME_STEP_NS = 2_000_000_000  # two seconds: FAT's, the coarsest of those in use

FileStamp = tuple[int, int, int, int, int, int]


def is_database(path: Path) -> bool:
    try:
        with open_binary(path) as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def open_tables(path: Path, names: Sequence[str]) -> Iterator[DatabaseTables]:
    """The named tables of a database. SessionError when it cannot be read, SessionBusy when it may be in a moment."""
    import sqlite3

    try:
        before = _stamp(path)
        connection, alone = _connect(path)
        with closing(connection):
            bound = Bound(connection, _size(path))
            tables = DatabaseTables(connection, names, bound)
            connection.set_authorizer(_only(frozenset(names)))
            yield tables
        if alone and _stamp(path) != before:
            raise SessionBusy(f"{path} was written while it was read: try again.")
    except (UnicodeDecodeError, MemoryError) as error:
        # How the module answers when a message of SQLite quotes damaged bytes, and SQLite to a schema that is damaged.
        raise SessionError(f"{path} is damaged: restore it, or start its agent once.") from error
    except sqlite3.Error as error:
        said = " ".join(str(error).split())
        raise SessionBusy(f"{path} cannot be read now ({said}): its agent may be writing it; try again.") from error
    except OSError as error:
        raise SessionError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error


def stamp_of_files(path: Path) -> FileStamp | None:
    """What the system says of a file and, where it is a database, of its log of changes: two looks at entries of
    folders, no read. None when the file is gone."""
    try:
        main = os.stat(path)  # noqa: PTH116 - raises for no odd name
    except (OSError, ValueError):
        return None
    try:
        wal = os.stat(_beside(path, "wal"))  # noqa: PTH116 - as above
    except (OSError, ValueError):
        return main.st_size, main.st_mtime_ns, main.st_ino, 0, 0, 0
    return main.st_size, main.st_mtime_ns, main.st_ino, wal.st_size, wal.st_mtime_ns, wal.st_ino


def is_settled(stamp: FileStamp, now_ns: int) -> bool:
    """Whether a later change of the files must show in a stamp. A log of changes is written over in place, so its size
    need not tell, and a second change within the file system's smallest step of time has the time of the first."""
    return now_ns - max(stamp[1], stamp[4]) > _TIME_STEP_NS


def _beside(path: Path, ending: str) -> Path:
    """A file that belongs to a database: it lies beside the database, and not beside a link to it."""
    path = Path(os.path.realpath(path))
    return path.with_name(f"{path.name}-{ending}")


def _stamp(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ino


def _size(path: Path) -> int:
    wal = _beside(path, "wal")
    return path.stat().st_size + (wal.stat().st_size if wal.exists() else 0)


def _connect(path: Path) -> tuple[sqlite3.Connection, bool]:
    """A connection that leaves no trace, and whether it relies on nobody writing the file. SQLite would create `-wal`
    and `-shm` where they are missing, also for readers, and wait for a pipe in place of a journal; so a database
    without a log of changes is opened as immutable, one whose owner is at work shares the index that the owner keeps,
    and one that was left behind with changes is read into memory.
    https://www.sqlite.org/wal.html "Read-Only Databases"."""
    import sqlite3

    with open_binary(path) as stream:
        head = stream.read(100)
    if not head.startswith(MAGIC):
        raise SessionError(f"{path} is no SQLite database.")
    wal, index = _beside(path, "wal"), _beside(path, "shm")
    if odd := next((file for file in (wal, _beside(path, "journal")) if is_odd(file)), None):
        raise SessionError(f"{path} cannot be read: {odd.name} beside it is no ordinary file.")
    uri = Path(os.path.realpath(path)).as_uri()
    # Byte 19 says how to read it: 2 is a log of changes. Where such a log lies, SQLite opens it in either case.
    if head[19:20] != b"\2" and not os.path.lexists(wal):  # a rollback journal: reading creates nothing
        return _ready(sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=_WAIT_S)), False
    if not wal.exists() or wal.stat().st_size == 0:
        return _ready(sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, timeout=_WAIT_S)), True
    if index.exists() and not is_odd(index) and is_log(wal):
        connection = sqlite3.connect(f"{uri}?mode=ro&readonly_shm=1", uri=True, timeout=_WAIT_S)
        try:
            connection.execute("PRAGMA user_version").fetchone()
            return _ready(connection), False
        except sqlite3.OperationalError as error:
            connection.close()
            log.debug("%s is read into memory: %s", path, error)
    connection = sqlite3.connect(":memory:")
    connection.deserialize(applied(path, wal))
    return _ready(connection), True


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
    """The `sessions.tables.Tables` of an open connection. A view or a virtual table is none: agents have no such, and
    what it takes to read one is anybody's guess."""

    def __init__(self, connection: sqlite3.Connection, names: Sequence[str], bound: Bound) -> None:
        self._connection = connection
        self._bound = bound
        self.problems: list[str] = []
        self._columns: dict[str, frozenset[str]] = {}
        stored = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?"
        for name in names:
            bound.begin()
            there = connection.execute(stored, (name,)).fetchone()
            found = connection.execute("SELECT name FROM pragma_table_info(?)", (name,)).fetchall() if there else []
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
        there = self._columns[table]
        wanted = [column for column in columns if column in there]
        if lacking := [column for column in where or () if column not in there]:
            if there:
                self.problems.append(f"table {table} has no column {lacking[0]}: nothing of it is read")
            return
        if not wanted:
            return
        # Table and column names come from the formats' own lists, compared with the schema; values are bound.
        sql = f"SELECT {', '.join(map(_quoted, wanted))} FROM {_quoted(table)}"  # noqa: S608
        if where:
            sql += " WHERE " + " AND ".join(f"{_quoted(column)} = ?" for column in where)
        found = self._found(table, sql, tuple((where or {}).values()))
        named = ({**dict.fromkeys(columns), **dict(zip(wanted, row, strict=True))} for row in found)
        # Sorted here: SQLite would read all of a damaged table, and write it down elsewhere, before the first row.
        yield from in_order(named, order) if order else named

    def _found(self, table: str, sql: str, values: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The rows of one statement, up to the first that cannot be read."""
        import sqlite3

        self._bound.begin()
        try:
            for row in self._connection.execute(sql, values):
                yield self._bound.counted(row)
        except Endless:
            self.problems.append(f"table {table} is damaged (it goes on without end): what follows in it is lost")
        except (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError) as error:
            if "locked" in str(error):
                raise
            why = "its bytes are no text" if isinstance(error, UnicodeDecodeError) else " ".join(str(error).split())
            why = why or "it asks for more memory than there is"
            why = "it goes on without end" if why == "interrupted" else why
            self.problems.append(f"table {table} is damaged ({why}): what follows in it is lost")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
