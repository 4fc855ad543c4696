"""`textDocument/implementation`: what a record stands on, as places in the sessions that it comes from."""

from __future__ import annotations

from lsprotocol import types

from server import transcripts
from server.convert import from_lsp
from server.language_server import Server


async def implementation(ls: Server, params: types.ImplementationParams) -> list[types.Location] | None:
    """The evidence of the record that is named under the cursor, else of the one being edited."""
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    snapshot = await ls.loader.snapshot(root) if root and ls.state.settings.navigation else None
    if not text or not root or not snapshot:
        return None
    from memory_core.ide.evidence import evidence_for

    view = ls.state.view(text, root)
    at = from_lsp.position(view.lines, params.position, ls.state.client.encoding)
    ref, evidence = evidence_for(snapshot, view, at)
    if not evidence:
        if ref:
            ls.note(f"{ref} names no source: nothing says where it comes from.")
        return None
    places = await transcripts.shown(ls, root, [transcripts.wanted_of(place) for place in evidence])
    transcripts.say_notes(ls, places)
    found = {(place.path, place.line): place for place in places}
    return [transcripts.location(place) for place in found.values()]
