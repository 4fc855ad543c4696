"""`textDocument/definition`."""

from __future__ import annotations

from lsprotocol import types

from server.convert import from_lsp, to_lsp
from server.language_server import Server


async def definition(ls: Server, params: types.DefinitionParams) -> types.Location | list[types.LocationLink] | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.navigation else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.definition import define

    client = ls.state.client
    view = ls.state.view(text, root)
    found = define(snapshot, view, from_lsp.position(view.lines, params.position, client.encoding))
    if found is None:
        return None
    ls.usage.record(root, found.ref, "EditorOpen")
    locate = ls.state.locator(root)
    return to_lsp.definition(view.lines, found, locate, client.encoding, links=client.definition_links)
