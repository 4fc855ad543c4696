"""The usage log on disk, written: one append an event by any number of processes, set aside by size.

A log that has grown large is renamed to `events-<id>.jsonl` beside it and stays. What is read in a linked work tree of
git is written into the main one's log too: `git worktree remove` takes the linked one's along, and the record goes on.
Loads little: a hook of an agent records what it gave.
"""

from __future__ import annotations

import logging
import os
from datetime import datetime
from pathlib import Path

from memory_core.errors import StoreError
from memory_core.ids import uuid7
from memory_core.layout import Layout
from memory_core.store.files import append_lines, opened_to_write, rename, require_inside
from memory_core.usage.event import UsageEvent

log = logging.getLogger(__name__)

ROTATE_BYTES = 32 * 1024 * 1024  # about a hundred thousand events


def append(path: Path, event: UsageEvent, now: datetime, limit: int = ROTATE_BYTES) -> None:
    """Append an event by one write. OSError or StoreError when the disk refuses."""
    append_lines(path, event.to_line())
    try:
        if path.stat().st_size >= limit:
            _set_aside(path, now, limit)
    except OSError as error:  # the event is written; the log is set aside by a later append
        log.info("%s was not set aside (%s).", path, error.strerror)


def append_to_main(layout: Layout, event: UsageEvent, now: datetime) -> None:
    """Append an event of a linked work tree to the main one's log; nothing anywhere else. Where it cannot be, that is
    said in the log: the event stands in its own."""
    marks = (folder / ".git" for folder in (layout.workspace, *layout.workspace.parents))
    try:
        if not next((mark for mark in marks if os.path.exists(mark)), layout.root).is_file():  # noqa: PTH110 - raises for none
            return  # as nearly always; what follows loads more
        from memory_core.store.worktrees import main_root

        main = main_root(layout)
        if main is not None:
            require_inside(main.root, main.usage)
            append(main.usage, event, now)
    except (OSError, StoreError) as error:
        log.warning("A use in %s is not known in the main work tree: %s", layout.workspace, error)


def _set_aside(path: Path, now: datetime, limit: int) -> None:
    """Rename the log, once: the first of several processes does it, the others see that it is small again."""
    with opened_to_write(path.with_name(".rotate.lock")) as handle:
        try:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        except ImportError:
            pass
        if path.stat().st_size >= limit:
            rename(path, f"events-{uuid7(now)}.jsonl")
