"""Whether what is derived from the records still fits them: the index, and what enrichers were sent.

Only looks. SQLite files are copied and the copies opened, since even a reader of SQLite may write beside the file.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from memory_core.enrich.upkeep import Standing
from memory_core.layout import Layout
from memory_core.store import vectors
from memory_core.store.cache import NAME, TABLES, Cache, version
from memory_core.store.health import Finding
from memory_core.store.load import stamp_of
from memory_core.store.ordinary import read_bytes
from memory_core.store.own_database import is_as_made, is_foreign
from memory_core.text import counted, shorten

_JUST = 3600.0  # seconds
_STATE_ENDS = (".json", ".packed", ".sqlite")


def of_index(layout: Layout) -> Iterator[Finding]:
    """The rows of the index against the files. One that the next start would believe although the file holds something
    else is an error; one that it would read again is not."""
    path = f"cache/{NAME}"
    if not Cache(layout).path.is_file():
        return
    remedy = f"delete {path}; it is made anew"
    try:
        with _copy(layout.root / path, TABLES) as database:
            found = dict(database.execute("SELECT key, value FROM about"))
            query = "SELECT path, mtime_ns, ctime_ns, size, sha256 FROM files ORDER BY path"
            rows = database.execute(query).fetchall() if found.get("version") == version() else None
    except sqlite3.DatabaseError as error:
        yield Finding("warning", "stale-index", path, f"It is damaged ({error}): {remedy}.")
        return
    if rows is None:
        text = "It is of another version of Omoide: the next start makes it anew."
        yield Finding("note", "index-behind", path, text)
        return
    behind = 0
    for name, mtime, ctime, size, digest in rows:
        if stamp_of(f"{layout.root}/{name}") != (mtime, ctime, size):
            behind += not _just_changed(layout.root / name)
        elif hashlib.sha256(read_bytes(layout.root / name)).digest() != digest:
            text = f"The index knows other words of it although its time and size are the same: {remedy}."
            yield Finding("error", "stale-index", name, text)
    if behind:
        text = f"{counted(behind, 'file')} changed since it was written: the next start reads them again."
        yield Finding("note", "index-behind", path, text)


def _just_changed(path: Path) -> bool:
    """Whether a file, or the folder it is gone from, changed within the hour: a write of our own, or of somebody who is
    at work, which the next start reads anyway."""
    with suppress(OSError):
        return 0 <= time.time() - (path if path.exists() else path.parent).stat().st_mtime < _JUST
    return False


def of_enrichers(layout: Layout, standings: Sequence[Standing], current: Mapping[str, str]) -> Iterator[Finding]:
    """What enrichers know that is not so any more. `current`: revision by id of the records in force."""
    folder = layout.cache / "enrichers"
    for one in standings:
        place = f"cache/enrichers/{one.name}.json"
        held = _vectors(folder / f"{one.name}.sqlite")
        ghosts = sorted(set(held) - set(current))
        if number := max(one.pending, len(ghosts)):
            names = f" ({shorten(', '.join(ghosts[:3]), 120)})" if ghosts else ""
            how = "omoide enricher cleanup" if one.capable else "clear it yourself, then `omoide enricher rebuild`"
            what = f"{counted(number, 'record')} that {'is' if number == 1 else 'are'} gone or replaced{names}"
            yield Finding("warning", "enricher-ghost", place, f"{one.name} still knows {what}: {how} {one.name}")
        if behind := one.missing + one.changed:
            text = f"{one.name} was not sent {counted(behind, 'record')} as they are now: omoide enricher sync"
            yield Finding("note", "enricher-behind", place, text)
    configured = {one.name for one in standings}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix in _STATE_ENDS and path.stem not in configured:
            text = "It belongs to an enricher that is not configured: delete it, or configure the enricher."
            yield Finding("note", "enricher-left-over", f"cache/enrichers/{path.name}", text)


def _vectors(path: Path) -> dict[str, str]:
    """Revision by id of what a file of vectors holds; nothing where there is none or it cannot be read."""
    if not path.is_file():
        return {}
    try:
        with _copy(path, vectors.TABLES) as database:
            return dict(database.execute("SELECT id, rev FROM record"))
    except sqlite3.DatabaseError:
        return {}


@contextmanager
def _copy(path: Path, tables: str) -> Iterator[sqlite3.Connection]:
    """A copy to look into. sqlite3.DatabaseError for what we did not make: to ask it anything might never end."""
    if is_foreign(path):
        raise sqlite3.DatabaseError("it is a link, or leads to another file")
    with tempfile.TemporaryDirectory() as folder:
        for end in ("", "-wal"):
            if Path(f"{path}{end}").is_file():
                shutil.copyfile(f"{path}{end}", f"{folder}/copy{end}")
        with closing(sqlite3.connect(f"{folder}/copy")) as database:
            if not is_as_made(database, tables):
                raise sqlite3.DatabaseError("it holds what Omoide did not make")
            yield database
