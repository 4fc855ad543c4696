"""The usage log on disk, written: one append an event by any number of processes, set aside by size.

A log that has grown large is renamed to `events-<id>.jsonl` beside it and stays. Loads little: a hook of an agent
records what it gave.
"""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path

from memory_core.ids import uuid7
from memory_core.store.files import append_lines, opened_to_write, rename
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
