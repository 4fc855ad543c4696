"""`completionItem/resolve`: the card of an offered record, made only for the one a person looks at. It is no use."""

from __future__ import annotations

from lsprotocol import types

from server.convert import to_lsp
from server.convert.completion import record_of
from server.language_server import Server


async def resolve(ls: Server, item: types.CompletionItem) -> types.CompletionItem:
    """The item with its documentation; as it came where its text or its record is gone."""
    meant = record_of(item)
    text = ls.state.text(meant[0]) if meant else None
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root else None
    if not meant or not root or not snapshot:
        return item
    from memory_core.ide.card import Circumstances, card
    from memory_core.ids import utc_now
    from memory_core.records.schema import Kind, RecordRef

    _, kind, slug = meant
    if kind not in set(Kind):
        return item
    around = Circumstances(utc_now(), ls.usage.used(root), snapshot.index.knows_links)
    shown = card(snapshot, RecordRef(Kind(kind), slug), around)
    if shown:
        item.documentation = to_lsp.markup(shown, markdown=ls.state.client.markdown_documentation)
    return item
