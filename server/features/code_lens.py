"""`textDocument/codeLens` and `codeLens/resolve`: use and evidence of a record, above its first line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from server import errors
from server.commands import open_transcript, show_uses
from server.convert import to_lsp
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.ide.lens import Lens

SHOW_REFERENCES = "omoide.showReferences"  # a command of our own client, which opens the list of references


async def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    about = await ls.loader.asked_about(params.text_document.uri, wanted=ls.state.settings.lens)
    if about is None:
        return None
    text, root, _ = about
    from memory_core.ide.lens import lenses

    view = ls.state.view(text, root)
    found = []
    for lens in lenses(view):
        place = to_lsp.range_of(view.lines, lens.range, ls.state.client.encoding)
        if lens.source:
            found.append(types.CodeLens(place, _evidence(text.uri, lens)))
        else:
            record = {"uri": text.uri, "kind": str(lens.ref.kind), "slug": lens.ref.slug}
            found.append(types.CodeLens(place, data=record))
    return found


def _evidence(uri: str, lens: Lens) -> types.Command:
    from memory_core.ide.lens import source_title

    source = lens.source
    if source is None:
        raise ValueError("a lens about use has no source")
    given: dict[str, Any] = {"uri": uri, "session_id": source.session_id, "entry": max(0, source.start)}
    if source.agent:
        given["agent"] = source.agent
    return types.Command(title=source_title(source), command=open_transcript.NAME, arguments=[given])


async def resolve(ls: Server, lens: types.CodeLens) -> types.CodeLens:
    """The counts of a lens that came into view; without those of references where they are not known yet."""
    data = lens.data if isinstance(lens.data, dict) else {}
    text = ls.state.text(data["uri"]) if isinstance(data.get("uri"), str) else None
    root = ls.state.root_of(text) if text else None
    path = root.record_path(text) if root and text else None
    snapshot = await ls.loader.snapshot(root) if root else None
    if not root or not path or not snapshot:
        raise errors.invalid_params("This lens is not from here, or its document was closed.")
    from memory_core.ide.lens import use_title
    from memory_core.layout import record_at

    linked = await ls.loader.linked(root)
    ref = record_at(path)
    if ref is None:
        raise errors.invalid_params("This lens is not of a record.")
    used = root.used.get(ref)
    title = use_title(linked or snapshot, ref, used.count if used else 0, linked=linked is not None)
    if SHOW_REFERENCES in ls.state.client.own_commands:
        start = {"line": lens.range.start.line, "character": lens.range.start.character}
        lens.command = types.Command(title=title, command=SHOW_REFERENCES, arguments=[data["uri"], start])
    else:
        lens.command = types.Command(title=title, command=show_uses.NAME, arguments=[{"uri": data["uri"]}])
    return lens
