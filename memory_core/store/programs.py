"""Where a program of this machine lies, never one that lies where somebody happens to work. Starts nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def program_named(name: str, path: str | None = None) -> str | None:
    """The absolute path of a program in a folder that PATH names absolutely; None where there is none.

    Windows looks into the current folder first, and so does every system where PATH has an empty or relative entry:
    a repository could bring a `git` of its own.
    """
    entries = (os.environ.get("PATH", os.defpath) if path is None else path).split(os.pathsep)
    folders = [entry for entry in entries if os.path.isabs(entry)]  # noqa: PTH117 - an entry, not yet a path of ours
    here = Path(os.path.realpath(os.curdir))
    for folder in folders:
        found = shutil.which(name, path=folder)
        # On Windows `which` looks into the current folder too, whatever folder it is given.
        if found and os.path.isabs(found) and (Path(folder) == here or Path(found).parent != here):  # noqa: PTH117
            return found
    return None
