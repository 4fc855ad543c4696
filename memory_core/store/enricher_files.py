"""The state of enrichers on disk, under the cache: safe to delete, since everything in it can be made again."""

from __future__ import annotations

import contextlib
from pathlib import Path

from memory_core.enrich.state import EnricherState, from_json
from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store.files import read_or_none, require_inside, write_whole


def state_path(layout: Layout, name: str) -> Path:
    return layout.cache / "enrichers" / f"{name}.json"


def read_state(layout: Layout, name: str) -> EnricherState:
    """The state of one enricher; the empty one where there is none or it cannot be read."""
    try:
        data = read_or_none(state_path(layout, name))
    except StoreError:
        return EnricherState()
    return from_json(data.decode("utf-8", "replace")) if data else EnricherState()


def write_state(layout: Layout, name: str, state: EnricherState) -> None:
    """Keep a state. A disk that refuses loses what can be made again, and nothing else."""
    path = state_path(layout, name)
    require_inside(layout.root, path)
    with contextlib.suppress(OSError):
        write_whole(path, state.to_json().encode("utf-8", "replace"))
