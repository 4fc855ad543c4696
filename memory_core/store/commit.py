"""Write a change set to disk: each file only if it still is what the change was computed on, each write whole.

Decides nothing about content; a file that changed meanwhile is left alone and named.
"""

from __future__ import annotations

import stat
from collections.abc import Container, Mapping
from pathlib import Path

from memory_core.changes import ChangeSet, FileChange
from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.ports import CommitResult
from memory_core.store import archive, recovery
from memory_core.store.files import encode, read_or_none, refuse_outside, remove, write_whole
from memory_core.store.ordinary import link_in


def commit(
    layout: Layout,
    changes: ChangeSet,
    *,
    run_id: str,
    started: str,
    reason: str,
    busy: Container[str],
    notes: Mapping[str, str],
) -> CommitResult:
    """Archive the preimages, write, and read back. A file counts as written only when its bytes were seen on disk."""
    reasons = conflicts(layout.root, changes, busy)
    ready = [change for change in changes if change.path not in reasons]
    if not ready:
        return CommitResult((), tuple(sorted(reasons)), reasons)
    archive.run_folder(layout.archive, run_id)
    recovery.mark(layout, run_id)
    try:
        return _write_all(layout, ready, reasons, run_id=run_id, started=started, reason=reason, busy=busy, notes=notes)
    except (OSError, StoreError):
        recovery.abandon(layout, run_id)
        raise


def _write_all(
    layout: Layout,
    ready: list[FileChange],
    reasons: dict[str, str],
    *,
    run_id: str,
    started: str,
    reason: str,
    busy: Container[str],
    notes: Mapping[str, str],
) -> CommitResult:
    entries = archive.begin(layout.archive, run_id, started, reason, ready, notes)
    written: list[str] = []
    for change in ready:
        why = _conflict(layout.root, change, busy) or _write(layout.root, change, busy)
        if why:
            reasons[change.path] = why
        else:
            written.append(change.path)
    states = {change.path: "conflict" if change.path in reasons else "written" for change in ready}
    folder = archive.run_folder(layout.archive, run_id)
    archive.write_manifest(folder, run_id, started, reason, archive.settled(entries, states))
    recovery.unmark(layout, run_id)
    return CommitResult(tuple(written), tuple(sorted(reasons)), reasons)


def conflicts(root: Path, changes: ChangeSet, busy: Container[str]) -> dict[str, str]:
    """Why files may not be written now, by path. StoreError when one lies outside the record folders."""
    for change in changes:
        refuse_outside(change.path)
    return {change.path: why for change in changes if (why := _conflict(root, change, busy))}


def _conflict(root: Path, change: FileChange, busy: Container[str]) -> str | None:
    """Why a file may not be written now; None when it is exactly what the change expects."""
    if change.path in busy:
        return "is open with unsaved edits: save or close it, then run again"
    link = link_in(root, root / change.path)
    if link:
        return f"is reached through the symbolic link {link.name}: nothing is written through links"
    if _is_read_only(root / change.path):
        return "is read-only: make it writable, then run again"
    try:
        current = read_or_none(root / change.path)
    except StoreError as error:
        return f"cannot be compared: {error}"
    expected = None if change.before is None else encode(change.before, root / change.path)
    if current == expected:
        return None
    if expected is None:
        return "exists already"
    return "was removed meanwhile" if current is None else "was changed meanwhile"


def _is_read_only(path: Path) -> bool:
    """Whether a file is marked so that nobody writes it. A rename would replace it all the same, against that wish."""
    try:
        return not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    except OSError:
        return False  # there is none, or comparing it says what is wrong


class _Meanwhile(Exception):
    """Somebody changed a file while its next text was being written out; the message is the end of a sentence."""


def _write(root: Path, change: FileChange, busy: Container[str]) -> str | None:
    path = root / change.path
    if change.after is None:
        remove(path)
        return "is still there after it was removed" if path.exists() else None
    data = encode(change.after, path)

    def look() -> None:
        if why := _conflict(root, change, busy):
            raise _Meanwhile(why)

    try:
        write_whole(path, data, exclusive=change.before is None, look=look)
    except FileExistsError:
        return "exists already"
    except _Meanwhile as meanwhile:
        return str(meanwhile)
    return None if read_or_none(path) == data else "is not on disk as it was written: another program changed it"
