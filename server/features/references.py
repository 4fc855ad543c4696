"""`textDocument/references`."""

from __future__ import annotations

from lsprotocol import types

from memory_core.text import counted
from server.convert import from_lsp, to_lsp
from server.convert.plain import Plain
from server.language_server import Server


async def references(ls: Server, params: types.ReferenceParams) -> Plain | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.linked(root) if root and ls.state.settings.navigation else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.references import references as references_of

    view = ls.state.view(text, root)
    encoding = ls.state.client.encoding
    found = references_of(snapshot, view, from_lsp.position(view.lines, params.position, encoding))
    if found.cut:
        ls.note(f"{len(found.places):,} places are shown; {counted(found.documents, 'record')} name it.")
    locate, uri_of = ls.state.locator(root), ls.state.uris(root)
    return to_lsp.links(found.places, uri_of, locate, encoding)
