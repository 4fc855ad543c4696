"""Reads in the editor as usage events: hovers and jumps of a person, at most one a record and minute.

Recording happens on a thread of its own and can fail without anybody's read failing. What counts as a use is the core's
definition; completion lists are none.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from memory_core.records.schema import RecordRef
    from memory_core.workspace import Workspace
    from server.state import Root

log = logging.getLogger(__name__)

Source = Literal["EditorHover", "EditorOpen"]
WINDOW_S = 60.0


@dataclass(frozen=True, slots=True)
class _Read:
    ref: RecordRef
    text: str
    source: Source
    at: datetime


class UsageRecorder:
    """Collects reads on the event loop, appends them on a thread. `clock`: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[tuple[Root, RecordRef, Source], float] = {}
        self._early: dict[Root, list[_Read]] = {}
        self._queue: queue.SimpleQueue[tuple[Workspace, _Read] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def record(self, root: Root, ref: RecordRef, source: Source) -> bool:
        """Note that a person read a record; whether it counts. It does not within a minute of the same, nor where the
        workspace has turned it off."""
        from memory_core.ide.hover import Used
        from memory_core.ids import rfc3339, utc_now

        document = root.snapshot.document(ref) if root.snapshot else None
        if document is None or root.failure or (root.workspace and not root.workspace.config.memory.record_hover):
            return False
        key, now = (root, ref, source), self._clock()
        if now - self._last.get(key, -WINDOW_S) < WINDOW_S:
            return False
        self._last[key] = now
        at = utc_now()
        earlier = root.used.get(ref)
        root.used[ref] = Used((earlier.count if earlier else 0) + 1, rfc3339(at))
        self._early.setdefault(root, []).append(_Read(ref, document.text, source, at))
        self.release(root)
        return True

    def release(self, root: Root) -> None:
        """Pass on what was read of a root, which is possible once its settings are known."""
        workspace = root.workspace
        if workspace is None:
            return
        reads = self._early.pop(root, [])
        if not workspace.config.memory.record_hover:
            return
        for read in reads:
            self._queue.put((workspace, read))
        if reads and self._thread is None:
            self._thread = threading.Thread(target=self._append_all, name="omoide-usage", daemon=True)
            self._thread.start()

    def close(self, timeout: float) -> None:
        """Append what is left, within some seconds."""
        if self._thread:
            self._queue.put(None)
            self._thread.join(timeout)

    def _append_all(self) -> None:
        from memory_core.usage import use_event

        while item := self._queue.get():
            workspace, read = item
            event = use_event(read.ref, read.text, source=read.source, actor="human", session_id=None, now=read.at)
            try:
                workspace.store.append_usage(event)
            except Exception as error:  # noqa: BLE001 - statistics must never take the recorder down
                log.warning("The read of %s was not recorded: %s", read.ref, error)
