"""`textDocument/foldingRange`: the frontmatter of a record."""

from __future__ import annotations

from lsprotocol import types

from server.language_server import Server


async def folding_range(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.symbols else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.folding import folds

    # None, not an empty list: VS Code takes an empty one for an answer and no longer folds by indentation.
    return [types.FoldingRange(start, end) for start, end in folds(ls.state.view(text, root))] or None
