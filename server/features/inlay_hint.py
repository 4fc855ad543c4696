"""`textDocument/inlayHint`: what a record is, behind its name. Off unless the setting `inlay_hints` is on."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from server.convert import from_lsp
from server.convert.plain import Plain
from server.convert.symbols import plain_range
from server.language_server import Server


async def inlay_hint(ls: Server, params: types.InlayHintParams) -> Plain | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.inlay_hints else None
    if not text or not root or not snapshot:
        return None
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
