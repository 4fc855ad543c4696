"""Reads in the editor as usage events: hovers and openings by a person, at most one a record and minute.

Recording happens on a thread of its own and can fail without anybody's read failing. What counts as a use is the core's
definition; completion lists are none, nor is a jump that was only previewed.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from server.background import in_thread
from server.use_counts import Counted, UseCounts, recount

if TYPE_CHECKING:
    from memory_core.ide.card import Used
    from memory_core.ide.ranking import UseOrder
    from memory_core.records.schema import RecordRef
    from memory_core.usage import UsageEvent
    from memory_core.workspace import Workspace
    from server.state import Root

log = logging.getLogger(__name__)

Source = Literal["EditorHover", "EditorOpen"]
WINDOW_S = 60.0
# Editors ask for a definition while a modifier key is held over a name, and some open the file for a preview then. A
# person who jumps opens it at once and stays.
JUMP_S = 2.0
STAY_S = 1.5
LOOK_EVERY_S = 0.25  # at the log: somebody who types asks more often


class UsageRecorder:
    """Collects reads on the event loop, appends them on a thread. `clock`: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.counts = UseCounts()
        # Of a root that is closed nothing is kept.
        self._last: WeakKeyDictionary[Root, dict[tuple[RecordRef, Source], float]] = WeakKeyDictionary()
        self._early: WeakKeyDictionary[Root, list[UsageEvent]] = WeakKeyDictionary()
        self._pointed: dict[tuple[Root, RecordRef], float] = {}
        self._staying: dict[tuple[Root, RecordRef], asyncio.TimerHandle] = {}
        self._counting: set[Root] = set()
        self._looked: WeakKeyDictionary[Root, float] = WeakKeyDictionary()
        self._unwritten: dict[str, tuple[Root, UsageEvent]] = {}
        self._queue: queue.SimpleQueue[tuple[Workspace, UsageEvent] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    # What a person does

    def record(self, root: Root, ref: RecordRef, source: Source) -> bool:
        """Note that a person read a record; whether it counts. It does not within a minute of the same, nor where the
        workspace has turned it off."""
        from memory_core.ids import utc_now
        from memory_core.usage import use_event

        document = root.snapshot.document(ref) if root.snapshot else None
        if document is None or root.failure or (root.workspace and not root.workspace.config.memory.record_hover):
            return False
        last, now = self._last.setdefault(root, {}), self._clock()
        if now - last.get((ref, source), -WINDOW_S) < WINDOW_S:
            return False
        last[ref, source] = now
        event = use_event(ref, document.text, source=source, actor="human", session_id=None, now=utc_now())
        self.counts.add(root, event)
        self._unwritten[event.id] = root, event
        self._early.setdefault(root, []).append(event)
        self.release(root)
        return True

    def pointed(self, root: Root, ref: RecordRef) -> None:
        """Note that an editor was told where a record lies. That alone is no read: see `opened`."""
        now = self._clock()
        self._pointed = {key: at for key, at in self._pointed.items() if now - at < JUMP_S}
        self._pointed[root, ref] = now

    def opened(self, root: Root, ref: RecordRef, *, by_person: bool) -> None:
        """Note that an editor opened a record. It counts where the editor opens files only for persons to see
        (`by_person`), and else where it was just told of the record and keeps the file open."""
        at = self._pointed.pop((root, ref), None)
        if by_person:
            self.record(root, ref, "EditorOpen")
        elif at is not None and self._clock() - at < JUMP_S:
            self.closed(root, ref)
            loop = asyncio.get_running_loop()
            self._staying[root, ref] = loop.call_later(STAY_S, self._stayed, root, ref)

    def closed(self, root: Root, ref: RecordRef) -> None:
        """Note that an editor closed a record: what was open for a moment was a preview."""
        if timer := self._staying.pop((root, ref), None):
            timer.cancel()

    def _stayed(self, root: Root, ref: RecordRef) -> None:
        self._staying.pop((root, ref), None)
        self.record(root, ref, "EditorOpen")

    # How often records were read

    def counted(self, root: Root, counted: Counted) -> None:
        """Take the counts of a root that were added up."""
        unwritten = [event for of, event in list(self._unwritten.values()) if of is root]
        self.counts.take(root, counted, unwritten)

    def used(self, root: Root) -> dict[RecordRef, Used] | None:
        """The counts, with what other programs wrote meanwhile; None until the log was added up: the reads of this
        editor alone would be told as if there were no others."""
        self.refresh(root)
        return root.used if self.counts.knows(root) else None

    def order(self, root: Root) -> UseOrder:
        """The counts as completion wants them, with what other programs wrote meanwhile."""
        self.refresh(root)
        return self.counts.order(root)

    def refresh(self, root: Root) -> None:
        """Bring `root.used` up to date with what other programs wrote; a large change comes a moment later."""
        now = self._clock()
        if now - self._looked.get(root, -LOOK_EVERY_S) < LOOK_EVERY_S:
            return
        self._looked[root] = now
        if not self.counts.catch_up(root) and root.workspace and root not in self._counting:
            self._counting.add(root)
            asyncio.ensure_future(self._recount(root, root.workspace))  # noqa: RUF006 - it ends by itself

    async def _recount(self, root: Root, workspace: Workspace) -> None:
        try:
            found = await in_thread("usage", lambda: recount(workspace))
        finally:
            self._counting.discard(root)
        if found:
            self.counted(root, found)

    # Writing

    def release(self, root: Root) -> None:
        """Pass on what was read of a root, which is possible once its settings are known."""
        workspace = root.workspace
        if workspace is None:
            return
        events = self._early.pop(root, [])
        if not workspace.config.memory.record_hover:
            for event in events:
                self._unwritten.pop(event.id, None)
            return
        for event in events:
            self._queue.put((workspace, event))
        if events and self._thread is None:
            self._thread = threading.Thread(target=self._append_all, name="omoide-usage", daemon=True)
            self._thread.start()

    def close(self, timeout: float) -> None:
        """Append what is left, within some seconds. What is open when the editor ends was no preview."""
        for (root, ref), timer in list(self._staying.items()):
            timer.cancel()
            self._stayed(root, ref)
        if self._thread:
            self._queue.put(None)
            self._thread.join(timeout)

    def _append_all(self) -> None:
        while item := self._queue.get():
            workspace, event = item
            try:
                workspace.store.append_usage(event)
            except Exception as error:  # noqa: BLE001 - statistics must never take the recorder down
                log.warning("The read of %s was not recorded: %s", event.records[0].slug, error)
            self._unwritten.pop(event.id, None)
