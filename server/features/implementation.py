"""`textDocument/implementation`: what a record stands on, as places in the sessions that it comes from."""

from __future__ import annotations

from lsprotocol import types

from server import transcripts
from server.convert import from_lsp
from server.language_server import Server


async def implementation(ls: Server, params: types.ImplementationParams) -> list[types.Location] | None:
    """The evidence of the record that is named under the cursor, else of the one being edited."""
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.navigation)
    if about is None:
        return None
    text, root, snapshot = about
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
