"""Evidence on its way to the editor: transcripts are rendered on a thread, and given up with the request.

What a transcript looks like and where it lies is the core's; this knows the server's roots and the client's columns.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from memory_core.errors import MemoryCoreError
from server import errors
from server.background import in_thread
from server.convert.uris import from_path

if TYPE_CHECKING:
    from memory_core.ide.evidence import Evidence
    from memory_core.store.transcripts import Shown, Wanted
    from memory_core.workspace import Workspace
    from server.language_server import Server
    from server.state import Root


async def shown(ls: Server, root: Root, wanted: Sequence[Wanted]) -> list[Shown]:
    """Where places in sessions can be read, rendered now where they were not; a refusal in the client's terms where
    that is not possible. When the request is cancelled, the thread ends at its next step."""
    stop = threading.Event()
    try:
        workspace = await ls.loader.workspace(root)
        return await in_thread("transcript", lambda: _render(workspace, wanted, stop))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    except asyncio.CancelledError:
        stop.set()
        raise


def wanted_of(evidence: Evidence) -> Wanted:
    from memory_core.store.transcripts import Wanted

    return Wanted(evidence.session_id, evidence.entry, evidence.agent, evidence.anchor, evidence.kept)


def location(found: Shown) -> types.Location:
    """The heading of the entry: a place that is ASCII up to it, so that its column is the same in every encoding."""
    start = types.Position(found.line, 0)
    return types.Location(from_path(found.path), types.Range(start, start))


def say_notes(ls: Server, places: Sequence[Shown]) -> None:
    """Tell the person what a place is not: gone, moved on, changed. Once each, and never a screen full of them."""
    notes = list(dict.fromkeys(place.note for place in places if place.note))
    more = f" (and {len(notes) - 3} more such notes)" if len(notes) > 3 else ""
    if notes:
        ls.say("Omoide: " + " ".join(notes[:3]) + more, types.MessageType.Warning)


def _render(workspace: Workspace, wanted: Sequence[Wanted], stop: threading.Event) -> list[Shown]:
    from memory_core.store.transcripts import Transcripts

    transcripts = Transcripts(workspace.layout, workspace.sessions, stop.is_set)
    # One session after the other, so that each log is read once, whatever order the places are wanted in.
    order = sorted(range(len(wanted)), key=lambda number: (wanted[number].session_id, wanted[number].agent or ""))
    found = {number: transcripts.show(wanted[number]) for number in order}
    return [found[number] for number in range(len(wanted))]
