"""Long work for a command: one of a kind at a time and root, on a thread of its own, cancelled at once.

The thread runs the core's coroutine in an event loop of its own, so nothing it does can hold up the editor.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

from memory_core.errors import MemoryCoreError
from server import errors
from server.background import in_thread
from server.progress import ProgressReporter
from server.protocol import work_done_token

if TYPE_CHECKING:
    from memory_core.ports import Progress
    from server.language_server import Server
    from server.state import Root

T = TypeVar("T")
Work = Callable[["Progress"], Coroutine[Any, Any, T]]

# How long a cancelled job may take to end in good order before its pending request is broken off.
_GRACE_S = 0.5


class Job:
    """One running job, and the core's port for it: `report` and `cancelled` are called on the job's thread."""

    def __init__(self, reporter: ProgressReporter) -> None:
        self.reporter = reporter
        self.cancel_requested = asyncio.Event()
        self.ended = asyncio.Event()
        self._cancelled = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._stop: Callable[[], object] | None = None

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def report(self, message: str, fraction: float | None = None) -> None:
        self._loop.call_soon_threadsafe(self.reporter.report, message, fraction)

    def run(self, work: Work[T]) -> T:
        """The work, on this thread, to its end or until it is broken off."""

        async def main() -> T:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            if task:
                self._stop = lambda: loop.call_soon_threadsafe(task.cancel)
            return await work(self)

        return asyncio.run(main())

    def cancel(self) -> None:
        """Ask the job to stop; on the server's event loop."""
        if self._cancelled.is_set():
            return
        self._cancelled.set()
        self.cancel_requested.set()
        self.reporter.end("cancelled")
        self._loop.call_later(_GRACE_S, self._break_off)

    def _break_off(self) -> None:
        try:
            if self._stop:
                self._stop()
        except RuntimeError:
            pass  # the job's loop is closed: it has ended by itself


class Jobs:
    """The running jobs."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._running: dict[tuple[str, Root], Job] = {}
        self._by_request: dict[str | int, Job] = {}

    async def run(self, kind: str, root: Root, title: str, work: Work[T]) -> T:
        """The result of `work`. JsonRpcException where one of the kind is running for this root, where it was cancelled
        (at once, the thread ends on its own), or where the core refused."""
        if (before := self._running.get((kind, root))) and before.cancelled:
            # It is ending; who asks again right behind a cancel need not ask twice.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(2 * _GRACE_S):
                    await before.ended.wait()
        if (kind, root) in self._running:
            raise errors.request_failed(f"Another {kind} of this workspace is running: wait for it, or cancel it.")
        request = self._server.protocol.msg_id
        if request is not None and self._server.protocol.is_given_up(request):
            raise errors.cancelled()  # while the workspace was still being opened
        job = Job(ProgressReporter(self._server, work_done_token.get()))
        self._running[kind, root] = job
        self._server.status.changed(root)
        if request is not None:
            self._by_request[request] = job
        begun = asyncio.ensure_future(job.reporter.begin(title, cancellable=True))
        result = in_thread(kind, lambda: job.run(work))
        result.add_done_callback(partial(self._forget, kind, root, job))
        stopped = asyncio.ensure_future(job.cancel_requested.wait())
        await asyncio.wait((result, stopped), return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not result.done():
            raise errors.cancelled()
        await asyncio.wait({begun}, timeout=0.1)
        job.reporter.end()
        return _outcome(result)

    def kinds(self, root: Root) -> list[str]:
        """What is being done for a root."""
        return sorted(kind for kind, of in self._running if of is root)

    def cancel_request(self, msg_id: str | int) -> None:
        """The client gave a request up."""
        if job := self._by_request.get(msg_id):
            job.cancel()

    def cancel_token(self, token: types.ProgressToken) -> None:
        """A person pressed cancel."""
        for job in list(self._running.values()):
            if job.reporter.token == token:
                job.cancel()

    def cancel_all(self) -> None:
        for job in list(self._running.values()):
            job.cancel()

    def _forget(self, kind: str, root: Root, job: Job, result: asyncio.Future[Any]) -> None:
        result.exception()  # of a cancelled job nobody else asks for it, and asyncio would report that
        self._running.pop((kind, root), None)
        job.ended.set()
        self._server.status.staging_changed(root)
        self._by_request = {request: other for request, other in self._by_request.items() if other is not job}


def _outcome(result: asyncio.Future[T]) -> T:
    try:
        return result.result()
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    except asyncio.CancelledError as error:
        raise errors.cancelled() from error
