"""The end of the process: with its client, in bounded time, whatever threads are still busy."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from functools import partial

_INTERVAL_S = 0.5
_HIGHEST = 0x7FFF_FFFF  # of a process number


def leave(code: int, last: Callable[[], None]) -> None:
    """End now, after `last`. Threads that hang in a model call, a slow disk or a full pipe are not waited for; what was
    written is flushed already, and to flush here would wait for a thread that hangs in the writing."""
    try:
        last()
    finally:
        os._exit(code)


def watch_parent(process_id: int, last: Callable[[], None]) -> None:
    """End when the client's process does: a client that was killed sends no `exit`, and while somebody else holds
    its end of the pipe there is no end of input either. A number that names nobody from the start is a client's
    mistake, or was given in another container than ours: no reason to end."""
    if not 0 < process_id <= _HIGHEST:
        return
    if os.getppid() == process_id:

        def runs() -> bool:
            return os.getppid() == process_id
    else:
        from memory_core.store.process import alive  # only for a client that another program stands in front of

        runs = partial(alive, process_id)
        if not runs():
            return

    def run() -> None:
        while runs():
            time.sleep(_INTERVAL_S)
        leave(1, last)

    threading.Thread(target=run, name="omoide-parent", daemon=True).start()
