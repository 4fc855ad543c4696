"""Upkeep of enrichers in a process of its own, at low priority: nobody waits for it and no editor shares its time.

Starts it and returns; what it does is `omoide enricher sync`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping

from memory_core.layout import Layout
from memory_core.store.files import opened_to_write, require_inside

PAUSE_S = 10.0  # between two starts: a burst of searches or saves starts one


def start_upkeep(
    layout: Layout, environment: Mapping[str, str], now: float | None = None
) -> subprocess.Popen[bytes] | None:
    """Start one and return it, unless one was started a moment ago. A failure is nobody's failure."""
    if environment.get("OMOIDE_NO_BACKGROUND"):
        return None
    mark = layout.cache / "enrichers" / "started"
    now = time.time() if now is None else now
    try:
        require_inside(layout.root, mark)
        if mark.exists() and 0 <= now - mark.stat().st_mtime < PAUSE_S:
            return None
        with opened_to_write(mark):
            os.utime(mark, (now, now))
        # -I: a folder `memory_core` in the user's workspace is never run.
        return subprocess.Popen(
            [sys.executable, "-I", "-m", "memory_core", "--workspace", str(layout.workspace), "enricher", "sync"],
            env={**environment, "OMOIDE_NICE": "10"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=sys.platform != "win32",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        return None
