"""Load the records of a root by their outlines: what the cache knows of an unchanged file is not read again.

Texts are read when somebody asks for them. Whoever must have all texts as of one moment uses `scan.scan`.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from memory_core.document import Document
from memory_core.snapshot import Snapshot
from memory_core.store.cache import Cache, Row
from memory_core.store.scan import Listing, listing

# A file that was changed so shortly before it was read can change again without its time telling (the clock of some
# file systems ticks every two seconds): its row is not kept, and the next start reads it again.
SETTLED_NS = 2_000_000_000

Stamp = tuple[int, int, int]
Tick = Callable[[int, int], None]  # documents done, documents in all


@dataclass(slots=True)
class Outlines:
    """What outlining some documents found out: rows that the cache does not have, rows that nothing stands behind,
    and how many files had to be read."""

    changed: dict[str, Row] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    read: int = 0

    def save(self, cache: Cache) -> bool:
        """Bring the cache up to date; False when that was not possible now."""
        return cache.update(self.changed, self.gone)


def load_outlined(cache: Cache, now_ns: int | None = None) -> tuple[Snapshot, Outlines]:
    """All documents, outlined; `now_ns`: see `outline_all`."""
    listed = listing(cache.layout.root)
    return Snapshot(listed.documents), outline_all(listed, cache, now_ns=now_ns)


def outline_all(
    listed: Listing, cache: Cache, *, now_ns: int | None = None, tick: Tick = lambda _done, _all: None
) -> Outlines:
    """Outline every listed document: from the cache where its file is as it was, else by reading it.

    `now_ns`: the time of day in nanoseconds, by which a file counts as settled.
    """
    rows = cache.rows()
    now = time.time_ns() if now_ns is None else now_ns
    root = str(cache.layout.root)
    found = Outlines()
    for number, (path, document) in enumerate(listed.documents.items()):
        if number % 500 == 0:
            tick(number, len(listed.documents))
        row = rows.pop(path, None)
        # The stamp comes before the reading: a change between the two makes the row worthless, not wrong.
        stamp = None if document.is_read else stamp_of(f"{root}/{path}")
        if row and stamp and row.stamp == stamp:
            document.recall(row.sha256, row.outline)
            continue
        packed = document.packed_outline
        found.read += 1
        if stamp and not document.unreadable and max(stamp[:2]) < now - SETTLED_NS:
            found.changed[path] = Row(stamp, document.digest, packed)
        elif row:
            found.gone.add(path)
    # What a folder that could not be listed holds is not gone.
    found.gone.update(path for path in rows if not listed.may_hold(path))
    return found


def outline_some(documents: Iterable[Document]) -> None:
    """Outline some documents now, so that nobody waits for it later."""
    for document in documents:
        _ = document.packed_outline


def stamp_of(path: str) -> Stamp | None:
    """What tells one state of a file from another without reading it; None for what is no ordinary file: the target of
    a link may change without it."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None
