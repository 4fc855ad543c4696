"""`textDocument/documentSymbol`: frontmatter fields and headings of a record."""

from __future__ import annotations

from lsprotocol import types

from server.convert import symbols as to_lsp
from server.convert.plain import Plain
from server.language_server import Server
from server.long_texts import answer


async def document_symbol(ls: Server, params: types.DocumentSymbolParams) -> Plain | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.symbols)
    if about is None:
        return None
    text, root, _ = about
    from memory_core.ide.symbols import sections

    client = ls.state.client
    view = ls.state.view(text, root)
    if view.record is None:
        return None  # another server outlines it

    def work() -> Plain:
        found = sections(view, headings=not client.outlines_markdown)
        if client.nested_symbols:
            return Plain(to_lsp.document_symbols(view.lines, found, client.encoding))
        return Plain(list(to_lsp.flat_symbols(view.lines, text.uri, found, client.encoding)))

    return await answer(text, work)
