"""The work behind loading a root, for threads: list, outline, compare. Values in, values out; touches no state."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from memory_core.layout import Layout
    from memory_core.snapshot import Document, Snapshot
    from memory_core.store.cache import Cache
    from memory_core.store.load import Outlines
    from memory_core.store.scan import Listing

_FEW = 300  # records that are outlined before anything is answered: it takes less time than a person notices


@dataclass(frozen=True, slots=True)
class Listed:
    """What lies on disk, and the same as a snapshot whose slugs are known."""

    listing: Listing
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Indexed:
    """A snapshot whose links are known; `changed`: what differs from the one before, where there was one."""

    snapshot: Snapshot
    changed: dict[str, Document | None]
    outlines: Outlines


def cache_of(layout: Layout, real: Path) -> Cache:
    """The cache of a root at its real path."""
    from memory_core.store.cache import Cache

    return Cache(type(layout)(real))


def listed(cache: Cache, *, first: bool) -> Listed:
    """List a root: enough to complete slugs, to follow them and to show a record. `first`: nothing is known of it."""
    from memory_core.snapshot import Snapshot
    from memory_core.store.load import outline_some
    from memory_core.store.scan import listing

    with without_collections(first=first):
        found = listing(cache.layout.root)
        snapshot = Snapshot(found.documents)
        if len(found.documents) <= _FEW:
            outline_some(found.documents.values())
            _ = snapshot.index.referrers
        _ = snapshot.index.words
        return Listed(found, snapshot)


def indexed(before: Snapshot | None, found: Listed, cache: Cache, tick: Callable[[int, int], None]) -> Indexed:
    """Outline what was listed, and derive who names whom; documents that are as before stay the same objects."""
    from memory_core.store.load import outline_all

    with without_collections(first=before is None):
        outlines = outline_all(found.listing, cache, tick=tick)
        if before is None:
            _ = found.snapshot.index.referrers
            return Indexed(found.snapshot, {}, outlines)
        changed = _changed(before, found.listing)
        after = before.with_documents(changed)
        _ = after.index.referrers
        return Indexed(after, changed, outlines)


def _changed(before: Snapshot, found: Listing) -> dict[str, Document | None]:
    # What a folder that cannot be listed just now holds is not gone.
    changed: dict[str, Document | None] = {
        path: None for path in before.documents if path not in found.documents and not found.may_hold(path)
    }
    for path, document in found.documents.items():
        known = before.documents.get(path)
        if known is None or known.digest != document.digest:
            changed[path] = document
    return changed


def changed_files(root: Path, paths: Iterable[str], known: Mapping[str, Document]) -> dict[str, Document | None] | None:
    """What lies at some paths under the record folders now; None where a folder came or went with all that is in it.
    What comes and goes beside the records, as when an editor writes a file anew and renames it, is no change."""
    from memory_core.store.scan import read_document

    found: dict[str, Document | None] = {}
    for path in paths:
        if not path.endswith(".md") and path not in known and ((root / path).is_dir() or _was_folder(path, known)):
            return None
        found[path] = read_document(root, path)
    return {path: document for path, document in found.items() if document or path in known}


def differing(root: Path, texts: Mapping[str, str | None]) -> set[str]:
    """The paths at which another text lies now than the one given, None for no file."""
    from memory_core.store.scan import read_document

    def now(path: str) -> str | None:
        found = read_document(root, path)
        return found.text if found else None

    return {path for path, text in texts.items() if now(path) != text}


def _was_folder(path: str, known: Iterable[str]) -> bool:
    return any(other.startswith(f"{path}/") for other in known)


@contextmanager
def without_collections(*, first: bool) -> Iterator[None]:
    """Have a long piece of work go on without looks for garbage. What is made when a root is `first` read stays, so no
    collection walks over it from then on; each time after, that would keep for ever what is garbage by then."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        if first:
            gc.freeze()


def ticker(loop: asyncio.AbstractEventLoop, report: Callable[[str, float], None]) -> Callable[[int, int], None]:
    """Reports progress from a thread to the event loop."""

    def tick(done: int, total: int) -> None:
        if done:
            loop.call_soon_threadsafe(report, f"{done:,} of {total:,} records", done / total)

    return tick
