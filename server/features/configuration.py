"""The section `omoide` of the editor's settings: taken as sent, or asked for."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from server import settings
from server.language_server import Server


def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """New settings: as sent, or asked for where the client only says that something changed."""
    if isinstance(params.settings, dict) and settings.SECTION in params.settings:
        apply_settings(ls, params.settings)
    else:
        asyncio.ensure_future(pull_settings(ls))  # noqa: RUF006 - it ends by itself, and nobody waits for it


async def pull_settings(ls: Server) -> None:
    """Ask the client for the section, where it answers such questions; no answer changes nothing."""
    if not ls.state.client.pulls_configuration:
        return
    item = types.ConfigurationItem(section=settings.SECTION)
    if ls.settings_asked:  # what it answers now may be older than what the next one does
        ls.protocol.withdraw(ls.settings_asked)
    ls.settings_asked = ls.workspace_configuration(types.ConfigurationParams([item]))
    answer = asyncio.wrap_future(ls.settings_asked)
    await asyncio.wait({answer})
    if not answer.cancelled() and not answer.exception() and answer.result() and answer.result()[0] is not None:
        apply_settings(ls, answer.result()[0])


def apply_settings(ls: Server, data: Any) -> None:
    """Make settings the current ones; what is wrong with them is said once, to the person who wrote them."""
    ls.state.settings, problems = settings.parse(data)
    if problems:
        ls.say(" ".join(problems), types.MessageType.Warning)
    asyncio.ensure_future(ls.diagnostics.pulled.register())  # noqa: RUF006 - it ends by itself, and nobody waits for it
    for root in ls.state.roots.values():
        ls.diagnostics.schedule(root, everything=True)
