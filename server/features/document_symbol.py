"""`textDocument/documentSymbol`: frontmatter fields and headings of a record."""

from __future__ import annotations

from lsprotocol import types

from server.convert import symbols as to_lsp
from server.convert.plain import Plain
from server.language_server import Server
from server.long_texts import answer


async def document_symbol(ls: Server, params: types.DocumentSymbolParams) -> Plain | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.symbols else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.symbols import sections

    client = ls.state.client
    view = ls.state.view(text, root)
    if view.record is None:
        return None  # another server outlines it
    found = await answer(text, lambda: sections(view, headings=not client.outlines_markdown))
    if client.nested_symbols:
        return Plain(to_lsp.document_symbols(view.lines, found, client.encoding))
    return Plain(list(to_lsp.flat_symbols(view.lines, text.uri, found, client.encoding)))
