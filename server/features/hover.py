"""`textDocument/hover`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from server.convert import from_lsp, to_lsp
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.ide.hover import HoverCard
    from memory_core.text import LineIndex, Position


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.hover)
    if about is None:
        return None
    text, root, snapshot = about
    from memory_core.ide.hover import hover as card_at
    from memory_core.ids import utc_now

    client = ls.state.client
    view = ls.state.view(text, root)
    at = from_lsp.position(view.lines, params.position, client.encoding)
    used = ls.usage.used(root)
    card = _setting(view.lines, at) if root.is_settings(text) else None
    card = card or card_at(snapshot, view, at, now=utc_now(), used=used, linked=snapshot.index.knows_links)
    if card is None:
        return None
    if card.ref:
        ls.usage.record(root, card.ref, "EditorHover")
    return to_lsp.hover(view.lines, card, client.encoding, markdown=client.markdown_hover)


def _setting(lines: LineIndex, at: Position) -> HoverCard | None:
    from memory_core.ide.config_help import hover_config

    return hover_config(lines, at)
