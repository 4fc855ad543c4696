"""Where a program of this machine lies, never one that lies where somebody happens to work. Starts nothing."""

from __future__ import annotations

import os
from pathlib import Path


def program_named(name: str) -> str | None:
    """The absolute path of a program in a folder that PATH names absolutely; None where there is none.

    Windows looks into the current folder first, and so does every system where PATH has an empty or relative entry:
    a repository could bring a `git` of its own.
    """
    endings = os.environ.get("PATHEXT", ".EXE").split(os.pathsep) if os.name == "nt" else [""]
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if os.path.isabs(folder):  # noqa: PTH117 - an entry, not yet a path of ours
            for ending in endings:
                path = Path(folder, f"{name}{ending}")
                if path.is_file() and os.access(path, os.X_OK):
                    return str(path)
    return None
