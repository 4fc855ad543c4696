"""`textDocument/foldingRange`: the frontmatter of a record."""

from __future__ import annotations

from lsprotocol import types

from server.language_server import Server
from server.long_texts import answer


async def folding_range(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.symbols)
    if about is None:
        return None
    text, root, _ = about
    from memory_core.ide.folding import folds

    # None, not an empty list: VS Code takes an empty one for an answer and no longer folds by indentation.
    view = ls.state.view(text, root)
    found = await answer(text, lambda: list(folds(view)))
    return [types.FoldingRange(start, end) for start, end in found] or None
