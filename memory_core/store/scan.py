"""Read every document under the record folders. Never fails and never writes: what cannot be read says so itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memory_core.layout import is_memory_path
from memory_core.snapshot import Document

TOP_FOLDERS = ("knowledge", "memory", "workflow")
SIZE_LIMIT = 16 * 1024 * 1024  # bytes; a record holds 8,000 characters, more than this is a mistake


def scan(root: Path) -> dict[str, Document]:
    """The documents by path relative to `root`, in path order.

    Misplaced files are in too, so that the linter can report them; of files that are not Markdown only the name.
    """
    real_root = os.path.realpath(root)
    found: dict[str, Document] = {}
    for folder in TOP_FOLDERS:
        for document in _folder(root / folder, folder, real_root):
            found[document.path] = document
    return dict(sorted(found.items()))


def read_document(root: Path, path: str) -> Document | None:
    """One document as it is now; None when there is no such file."""
    absolute = root / path
    if not os.path.lexists(absolute):
        return None
    return _read(str(absolute), path, os.path.realpath(root))


def _folder(folder: Path, relative: str, real_root: str) -> Iterator[Document]:
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() and not _inside(str(folder), real_root):
        yield _refused(relative, "is a symbolic link that leaves the memory root: replace it by a folder")
        return
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield _refused(relative, f"cannot be listed ({error.strerror}): check what it is and its permissions")
        return
    for entry in listed:
        yield from _entry(entry, f"{relative}/{_printable(entry.name)}", real_root)


def _entry(entry: os.DirEntry[str], path: str, real_root: str) -> Iterator[Document]:
    if entry.name.startswith(("_", ".")):
        return  # machinery, hidden files, the temporary files of editors
    if entry.is_dir(follow_symlinks=False):
        if entry.name.endswith(".md"):
            yield _refused(path, "is a folder: a record is a file; rename the folder")
        yield from _folder(Path(entry.path), path, real_root)
        return
    if not is_memory_path(path):
        return
    if entry.name != path.rpartition("/")[2]:
        yield _refused(path, "has a name that is not UTF-8: rename it")
    elif entry.is_symlink() and entry.is_dir():
        yield _refused(path, "is a symbolic link to a folder: put the files themselves here")
    elif not entry.name.endswith(".md"):
        yield Document(path, "")
    else:
        yield _read(entry.path, path, real_root)


def _read(absolute: str, path: str, real_root: str) -> Document:
    if os.path.islink(absolute):  # noqa: PTH114 - a hot loop over plain strings
        if not os.path.exists(absolute):  # noqa: PTH110
            return _refused(path, "is a symbolic link to nothing: remove it or restore its target")
        if not _inside(absolute, real_root):
            return _refused(path, "is a symbolic link that leaves the memory root: copy the file here instead")
    try:
        with open(absolute, "rb") as file:  # noqa: PTH123
            data = file.read(SIZE_LIMIT + 1)
    except IsADirectoryError:
        return _refused(path, "is a folder: a record is a file; rename the folder")
    except OSError as error:
        return _refused(path, f"cannot be read ({error.strerror}): check its permissions")
    if len(data) > SIZE_LIMIT:
        return _refused(path, f"is larger than {SIZE_LIMIT // 1024 // 1024} MiB: that is no record; move it elsewhere")
    try:
        return Document(path, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        reason = f"`{path}` is not UTF-8 (byte {error.start}): save it as UTF-8; it is never written until then."
        return Document(path, data.decode("utf-8", "replace"), reason)


def _refused(path: str, reason: str) -> Document:
    return Document(path, "", f"`{path}` {reason}.")


def _inside(path: str, real_root: str) -> bool:
    return os.path.realpath(path).startswith(real_root + os.sep)


def _printable(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
