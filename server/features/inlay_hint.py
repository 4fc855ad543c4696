"""`textDocument/inlayHint`: what a record is, behind its name. Off unless the setting `inlay_hints` is on."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from server.convert import from_lsp
from server.convert.plain import Plain
from server.convert.symbols import plain_range
from server.language_server import Server


async def inlay_hint(ls: Server, params: types.InlayHintParams) -> Plain | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.inlay_hints)
    if about is None:
        return None
    text, root, snapshot = about
    from memory_core.ide.inlay import hints
    from memory_core.text import Range

    encoding = ls.state.client.encoding
    view = ls.state.view(text, root)
    shown: list[dict[str, Any]] = []
    for hint in hints(snapshot, view, from_lsp.range_of(view.lines, params.range, encoding)):
        place = plain_range(view.lines, Range(hint.position, hint.position), encoding)["start"]
        found = {"position": place, "label": hint.text, "paddingLeft": True}
        shown.append(found | ({"tooltip": hint.tooltip} if hint.tooltip else {}))
    return Plain(shown)
