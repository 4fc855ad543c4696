"""`textDocument/completion`."""

from __future__ import annotations

from lsprotocol import types

from server.convert import from_lsp, to_lsp
from server.language_server import Server

# `-` is no trigger: it would restart the list inside a slug.
OPTIONS = types.CompletionOptions(trigger_characters=["#"])


async def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.completion else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.completion import complete

    client = ls.state.client
    view = ls.state.view(text, root)
    at = from_lsp.position(view.lines, params.position, client.encoding)
    asked = params.context is None or params.context.trigger_kind is types.CompletionTriggerKind.Invoked
    uses = {ref: used.count for ref, used in root.used.items()}
    result = complete(snapshot, view, at, explicit=asked, uses=uses)
    return (
        to_lsp.completion_list(view.lines, result, client.encoding, label_details=client.label_details)
        if result
        else None
    )
