"""Vectors of chunks in one SQLite file under the cache. Bytes in and bytes out: what a vector means is not known here.

The file is derived: one that cannot be read, or that another model made, is thrown away and begun anew.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store.files import make_folder, read_or_none, remove, require_inside, write_whole
from memory_core.store.own_database import SIDES, drop_foreign, is_as_made

_SCHEMA = "1"
TABLES = """
create table about (key text primary key, value text not null);
create table chunk (hash text primary key, vector blob not null);
create table record (id text primary key, rev text not null, chunks text not null);
"""


class VectorFile:
    """Chunk vectors by hash, and which record at which revision has which chunks."""

    def __init__(self, layout: Layout, name: str, model: str) -> None:
        self.path: Path = layout.cache / "enrichers" / f"{name}.sqlite"
        self._beside = self.path.with_suffix(".packed")
        self._root = layout.root
        self._model = model

    def missing(self, hashes: Iterable[str]) -> list[str]:
        """The hashes that have no vector yet, each once, in order."""
        with closing(self._open()) as database:
            look = "select 1 from chunk where hash = ?"
            return [one for one in dict.fromkeys(hashes) if database.execute(look, (one,)).fetchone() is None]

    def put(self, vectors: Mapping[str, bytes], records: Iterable[tuple[str, str, Sequence[str]]]) -> None:
        """Keep vectors, and records as (id, revision, hashes of their chunks), in one transaction."""
        with closing(self._open()) as database, database:
            database.executemany("insert or replace into chunk values (?, ?)", vectors.items())
            rows = [(known, rev, json.dumps(list(chunks))) for known, rev, chunks in records]
            database.executemany("insert or replace into record values (?, ?, ?)", rows)

    def remove(self, ids: Sequence[str]) -> None:
        """Forget records, and the vectors that no other record needs."""
        with closing(self._open()) as database, database:
            database.executemany("delete from record where id = ?", [(known,) for known in ids])
            used = {h for row in database.execute("select chunks from record") for h in json.loads(row[0])}
            kept = database.execute("select hash from chunk").fetchall()
            database.executemany("delete from chunk where hash = ?", [row for row in kept if row[0] not in used])

    def all(self) -> tuple[list[tuple[str, str]], bytes]:
        """For every chunk of every record its (id, revision), in the order of ids, and their vectors one behind the
        other."""
        packed = self._packed()
        if packed is not None:
            return packed
        with closing(self._open()) as database:
            vectors = dict(database.execute("select hash, vector from chunk"))
            owners: list[tuple[str, str]] = []
            found: list[bytes] = []
            for known, rev, chunks in database.execute("select id, rev, chunks from record order by id"):
                for digest in json.loads(chunks):
                    if digest in vectors:
                        owners.append((known, rev))
                        found.append(vectors[digest])
        return owners, b"".join(found)

    def pack(self) -> None:
        """Write what `all` answers into a file beside, which is read in a third of the time, while this one is as it is
        now. A disk that refuses costs that time."""
        if self._packed() is not None or not self.path.is_file():
            return
        stamp = self.stamp()
        owners, vectors = self.all()
        rows = [(known, rev, sum(1 for _ in group)) for (known, rev), group in groupby(owners)]
        head = {"schema": _SCHEMA, "model": self._model, "stamp": stamp, "bytes": len(vectors), "owners": rows}
        with contextlib.suppress(OSError):
            require_inside(self._root, self._beside)
            write_whole(self._beside, json.dumps(head).encode("ascii") + b"\n" + vectors)

    def _packed(self) -> tuple[list[tuple[str, str]], bytes] | None:
        """What `pack` wrote; None where it is not of the present state, or not whole."""
        try:
            data = read_or_none(self._beside) or b""
            head, _, vectors = data.partition(b"\n")
            about = json.loads(head)
            if (about["schema"], about["model"], tuple(about["stamp"])) != (_SCHEMA, self._model, self.stamp()):
                return None
            if len(vectors) != about["bytes"]:
                return None
            return [(str(known), str(rev)) for known, rev, count in about["owners"] for _ in range(count)], vectors
        except (StoreError, ValueError, TypeError, LookupError):
            return None

    def stamp(self) -> tuple[int, int]:
        """What changes whenever the file does."""
        try:
            stat = self.path.stat()
        except OSError:
            return 0, 0
        return stat.st_mtime_ns, stat.st_size

    def _open(self) -> sqlite3.Connection:
        require_inside(self._root, self.path.parent)
        make_folder(self.path.parent)
        try:
            return self._connected()
        except sqlite3.OperationalError:
            raise  # another process holds it: that is no reason to throw it away
        except sqlite3.DatabaseError:
            for end in SIDES:
                remove(Path(f"{self.path}{end}"))
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        drop_foreign(self.path)
        database = sqlite3.connect(self.path, timeout=2.0)
        try:
            self._prepare(database)
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Make the tables, unless they are there and were filled by the same model."""
        database.execute("pragma synchronous = off")  # a power failure costs what is made again anyway
        if not is_as_made(database, TABLES):
            raise sqlite3.DatabaseError("it holds what Omoide did not make")
        wanted = {"schema": _SCHEMA, "model": self._model}
        tables = {row[0] for row in database.execute("select name from sqlite_master where type = 'table'")}
        if "about" in tables and dict(database.execute("select key, value from about")) == wanted:
            return
        with database:
            for table in tables & {"about", "chunk", "record"}:
                database.execute(f"drop table {table}")
            for statement in TABLES.strip().split("\n"):
                database.execute(statement)
            database.executemany("insert into about values (?, ?)", wanted.items())
