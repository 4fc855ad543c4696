"""The documents of a root without listing them: for who asks for a few by name and must answer at once.

What may be resident is remembered in `cache/resident.json` by size and time of each file, so that ten thousand records
are looked at without reading them. Disposable, like everything in `cache/`.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from memory_core.document import Document
from memory_core.errors import StoreError
from memory_core.layout import RECORD_FOLDERS, SUMMARY_PATH, Layout, record_at
from memory_core.store.files import require_inside, write_whole
from memory_core.store.ordinary import read_bytes
from memory_core.store.scan import Files, files

_VERSION = 1
_SETTLED_NS = 2_000_000_000  # a file changed so shortly before may change again without its time telling
# A superset of what asks to be resident: who finds it here reads the head.
_ASKS = re.compile(r"model_invo[ck]ation\W{1,20}(?!false)\w")


class RecordFiles(Mapping[str, Document]):
    """The documents below a root by path; each is read when asked for, all are listed only when somebody walks them."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._files: Files = files(layout.root)
        self._known: dict[str, Document] = {}

    def __getitem__(self, path: str) -> Document:
        known = self._known.get(path)
        if known is None:
            if record_at(path) is None or not os.path.lexists(self._layout.root / path):
                raise KeyError(path)
            known = self._known[path] = Document(path, *self._files.read(path))
        return known

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.get(path) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    @cached_property
    def _listed(self) -> tuple[str, ...]:
        """The paths where records may lie, by name alone: what else is in the folders is no concern of who asks."""
        paths = [SUMMARY_PATH] if os.path.lexists(self._layout.root / SUMMARY_PATH) else []
        for folder in RECORD_FOLDERS[1:]:
            with suppress(OSError):
                names = os.listdir(self._layout.root / folder)  # noqa: PTH208 - names are all that is needed of them
                paths += [f"{folder}/{name}" for name in sorted(names) if name.endswith(".md")]
        return tuple(paths)


def resident_files(layout: Layout) -> dict[str, Document]:
    """The documents that may have a place in the resident context: the summary, and those that ask for one."""
    reader = files(layout.root)
    known, asking = _remembered(layout)
    stamps: dict[str, str] = {}
    asks: dict[str, Document] = {}
    now = time.time_ns()
    changed = False
    for path, stamp, settled in _stamps(layout, now):
        if settled:
            stamps[path] = stamp
        if known.get(path) == stamp:
            if path in asking:
                asks[path] = Document(path, *reader.read(path))
            continue
        changed = changed or settled
        document = Document(path, *reader.read(path))
        if _ASKS.search(document.text):
            asks[path] = document
    if changed or len(stamps) != len(known):
        _remember(layout, stamps, [path for path in asks if path in stamps])
    if os.path.lexists(layout.root / SUMMARY_PATH):
        asks[SUMMARY_PATH] = Document(SUMMARY_PATH, *reader.read(SUMMARY_PATH))
    return asks


def _stamps(layout: Layout, now: int) -> Iterator[tuple[str, str, bool]]:
    """Path, stamp and whether the stamp can be trusted, of each file that may be knowledge or a workflow."""
    for folder in ("knowledge", "workflow"):
        try:
            entries = os.scandir(layout.root / folder)
        except OSError:
            continue
        with entries:
            for entry in entries:
                if not entry.name.endswith(".md"):
                    continue
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                newest = max(status.st_mtime_ns, status.st_ctime_ns)
                stamp = f"{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_size}"
                yield f"{folder}/{entry.name}", stamp, newest < now - _SETTLED_NS


def _remembered(layout: Layout) -> tuple[dict[str, str], frozenset[str]]:
    try:
        value = json.loads(read_bytes(layout.cache / "resident.json"))
        if value["version"] != _VERSION:
            return {}, frozenset()
        return dict(value["stamps"]), frozenset(value["asks"])
    except (OSError, ValueError, TypeError, LookupError):
        return {}, frozenset()


def _remember(layout: Layout, stamps: Mapping[str, str], asks: list[str]) -> None:
    text = json.dumps({"version": _VERSION, "stamps": stamps, "asks": asks}, separators=(",", ":"))
    path = layout.cache / "resident.json"
    with suppress(OSError, StoreError):  # without it the next start reads every record
        require_inside(layout.root, path)
        write_whole(path, text.encode("ascii"), durable=False)
