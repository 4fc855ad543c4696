"""The end of the process: with its client, in bounded time, whatever threads are still busy."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

_INTERVAL_S = 0.5


def leave(code: int, last: Callable[[], None]) -> None:
    """End now, after `last`. Threads that hang in a model call, a slow disk or a full pipe are not waited for; what was
    written is flushed already, and to flush here would wait for a thread that hangs in the writing."""
    try:
        last()
    finally:
        os._exit(code)


def watch_parent(process_id: int, last: Callable[[], None]) -> None:
    """End when the client's process does: a client that was killed sends no `exit`, and while somebody else holds
    its end of the pipe there is no end of input either."""
    is_our_parent = process_id == os.getppid()

    def run() -> None:
        while os.getppid() == process_id if is_our_parent else is_alive(process_id):
            time.sleep(_INTERVAL_S)
        leave(1, last)

    threading.Thread(target=run, name="omoide-parent", daemon=True).start()


def is_alive(process_id: int) -> bool:
    """Whether a process runs. One that may not be asked counts as running."""
    if sys.platform == "win32":
        return _is_alive_on_windows(process_id)
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _is_alive_on_windows(process_id: int) -> bool:
    """`os.kill(pid, 0)` would end the process there."""
    import ctypes

    synchronize, timed_out = 0x00100000, 0x00000102
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(synchronize, False, process_id)
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == timed_out)
    finally:
        kernel.CloseHandle(handle)
