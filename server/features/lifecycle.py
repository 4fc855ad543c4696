"""`initialize`, `initialized`, `shutdown`: meeting the client and taking leave."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types

from server import settings
from server.client import profile_of
from server.convert.uris import to_path
from server.features.configuration import pull_settings
from server.language_server import Server
from server.lifetime import watch_parent


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
    await asyncio.gather(ls.watchers.register(), pull_settings(ls))
    await ls.diagnostics.pulled.register()


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
    for folder in params.event.removed:
        found = ls.state.find_root(to_path(folder.uri))
        if found and found[0] not in kept:
            ls.state.drop_root(found[0])
            ls.watchers.forget(found[0])
            ls.session_watches.forget(found[0])
            ls.diagnostics.drop(found[0])


def _folders(ls: Server) -> list[Path]:
    folders = [to_path(folder.uri) for folder in ls.workspace.folders.values()]
    if not folders and ls.workspace.root_uri:
        folders = [to_path(ls.workspace.root_uri)]
    return [folder for folder in folders if folder]
