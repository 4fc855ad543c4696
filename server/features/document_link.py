"""`textDocument/documentLink`: references as links to the files of their records."""

from __future__ import annotations

from lsprotocol import types

from server.convert.plain import Plain
from server.convert.symbols import plain_range
from server.language_server import Server
from server.long_texts import answer


async def document_link(ls: Server, params: types.DocumentLinkParams) -> Plain | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.navigation)
    if about is None:
        return None
    text, root, snapshot = about
    from memory_core.ide.links import document_links

    client, uri_of = ls.state.client, ls.state.uris(root)
    view = ls.state.view(text, root)

    def work() -> Plain:
        return Plain(
            [
                {
                    "range": plain_range(view.lines, link.range, client.encoding),
                    "target": uri_of(link.path),
                    **({"tooltip": link.tooltip} if client.link_tooltips else {}),
                }
                for link in document_links(snapshot, view)
            ]
        )

    return await answer(text, work)
