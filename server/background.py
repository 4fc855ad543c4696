"""Work beside the event loop, on daemon threads: a busy one never keeps the process alive.

Never pygls' thread pool: its threads are waited for at the end of the process.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

T = TypeVar("T")

# How long a thread may keep an answer waiting before it makes room. Each look at a file, and each of the many that an
# import takes, is a wait of its own.
_TURN_S = 0.0001
_USUAL_TURN_S = sys.getswitchinterval()
_LIVELY_S = 0.05  # behind a message: somebody types, or a program asks one thing after the other
_WORK_S, _PAUSE_S = 0.001, 0.003  # of a thread that steps aside: an answer takes about as long as a pause

_turns_guard = threading.Lock()
_short_turns = 0


def in_thread(name: str, work: Callable[[], T]) -> asyncio.Future[T]:
    """The result of `work`, done on a thread of its own. Cancelling the future does not stop the thread.

    Threads take short turns meanwhile: an answer that looks at a few files waits for its turn at each of them.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            with short_turns():
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


@contextmanager
def short_turns() -> Iterator[None]:
    """Threads take turns more often as long as anybody wants them to: an answer waits less for work beside it."""
    global _short_turns
    with _turns_guard:
        _short_turns += 1
        sys.setswitchinterval(_TURN_S)
    try:
        yield
    finally:
        with _turns_guard:
            _short_turns -= 1
            if not _short_turns:
                sys.setswitchinterval(_USUAL_TURN_S)


class Traffic:
    """Whether the client is asking just now: long work steps aside for its answers. `clock`, `sleep`: in seconds."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._last = -_LIVELY_S

    def asked(self) -> None:
        """A message came."""
        self._last = self._clock()

    def stepping_aside(self) -> Callable[[], None]:
        """To be called between two small steps of work on a thread: pauses now and then while messages come."""
        since = self._clock()

        def step() -> None:
            nonlocal since
            now = self._clock()
            if now - since < _WORK_S:
                return
            if now - self._last < _LIVELY_S:
                self._sleep(_PAUSE_S)
                now = self._clock()
            since = now

        return step
