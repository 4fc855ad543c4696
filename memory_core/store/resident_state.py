"""One value that stands for every file that may have a place in the resident context, found without reading one.

Loads next to nothing: an agent's session waits for it.
"""

from __future__ import annotations

import hashlib
import os
import time
from array import array
from contextlib import suppress

from memory_core.layout import SUMMARY_PATH, Layout

_SETTLED_NS = 2_000_000_000  # a file changed so shortly before may change again without its time telling


def resident_state(layout: Layout) -> str:
    """What stands for the state of every file that may have a place in the resident context, without reading one.
    Empty while one of them changed so recently that its time does not tell, and where there is none: what stands for
    nothing is known to whoever brings a repository, as the change times of files are not."""
    stamps = array("Q")
    newest = 0
    for folder in ("knowledge", "workflow"):
        with suppress(OSError):
            status = (layout.root / folder).stat()
            stamps.append(status.st_mtime_ns)  # a file that came, went or changed its name
            with os.scandir(layout.root / folder) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    modified, changed = status.st_mtime_ns, status.st_ctime_ns
                    stamps.extend((modified, changed, status.st_size))
                    newest = max(newest, modified, changed)
    with suppress(OSError):
        status = (layout.root / SUMMARY_PATH).lstat()
        stamps.extend((status.st_mtime_ns, status.st_ctime_ns, status.st_size))
        newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
    return "" if not newest or newest > time.time_ns() - _SETTLED_NS else hashlib.sha256(stamps.tobytes()).hexdigest()
