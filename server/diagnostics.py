"""Diagnostics: worked out on a thread after a quiet time, and told through the one channel that suits the client.

A client that asks for them, and can be told to ask again, is told that only (`diagnostic_pull`); to any other they are
pushed, where they changed. Through both channels every problem would be shown twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from server.background import in_thread
from server.convert import diagnostics as convert
from server.convert.uris import buffer_of, from_path, key_of
from server.diagnostic_pull import PulledDiagnostics
from server.lint_facts import StoreFacts
from server.settings_files import Files, problems_of

if TYPE_CHECKING:
    from memory_core.diagnostic import Diagnostic
    from memory_core.lint.check import Severities
    from memory_core.lint.facts import LintFacts
    from memory_core.lint.recheck import Checked
    from memory_core.snapshot import Snapshot
    from memory_core.text import LineIndex
    from server.convert.to_lsp import Locate
    from server.language_server import Server
    from server.state import Root

log = logging.getLogger(__name__)

QUIET_S = 0.25


@dataclass
class _Pending:
    """A check of a root that is due or runs. `generation` moves with every change, so that a result that was overtaken
    is dropped."""

    generation: int = 0
    timer: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None


@dataclass
class _Told:
    """What a client was told by us, unasked. `documents`: by document key, the URI and what was said of it; `checked`:
    the result that was last told, by root; `settings`: the keys of a root's settings files."""

    documents: dict[str, tuple[str, list[types.Diagnostic]]] = field(default_factory=dict)
    checked: dict[Root, Checked] = field(default_factory=dict)
    settings: dict[Root, set[str]] = field(default_factory=dict)


class DiagnosticsPublisher:
    """Checks what is looked at, and knows what each client-side document was last told."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pending: dict[Root, _Pending] = {}
        self._checked: dict[Root, Checked] = {}
        self._told = _Told()
        self.facts = StoreFacts(server)
        self.pulled = PulledDiagnostics(server)

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
        uri, told = self._told.documents.pop(key_of(uri), (uri, []))
        if told:
            self._send(uri, [], None)

    def forget(self, uri: str) -> None:
        """A document was opened: say again what is wrong with it, whatever was said before."""
        self._told.documents.pop(key_of(uri), None)

    def drop(self, root: Root) -> None:
        """A root was closed: take back what was said of its files, and say no more."""
        pending = self._pending.pop(root, _Pending())
        pending.generation += 1
        if pending.timer:
            pending.timer.cancel()
        self._checked.pop(root, None)
        self._told.checked.pop(root, None)
        self._told.settings[root] = set()
        self._clear_others(root, set())
        del self._told.settings[root]
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
        generation = pending.generation
        opened = frozenset(self._server.state.texts_of(root))
        shown = snapshot.documents if scope == "workspace" else opened if scope == "open" else ()
        checked = await self._recheck(root, snapshot, shown)
        if generation != pending.generation:
            return
        self._server.status.checked(root, checked.found)
        self._server.views.settled(root)
        if scope != "off":
            self.facts.follow(root, opened)
        if self._server.state.client.pulls_diagnostics:
            self.pulled.settle(root, checked)
        else:
            self._publish_found(root, checked)

    async def _recheck(self, root: Root, snapshot: Snapshot, shown: Iterable[str]) -> Checked:
        before, severities, facts = self._checked.get(root), self.severities(root), self.facts.of(root)
        checked = await in_thread("lint", partial(_checked, before, snapshot, severities, facts, shown))
        if self._server.state.holds(root):
            self._checked[root] = checked
        return checked

    def _publish_found(self, root: Root, checked: Checked) -> None:
        """Push what was found where it differs from what was pushed before."""
        before, state = self._told.checked.get(root), self._server.state
        known = before.found if before else {}
        opened, locate = state.texts_of(root), state.locator(root)
        for path, problems in checked.found.items():
            if path in opened or known.get(path, ()) is not problems:
                uri, lines = locate(path)
                version = opened[path].version if path in opened else None
                self._publish(uri, lines, problems, version, locate)
        self._told.checked[root] = checked
        self._publish_settings(root, locate)
        shown = (path for path, problems in checked.found.items() if problems or path in opened)
        self._clear_others(root, {key_of(locate(path)[0]) for path in shown})

    def _publish_settings(self, root: Root, locate: Locate) -> None:
        """What is wrong with the settings files; a file that was wrong before and is not any more is cleared."""
        wrong = set()
        for file, (lines, problems) in self.settings_problems(root).items():
            text = self._server.state.text(from_path(file))
            uri = text.uri if text else from_path(file)
            wrong.add(key_of(uri))
            self._publish(uri, lines, problems, text.version if text else None, locate)
        for key in self._told.settings.get(root, set()) - wrong:
            if key in self._told.documents:
                self.clear(self._told.documents[key][0])
        self._told.settings[root] = wrong

    def _clear_others(self, root: Root, shown: set[str]) -> None:
        """Take back what was said of records that are gone or no longer looked at."""
        keep = shown | self._told.settings[root]
        for key, (uri, _) in list(self._told.documents.items()):
            inside = Path(key).is_relative_to(root.real) or Path(key).is_relative_to(root.layout.root)
            if inside and key not in keep:
                self.clear(uri)

    def _publish(
        self, uri: str, lines: LineIndex, problems: Sequence[Diagnostic], version: int | None, locate: Locate
    ) -> None:
        converted = convert.diagnostics(lines, problems, locate, self._server.state.client)
        told = self._told.documents.get(key_of(uri))
        if told is not None and told[0] != uri and buffer_of(told[0]) != buffer_of(uri):
            self.clear(told[0])  # the same file in another buffer, which does not count any more
            told = None
        if told is not None and told[1] == converted:
            return
        if told is None and not converted and version is None:
            return
        self._told.documents[key_of(uri)] = (uri, converted)
        self._send(uri, converted, version)

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
