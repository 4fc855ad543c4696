"""What a process of ours needs before anything else: streams that are there, and an interrupt that ends it quietly.

Loaded before the command line is: imports nothing of it.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

_STREAMS = ("stdin", "stdout", "stderr")  # by their descriptor
INTERRUPTED = 130


def open_closed_streams() -> None:
    """Put the null device in place of standard streams that were closed (`<&-`, `>&-`, some services): Python has None
    for these, and the next file that is opened, which may be a record, would get their descriptor and their output."""
    for number, name in enumerate(_STREAMS):
        if getattr(sys, name) is not None:
            continue
        handle = os.open(os.devnull, os.O_RDWR)
        if handle != number:
            os.dup2(handle, number)
            os.close(handle)
        os.set_inheritable(number, True)
        mode = "w" if number else "r"
        setattr(sys, name, open(number, mode, encoding="utf-8", errors="replace", closefd=False))  # noqa: SIM115


def leave_at_interrupt() -> None:
    """From now on Ctrl-C ends the process at once: while modules are loaded, and while the interpreter is shut down,
    nobody is there to catch what Python raises. Who has it handled otherwise, or ignored (`nohup`), keeps that."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def raise_at_interrupt() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt, as usual: somebody catches it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)
