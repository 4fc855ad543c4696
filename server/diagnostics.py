"""Diagnostics, pushed: after a quiet time, computed on a thread, and only where they changed.

Pushed also to clients that could pull: with both channels every problem would be shown twice.
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

from memory_core.diagnostic import Diagnostic
from memory_core.text import LineIndex
from server.background import in_thread
from server.convert import to_lsp
from server.convert.uris import from_path, key_of

if TYPE_CHECKING:
    from memory_core.lint.check import Severities
    from memory_core.snapshot import Snapshot
    from server.language_server import Server
    from server.state import Root

log = logging.getLogger(__name__)

QUIET_S = 0.25
Found = dict[str, list[Diagnostic]]


@dataclass
class _Pending:
    """What is to be checked in a root. `generation` moves with every change, so that a result that was overtaken is
    dropped."""

    generation: int = 0
    paths: set[str] = field(default_factory=set)
    everything: bool = False
    timer: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None


class DiagnosticsPublisher:
    """Knows what each client-side document was last told."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pending: dict[Root, _Pending] = {}
        self._published: dict[str, tuple[str, list[types.Diagnostic]]] = {}  # document key → URI, what it was told
        self._settings_files: dict[Root, set[str]] = {}

    def schedule(self, root: Root, paths: Iterable[str] = (), *, everything: bool = False) -> None:
        """Check the open records of a root, and `paths` or all of it as the settings say, once it has been quiet."""
        if root.real not in self._server.state.roots:
            return  # dropped while it was being read
        pending = self._pending.setdefault(root, _Pending())
        pending.generation += 1
        pending.paths.update(paths)
        pending.everything = pending.everything or everything
        if pending.timer:
            pending.timer.cancel()
        pending.timer = asyncio.get_running_loop().call_later(QUIET_S, self._start, root, pending)

    def clear(self, uri: str) -> None:
        """A document was closed or its file deleted: take back what was said of it."""
        uri, told = self._published.pop(key_of(uri), (uri, []))
        if told:
            self._send(uri, [], None)

    def forget(self, uri: str) -> None:
        """A document was opened: say again what is wrong with it, whatever was said before."""
        self._published.pop(key_of(uri), None)

    def drop(self, root: Root) -> None:
        """A root was closed: take back what was said of its files, and say no more."""
        pending = self._pending.pop(root, _Pending())
        pending.generation += 1
        if pending.timer:
            pending.timer.cancel()
        self._settings_files[root] = set()
        self._clear_others(root, set())
        del self._settings_files[root]

    def _start(self, root: Root, pending: _Pending) -> None:
        if pending.task and not pending.task.done():
            pending.timer = asyncio.get_running_loop().call_later(QUIET_S / 5, self._start, root, pending)
            return
        pending.task = asyncio.ensure_future(self._check(root, pending))

    async def _check(self, root: Root, pending: _Pending) -> None:
        scope, snapshot = self._server.state.settings.diagnostics, root.snapshot
        if snapshot is None or not root.opened.is_set():
            return  # nothing is said before the settings are known; a load that ends schedules again
        generation, everything = pending.generation, pending.everything
        opened = self._server.state.texts_of(root)
        paths = set(opened) if scope != "off" else set()
        if scope == "workspace":
            paths |= set(snapshot.documents) if everything else pending.paths
        severities = root.workspace.config.severities() if root.workspace else {}
        found = await in_thread("lint", partial(_lint, snapshot, sorted(paths), severities))
        if generation != pending.generation:
            return
        pending.paths, pending.everything = set(), False
        locate = self._server.state.locator(root)
        for path, diagnostics in found.items():
            uri, lines = locate(path)
            version = opened[path].version if path in opened else None
            self._publish(uri, lines, diagnostics, version, locate)
        self._publish_settings(root, locate)
        shown = set(opened) if scope == "open" else set(snapshot.documents) if scope == "workspace" else set()
        self._clear_others(root, {key_of(locate(path)[0]) for path in shown})

    def _publish_settings(self, root: Root, locate: to_lsp.Locate) -> None:
        """What is wrong with the settings files; a file that was wrong before and is not any more is cleared."""
        problems = root.workspace.problems if root.workspace else {}
        wrong = set()
        for file, diagnostics in problems.items():
            text = self._server.state.text(from_path(file))
            uri = text.uri if text else from_path(file)
            wrong.add(key_of(uri))
            self._publish(uri, text.lines if text else _lines_of(file), diagnostics, None, locate)
        for key in self._settings_files.get(root, set()) - wrong:
            if key in self._published:
                self.clear(self._published[key][0])
        self._settings_files[root] = wrong

    def _clear_others(self, root: Root, shown: set[str]) -> None:
        """Take back what was said of records that are gone or no longer looked at."""
        keep = shown | self._settings_files[root]
        for key, (uri, _) in list(self._published.items()):
            inside = Path(key).is_relative_to(root.real) or Path(key).is_relative_to(root.layout.root)
            if inside and key not in keep:
                self.clear(uri)

    def _publish(
        self,
        uri: str,
        lines: LineIndex,
        diagnostics: Sequence[Diagnostic],
        version: int | None,
        locate: to_lsp.Locate,
    ) -> None:
        client = self._server.state.client
        converted = [
            to_lsp.diagnostic(lines, found, locate, client.encoding, related=client.related_information)
            for found in diagnostics
        ]
        told = self._published.get(key_of(uri))
        if told is not None and told[1] == converted:
            return
        if told is None and not converted and version is None:
            return
        self._published[key_of(uri)] = (uri, converted)
        self._send(uri, converted, version)

    def _send(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))


def _lint(snapshot: Snapshot, paths: Sequence[str], severities: Severities) -> Found:
    from memory_core.lint.check import check

    found = {path: check(snapshot, path, severities) for path in paths if path in snapshot.documents}
    if snapshot.index.knows_links:
        _ = snapshot.index.referrers  # a hover asks for them: brought up to date here, they do not hold it up
    return found


def _lines_of(file: Path) -> LineIndex:
    try:
        return LineIndex(file.read_bytes().decode("utf-8-sig", "replace"))
    except OSError:
        return LineIndex("")
