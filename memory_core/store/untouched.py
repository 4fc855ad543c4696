"""A time in which this process can write nothing below a folder, whatever its code tries: audits look, and only look.

Relies on the interpreter's audit events (PEP 578), which come before every opening, renaming and removing of a file.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memory_core.store.opened_folder import CHANGE

_PATHS = frozenset({"os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "os.utime", "shutil.rmtree"})
_PAIRS = frozenset({"os.rename", "os.link", "os.symlink", "shutil.move"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_folders: list[str] = []
_listening = False


@contextmanager
def untouched(folder: Path) -> Iterator[None]:
    """While this lasts, whoever would write below `folder` gets an OSError (read-only file system), as on a disk that
    cannot be written. SQLite files have to be copied elsewhere before they are opened."""
    global _listening
    if not _listening:
        sys.addaudithook(_heard)
        _listening = True
    place = os.path.realpath(folder)
    _folders.append(place)
    try:
        yield
    finally:
        _folders.remove(place)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    if not _folders:
        return
    if event == "open":
        path, _, flags = arguments
        if isinstance(flags, int) and flags & _WRITING:
            _refuse(path)
    elif event == CHANGE:
        _refuse(arguments[1])
    elif event in _PATHS or event == "sqlite3.connect":
        _refuse(arguments[0])
    elif event in _PAIRS:
        _refuse(arguments[0])
        _refuse(arguments[1])


def _refuse(path: object) -> None:
    if isinstance(path, int) or not isinstance(path, str | bytes | os.PathLike):
        return  # a file that is open already was opened for reading, or before
    whole = os.path.realpath(os.fsdecode(path))
    if any(whole == folder or whole.startswith(folder + os.sep) for folder in _folders):
        raise PermissionError(errno.EROFS, "nothing is written during an audit", whole)
