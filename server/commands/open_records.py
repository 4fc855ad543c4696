"""Records that are open in the editor: which have unsaved edits, and changing them there in one step of its own undo.

Asked on the run's thread, done on the server's event loop; a client that cannot apply edits shows nothing here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability

from server.convert import edits
from server.language_server import Server

if TYPE_CHECKING:
    from memory_core.changes import ChangeSet
    from server.state import Root

T = TypeVar("T")
_PATIENCE_S = 10.0  # an editor that asks its person about an edit takes longer than one that does not
_ENDING_S = 2.0  # an event loop that does not answer for so long is ending
_LABEL = "Omoide: consolidate"


class Unsaved:
    """The records with edits that are not on disk at the moment of asking: a person may begin to type while a model
    thinks. Asked on the job's thread; where there is no answer, the record counts as being edited and is left alone."""

    def __init__(self, ls: Server, root: Root) -> None:
        self._ls = ls
        self._root = root
        self._loop = asyncio.get_running_loop()

    def __contains__(self, path: object) -> bool:
        async def ask() -> bool:
            return path in self._ls.state.busy(self._root)

        question = ask()
        try:
            return asyncio.run_coroutine_threadsafe(question, self._loop).result(_ENDING_S)
        except (RuntimeError, TimeoutError, CancelledError):  # the server is ending
            question.close()
            return True


class OpenRecords:
    """The open texts of one root, as `ports.OpenTexts` has them. Made on the server's event loop."""

    def __init__(self, ls: Server, root: Root) -> None:
        self._ls = ls
        self._root = root
        self._loop = asyncio.get_running_loop()
        self._able = bool(get_capability(ls.client_capabilities, "workspace.apply_edit", False))

    def shows(self, path: str) -> bool:
        async def ask() -> bool:
            return path in self._ls.state.texts_of(self._root)

        return self._able and self._on_loop(ask(), True)

    def apply(self, changes: ChangeSet) -> str | None:
        """All edits at the versions that are open now: a text in which somebody types meanwhile refuses them."""
        return self._on_loop(self._apply(changes), "is open in an editor that did not answer")

    def _on_loop(self, question: Coroutine[Any, Any, T], otherwise: T) -> T:
        """What the server's event loop answers; `otherwise` where it does not, or is ending."""
        try:
            answer = asyncio.run_coroutine_threadsafe(question, self._loop)
        except RuntimeError:
            question.close()
            return otherwise
        try:
            return answer.result(_PATIENCE_S)
        except (TimeoutError, CancelledError):
            answer.cancel()
            return otherwise

    async def _apply(self, changes: ChangeSet) -> str | None:
        busy = self._ls.state.busy(self._root)
        if any(change.path in busy for change in changes):
            return "is open with unsaved edits: save or close it, then run again"
        to = edits.places(self._ls.state, self._root)
        if edits.outdated(changes, to):
            return "is open with another text than its file has: reload or save it, then run again"
        edit = edits.of_changes(changes, to, label=_LABEL)
        if edit is None:
            return "is open in an editor that cannot apply the change: close it, then run again"
        request = self._ls.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit, _LABEL))
        # Given up, nobody counts on the edit any more: the run goes on as if it were refused.
        answer = await self._ls.protocol.answer_to(request)
        if failure := answer.exception():
            return f"is open in an editor that refused the change ({failure})"
        result = answer.result()
        if result.applied:
            return None
        why = f" ({result.failure_reason})" if result.failure_reason else ""
        return f"is open in an editor that refused the change{why}"
