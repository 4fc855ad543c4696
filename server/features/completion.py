"""`textDocument/completion`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from server.convert import completion as convert
from server.convert import from_lsp
from server.convert.plain import Plain
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.ide.offer import CompletionResult
    from memory_core.text import LineIndex, Position

# `-` is no trigger: it would restart the list inside a slug. Nor is `/`: a list that opens in every path takes the
# return key of those who write paths.
OPTIONS = types.CompletionOptions(trigger_characters=["#"], resolve_provider=True)


async def completion(ls: Server, params: types.CompletionParams) -> Plain | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.completion)
    if about is None:
        return None
    text, root, snapshot = about
    from memory_core.ide.completion import complete

    client = ls.state.client
    view = ls.state.view(text, root)
    at = from_lsp.position(view.lines, params.position, client.encoding)
    asked = params.context is None or params.context.trigger_kind is types.CompletionTriggerKind.Invoked
    result = _setting(view.lines, at) if root.is_settings(text) else None
    result = result or complete(snapshot, view, at, explicit=asked, uses=ls.usage.order(root))
    return convert.completion_list(view.lines, result, client, text.uri) if result else None


def _setting(lines: LineIndex, at: Position) -> CompletionResult | None:
    from memory_core.ide.config_help import complete_config

    return complete_config(lines, at)
