"""`textDocument/definition`: of a name, the record's file; of a source or an anchor, the place in the session."""

from __future__ import annotations

from lsprotocol import types

from server import transcripts
from server.convert import from_lsp, to_lsp
from server.language_server import Server


async def definition(ls: Server, params: types.DefinitionParams) -> types.Location | list[types.LocationLink] | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.navigation)
    if about is None:
        return None
    text, root, snapshot = about
    from memory_core.ide.definition import define
    from memory_core.ide.evidence import evidence_at

    client = ls.state.client
    view = ls.state.view(text, root)
    at = from_lsp.position(view.lines, params.position, client.encoding)
    found = define(snapshot, view, at)
    if found:
        ls.usage.pointed(root, found.ref)
        locate = ls.state.locator(root)
        return to_lsp.definition(view.lines, found, locate, client.encoding, links=client.definition_links)
    evidence = evidence_at(view, at)
    if evidence is None:
        return None
    places = await transcripts.shown(ls, root, [transcripts.wanted_of(evidence)])
    transcripts.say_notes(ls, places)
    place = transcripts.location(places[0])
    if not client.definition_links or evidence.origin is None:
        return place
    origin = to_lsp.range_of(view.lines, evidence.origin, client.encoding)
    return [types.LocationLink(place.uri, place.range, place.range, origin)]
