"""Work beside the event loop, on daemon threads: a busy one never keeps the process alive.

Never pygls' thread pool: its threads are waited for at the end of the process.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

T = TypeVar("T")


def in_thread(name: str, work: Callable[[], T]) -> asyncio.Future[T]:
    """The result of `work`, done on a thread of its own. Cancelling the future does not stop the thread."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to whoever awaits the result
            _settle(done, partial(done.set_exception, error))
        else:
            _settle(done, partial(done.set_result, result))

    threading.Thread(target=run, name=f"omoide-{name}", daemon=True).start()
    return asyncio.wrap_future(done)


def _settle(done: Future[T], step: Callable[[], None]) -> None:
    if done.set_running_or_notify_cancel():  # False: nobody waits any more, the event loop may be closed
        step()
