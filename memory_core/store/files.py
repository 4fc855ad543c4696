"""Bytes on disk: whole reads, writes that are complete or absent, appends that never tear a neighbour's line.

Knows paths and bytes only; what the files mean is `filestore`'s business.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from memory_core.errors import StoreError
from memory_core.layout import is_memory_path, is_private
from memory_core.records.slug import DEVICE_NAMES
from memory_core.store.opened_folder import OpenedFolder, opened
from memory_core.store.ordinary import link_in, read_bytes, root_above

_PRIVATE = 0o600  # of local machinery: logs and staging hold what other users of the machine should not read
_COPIES = 3  # that are made of a file with a second name, before its maker is taken to be at it on purpose
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_OPEN_ELSEWHERE = frozenset({5, 32, 33})  # winerror.h: ERROR_ACCESS_DENIED, _SHARING_VIOLATION, _LOCK_VIOLATION
_WAITS = (0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.5)  # seconds; an editor or a virus scanner is done with a file by then


def sha256(data: bytes) -> str:
    """`sha256:` and 64 hex digits, as manifests and the audit log store hashes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def read_or_none(path: Path) -> bytes | None:
    """The bytes of a regular file; None when there is nothing at the path. StoreError when it cannot be read.

    A file that exists and cannot be read is never the same as an absent one: what follows would overwrite it. One that
    a link below a memory root leads to, out of the root, is none of ours.
    """
    if root := root_above(path):
        require_inside(root, path)
    try:
        return read_bytes(path)
    except FileNotFoundError:
        if path.is_symlink():
            raise StoreError(f"{path} is a symbolic link to nothing: remove it or restore its target.") from None
        return None
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}): check what it is and its permissions.") from error


def encode(text: str, path: Path) -> bytes:
    """UTF-8 as it will be written. Half of a surrogate pair has no UTF-8 form, so such a text is refused."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise StoreError(f"{path}: character {error.start} is half of a surrogate pair: remove it.") from error


def is_id(name: str) -> bool:
    """Whether a name may be that of a run, a staging file or the like: one plain file name on every system."""
    return _ID.fullmatch(name) is not None and name.partition(".")[0].lower() not in DEVICE_NAMES


def is_plain_path(path: object) -> bool:
    """Whether a path is relative, with `/` and in one spelling, and stays below where it starts."""
    parts = PurePosixPath(path).parts if isinstance(path, str) else ()
    return (
        bool(parts)
        and "/".join(parts) == path
        and "/" not in parts
        and not {"..", "."} & set(parts)
        and not (set(str(path)) & set("\\:\0"))
    )


def write_new(path: Path, data: bytes) -> None:
    """Write a file for a person at a place of theirs, where nothing is yet; not through a link either. It is for them
    alone, since it may hold sessions, until they say otherwise. StoreError when there is something, or the disk
    refuses."""
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, _PRIVATE)) as stream:
            stream.write(data)
    except FileExistsError as error:
        raise StoreError(f"{path} exists already: choose another name, or move it away.") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}): check its folder and permissions.") from error


def ignored_by_git(folder: Path) -> None:
    """Have git ignore a folder of machinery, unless something is there that says what it ignores; not through a link,
    which might lead anywhere. OSError when the disk refuses."""
    with contextlib.suppress(FileExistsError), opened(folder) as at:
        handle = at.open(".gitignore", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(handle, "wb") as stream:
            stream.write(b"*\n")


def refuse_outside(path: str) -> None:
    """A path of a change set or of a manifest names a file under the record folders, in one spelling, and nothing
    else. StoreError otherwise."""
    if not is_plain_path(path) or not is_memory_path(path):
        raise StoreError(f"`{path}` is no place for a record: nothing was written.")


def require_inside(root: Path, path: Path) -> None:
    """StoreError when a symbolic link between `root` and `path` leads out of the root: a repository that brings such a
    link could otherwise have any file of this machine read or appended to. To machinery no link leads at all: what is
    pruned there would be records."""
    link = link_in(root, path)
    # Unlike Path.resolve, realpath does not raise where links go round in a circle. A link may lead to another one.
    if link and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
        raise StoreError(f"{link} is a symbolic link that leaves the memory root: nothing goes through it; remove it.")
    if link and is_private(path):
        raise StoreError(f"{link} is a symbolic link, and no file of machinery is reached through one: remove it.")


def make_folder(folder: Path) -> None:
    """Make a folder and those above it. Local machinery is for its owner alone, also where it was made otherwise.
    OSError where a link below a memory root is on the way."""
    with opened(folder, make=True):
        pass


@contextlib.contextmanager
def opened_to_write(path: Path) -> Iterator[int]:
    """A descriptor to read and write a file of machinery, made with its folder where there is none. OSError as above,
    and for a link in its place."""
    with opened(path.parent, make=True) as folder:
        handle = folder.open(path.name, os.O_RDWR | os.O_CREAT)
    try:
        yield handle
    finally:
        os.close(handle)


def write_whole(
    path: Path,
    data: bytes,
    *,
    exclusive: bool = False,
    durable: bool = True,
    look: Callable[[], None] = lambda: None,
) -> None:
    """Replace a file by `data` in one step, keeping its mode; folders are made as needed.

    `exclusive`: the file must not exist yet (FileExistsError otherwise), also when another process makes it now.
    `durable`: wait until the disk has it; what can be made again need not. `look`: called when all is ready to be put
    in place, and raises where it must not be: a slow disk takes seconds to take a file, in which a person saves theirs.
    OSError where a link below a memory root is on the way; one in the file's own place is replaced.
    """
    temporary = f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
    with opened(path.parent, make=True) as folder:
        try:
            _write_new(folder, temporary, data, _PRIVATE if is_private(path) else _mode_of(path), durable)
            look()
            if exclusive:
                _link_new(folder, temporary, path.name)
            else:
                _patiently(lambda: folder.replace(path.name, temporary))
        except OSError as error:
            error.filename = str(path)  # a full disk names no file, and the temporary one says nothing to anybody
            raise
        finally:
            with contextlib.suppress(OSError):
                _patiently(lambda: folder.unlink(temporary))
        if durable:
            folder.sync()


def _write_new(folder: OpenedFolder, name: str, data: bytes, mode: int | None, durable: bool) -> None:
    # Never readable by more than it will be in the end, not even for the moment before its mode is set.
    handle = folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode & 0o600)
    try:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
        _write_all(handle, data)
        if durable:
            os.fsync(handle)
    finally:
        os.close(handle)


def _link_new(folder: OpenedFolder, temporary: str, name: str) -> None:
    try:
        folder.link(name, temporary)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links (FAT, some network drives)
        with contextlib.suppress(FileNotFoundError):
            folder.status(name)
            raise FileExistsError(str(folder.path / name)) from None
        _patiently(lambda: folder.replace(name, temporary))


def _patiently(change: Callable[[], object]) -> None:
    """Change a name, again for a second where Windows says that somebody has the file open: there a name cannot be
    taken from a file that is being read, which everywhere else it can."""
    for wait in _WAITS:
        try:
            change()
            return
        except OSError as error:
            if getattr(error, "winerror", None) not in _OPEN_ELSEWHERE:
                raise
        time.sleep(wait)
    change()


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _mode_of(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None


def append_lines(path: Path, lines: str, *, sync: bool = False) -> None:
    """Append terminated lines by one write, so that writers in other processes never mix with them.

    A tail that a crash left without its line end gets one first: it stays a bad line of its own.
    """
    data = encode(lines, path)
    private = is_private(path)
    handle = open_own(path, _PRIVATE if private else 0o666)
    try:
        if private and hasattr(os, "fchmod") and os.fstat(handle).st_mode & 0o077:  # of an older version
            with contextlib.suppress(PermissionError):  # another person's file; it can be appended to all the same
                os.fchmod(handle, _PRIVATE)
        size = os.lseek(handle, 0, os.SEEK_END)
        if size:
            os.lseek(handle, size - 1, os.SEEK_SET)
            if os.read(handle, 1) != b"\n":
                data = b"\n" + data
        written = os.write(handle, data)
        if written != len(data):
            raise OSError(28, "No space left on device")
        if sync:
            os.fsync(handle)
    except OSError as error:
        error.filename = str(path)  # a full disk names no file
        raise
    finally:
        os.close(handle)


def open_own(path: Path, mode: int = _PRIVATE) -> int:
    """A descriptor to append to a file, made with its folder where there is none. One that has a second name elsewhere
    is replaced by a copy first: a hard link, as an archive or another member of a shared folder brings it, would have
    that file grow as well. OSError where the disk refuses, or a link is in its place or, below a memory root, on the
    way."""
    for _ in range(_COPIES):
        with opened(path.parent, make=True) as folder:
            handle = folder.open(path.name, os.O_RDWR | os.O_CREAT | os.O_APPEND, mode)
        if os.fstat(handle).st_nlink <= 1:
            return handle
        with os.fdopen(handle, "rb") as stream:
            write_whole(path, stream.read())
    raise OSError(errno.EMLINK, "it gets a second name elsewhere again and again", str(path))


def lines_of(data: bytes) -> list[str]:
    """The lines of a JSON-lines file without blank ones; bytes that are not UTF-8 become U+FFFD."""
    return [line.decode("utf-8", "replace") for line in data.split(b"\n") if line.strip()]


def remove(path: Path) -> None:
    """Remove a file; one that is gone already is fine. OSError where a link below a memory root is on the way."""
    with contextlib.suppress(FileNotFoundError), opened(path.parent) as folder:
        _patiently(lambda: folder.unlink(path.name))


def rename(path: Path, name: str) -> None:
    """Give a file another name in its folder. OSError as above."""
    with opened(path.parent) as folder:
        folder.replace(name, path.name)
