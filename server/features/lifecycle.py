"""`initialize`, `initialized`, `shutdown`: meeting the client and taking leave."""

from __future__ import annotations

import asyncio

from lsprotocol import types

from server import settings
from server.client import profile_of
from server.convert.uris import to_path
from server.features.configuration import pull_settings
from server.features.roots_in_use import close_removed, folders
from server.language_server import Server
from server.lifetime import watch_parent

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
    roots = [found for folder in folders(ls) if (found := ls.state.find_root(folder))]
    for root, new in roots:
        if new:
            ls.loader.load(root)
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
    close_removed(ls, [path for folder in params.event.removed if (path := to_path(folder.uri))])
