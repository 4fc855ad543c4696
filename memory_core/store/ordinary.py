"""Opening files that must be ordinary ones: a pipe, socket or device in their place is refused and never waited for.

The one place that opens what somebody else may have put there; what is in the file is the caller's business. Loads
next to nothing, for hooks.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from io import BufferedReader
from pathlib import Path

from memory_core.layout import LOCAL, ROOT_NAMES

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would translate line ends otherwise
_WAITING_FOR_NOBODY = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_WRITING = os.O_WRONLY | os.O_RDWR
# Asked of every file that is opened, so by letters: a place of machinery below a memory root.
_NAMES, _PLACES = ("|".join(map(re.escape, names)).replace("/", r"[\\/]") for names in (ROOT_NAMES, LOCAL))
_MACHINERY = re.compile(rf"[\\/](?:{_NAMES})[\\/](?:{_PLACES})(?![^\\/])")


def open_ordinary(path: Path | str, flags: int = os.O_RDONLY, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
    """A descriptor of an ordinary file, as `os.open`; OSError, with a reason to show, for anything else. What is opened
    to be written is no link either, and machinery is read through none: a repository may bring one, to anywhere. Below
    a memory root only `OpenedFolder.open` opens to write, which minds the folders on the way as well."""
    if flags & _WRITING:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    elif (
        _MACHINERY.search(os.fspath(path)) and (root := root_above(Path(path))) and (link := link_in(root, Path(path)))
    ):
        raise OSError(errno.ELOOP, "a symbolic link, and no file of machinery is reached through one", str(link))
    try:
        handle = os.open(path, flags | _BINARY | _WAITING_FOR_NOBODY | getattr(os, "O_CLOEXEC", 0), mode, dir_fd=dir_fd)
    except OSError as error:
        if error.errno == errno.ELOOP and flags & _WRITING:
            raise OSError(errno.ELOOP, "no ordinary file but a symbolic link", str(path)) from error
        if error.errno != errno.ENXIO:  # a socket, or a pipe that nobody reads
            raise
        raise _odd(path) from error
    kind = os.fstat(handle).st_mode
    if stat.S_ISREG(kind):
        return handle
    os.close(handle)
    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path)) if stat.S_ISDIR(kind) else _odd(path)


def root_above(path: Path) -> Path | None:
    """The memory root that a path lies in; of several the outermost, since what lies in it may have any name."""
    return next((Path(*path.parts[: n + 1]) for n, part in enumerate(path.parts) if part in ROOT_NAMES), None)


def link_in(root: Path, path: Path) -> Path | None:
    """The first symbolic link on the way from `root` (not looked at itself) down to `path`, or None."""
    at = root
    for part in path.relative_to(root).parts:
        at = at / part
        if at.is_symlink():
            return at
    return None


def open_binary(path: Path) -> BufferedReader:
    """An ordinary file to read from, buffered. OSError as above."""
    return open(path, "rb", opener=open_ordinary)


def read_bytes(path: Path) -> bytes:
    """The whole of an ordinary file. OSError as above."""
    with open_binary(path) as stream:
        return stream.read()


def read_text(path: Path) -> str:
    """The whole of an ordinary file in UTF-8 with line ends as `\n`. OSError as above, or UnicodeDecodeError."""
    return read_bytes(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def on_another_machine(path: str, here: Path) -> bool:
    """Whether a path names a server that `here` does not lie on: on Windows, to look at it is to log in there."""
    return _server_in(path) not in ("", _server_in(str(here)))


def _server_in(path: str) -> str:
    """The server that a path names, also behind a prefix of Windows' (`\\\\?\\UNC\\server`); empty for none."""
    words = path.replace("\\", "/").casefold()
    if not words.startswith("//"):
        return ""
    first, *rest = words.strip("/").split("/")
    if first not in ("?", "."):
        return first
    if rest and rest[0] == "unc":
        return rest[1] if len(rest) > 1 else ""
    return "" if rest and rest[0].endswith(":") else "/".join([first, *rest])  # a drive; anything else is odd


def is_odd(path: Path) -> bool:
    """Whether something is at a path that is no ordinary file: for files that other libraries open."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - raises for no odd name
    except (OSError, ValueError):
        return False


def _odd(path: Path | str) -> OSError:
    return OSError(errno.EINVAL, "no ordinary file but a pipe, a socket or a device", str(path))
