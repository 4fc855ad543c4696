"""How often each record of a root was read: added up once, then kept up with what anybody appends to the usage log.

Looking whether something was appended costs one question to the file system. Records no read itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memory_core.errors import MemoryCoreError
from memory_core.store.ordinary import open_binary

if TYPE_CHECKING:
    from pathlib import Path

    from memory_core.ide.card import Used
    from memory_core.ide.ranking import UseOrder
    from memory_core.records.schema import RecordRef
    from memory_core.usage import UsageEvent
    from memory_core.workspace import Workspace
    from server.state import Root

LONGEST_TAIL = 1_000_000  # bytes read between two answers; with more than that, everything is added up anew

Place = tuple[int, int]  # a log file: its number and its size


@dataclass(frozen=True)
class Counted:
    """Use counts, and the log they are of; None where there was none."""

    used: dict[RecordRef, Used]
    place: Place | None


def count(workspace: Workspace) -> Counted:
    """How often each record was read on purpose; MemoryCoreError where the log cannot be read."""
    from memory_core.ide.card import Used
    from memory_core.records.schema import Kind, RecordRef

    log = workspace.layout.usage
    if not log.parent.is_dir():
        return Counted({}, None)
    for _ in range(3):  # what is appended meanwhile might be in or not
        place = place_of(log)
        report = workspace.store.usage_report()
        if place == place_of(log):
            break
    kinds = {str(kind): kind for kind in Kind}
    used = {}
    for row in report.rows:
        if row.kind in kinds and row.use_count:
            by = report.actors.get((row.kind, row.slug), {})
            ref = RecordRef(kinds[row.kind], row.slug)
            used[ref] = Used(row.use_count, row.last_used_at, by.get("human", 0), by.get("agent", 0))
    return Counted(used, place)


def place_of(log: Path) -> Place | None:
    try:
        status = log.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size


def with_events(used: dict[RecordRef, Used], events: Iterable[UsageEvent]) -> dict[RecordRef, Used]:
    """The counts with some uses more; exposures are none."""
    from memory_core.ide.card import Used
    from memory_core.records.schema import Kind, RecordRef

    kinds = {str(kind): kind for kind in Kind}
    now = dict(used)
    for event in events:
        for record in event.records if event.event == "use" else ():
            if record.kind not in kinds:
                continue
            ref = RecordRef(kinds[record.kind], record.slug)
            old = now.get(ref) or Used(0)
            last = max(old.last or "", event.occurred_at)
            human, agent = old.human + (event.actor == "human"), old.agent + (event.actor == "agent")
            now[ref] = replace(old, count=old.count + 1, last=last, human=human, agent=agent)
    return now


class UseCounts:
    """The counts of every root, as long as it is there. `own`: ids of events that were counted before they were
    written."""

    def __init__(self) -> None:
        self.own: WeakKeyDictionary[Root, set[str]] = WeakKeyDictionary()
        self._places: WeakKeyDictionary[Root, Place | None] = WeakKeyDictionary()
        self._orders: WeakKeyDictionary[Root, tuple[dict[RecordRef, Used], UseOrder]] = WeakKeyDictionary()

    def knows(self, root: Root) -> bool:
        """Whether the log of a root was added up."""
        return root in self._places

    def take(self, root: Root, counted: Counted, unwritten: Iterable[UsageEvent] = ()) -> None:
        """Counts that were added up anew, and events of ours that are not in the log yet."""
        root.used = with_events(counted.used, unwritten)
        self._places[root] = counted.place

    def add(self, root: Root, event: UsageEvent) -> None:
        """An event of ours that is about to be written."""
        root.used = with_events(root.used, [event])
        self.own.setdefault(root, set()).add(event.id)

    def order(self, root: Root) -> UseOrder:
        """The counts as completion wants them."""
        from memory_core.ide.ranking import UseOrder

        known = self._orders.get(root)
        if known is None or known[0] is not root.used:
            known = root.used, UseOrder({ref: used.count for ref, used in root.used.items()})
            self._orders[root] = known
        return known[1]

    def catch_up(self, root: Root) -> bool:
        """Count what was appended to the log since; False where everything must be added up anew."""
        if root not in self._places or root.workspace is None:
            return True
        log, before = root.workspace.layout.usage, self._places[root]
        place = place_of(log)
        if place == before or place is None:
            return True
        start = before[1] if before and before[0] == place[0] else 0
        if (before and before[0] != place[0]) or not 0 < place[1] - start <= LONGEST_TAIL:
            self._places[root] = place  # asked for once; `take` knows better then
            return False
        try:
            with open_binary(log) as file:
                file.seek(start)
                tail = file.read(place[1] - start)
        except OSError:
            return True
        whole = tail[: tail.rfind(b"\n") + 1]
        self._places[root] = place[0], start + len(whole)
        self._count(root, whole)
        return True

    def _count(self, root: Root, lines: bytes) -> None:
        from memory_core.usage import parse_line

        own = self.own.get(root, set())
        events = [event for line in lines.split(b"\n") if line and (event := parse_line(line))]
        foreign = [event for event in events if event.id not in own]
        own.difference_update(event.id for event in events)
        if foreign:
            root.used = with_events(root.used, foreign)


def recount(workspace: Workspace) -> Counted | None:
    """As `count`; None where the log cannot be read, which is said when the workspace is opened."""
    try:
        return count(workspace)
    except (MemoryCoreError, OSError):
        return None
