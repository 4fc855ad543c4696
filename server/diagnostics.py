"""Diagnostics: worked out on a thread after a quiet time, and told through the one channel that suits the client.

A client that asks for them, and can be told to ask again, is told that only (`diagnostic_pull`); to any other they are
pushed, where they changed. Through both channels every problem would be shown twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from server.background import in_thread
from server.convert.uris import buffer_of, from_path, key_of
from server.diagnostic_pull import PulledDiagnostics
from server.lint_facts import StoreFacts
from server.settings_files import Files, problems_of
from server.shown_problems import Shown, ShownProblems

if TYPE_CHECKING:
    from memory_core.lint.check import Severities
    from memory_core.lint.facts import LintFacts
    from memory_core.lint.recheck import Checked
    from memory_core.snapshot import Snapshot
    from server.language_server import Server
    from server.state import Root

log = logging.getLogger(__name__)

QUIET_S = 0.25
_AT_ONCE = 100  # documents about which something is said before others get a turn


@dataclass
class _Pending:
    """A check of a root that is due or runs. `generation` moves with every change, so that a result that was overtaken
    is dropped."""

    generation: int = 0
    timer: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None


# What a client was told by us, unasked: of each root by key (`ShownProblems.of`) the URI and what was said of it.
_Told = dict[str, tuple[str, list[types.Diagnostic]]]


class DiagnosticsPublisher:
    """Checks what is looked at, and knows what each client-side document was last told."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pending: dict[Root, _Pending] = {}
        self._checked: dict[Root, Checked] = {}
        self._told: dict[Root, _Told] = {}
        self._shown = ShownProblems(server)
        self.facts = StoreFacts(server)
        self.pulled = PulledDiagnostics(server, self._shown)

    def schedule(self, root: Root, *, everything: bool = False) -> None:
        """Check what is looked at in a root once it has been quiet. `everything`: it was read anew, logs included."""
        if not self._server.state.holds(root):
            return  # dropped while it was being read
        if everything:
            self.facts.read_again(root)
        pending = self._pending.setdefault(root, _Pending())
        pending.generation += 1
        if pending.timer:
            pending.timer.cancel()
        pending.timer = asyncio.get_running_loop().call_later(QUIET_S, self._start, root, pending)

    def clear(self, uri: str) -> None:
        """A document was closed or its file deleted: take back what was said of it."""
        for told, key in self._told_of(uri):
            self._take_back(told, key)

    def forget(self, uri: str) -> None:
        """A document was opened: say again what is wrong with it, whatever was said before."""
        for told, key in self._told_of(uri):
            del told[key]

    def drop(self, root: Root) -> None:
        """A root was closed: take back what was said of its files, and say no more."""
        pending = self._pending.pop(root, _Pending())
        pending.generation += 1
        if pending.timer:
            pending.timer.cancel()
        self._checked.pop(root, None)
        told = self._told.pop(root, {})
        for key in list(told):
            self._take_back(told, key)
        self._shown.drop(root)
        self.facts.drop(root)
        self.pulled.drop(root)
        self._server.views.drop(root)

    def severities(self, root: Root) -> Severities:
        return root.workspace.config.severities() if root.workspace else {}

    def settings_problems(self, root: Root) -> Files:
        """What is wrong with the settings files of a root."""
        if root.workspace is None:
            return {}
        return problems_of(root.workspace, lambda file: self._server.state.text(from_path(file)))

    async def check_all(self, root: Root) -> Checked | None:
        """Everything that is wrong with the records of a root as it is now; what was found before is used again."""
        snapshot = root.snapshot
        return await self._recheck(root, snapshot, snapshot.documents) if snapshot else None

    def _start(self, root: Root, pending: _Pending) -> None:
        if pending.task and not pending.task.done():
            pending.timer = asyncio.get_running_loop().call_later(QUIET_S / 5, self._start, root, pending)
            return
        pending.task = asyncio.ensure_future(self._check(root, pending))

    async def _check(self, root: Root, pending: _Pending) -> None:
        scope, snapshot = self._server.state.settings.diagnostics, root.snapshot
        if snapshot is None or not root.opened.is_set():
            return  # nothing is said before the settings are known; a load that ends schedules again
        generation, look = pending.generation, self._shown.look(root)
        opened = frozenset(look.opened)
        shown = snapshot.documents if scope == "workspace" else opened if scope == "open" else ()
        checked = await self._recheck(root, snapshot, shown)
        if generation != pending.generation:
            return
        self._server.status.checked(root, checked.found)
        self._server.views.settled(root)
        if scope != "off":
            self.facts.follow(root, opened)
        found = await self._shown.of(root, checked, look)
        if generation != pending.generation:
            return
        if self._server.state.client.pulls_diagnostics:
            self.pulled.settle(root, found)
        else:
            await self._publish_found(root, found, lambda: generation == pending.generation)

    async def _recheck(self, root: Root, snapshot: Snapshot, shown: Iterable[str]) -> Checked:
        before, severities, facts = self._checked.get(root), self.severities(root), self.facts.of(root)
        checked = await in_thread("lint", partial(_checked, before, snapshot, severities, facts, shown))
        if self._server.state.holds(root):
            self._checked[root] = checked
        return checked

    async def _publish_found(self, root: Root, found: Mapping[str, Shown], holds: Callable[[], bool]) -> None:
        """Push what was found where it differs from what was pushed before, a few at a time; the rest is left to the
        next look once it does not hold any more."""
        told, sent = self._told.setdefault(root, {}), 0
        for key in told.keys() - found.keys():
            self._take_back(told, key)  # records that are gone or no longer looked at, settings that are right again
        for key, shown in found.items():
            sent += self._publish(told, key, shown)
            if sent == _AT_ONCE:
                sent = 0
                await asyncio.sleep(0)
                if not holds():
                    return

    def _publish(self, told: _Told, key: str, shown: Shown) -> bool:
        """Say what is wrong with one file, unless that was said; whether it was not."""
        known = told.get(key)
        if known is not None and known[0] != shown.uri and buffer_of(known[0]) != buffer_of(shown.uri):
            self._take_back(told, key)  # the same file in another buffer, which does not count any more
            known = None
        if known is not None and (known[1] is shown.items or known[1] == shown.items):
            return False
        if known is None and not shown.items and shown.version is None:
            return False
        told[key] = shown.uri, shown.items
        self._send(shown.uri, shown.items, shown.version)
        return True

    def _told_of(self, uri: str) -> list[tuple[_Told, str]]:
        """Where it stands what was said of a file."""
        real = Path(key_of(uri))
        places = ((told, key) for root, told in self._told.items() for key in (root.relative(real), str(real)))
        return [(told, key) for told, key in places if key is not None and key in told]

    def _take_back(self, told: _Told, key: str) -> None:
        uri, said = told.pop(key)
        # A person's own settings are wrong in each of their roots.
        elsewhere = Path(key).is_absolute() and any(key in others for others in self._told.values())
        if said and not elsewhere:
            self._send(uri, [], None)

    def _send(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))


def _checked(
    before: Checked | None, snapshot: Snapshot, severities: Severities, facts: LintFacts, shown: Iterable[str]
) -> Checked:
    from memory_core.lint.recheck import recheck

    checked = recheck(before, snapshot, severities, facts, sorted(shown))
    if snapshot.index.knows_links:
        _ = snapshot.index.referrers  # a hover asks for them: brought up to date here, they do not hold it up
    return checked
