"""Which memory roots are in use: those of the client's folders and of open texts, and a few that were in use lately.

Each root that is kept has its records in memory and its folders watched; decides nothing about what is read of it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from memory_core.store.discovery import find_root
from server.convert.uris import to_path
from server.language_server import Server

if TYPE_CHECKING:
    from server.state import Root

# Roots of texts that were closed: who goes back to one finds it read, and who looks into a thousand keeps few.
_MOST_IDLE = 8
_QUIET_S = 0.5


def folders(ls: Server) -> list[Path]:
    """The client's workspace folders."""
    found = [to_path(folder.uri) for folder in ls.workspace.folders.values()]
    if not found and ls.workspace.root_uri:
        found = [to_path(ls.workspace.root_uri)]
    return [folder for folder in found if folder]


def in_use(ls: Server) -> set[Root]:
    """The roots of folders, and those that something open lies in."""
    found = {found[0] for folder in folders(ls) if (found := ls.state.find_root(folder))}
    return found | {root for text in ls.state.texts.values() if (root := ls.state.root_of(text))}


def close_removed(ls: Server, removed: Iterable[Path]) -> None:
    """Some folders are the client's no longer: their roots go, unless they are in use."""
    removed, used = list(removed), in_use(ls)
    for root in list(ls.state.roots.values()):
        if root not in used and _is_of(root, removed):
            _close(ls, root)


def text_closed(ls: Server) -> None:
    """A text was closed: what nothing is open in any more is looked for once it is quiet, for an editor closes hundreds
    of texts in a row, and each look asks the disk about all that are open still."""
    if ls.idle_look:
        ls.idle_look.cancel()
    if len(ls.state.roots) > _MOST_IDLE:
        ls.idle_look = asyncio.get_running_loop().call_later(_QUIET_S, close_idle, ls)


def close_idle(ls: Server) -> None:
    """Of the roots that nothing is open in, only those found last are kept."""
    used = in_use(ls)
    idle = [root for root in ls.state.roots.values() if root not in used and not ls.jobs.kinds(root)]
    for root in idle[:-_MOST_IDLE]:
        _close(ls, root)


def _close(ls: Server, root: Root) -> None:
    ls.state.drop_root(root)
    ls.watchers.forget(root)
    ls.session_watches.forget(root)
    ls.diagnostics.drop(root)
    ls.status.drop(root)
    for expected in [key for key in ls.expected_renames if key[0] is root]:
        ls.expected_renames.pop(expected).cancel()


def _is_of(root: Root, removed: Iterable[Path]) -> bool:
    """Whether a root was found by a folder: it lies in it, or the folder lies in its workspace. Asked of the paths and
    not of the disk, where root or folder may be gone."""
    workspace, real = root.layout.workspace, root.real.parent
    for folder in removed:
        if workspace.is_relative_to(folder) or real.is_relative_to(os.path.realpath(folder)):
            return True
        if folder.is_relative_to(workspace) or _leads_to(root, folder):
            return True
    return False


def _leads_to(root: Root, folder: Path) -> bool:
    """Whether a folder elsewhere has this root, as a linked git worktree has the main one's."""
    layout = find_root(folder)
    return layout is not None and Path(os.path.realpath(layout.root)) == root.real
