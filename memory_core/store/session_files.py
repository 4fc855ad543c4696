"""A log's file opened and read, whatever its shape: packed lines, a document with files beside it, one session of many.

Writes nothing. Where logs are found is in `agents`; whose they are is decided by content, in `sessions`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from memory_core.errors import SessionError
from memory_core.sessions.catalog import DATABASES, DatabaseFormat
from memory_core.sessions.model import Gap, Session
from memory_core.sessions.read import read_stream
from memory_core.sessions.source import Source
from memory_core.sessions.tables import Tables
from memory_core.store.ordinary import open_binary, read_bytes
from memory_core.store.session_database import is_database, open_tables
from memory_core.store.session_parts import Joined, Parts, in_file, parts_of
from memory_core.store.unpack import ZSTD_MAGIC, Unpacked

ENDINGS = (".jsonl.zst", ".jsonl", ".json", ".md")
# Of a file beside a log; agents put large outputs there, and one beyond this is no evidence that anybody reads.
_BESIDE_BYTES = 64 * 1024 * 1024
_FOLDERS = 12  # names of folders that a format may look at


def log_name(path: Path) -> str:
    """A log's file name without its endings."""
    return next((path.name.removesuffix(e) for e in ENDINGS if path.name.endswith(e)), path.name)


class FilesBeside:
    """The `sessions.source.Beside` of a log on disk. Names come from logs and are not trusted: none leads elsewhere."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _at(self, parts: tuple[str, ...]) -> Path | None:
        if any(not part or set(part) & set("/\\\0") for part in parts):
            return None
        return self._folder.joinpath(*parts)

    def read(self, *parts: str) -> bytes | None:
        path = self._at(parts)
        try:
            if path is None or not path.is_file() or path.stat().st_size > _BESIDE_BYTES:
                return None
            return read_bytes(path)
        except OSError:
            return None

    def names(self, *parts: str) -> list[str]:
        folder = self._at(parts)
        try:
            return sorted(entry.name for entry in folder.iterdir()) if folder else []
        except OSError:
            return []


@contextmanager
def open_log(path: Path) -> Iterator[BinaryIO]:
    """A log's bytes, unpacked when it is stored compressed."""
    with open_binary(path) as stream:
        if stream.peek(len(ZSTD_MAGIC)).startswith(ZSTD_MAGIC):
            yield io.BufferedReader(Unpacked(stream))
        else:
            yield stream


def split_part(path: Path) -> tuple[Path, str | None]:
    """The file of a log, and the session wanted of a file that holds several: `opencode.db/ses_1` names one of them."""
    try:
        if path.exists():
            return path, None
        holder = next((parent for parent in path.parents if parent.is_file()), None)
    except OSError:
        return path, None
    return (holder, path.relative_to(holder).as_posix()) if holder else (path, None)


def place_of(file: Path, part: str) -> Path | None:
    """Where one session of a file that holds several is: below it, by its name. None for a name that no place has or
    that would lead elsewhere: names come from logs and are not trusted."""
    place = file / part
    return place if ".." not in place.parts and split_part(place) == (file, part) else None


def read_log(path: Path, through: Callable[[BinaryIO], BinaryIO] | None = None) -> Session:
    """The session in a log of any known format. SessionError where there is no such log; an empty file is an empty
    session. `through`: put around the file's bytes by whoever wants to stop reading them."""
    try:
        file, part = split_part(path)
        if file.is_dir():
            raise SessionError(f"{path} is a folder: name one log file in it.")
        if is_database(file):
            return _from_database(file, part)
        return replace(_from_file(file, part, through), path=path)
    except FileNotFoundError as error:
        raise SessionError(f"{path} does not exist: `omoide sessions` lists the logs of this workspace.") from error
    except OSError as error:
        raise SessionError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error


def _from_file(path: Path, part: str | None, through: Callable[[BinaryIO], BinaryIO] | None) -> Session:
    folders = tuple(parent.name for parent in list(path.absolute().parents)[:_FOLDERS])
    source = Source(log_name(path), beside=FilesBeside(path.parent), folders=folders, part=part)
    if part is not None and (parts := parts_of(path)) is not None:
        return _from_stretches(path, part, parts, source, through)
    with open_log(path) as stream:
        session = read_stream(through(stream) if through else stream, source.name, str(path), source)
        raw = getattr(stream, "raw", None)
        damage = raw.damage if isinstance(raw, Unpacked) else None
    return replace(session, gaps=(*session.gaps, Gap(None, None, damage))) if damage else session


def _from_stretches(
    path: Path, part: str, parts: Parts, source: Source, through: Callable[[BinaryIO], BinaryIO] | None
) -> Session:
    stretches = parts.stretches.get(part)
    if stretches is None:
        raise SessionError(f"{path} holds no session {part!r}: `omoide sessions` lists those of this workspace.")
    with open_binary(path) as stream:
        joined = io.BufferedReader(Joined(stream, stretches))
        session = read_stream(through(joined) if through else joined, source.name, str(path), source)
    return in_file(session, parts, stretches)


def _from_database(path: Path, part: str | None) -> Session:
    database = database_format(path)
    with open_tables(path, database.tables) as tables:
        if part is None:
            listed = _names(database, tables)
            if len(listed) != 1:
                example = f", for example {path / listed[0]}" if listed else ""
                raise SessionError(f"{path} holds {len(listed)} sessions: name one of them{example}.")
            part = listed[0]
        session = database.read(tables, Source(path.stem, part=part))
        if not session.entries and not session.gaps and part not in _names(database, tables):
            raise SessionError(f"{path} holds no session {part!r}: `omoide sessions` lists those of this workspace.")
    return replace(session, path=place_of(path, part) or path)


def _names(database: DatabaseFormat, tables: Tables) -> list[str]:
    return [session.session_id for session in database.sessions(tables)]


def database_format(path: Path) -> DatabaseFormat:
    """Whose database it is, by its tables."""
    names = tuple(dict.fromkeys(name for database in DATABASES for name in database.tables))
    with open_tables(path, names) as tables:
        found = next((database for database in DATABASES if any(map(tables.has, database.versions))), None)
    if found is None:
        raise SessionError(f"{path} is a database of no agent whose logs Omoide reads.")
    return found
