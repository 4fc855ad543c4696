"""A lock file that says who holds it: made exclusively, taken over only from a process proved dead on this host.

Protects cooperating processes from each other; it does not keep anyone else from writing files.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_core.errors import LockHeld, StoreError
from memory_core.ids import rfc3339
from memory_core.store import process
from memory_core.store.files import opened_to_write, remove, rename
from memory_core.store.opened_folder import opened
from memory_core.store.ordinary import read_bytes

log = logging.getLogger(__name__)

# Between making the file and writing it the holder is not known; a file that stays empty for longer belongs to a
# process that died in between.
UNWRITTEN_SECONDS = 60.0


@contextlib.contextmanager
def hold(path: Path, what: str, now: Callable[[], datetime], consumed: Iterable[str] = ()) -> Iterator[None]:
    """Hold the lock at `path` while the block runs. `what` names the work in messages ("consolidation").

    Raises LockHeld, naming the holder, when another process holds it; StoreError when it cannot be made.
    """
    token = _acquire(path, what, now(), tuple(consumed))
    try:
        yield
    finally:
        _release(path, token)


def holder(path: Path) -> dict[str, Any] | None:
    """What the lock file says of its holder; None when nothing is locked, empty when the file says nothing usable."""
    try:
        data = json.loads(read_bytes(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _acquire(path: Path, what: str, now: datetime, consumed: tuple[str, ...]) -> str:
    token = secrets.token_hex(8)
    mine = {**process.identity(), "started_at": rfc3339(now), "consumed_ids": list(consumed), "token": token}
    try:
        with _guard(path):
            if not _create(path, mine):
                _set_aside(path, what)
                if not _create(path, mine):
                    raise LockHeld(_message(path, what, holder(path) or {}))
    except OSError as error:
        raise StoreError(f"{path} cannot be made ({error.strerror}): check space and permissions.") from error
    return token


def _create(path: Path, content: dict[str, Any]) -> bool:
    try:
        with opened(path.parent) as folder:
            handle = folder.open(path.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        return False
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            json.dump(content, file, indent=2)
    except OSError:  # a full disk: a lock that names no holder would keep everybody out
        remove(path)
        raise
    return True


def _set_aside(path: Path, what: str) -> None:
    """Move a dead holder's lock out of the way, or raise LockHeld. Renamed first, so that only one process takes it."""
    found = holder(path)
    if found is None:
        return
    if not _dead(path, found):
        raise LockHeld(_message(path, what, found))
    aside = path.with_name(f"{path.name}.stale-{secrets.token_hex(4)}")
    try:
        rename(path, aside.name)
    except FileNotFoundError:
        return
    log.warning("The lock %s of a process that is gone (pid %s) was taken over.", path.name, found.get("pid"))
    remove(aside)


def _dead(path: Path, found: dict[str, Any]) -> bool:
    """Whether the holder certainly is gone, or never came to write its name."""
    if isinstance(found.get("pid"), int):
        return process.gone(found)
    try:
        return time.time() - path.stat().st_mtime > UNWRITTEN_SECONDS
    except OSError:
        return False


def _release(path: Path, token: str) -> None:
    found = holder(path)
    if found and found.get("token") == token:
        remove(path)
    else:
        log.warning("The lock %s was no longer ours when the work ended.", path)


def _message(path: Path, what: str, found: dict[str, Any]) -> str:
    pid, host, since = (found.get(key, "?") for key in ("pid", "host", "started_at"))
    who = f"process {pid} on {host}, since {since}"
    return f"Another {what} is running ({who}): wait for it to end. If it is gone for certain, remove {path}."


@contextlib.contextmanager
def _guard(path: Path) -> Iterator[None]:
    """One process at a time looks at a lock and takes it over. The system frees it when a process dies.

    Without it a process could set aside the fresh lock of one that was faster in taking over the same dead lock.
    """
    with opened_to_write(path.with_name(".lock-guard")) as handle:
        process.lock_file(handle)
        yield
