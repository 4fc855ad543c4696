"""Diagnostics for a client that asks for them: a document's, a workspace's, and the word to ask again.

The client is told to ask again only when an answer it has would be another one now.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from server.background import in_thread
from server.convert import diagnostics as convert
from server.convert.uris import buffer_of, from_path, key_of, to_path
from server.shown_problems import Shown, ShownProblems

if TYPE_CHECKING:
    from memory_core.diagnostic import Diagnostic
    from memory_core.lint.check import Severities
    from memory_core.lint.facts import LintFacts
    from memory_core.snapshot import Snapshot
    from server.language_server import Server
    from server.state import Root

log = logging.getLogger(__name__)

ID = "omoide-diagnostics"
PART = 100  # documents of one partial answer
_ROUNDS = 3  # how often an answer is worked out again because the text changed meanwhile
_PATIENCE_S = 1.0


@dataclass
class _Answered:
    """What a client knows of a root, from its questions. `documents`: by buffer, the version that was asked about and
    the result's id; `related`: by URI, the id of what it was told along with them; `workspace`: by key as
    `ShownProblems.of` has it, the result's id, None before it asked; `owed`: it was put off."""

    documents: dict[str, tuple[int, str]] = field(default_factory=dict)
    related: dict[str, str] = field(default_factory=dict)
    workspace: dict[str, str] | None = None
    owed: bool = False


class PulledDiagnostics:
    """Answers questions about diagnostics."""

    def __init__(self, server: Server, shown: ShownProblems) -> None:
        self._server = server
        self._shown = shown
        self._answered: dict[Root, _Answered] = {}
        self._registered: bool | None = None  # with questions about the whole workspace or without

    # Agreeing on it

    def capability(self) -> types.DiagnosticOptions | None:
        """What `initialize` says: nothing to a client that is sent diagnostics, or is asked to register."""
        client = self._server.state.client
        if not client.pulls_diagnostics or client.registers_diagnostics:
            return None
        return types.DiagnosticOptions(True, self._whole, identifier="omoide")

    async def register(self) -> None:
        """Ask the client to ask us, where that is done so; again when the setting for the whole workspace changed."""
        client, whole = self._server.state.client, self._whole
        if not (client.pulls_diagnostics and client.registers_diagnostics) or self._registered is whole:
            return
        known, self._registered = self._registered, whole
        if known is not None:
            gone = types.Unregistration(ID, types.TEXT_DOCUMENT_DIAGNOSTIC)
            await _settled(self._server.client_unregister_capability(types.UnregistrationParams([gone])))
        options = types.DiagnosticRegistrationOptions(
            inter_file_dependencies=True,
            workspace_diagnostics=whole,
            identifier="omoide",
            document_selector=convert.selector(),
        )
        wanted = types.Registration(ID, types.TEXT_DOCUMENT_DIAGNOSTIC, options)
        await _settled(self._server.client_register_capability(types.RegistrationParams([wanted])))

    @property
    def _whole(self) -> bool:
        return self._server.state.settings.diagnostics == "workspace"

    # Answering

    async def document(self, uri: str, previous: str | None) -> convert.Report:
        """The problems of one document."""
        state, text = self._server.state, self._server.state.text(uri)
        found = state.find_root(*((text.path, text.real) if text else (to_path(uri),)))
        if found is None or state.settings.diagnostics == "off":
            return convert.report([], previous, {})
        root = found[0]
        await self._readiness(root)
        items = await self._items(root, uri)
        text, answered = state.text(uri), self._answers(root)
        if text:
            answered.documents[buffer_of(uri)] = text.version, convert.result_id(items)
        return convert.report(items, previous, self._related(root) if state.client.related_documents else {})

    async def workspace(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """The problems of all roots. Of a document that was and is without any, nothing is said."""
        found: dict[str, Shown] = {}
        roots = [] if self._server.state.settings.diagnostics == "off" else list(self._server.state.roots.values())
        for root in roots:
            await self._readiness(root)
            look = self._shown.look(root)
            checked = await self._server.diagnostics.check_all(root)
            of_root = await self._shown.of(root, checked, look) if checked else {}
            self._answers(root).workspace = {key: shown.result_id for key, shown in of_root.items()}
            found |= {shown.uri: shown for shown in of_root.values()}
        previous = {known.uri: known.value for known in params.previous_result_ids}
        items = await in_thread("report", partial(_reported, found, previous))
        if params.partial_result_token is None:
            return types.WorkspaceDiagnosticReport(items)
        for at in range(0, len(items), PART):
            part = types.WorkspaceDiagnosticReportPartialResult(items[at : at + PART])
            self._server.progress(types.ProgressParams(params.partial_result_token, part))
            await asyncio.sleep(0)  # what else is asked meanwhile does not wait for all of them
        return types.WorkspaceDiagnosticReport([])

    # Asking to ask again

    def settle(self, root: Root, found: Mapping[str, Shown]) -> None:
        """Something changed: tell the client to ask again if it knows anything that does not hold any more."""
        if self._news(root, found):
            request = self._server.workspace_diagnostic_refresh(None)
            self._server.protocol.keep_few("diagnostic", request)
            asyncio.ensure_future(_settled(request))  # noqa: RUF006 - see there

    def _news(self, root: Root, found: Mapping[str, Shown]) -> bool:
        """Whether the client knows anything that does not hold any more. It is noted that it was told: a document that
        is open but hidden, which it does not ask about, is no reason to tell it again."""
        answered, empty = self._answers(root), convert.result_id([])
        news, answered.owed = answered.owed, False
        for name, (version, known) in list(answered.documents.items()):
            text = self._server.state.texts.get(name)
            if text is None:
                del answered.documents[name]
            elif text.version == version and known != (now := _id(found, root.record_path(text) or key_of(text.uri))):
                news = True  # of another version the client asks by itself
                answered.documents[name] = version, now
        for uri, known in answered.related.items():
            news = news or known != _id(found, key_of(uri))
        if answered.workspace is not None and self._whole:
            known_of = answered.workspace
            now_of = {key: shown.result_id for key, shown in found.items() if shown.result_id != empty}
            news = news or any(known_of.get(key, empty) != now_of.get(key, empty) for key in {*known_of, *now_of})
            answered.workspace = now_of
        return news

    def drop(self, root: Root) -> None:
        self._answered.pop(root, None)

    def _answers(self, root: Root) -> _Answered:
        return self._answered.setdefault(root, _Answered())

    async def _readiness(self, root: Root) -> None:
        """Wait a moment for records and settings; a client that comes too early is told to ask again."""
        await self._server.loader.snapshot(root)
        if root.snapshot is not None and not root.opened.is_set():
            try:
                await asyncio.wait_for(root.opened.wait(), _PATIENCE_S)
            except TimeoutError:
                log.info("%s is still being read: the client is told to ask again.", root.layout.root)
        if root.snapshot is None or not root.opened.is_set():
            self._answers(root).owed = True
            text = "The records are still being read."
            raise JsonRpcException(text, types.LSPErrorCodes.ServerCancelled.value, {"retriggerRequest": True})

    async def _items(self, root: Root, uri: str) -> list[types.Diagnostic]:
        """What is wrong with one file of a root, as it stands in the editor."""
        state, diagnostics = self._server.state, self._server.diagnostics
        for file, (lines, problems) in diagnostics.settings_problems(root).items():
            if key_of(from_path(file)) == key_of(uri):
                return convert.diagnostics(lines, problems, state.locator(root), state.client)
        path = root.relative(Path(key_of(uri)))
        found: Sequence[Diagnostic] = ()
        for _ in range(_ROUNDS):
            snapshot = root.snapshot
            if snapshot is None or path is None or path not in snapshot.documents:
                return []
            severities, facts = diagnostics.severities(root), diagnostics.facts.of(root)
            found = await in_thread("lint", partial(_check, snapshot, path, severities, facts))
            if root.snapshot is snapshot:
                break
        diagnostics.facts.follow(root, frozenset(state.texts_of(root)))
        locate = state.locator(root)
        return convert.diagnostics(locate(path or "")[1], found, locate, state.client)

    def _related(self, root: Root) -> convert.Related:
        """What is wrong with settings files that are not open, about which no client asks."""
        state, answered = self._server.state, self._answers(root)
        found: convert.Related = {
            uri: types.FullDocumentDiagnosticReport([], result_id=convert.result_id([])) for uri in answered.related
        }
        for file, (lines, problems) in self._server.diagnostics.settings_problems(root).items():
            items = convert.diagnostics(lines, problems, state.locator(root), state.client)
            found[from_path(file)] = types.FullDocumentDiagnosticReport(items, result_id=convert.result_id(items))
        found = {uri: report for uri, report in found.items() if not state.text(uri)}
        answered.related = {uri: str(report.result_id) for uri, report in found.items()}
        return found


def _id(found: Mapping[str, Shown], key: str) -> str:
    return found[key].result_id if key in found else convert.result_id([])


def _reported(found: Mapping[str, Shown], previous: Mapping[str, str]) -> list[convert.WorkspaceItem]:
    """An item for each document with problems, or that the client knows of. An address that it writes otherwise than we
    do is known by the path in it, as it stands there."""
    others = {buffer_of(uri): (uri, value) for uri, value in previous.items() if uri not in found}
    empty, items = convert.result_id([]), list[convert.WorkspaceItem]()
    for uri, shown in found.items():
        known = previous.get(uri)
        if known is None and others:
            known = others.pop(buffer_of(uri), ("", None))[1]
        if shown.items or known is not None:
            items.append(convert.workspace_item(uri, shown.version, shown.items, shown.result_id, known))
    return items + [convert.workspace_item(uri, None, [], empty, known) for uri, known in others.values()]


def _check(snapshot: Snapshot, path: str, severities: Severities, facts: LintFacts) -> Sequence[Diagnostic]:
    from memory_core.lint.check import check

    return check(snapshot, path, severities, facts)


async def _settled(answer: Future[None]) -> None:
    """Wait for the client's answer, whatever it is: nothing hangs on it, and nobody else would look at an error."""
    done = asyncio.wrap_future(answer)
    await asyncio.wait({done})
    if not done.cancelled() and (error := done.exception()):
        log.info("The editor refused: %s", error)
