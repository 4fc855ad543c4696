"""`textDocument/documentHighlight`: the same reference elsewhere in the text."""

from __future__ import annotations

from lsprotocol import types

from server.convert import from_lsp
from server.convert.plain import Plain
from server.convert.symbols import plain_range
from server.language_server import Server
from server.long_texts import answer


async def document_highlight(ls: Server, params: types.DocumentHighlightParams) -> Plain | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.navigation)
    if about is None:
        return None
    text, root, _ = about
    from memory_core.ide.highlight import highlights

    encoding = ls.state.client.encoding
    view = ls.state.view(text, root)
    position = from_lsp.position(view.lines, params.position, encoding)
    kind = types.DocumentHighlightKind.Read.value

    def work() -> list[dict[str, object]]:
        found = highlights(view, position)
        return [{"range": plain_range(view.lines, span, encoding), "kind": kind} for span in found]

    # None, not an empty list: the editor then highlights the word under the cursor by itself.
    return Plain(found) if (found := await answer(text, work)) else None
