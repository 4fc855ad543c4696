"""Looks again and again at the files of roots that the operating system does not watch: one thread for all of them.

Tells which files differ; decides nothing about what that means.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.state import Root

Stamp = tuple[int, int, int]  # of a file: number, size, time of its last change
Matters = Callable[[str], bool]

EVERY_S = 2.0
_SHARE = 20  # looking takes a twentieth of a processor at most


class Poller:
    """The roots that are looked at. `tell` is called on the thread with a root and what changed in it, the root itself
    at first: what changed before anybody looked is not known. A RuntimeError of it, of a closed loop, ends the thread.
    `matters`: whether a path below a root may change an answer."""

    def __init__(self, tell: Callable[[Root, set[Path]], None], matters: Matters) -> None:
        self._tell = tell
        self._matters = matters
        self._roots: set[Root] = set()
        self._seen: dict[Root, dict[str, Stamp]] = {}
        self._thread: threading.Thread | None = None

    def add(self, root: Root) -> None:
        """On the event loop, as `forget` is."""
        self._roots.add(root)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="omoide-poll", daemon=True)
            self._thread.start()

    def forget(self, root: Root) -> None:
        self._roots.discard(root)

    def _run(self) -> None:
        try:
            while True:
                began = time.monotonic()
                for root in list(self._roots):
                    self._look(root)
                for gone in self._seen.keys() - set(self._roots):
                    del self._seen[gone]
                time.sleep(max(EVERY_S, _SHARE * (time.monotonic() - began)))
        except RuntimeError:
            return  # the event loop is closed: the server is going

    def _look(self, root: Root) -> None:
        now, before = stamps(root.real, self._matters), self._seen.get(root)
        self._seen[root] = now
        if before is None or bool(before) != bool(now):  # it came or went
            self._tell(root, {root.real})
        elif before != now:
            paths = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
            self._tell(root, {root.real / path for path in paths})


def stamps(folder: Path, matters: Matters) -> dict[str, Stamp]:
    """What tells each file below a folder that matters from itself as it was, by path; empty where there is none."""
    found: dict[str, Stamp] = {}
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        try:
            with os.scandir(folder / inside) as entries:
                for entry in entries:
                    path = f"{inside}{entry.name}"
                    if not matters(path):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(f"{path}/")
                    else:
                        known = _status(entry)
                        found[path] = known.st_ino, known.st_size, known.st_mtime_ns
        except OSError:
            continue  # gone, or closed to us: what it held shows as gone, and is looked at
    return found


def _status(entry: os.DirEntry[str]) -> os.stat_result:
    try:
        return entry.stat()
    except OSError:  # a link to nothing
        return entry.stat(follow_symlinks=False)
