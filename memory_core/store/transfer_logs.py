"""The logs that go along with an export: how candidates were closed, and usage. Added only where there are none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memory_core.layout import Layout
from memory_core.store.files import encode, read_or_none, require_inside, write_whole

# What may be in an export, and where it lies: nothing else of a file that somebody sent is written.
NAMES = ("resolutions", "usage")


def read_logs(layout: Layout) -> dict[str, str]:
    """The logs as text; bytes that are not UTF-8 become U+FFFD, in the line that holds them only."""
    found = {name: read_or_none(_path(layout, name)) for name in NAMES}
    return {name: data.decode("utf-8", "replace") for name, data in found.items() if data}


def missing_logs(layout: Layout, logs: Mapping[str, str]) -> dict[str, str]:
    """Those of the logs that this store has nothing of yet: two histories are never mixed."""
    return {name: logs[name] for name in NAMES if logs.get(name) and not read_or_none(_path(layout, name))}


def write_logs(layout: Layout, logs: Mapping[str, str]) -> None:
    for name, text in logs.items():
        path = _path(layout, name)
        require_inside(layout.root, path)
        write_whole(path, encode(text, path))


def _path(layout: Layout, name: str) -> Path:
    return {"resolutions": layout.resolutions, "usage": layout.usage}[name]
