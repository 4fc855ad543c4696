"""What the server holds, in numbers: for `omoide.status`, and told to clients that ask for `omoide/status`.

The notification is ours, so it is sent only to a client that announces `experimental.omoide.status`. Reads nothing but
the staging folder, on a thread; sends what changed, and only that.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_core.diagnostic import Diagnostic
from memory_core.errors import MemoryCoreError
from server import errors
from server.background import in_thread

if TYPE_CHECKING:
    from server.language_server import Server
    from server.state import Root

METHOD = "omoide/status"
_QUIET_S = 0.1


@dataclass(frozen=True, slots=True)
class RootStatus:
    """A root in numbers."""

    workspace: str
    records: dict[str, int]
    loading: bool
    problem: str | None


def status_of(root: Root) -> RootStatus:
    """A root as far as it is known without asking the disk."""
    names = root.snapshot.index.names if root.snapshot else {}
    kinds = {str(kind): len(slugs) for kind, slugs in names.items() if slugs}
    loading = not (root.opened.is_set() and (root.indexed.is_set() or root.snapshot is None or root.unread))
    return RootStatus(str(root.layout.workspace), kinds, loading, root.problem)


@dataclass(frozen=True, slots=True)
class Pending:
    """What is staged: files, and candidates in them that nobody closed yet."""

    files: int
    candidates: int


class StatusNotifier:
    """Tells a client how its roots are, after something happened to them."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pending: dict[Root, Pending] = {}
        self._unknown: dict[Root, str] = {}  # why what is staged is not known
        self._seen: dict[Root, tuple[int, ...]] = {}
        self._problems: dict[Root, dict[str, int]] = {}
        self._told: dict[Root, dict[str, Any]] = {}
        self._timers: dict[Root, asyncio.TimerHandle] = {}

    def of(self, root: Root) -> dict[str, Any]:
        """A root in numbers. `problems`: of the files looked at last; they and `pending` are null until known."""
        pending, status = self._pending.get(root), status_of(root)
        return {
            **asdict(status),
            "problem": status.problem or self._unknown.get(root),
            "problems": self._problems.get(root),
            "pending": asdict(pending) if pending else None,
            "jobs": self._server.jobs.kinds(root),
            "unextracted": self._server.session_watches.pending(root),
        }

    async def counted(self, root: Root) -> dict[str, Any]:
        """The same, with the staging folder looked at now."""
        await self._count(root)
        return self.of(root)

    def changed(self, root: Root) -> None:
        """Something about a root may be different; called on the event loop, as often as one likes."""
        if self._server.state.client.wants_status and root not in self._timers:
            self._timers[root] = asyncio.get_running_loop().call_later(_QUIET_S, self._tell, root)

    def checked(self, root: Root, found: Mapping[str, Iterable[Diagnostic]]) -> None:
        """Records of a root were looked at by the linter."""
        severities = Counter(str(problem.severity) for problems in found.values() for problem in problems)
        self._problems[root] = {f"{name}s": severities[name] for name in ("error", "warning", "hint")}
        self.changed(root)

    def staging_changed(self, root: Root) -> None:
        """Candidates came or went."""
        if self._server.state.client.wants_status:
            task = asyncio.ensure_future(self._count(root))
            task.add_done_callback(lambda _: self.changed(root))

    async def _count(self, root: Root) -> None:
        if root.workspace is None:
            return
        store, layout = root.workspace.store, root.layout
        stamp = (*_stamp(layout.staging), *_stamp(layout.resolutions))
        if stamp != self._seen.get(root):
            try:
                area = await in_thread("staging", store.staging)
            except (MemoryCoreError, OSError) as error:  # of this root alone: the others are counted
                self._pending.pop(root, None)
                self._seen.pop(root, None)
                self._unknown[root] = errors.reason_of(error) or str(error)
                return
            self._unknown.pop(root, None)
            if self._server.state.holds(root):
                self._pending[root], self._seen[root] = Pending(len(area.files), len(area.open)), stamp

    def drop(self, root: Root) -> None:
        """A root was closed."""
        if timer := self._timers.pop(root, None):
            timer.cancel()
        for known in (self._pending, self._unknown, self._seen, self._problems, self._told):
            known.pop(root, None)

    def _tell(self, root: Root) -> None:
        self._timers.pop(root, None)
        if not self._server.state.holds(root):
            self._told.pop(root, None)
            return
        now = self.of(root)
        if self._told.get(root) != now:
            self._told[root] = now
            self._server.protocol.notify(METHOD, now)


def _stamp(path: Path) -> tuple[int, int]:
    """What changes when a file, or what a folder holds, changes."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
