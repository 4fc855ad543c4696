"""`textDocument/references`: where a record is named, in records and in whatever else is open in the editor."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.text import counted
from server.convert import from_lsp, places, to_lsp
from server.convert.plain import Encoded
from server.language_server import Server
from server.open_mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory_core.records.schema import RecordRef
    from memory_core.snapshot import Snapshot
    from server.state import Root


async def references(ls: Server, params: types.ReferenceParams) -> Encoded | None:
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.linked(root) if root and ls.state.settings.navigation else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.references import MAX_OUTSIDE, subject
    from memory_core.ide.references import references as references_of

    view = ls.state.view(text, root)
    encoding = ls.state.client.encoding
    at = from_lsp.position(view.lines, params.position, encoding)
    ref = subject(view, at)
    if ref is None:
        return None
    found = references_of(snapshot, view, at)
    if found.cut:
        ls.note(f"{len(found.packed):,} places are shown; {counted(found.documents, 'record')} name it.")

    def written_out() -> Encoded:
        return places.locations(found.packed, ls.state.uris(root), ls.state.locator(root), encoding)

    # The snapshot, and with it the places, is another one as soon as a record changes, on disk or in the editor.
    opened = frozenset((path, text.uri) for path, text in ls.state.texts_of(root).items())
    inside = ls.kept_locations.of(found.packed, (root.layout.root, encoding, opened), written_out)
    more = list(islice(_outside(ls, root, ref), MAX_OUTSIDE))
    if params.context.include_declaration:
        more += _declaration(ls, root, snapshot, ref)
    return _joined(inside, more)


def _outside(ls: Server, root: Root, ref: RecordRef) -> Iterator[dict[str, Any]]:
    """The places in open texts of the same workspace that are no records."""
    for text, view, span in mentions(ls.state, root, ref):
        yield _plain(text.uri, to_lsp.range_of(view.lines, span, ls.state.client.encoding))


def _declaration(ls: Server, root: Root, snapshot: Snapshot, ref: RecordRef) -> list[dict[str, Any]]:
    """The record itself, at the first line of its file, as a definition is."""
    document = snapshot.document(ref)
    if document is None:
        return []
    span = to_lsp.range_of(document.lines, document.lines.line_range(0), ls.state.client.encoding)
    return [_plain(ls.state.uris(root)(document.path), span)]


def _plain(uri: str, span: types.Range) -> dict[str, Any]:
    start, end = ({"line": place.line, "character": place.character} for place in (span.start, span.end))
    return {"uri": uri, "range": {"start": start, "end": end}}


def _joined(found: Encoded, more: list[dict[str, Any]]) -> Encoded:
    if not more:
        return found
    inside = found.text[1:-1]
    return Encoded(f"[{inside}{',' if inside else ''}{json.dumps(more)[1:-1]}]")
