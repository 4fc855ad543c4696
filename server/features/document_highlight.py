"""`textDocument/documentHighlight`: the same reference elsewhere in the text."""

from __future__ import annotations

from lsprotocol import types

from server.convert import from_lsp, to_lsp
from server.language_server import Server
from server.long_texts import answer


async def document_highlight(ls: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.navigation else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.highlight import highlights

    encoding = ls.state.client.encoding
    view = ls.state.view(text, root)
    position = from_lsp.position(view.lines, params.position, encoding)
    found = await answer(text, lambda: highlights(view, position))
    kind = types.DocumentHighlightKind.Read
    # None, not an empty list: the editor then highlights the word under the cursor by itself.
    return [types.DocumentHighlight(to_lsp.range_of(view.lines, span, encoding), kind) for span in found] or None
