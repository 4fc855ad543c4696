"""`textDocument/references`."""

from __future__ import annotations

from lsprotocol import types

from server.convert import from_lsp, to_lsp
from server.language_server import Server


async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.navigation else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.references import references as places_of

    view = ls.state.view(text, root)
    encoding = ls.state.client.encoding
    places = places_of(snapshot, view, from_lsp.position(view.lines, params.position, encoding))
    locate = ls.state.locator(root)
    return [to_lsp.location(place.path, place.range, locate, encoding) for place in places]
