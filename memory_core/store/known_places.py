"""Where a project was before it was moved, and the linked work trees that it had: sessions there are its own still.

Kept in the machinery of a root, with the number that the file system gave its folder. A folder that was moved keeps
that number; one that was copied, or came with a repository, has another, and names no place of others. A place counts
while nothing is there.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass
from pathlib import Path

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.store.discovery import root_in
from memory_core.store.files import read_or_none, require_inside, write_whole
from memory_core.store.worktrees import linked_worktrees

log = logging.getLogger(__name__)

_FILE = "places.json"
_MOST = 200  # places that are remembered, the latest ones


@dataclass(frozen=True)
class _Kept:
    """`here`: where the workspace was when this was written; `once`: former places of it and of its work trees."""

    folder: int
    here: str
    once: tuple[str, ...] = ()


def known_places(workspace: Path) -> list[Path]:
    """The workspace, its places in linked work trees, and those where it or such a one was and nothing is now."""
    linked = linked_worktrees(workspace)
    layout = root_in(workspace)
    kept = _kept(layout) if layout else None
    once = () if kept is None else tuple(path for path in _with_here(kept, workspace) if not os.path.lexists(path))
    return list(dict.fromkeys([workspace, *linked, *map(Path, once)]))


def remember(layout: Layout) -> None:
    """Note where a workspace is and which linked work trees it has. Where this cannot be written, nothing is lost but
    the sessions of a place that goes."""
    _note(layout)


def add_former(layout: Layout, place: Path) -> None:
    """Count a folder that is gone as a former place of a workspace, as a person says. StoreError where it is there."""
    if os.path.lexists(place):
        raise StoreError(f"{place} is there: only a folder that is gone can be a former place of this project.")
    if not _note(layout, str(place)):
        raise StoreError(f"{layout.cache / _FILE} cannot be written: check space and permissions.")


def _note(layout: Layout, *former: str) -> bool:
    try:
        kept, here = _kept(layout), str(layout.workspace.absolute())
        linked = [str(path) for path in linked_worktrees(layout.workspace)]
        before = _with_here(kept, layout.workspace) if kept else ()
        # What is there and not linked belongs to somebody else now.
        every = dict.fromkeys((*before, *linked, *former))
        once = [path for path in every if path in linked or not os.path.lexists(path)]
        new = _Kept(layout.root.stat().st_ino, here, tuple(once[-_MOST:]))
        if new != kept:
            require_inside(layout.root, layout.cache)
            data = {"schema_version": 1, "folder": new.folder, "here": new.here, "once": new.once}
            write_whole(layout.cache / _FILE, (json.dumps(data, indent=1) + "\n").encode())
    except (OSError, StoreError, UnicodeError) as error:
        log.debug("the places of %s are not remembered: %s", layout.workspace, error)
        return False
    return True


def _with_here(kept: _Kept, workspace: Path) -> tuple[str, ...]:
    """The former places, with the one that was left since."""
    moved = kept.here != str(workspace.absolute())
    return tuple(dict.fromkeys((*kept.once, kept.here))) if moved else kept.once


def _kept(layout: Layout) -> _Kept | None:
    """What is remembered of this very folder; None where nothing is."""
    try:
        data = json.loads(read_or_none(layout.cache / _FILE) or b"{}")
        folder, here, once = data["folder"], data["here"], data["once"]
        sound = isinstance(here, str) and isinstance(once, list) and all(isinstance(path, str) for path in once)
        return _Kept(folder, here, tuple(once)) if sound and folder == layout.root.stat().st_ino else None
    except (OSError, StoreError, ValueError, LookupError, TypeError, RecursionError):
        return None
