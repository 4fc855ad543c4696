"""Whether a SQLite file of ours may be opened: it lies where a repository may have put one of its own making.

Each such file is disposable, so one that is not as we make it is thrown away and never asked about its contents.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from memory_core.store.ordinary import open_binary

if TYPE_CHECKING:
    import sqlite3

SIDES = ("", "-journal", "-wal", "-shm")
# https://www.sqlite.org/fileformat2.html#the_rollback_journal: a journal that ends so names another file, and SQLite
# deletes that file, wherever it lies, when it rolls the journal back. It writes such a name for several databases in
# one transaction only, which is nothing that we do.
_MAGIC = bytes.fromhex("d9d505f920a163d7")


def drop_foreign(path: Path) -> None:
    """Remove a database, and what SQLite keeps beside it, where one of these is a link or a journal that names another
    file. Links themselves are removed, never what they lead to. OSError where that is not possible."""
    if is_foreign(path):
        for end in SIDES:
            side = Path(f"{path}{end}")
            if side.is_symlink() or side.is_file():
                side.unlink()


def is_foreign(path: Path) -> bool:
    """Whether a database, or what lies beside it, is a link or a journal that names another file."""
    if any(Path(f"{path}{end}").is_symlink() for end in SIDES):
        return True
    try:
        with open_binary(Path(f"{path}-journal")) as stream:
            stream.seek(-min(len(_MAGIC), os.fstat(stream.fileno()).st_size), os.SEEK_END)
            return stream.read() == _MAGIC
    except OSError:
        return False


def is_as_made(connection: sqlite3.Connection, statements: str) -> bool:
    """Whether a database holds the tables of some statements, exactly so, or nothing, and nothing besides: a view may
    never end, and a trigger or a computed column acts on its own."""
    made = {_flat(statement) for statement in statements.split(";") if statement.strip()}
    found = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    tables = {_flat(sql or "") for kind, _, sql in found if kind == "table"}
    others = [name for kind, name, sql in found if kind != "table" and (kind != "index" or sql)]
    return not others and tables in (made, set())


def _flat(sql: str) -> str:
    return re.sub(r"\s+", " ", sql).strip().casefold()
