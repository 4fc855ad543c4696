"""What the operating system says of processes and file locks, alike on Linux, macOS and Windows. Decides nothing."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_core.store.programs import program_named


def identity() -> dict[str, Any]:
    """This process, as a file can name it: `pid`, `host`, `process_started`."""
    return {"pid": os.getpid(), "host": socket.gethostname(), "process_started": started(os.getpid())}


def gone(named: Mapping[str, Any]) -> bool:
    """Whether the process an `identity` names certainly runs no more. Another host's processes cannot be looked at, so
    they never count as gone."""
    pid, host = named.get("pid"), named.get("host")
    if not isinstance(pid, int) or (isinstance(host, str) and host != socket.gethostname()):
        return False
    if not alive(pid):
        return True
    then, today = named.get("process_started"), started(pid)
    return then is not None and today is not None and then != today  # the number was given to another process


def alive(pid: int) -> bool:
    """Whether a process with this number runs on this host; one we may not signal counts as running."""
    if pid <= 0 or pid > 0x7FFFFFFF:
        return False
    if sys.platform == "win32":
        return _alive_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def started(pid: int) -> str | None:
    """A text that differs between two processes that had the same number; None where the system does not tell."""
    stat = _linux_stat(pid)
    if stat:
        # proc(5): field 22 is the start in ticks since boot, so the boot has to be told apart too.
        return f"{_boot_id()}/{stat[19]}"
    if os.name == "nt" or Path("/proc/self/stat").exists():
        return None
    ps = program_named("ps")
    if ps is None:
        return None
    try:
        done = subprocess.run(
            [ps, "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, timeout=5, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def lock_file(handle: int) -> None:
    """Wait for the exclusive lock on an open file; closing it, or dying, frees it. No-op where locks do not exist."""
    if sys.platform == "win32":
        import msvcrt

        windows: Any = msvcrt
        with contextlib.suppress(OSError):
            windows.locking(handle, windows.LK_LOCK, 1)
        return
    import fcntl

    with contextlib.suppress(OSError):  # a network drive without locks: exclusive creation still holds
        fcntl.flock(handle, fcntl.LOCK_EX)


def _linux_stat(pid: int) -> list[str] | None:
    """The fields of /proc/<pid>/stat behind the name, which may itself hold spaces and brackets."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None


def _is_zombie(pid: int) -> bool:
    stat = _linux_stat(pid)
    return bool(stat) and stat is not None and stat[0] == "Z"


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _alive_on_windows(pid: int) -> bool:
    """`os.kill(pid, 0)` would interrupt the process there. Constants: winnt.h, winerror.h."""
    import ctypes

    kernel: Any = getattr(ctypes, "windll").kernel32  # noqa: B009 - absent from the stubs of other systems
    handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return bool(kernel.GetLastError() == 5)  # ERROR_ACCESS_DENIED
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == 259  # STILL_ACTIVE
