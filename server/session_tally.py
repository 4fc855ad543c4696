"""Which logs are sessions of a workspace, and how much was said in each since its last extract. Used from threads.

Reads logs as they grow; starts nothing and knows no event loop.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memory_core.errors import SessionError
from memory_core.ids import rfc3339

if TYPE_CHECKING:
    from memory_core.sessions.model import Session
    from memory_core.store.session_meter import Reading, SessionMeter
    from memory_core.store.session_ref import SessionRef
    from memory_core.workspace import Workspace

log = logging.getLogger(__name__)

_RECENT = timedelta(days=1)  # what was last written to before that is history: `omoide extract --all` takes it


class Tally:
    """The sessions of a workspace by the path of their log."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._refs: dict[Path, SessionRef] = {}
        self._strange: dict[Path, int] = {}  # logs that are none of ours, with the size they had
        self._lock = threading.RLock()

    @cached_property
    def _meter(self) -> SessionMeter:
        # Made on the thread that measures first: it loads the readers of every agent's logs.
        from memory_core.store.session_meter import SessionMeter

        return SessionMeter(self.read, self._workspace.store.pointer)

    def recent(self) -> list[Path]:
        """The logs that were written to lately."""
        with self._lock:
            self._discover()
            since = rfc3339(self._workspace.now() - _RECENT)
            return [path for path, ref in self._refs.items() if ref.updated_at >= since]

    def ours(self, changed: Iterable[Path]) -> list[Path]:
        """The sessions among files that changed. A file that is none is looked at again when it has doubled: a log's
        first lines need not say where it belongs."""
        with self._lock:
            unknown = [path for path in changed if path not in self._refs and self._may_be_ours(path)]
            if unknown:
                self._discover()
                self._strange |= {path: _size(path) for path in unknown if path not in self._refs}
            return [path for path in changed if path in self._refs]

    def read(self, path: Path) -> Session:
        """The session in a log. SessionError when it is none of this workspace."""
        with self._lock:
            if path not in self._refs:
                raise SessionError(f"{path} is no session of this workspace.")
            return self._workspace.read_session(self._refs[path], list(self._refs.values()))

    def measure(self, path: Path) -> Reading | None:
        """The reading of a session now; None when its log is gone or cannot be read."""
        with self._lock:
            try:
                return self._meter.measure(path)
            except OSError as error:
                log.info("%s is not measured: %s", path, error)
                return None

    def extracted(self, path: Path) -> Reading | None:
        """The same after an extract moved the session's pointer."""
        with self._lock:
            self._meter.extracted(path)
            return self.measure(path)

    def _discover(self) -> None:
        refs: dict[Path, SessionRef] = {}
        for ref in self._workspace.sessions():  # the newest first: of several in one file, it is the one that goes on
            refs.setdefault(ref.path, ref)
        self._refs = refs

    def _may_be_ours(self, path: Path) -> bool:
        size = _size(path)
        return size > 0 and size >= 2 * self._strange.get(path, 0)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
