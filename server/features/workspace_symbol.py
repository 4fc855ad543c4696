"""`workspace/symbol`: records by slug, at most 200 over all roots."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from server.convert import symbols as to_lsp
from server.convert.plain import Plain
from server.language_server import Server


async def workspace_symbol(ls: Server, params: types.WorkspaceSymbolParams) -> Plain | None:
    if not ls.state.settings.symbols:
        return None
    from memory_core.ide.symbols import MAX_SYMBOLS, record_symbols, used_first

    roots = list(ls.state.roots.values())
    rows: list[tuple[int, dict[str, Any]]] = []
    for root in roots:
        snapshot = await ls.loader.snapshot(root)
        if snapshot is None:
            continue
        used = used_first({ref: used.count for ref, used in root.used.items()})
        found = record_symbols(snapshot, params.query, used)
        folder = root.layout.workspace.name if len(roots) > 1 else ""
        shown = to_lsp.workspace_symbols(found, ls.state.uris(root), folder)
        rows += zip((symbol.rank for symbol in found), shown, strict=True)
    rows.sort(key=lambda row: row[0])
    return Plain([symbol for _, symbol in rows[:MAX_SYMBOLS]])
