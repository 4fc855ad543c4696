"""`textDocument/prepareRename`: what would be renamed here, or why nothing can be."""

from __future__ import annotations

from lsprotocol import types

from server import errors
from server.convert import from_lsp, to_lsp
from server.language_server import Server


async def prepare_rename(ls: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """A refusal is an error with its reason: an editor shows that, and of null only that it was null."""
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.navigation)
    if about is None:
        return None
    text, root, snapshot = about
    from memory_core.ide.rename import prepare
    from memory_core.refactor.referrers import Refusal

    encoding = ls.state.client.encoding
    view = ls.state.view(text, root)
    found = prepare(snapshot, view, from_lsp.position(view.lines, params.position, encoding))
    if isinstance(found, Refusal):
        raise errors.refused(found)
    return types.PrepareRenamePlaceholder(to_lsp.range_of(view.lines, found.range, encoding), found.placeholder)
