"""List and read what lies under the record folders. Never fails, never writes: what cannot be read says so itself."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_core.document import Content, Document
from memory_core.layout import is_memory_path

TOP_FOLDERS = ("knowledge", "memory", "workflow")
SIZE_LIMIT = 16 * 1024 * 1024  # bytes; a record holds 8,000 characters, more than this is a mistake

# A pipe must not be waited for, and a link is looked at before it is followed. Windows has neither flag.
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*\.md")


@dataclass(frozen=True, slots=True)
class Listing:
    """The documents by path, not read yet. `failed`: folders that could not be listed, so that what is
    not here may still be there."""

    documents: dict[str, Document]
    failed: tuple[str, ...] = ()

    def may_hold(self, path: str) -> bool:
        """Whether a path that is not listed lies in a folder that could not be."""
        return any(path == folder or path.startswith(f"{folder}/") for folder in self.failed)


@dataclass(frozen=True, slots=True)
class Files:
    """Reads documents below a root."""

    root: str
    real_root: str

    def read(self, path: str) -> Content:
        """See `document.Source`."""
        absolute = f"{self.root}/{path}"
        try:
            data = self._bytes(absolute)
        except IsADirectoryError:
            return _refusal(path, "is a folder: a record is a file; rename the folder")
        except OSError as error:
            return _refusal(path, f"cannot be read ({error.strerror}): check its permissions")
        if isinstance(data, str):
            return _refusal(path, data)
        try:
            return data.decode("utf-8"), None
        except UnicodeDecodeError as error:
            reason = f"`{path}` is not UTF-8 (byte {error.start}): save it as UTF-8; it is never written until then."
            return data.decode("utf-8", "replace"), reason

    def _bytes(self, absolute: str) -> bytes | str:
        """The bytes of a file, or why it is not read."""
        if not _NO_FOLLOW and os.path.islink(absolute):  # noqa: PTH114 - a hot loop over plain strings
            return self._link(absolute)
        try:
            handle = os.open(absolute, _FLAGS | _NO_FOLLOW)
        except OSError as error:
            if error.errno != errno.ELOOP or not os.path.islink(absolute):  # noqa: PTH114
                raise
            return self._link(absolute)
        return _whole(handle)

    def _link(self, absolute: str) -> bytes | str:
        if not os.path.exists(absolute):  # noqa: PTH110
            return "is a symbolic link to nothing: remove it or restore its target"
        if not _inside(absolute, self.real_root):
            return "is a symbolic link that leaves the memory root: copy the file here instead"
        return _whole(os.open(absolute, _FLAGS))


def files(root: Path) -> Files:
    """The reader of a root."""
    return Files(str(root), os.path.realpath(root))


def listing(root: Path) -> Listing:
    """What lies under the record folders of `root`, without reading it.

    Misplaced files are in too, so that the linter can report them; of files that are not Markdown only the name.
    """
    reader = files(root)
    failed: list[str] = []
    found = {d.path: d for folder in TOP_FOLDERS for d in _folder(f"{reader.root}/{folder}", folder, reader, failed)}
    return Listing(found, tuple(failed))


def scan(root: Path) -> dict[str, Document]:
    """The documents by path relative to `root`, in path order, all of them read now."""
    documents = listing(root).documents
    for document in documents.values():
        _ = document.content
    return {path: documents[path] for path in sorted(documents)}


def read_document(root: Path, path: str) -> Document | None:
    """One document as it is now; None when there is no such file. Of a file that is not Markdown only the name."""
    if not os.path.lexists(root / path):
        return None
    if not path.endswith(".md"):
        return Document(path, "")
    return Document(path, *files(root).read(path))


def _folder(folder: str, relative: str, reader: Files, failed: list[str]) -> Iterator[Document]:
    if not os.path.lexists(folder):
        return
    if os.path.islink(folder) and not _inside(folder, reader.real_root):  # noqa: PTH114
        reason = "is a symbolic link that leaves the memory root: replace it by a folder"
        yield Document(relative, *_refusal(relative, reason))
        return
    try:
        holds_records = is_memory_path(f"{relative}/a.md")
        with os.scandir(folder) as entries:
            for entry in entries:
                if holds_records and _PLAIN.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    yield Document.stored(f"{relative}/{entry.name}", reader)  # nearly all of them
                else:
                    yield from _entry(entry, relative, reader, failed)
    except OSError as error:
        failed.append(relative)
        reason = f"cannot be listed ({error.strerror}): check what it is and its permissions"
        yield Document(relative, *_refusal(relative, reason))


def _entry(entry: os.DirEntry[str], folder: str, reader: Files, failed: list[str]) -> Iterator[Document]:
    name = entry.name
    if name.startswith(("_", ".")):
        return  # machinery, hidden files, the temporary files of editors
    path = f"{folder}/{name}"
    if not (name.isascii() and name.isprintable()) and (shown := _printable(name)) != name:
        path = f"{folder}/{shown}"
        if not entry.is_dir(follow_symlinks=False):
            yield Document(path, *_refusal(path, "has a name that is not UTF-8 or holds a control character: rename"))
            return
    if entry.is_dir(follow_symlinks=False):
        if name.endswith(".md"):
            yield Document(path, *_refusal(path, "is a folder: a record is a file; rename the folder"))
        yield from _folder(entry.path, path, reader, failed)
    elif not is_memory_path(path):
        return
    elif entry.is_symlink() and entry.is_dir():
        yield Document(path, *_refusal(path, "is a symbolic link to a folder: put the files themselves here"))
    elif not name.endswith(".md"):
        yield Document(path, "")
    else:
        yield Document.stored(path, reader)


def _whole(handle: int) -> bytes | str:
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError
        if not stat.S_ISREG(status.st_mode):
            return "is no ordinary file: a record is one; move it elsewhere"
        if status.st_size > SIZE_LIMIT:
            return f"is larger than {SIZE_LIMIT // 1024 // 1024} MiB: that is no record; move it elsewhere"
        # One more byte than it had: nearly always that is the whole file, and known to be.
        data = os.read(handle, status.st_size + 1)
        while len(data) != status.st_size and len(data) <= SIZE_LIMIT and (more := os.read(handle, SIZE_LIMIT)):
            data += more
        return data
    finally:
        os.close(handle)


def _refusal(path: str, reason: str) -> Content:
    return "", f"`{path}` {reason}."


def _inside(path: str, real_root: str) -> bool:
    return os.path.realpath(path).startswith(real_root + os.sep)


def _printable(name: str) -> str:
    """A name as it can be shown in one line: with a line end in it, what follows would look like a line of ours."""
    return _CONTROL.sub("\ufffd", name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
