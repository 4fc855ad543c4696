"""`omoide.candidateText` and `omoide.editCandidate`: a staged candidate as a text to edit, and the edited text back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_core.errors import MemoryCoreError, StoreError
from server import errors
from server.background import in_thread
from server.commands import arguments
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.workspace import Workspace

TEXT, EDIT = "omoide.candidateText", "omoide.editCandidate"


async def candidate_text(ls: Server, *args: Any) -> dict[str, Any]:
    """Answers `{candidate, text, said}`: Markdown with a heading for each field, and what stands for its words."""
    given = arguments.read(TEXT, args, {"candidate": str}, ("candidate",))
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    try:
        text, said = await in_thread("candidate", lambda: _text(workspace, given["candidate"]))
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    root.shown = {**root.shown, given["candidate"]: said}
    return {"candidate": given["candidate"], "text": text, "said": said}


async def edit_candidate(ls: Server, *args: Any) -> dict[str, Any]:
    """Keep a candidate as `text` says it now. Its evidence is the host's and stays. Answers as `omoide.candidateText`
    does, with `headline`. Refused where the candidate says something else than the text that was edited did, or where
    nobody knows: `said` is that one's, and without it the one that this server gave out last is meant."""
    given = arguments.read(EDIT, args, {"candidate": str, "text": str, "said": str}, ("candidate", "text"))
    root = arguments.root_of(ls, given)
    workspace = await arguments.workspace_of(ls, root)
    try:
        shown = given.get("said") or root.shown.get(given["candidate"])
        text, headline, said = await in_thread(
            "edit", lambda: _edit(workspace, given["candidate"], given["text"], shown)
        )
    except MemoryCoreError as error:
        raise errors.of_core(error) from error
    root.shown = {**root.shown, given["candidate"]: said}
    ls.status.staging_changed(root)
    return {"candidate": given["candidate"], "text": text, "said": said, "headline": headline}


def _text(workspace: Workspace, candidate: str) -> tuple[str, str]:
    from memory_core.consolidate import by_hand
    from memory_core.staging import words_hash

    ref = by_hand.find(workspace.store, candidate)
    return by_hand.text_of(ref.candidate), words_hash(ref.candidate)


def _edit(workspace: Workspace, candidate: str, text: str, shown: str | None) -> tuple[str, str, str]:
    from memory_core.consolidate import by_hand
    from memory_core.staging import headline, words_hash

    if shown is None:  # the server was started anew, and somebody else may have edited it meanwhile
        raise StoreError("It is not known what this text was edited from: keep your words, and open it again.")
    ref = by_hand.edit(workspace.store, candidate, text, shown)
    return by_hand.text_of(ref.candidate), headline(ref.candidate), words_hash(ref.candidate)
