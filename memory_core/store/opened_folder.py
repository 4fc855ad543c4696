"""Folders below a memory root, opened step by step and through no link: what is done in one is done in this folder.

Names may come from what a repository brought, and who shares a folder can exchange one for a link at any moment. Knows
nothing of what is in the folders. Where a system opens no files relative to a folder (Windows), the way is looked at
by names, and what is exchanged after that is not noticed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_core.layout import is_private
from memory_core.store.ordinary import link_in, open_ordinary, root_above

_CHANGES = {os.open, os.mkdir, os.rename, os.link, os.unlink, os.stat}
_BY_HANDLE = hasattr(os, "O_DIRECTORY") and hasattr(os, "O_NOFOLLOW") and os.supports_dir_fd >= _CHANGES
# O_PATH: a folder in which one may only look up names can be gone through as well.
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_PATH", 0)
CHANGE = "memory_core.change"  # an audit event: the interpreter's name for what happens, and the path
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class OpenedFolder:
    """A folder that is open under `handle`, or, where that is None, known by its name alone. Errors of its methods are
    OSErrors; names are those of files in it."""

    path: Path
    handle: int | None

    def at(self, name: str) -> str:
        """What to call a file, together with `dir_fd=handle`."""
        return name if self.handle is not None else str(self.path / name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """A descriptor of an ordinary file, as `open_ordinary`; to write."""
        self._tell("open", name)
        try:
            return open_ordinary(self.at(name), flags, mode, dir_fd=self.handle)
        except OSError as error:
            error.filename = str(self.path / name)
            raise

    def status(self, name: str) -> os.stat_result:
        """Of a file itself, also where that is a link."""
        return os.stat(self.at(name), dir_fd=self.handle, follow_symlinks=False)

    def replace(self, name: str, by: str) -> None:
        self._tell("os.rename", name)
        os.replace(self.at(by), self.at(name), src_dir_fd=self.handle, dst_dir_fd=self.handle)

    def link(self, name: str, to: str) -> None:
        """A second name of a file, by a hard link."""
        if self.handle is None:
            os.link(self.at(to), self.at(name))
        else:
            self._tell("os.link", name)
            os.link(to, name, src_dir_fd=self.handle, dst_dir_fd=self.handle, follow_symlinks=False)

    def unlink(self, name: str) -> None:
        self._tell("os.remove", name)
        os.unlink(self.at(name), dir_fd=self.handle)

    def _tell(self, event: str, name: str) -> None:
        if self.handle is not None:
            _tell(event, self.path / name)

    def sync(self) -> None:
        """Make a rename in it durable, where the system lets a folder be opened (Windows does not)."""
        with contextlib.suppress(OSError):
            handle = os.open(self.at("."), os.O_RDONLY, dir_fd=self.handle)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


@contextlib.contextmanager
def opened(folder: Path, *, make: bool = False) -> Iterator[OpenedFolder]:
    """Open a folder. `make`: make it, and those above it, where they are not there; local machinery is for its owner
    alone. OSError where a link below a memory root is on the way, or the disk refuses."""
    root = root_above(folder)
    if root is None or not _BY_HANDLE:
        if root and (link := link_in(root, folder)):
            raise _refusal(link)
        if make:
            _make_by_name(folder)
        yield OpenedFolder(folder, None)
        return
    if make:
        _make_by_name(root)
    handle = os.open(root, _FOLDER)
    try:
        at = root
        for part in folder.relative_to(root).parts:
            at /= part
            below = _step(handle, at, make)
            os.close(handle)
            handle = below
        yield OpenedFolder(folder, handle)
    finally:
        os.close(handle)


def _step(handle: int, at: Path, make: bool) -> int:
    """The handle of the folder `at` in the one of `handle`."""
    try:
        return os.open(at.name, _FOLDER | _NO_LINK, dir_fd=handle)
    except OSError as error:
        error.filename = str(at)
        if not make or error.errno != errno.ENOENT:
            raise _refusal(at) if at.is_symlink() else error from None
    with contextlib.suppress(FileExistsError):  # made by another process meanwhile
        _tell("os.mkdir", at)
        os.mkdir(at.name, _mode(at), dir_fd=handle)
    return _step(handle, at, False)


def _tell(event: str, path: Path) -> None:
    """Say what is about to change, as the interpreter does (PEP 578), which does not say in which folder a name is."""
    sys.audit(CHANGE, event, str(path))


def _make_by_name(folder: Path) -> None:
    if folder.is_dir():
        return
    if folder.parent != folder:
        _make_by_name(folder.parent)
    with contextlib.suppress(FileExistsError):  # made by another process meanwhile; a file there fails in what follows
        folder.mkdir(mode=_mode(folder))


def _mode(folder: Path) -> int:
    return 0o700 if is_private(folder) else 0o777


def _refusal(link: Path) -> OSError:
    return OSError(errno.ELOOP, "a symbolic link, and nothing in a memory is written through one: remove it", str(link))
