"""The figures of earlier audits of one store, outside of it: an audit writes nothing below the root it looks at.

They lie in the user's state folder, one line an audit, and are of this machine alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from memory_core.layout import Layout
from memory_core.store.files import lines_of, read_or_none
from memory_core.store.ordinary import open_ordinary

MOST = 2_000  # lines that are read, the newest: years of daily audits
Line = tuple[str, dict[str, int]]  # when (RFC 3339), and the numbers


def figures_path(layout: Layout, environment: Mapping[str, str]) -> Path:
    """Where the figures of a root are: `OMOIDE_STATE`, or `omoide` in the platform's folder for state."""
    name = hashlib.sha256(os.path.realpath(layout.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    if named := environment.get("OMOIDE_STATE"):
        return Path(named) / "audit" / f"{name}.jsonl"
    import platformdirs

    return Path(platformdirs.user_state_dir("omoide", appauthor=False)) / "audit" / f"{name}.jsonl"


def read_figures(path: Path) -> tuple[list[Line], int]:
    """The lines of earlier audits, oldest first, and how many could not be read. StoreError when the file cannot be."""
    found: list[Line] = []
    skipped = 0
    for line in lines_of(read_or_none(path) or b"")[-MOST:]:
        try:
            value = json.loads(line)
            numbers = {str(name): number for name, number in value["numbers"].items() if type(number) is int}
            found.append((str(value["at"]), numbers))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            skipped += 1
    return found, skipped


def append_figures(path: Path, at: str, numbers: Mapping[str, int]) -> None:
    """Add the numbers of one audit. OSError when that is not possible."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    line = json.dumps({"at": at, "numbers": dict(numbers)}, ensure_ascii=True) + "\n"
    handle = open_ordinary(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        os.write(handle, line.encode("ascii"))
    finally:
        os.close(handle)
