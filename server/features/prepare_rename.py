"""`textDocument/prepareRename`: what would be renamed here, or why nothing can be."""

from __future__ import annotations

from lsprotocol import types

from server import errors
from server.convert import from_lsp, to_lsp
from server.language_server import Server


async def prepare_rename(ls: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """A refusal is an error with its reason: an editor shows that, and of null only that it was null."""
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.navigation else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.rename import prepare
    from memory_core.refactor.referrers import Refusal

    encoding = ls.state.client.encoding
    view = ls.state.view(text, root)
    found = prepare(snapshot, view, from_lsp.position(view.lines, params.position, encoding))
    if isinstance(found, Refusal):
        raise errors.refused(found)
    return types.PrepareRenamePlaceholder(to_lsp.range_of(view.lines, found.range, encoding), found.placeholder)
