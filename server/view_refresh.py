"""Tells a client that what is drawn in its open texts may be out of date: lenses and colors that hang on other records.

Only when records came or went, or who names whom changed; a client is never told at every key.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from server.language_server import Server
    from server.settings import Settings
    from server.state import Root


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What lenses and colors were made of; each is the same object as long as it did not change."""

    names: object
    referrers: object
    settings: Settings


class ViewRefresher:
    """Remembers what each root's views were last made of."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._drawn: dict[Root, _Drawn] = {}

    def settled(self, root: Root) -> None:
        """A root came to rest after a change: ask the client to draw again what that concerns."""
        if root.snapshot is None:
            return
        index, settings = root.snapshot.index, self._server.state.settings
        now = _Drawn(index.names, index.referrers if index.knows_links else None, settings)
        before = self._drawn.get(root)
        self._drawn[root] = now
        if before is None and not index.knows_links:
            return  # drawn from this very state
        came = before is None or before.names is not now.names or before.settings is not settings
        named = before is None or before.referrers is not now.referrers
        client = self._server.state.client
        if (came or named) and client.refreshes_lenses:
            self._sent("code_lens", self._server.workspace_code_lens_refresh(None))
        if came and client.refreshes_tokens:
            self._sent("semantic_tokens", self._server.workspace_semantic_tokens_refresh(None))
        hinted = settings.inlay_hints or (before is not None and before.settings.inlay_hints)
        if came and hinted and client.refreshes_hints:
            self._sent("inlay_hint", self._server.workspace_inlay_hint_refresh(None))

    def _sent(self, kind: str, answer: Future[Any]) -> None:
        answer.add_done_callback(_forget)
        self._server.protocol.keep_few(kind, answer)

    def drop(self, root: Root) -> None:
        """A root was closed."""
        self._drawn.pop(root, None)


def _forget(answer: Future[Any]) -> None:
    """The client's answer says nothing; a refusal is looked at, so that it is not reported as lost."""
    if not answer.cancelled():
        answer.exception()
