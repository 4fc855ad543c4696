"""`initialize`, `initialized`, `shutdown`: meeting the client and taking leave."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.store.discovery import find_root
from server import settings
from server.client import profile_of
from server.convert.uris import to_path
from server.features.configuration import pull_settings
from server.language_server import Server
from server.lifetime import watch_parent

if TYPE_CHECKING:
    from server.state import Root

_PATIENCE_S = 5.0  # for a client's settings, without which the defaults count


def initialize(ls: Server, params: types.InitializeParams) -> None:
    """Note who the client is. Everything that takes time waits for `initialized`."""
    ls.state.client = profile_of(params, ls.protocol.agreed_encoding())
    ls.state.settings, ls.state.setting_problems = settings.parse(params.initialization_options)
    ls.protocol.started = True
    ls.protocol.diagnostic_provider = ls.diagnostics.pulled.capability()
    ls.protocol.tracing.value = params.trace or types.TraceValue.Off
    if params.process_id:
        watch_parent(params.process_id, lambda: ls.usage.close(0.3))


async def initialized(ls: Server, _: types.InitializedParams) -> None:
    roots = [found for folder in _folders(ls) if (found := ls.state.find_root(folder))]
    for root, new in roots:
        if new:
            ls.loader.load(root)
            ls.watchers.watch(root)
    if ls.state.setting_problems:
        ls.say(" ".join(ls.state.setting_problems), types.MessageType.Warning)
    if not roots:
        ls.note("No memory root in this workspace: run `omoide init` in your project's folder. Until then this server "
                "has nothing to offer here.")  # fmt: skip
    # At once: there are clients that leave a question unanswered, and the next must not wait for it.
    await asyncio.gather(ls.watchers.register(), _settle(ls))


async def _settle(ls: Server) -> None:
    """The settings first, by which it is known how the client is asked to ask for diagnostics; but not for ever."""
    asked = asyncio.ensure_future(pull_settings(ls))
    await asyncio.wait({asked}, timeout=_PATIENCE_S)
    await ls.diagnostics.pulled.register()
    await asked


def shutdown(ls: Server, *_: object) -> None:
    ls.jobs.cancel_all()
    ls.usage.close(0.3)


async def did_change_workspace_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """A folder that was added brings its root; that of a removed one goes, unless something open still lies in it."""
    for folder in params.event.added:
        found = ls.state.find_root(to_path(folder.uri))
        if found and found[1]:
            ls.loader.load(found[0])
            ls.watchers.watch(found[0])
    kept = {found[0] for folder in _folders(ls) if (found := ls.state.find_root(folder))}
    kept |= {root for text in ls.state.texts.values() if (root := ls.state.root_of(text))}
    removed = [path for folder in params.event.removed if (path := to_path(folder.uri))]
    for root in [root for root in ls.state.roots.values() if root not in kept and _is_of(root, removed)]:
        ls.state.drop_root(root)
        ls.watchers.forget(root)
        ls.session_watches.forget(root)
        ls.diagnostics.drop(root)


def _is_of(root: Root, folders: Iterable[Path]) -> bool:
    """Whether a root was found by a folder: it lies in it, or the folder lies in its workspace. Asked of the paths and
    not of the disk, where root or folder may be gone."""
    workspace = root.layout.workspace
    real = root.real.parent
    for folder in folders:
        if workspace.is_relative_to(folder) or real.is_relative_to(os.path.realpath(folder)):
            return True
        if folder.is_relative_to(workspace) or _leads_to(root, folder):
            return True
    return False


def _leads_to(root: Root, folder: Path) -> bool:
    """Whether a folder elsewhere has this root, as a linked git worktree has the main one's."""
    layout = find_root(folder)
    return layout is not None and Path(os.path.realpath(layout.root)) == root.real


def _folders(ls: Server) -> list[Path]:
    folders = [to_path(folder.uri) for folder in ls.workspace.folders.values()]
    if not folders and ls.workspace.root_uri:
        folders = [to_path(ls.workspace.root_uri)]
    return [folder for folder in folders if folder]
