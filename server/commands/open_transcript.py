"""`omoide.openTranscript`: a session as a text to read, opened in the editor at an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server import errors, transcripts
from server.commands import arguments
from server.language_server import Server

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.state import Root

NAME = "omoide.openTranscript"
ALLOWED = {"session_id": str, "agent": str, "entry": int}


async def open_transcript(ls: Server, *args: Any) -> dict[str, Any]:
    """Write the transcript and ask the editor to show it. Answers `{uri, line, entry, note}`, the line 0-based, so that
    a client that cannot be asked opens it by itself."""
    given = arguments.read(NAME, args, ALLOWED, ("session_id",))
    entry = given.get("entry", 0)
    if isinstance(entry, bool) or entry < 0:
        raise errors.invalid_params(f"{NAME}: `entry` must be the number of an entry, from 0.")
    root = arguments.root_of(ls, given)
    from memory_core.store.transcripts import Wanted

    session_id, agent = given["session_id"], given.get("agent")
    await ls.loader.snapshot(root)
    wanted = Wanted(session_id, entry, agent, kept=_kept(root, session_id))
    place = (await transcripts.shown(ls, root, [wanted]))[0]
    location = transcripts.location(place)
    if not given.get("quiet"):
        transcripts.say_notes(ls, [place])
        ls.show(location.uri, location.range)
    return {"uri": location.uri, "line": place.line, "entry": place.entry, "note": place.note}


def _kept(root: Root, session_id: str) -> tuple[Mapping[str, Any], ...]:
    """What records hold of a session, for when its log is gone. Only records that are read already are asked: the
    session may be nobody's source, and a hundred thousand files are not read to find that out."""
    documents = root.snapshot.documents.values() if root.snapshot else ()
    records = (document.record for document in documents if document.is_read and session_id in document.text)
    return tuple(
        anchor
        for record in records
        if record
        for source in record.sources
        if source.session_id == session_id
        for anchor in source.anchors
    )
