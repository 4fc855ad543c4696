"""`didOpen`, `didChange`, `didSave`, `didClose`: the texts in the editor, in the order the editor sent them.

Plain functions, never coroutines: on a second thread or task two changes could be applied the wrong way round.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from lsprotocol import types

from memory_core.text import LineIndex
from server.convert import from_lsp
from server.convert.uris import to_path
from server.features.roots_in_use import text_closed
from server.language_server import Server
from server.open_text import OpenText

log = logging.getLogger(__name__)


def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    path = to_path(item.uri)
    real = Path(os.path.realpath(path)) if path else None
    shown = ls.state.client.lines_of(item.text)
    text = OpenText(item.uri, path, real, item.language_id or "", item.version, LineIndex(shown))
    root = ls.state.put_text(text)
    if root is None:
        return
    ls.diagnostics.forget(item.uri)
    if ref := root.record_of(text):
        ls.usage.opened(root, ref, by_person=ls.state.client.opens_for_persons)
    if root.loaded.is_set():
        ls.diagnostics.schedule(root)
    else:
        ls.loader.load(root)


def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    text = ls.state.buffer(params.text_document.uri)
    if text is None:
        log.warning("A change of %s was ignored: the document was never opened.", params.text_document.uri)
        return
    changes = params.content_changes
    if text.lost:
        changes = from_lsp.from_the_whole(changes)
        if not changes:
            return  # the client's log has said why
    client = ls.state.client
    for change in changes if client.returns_are_text else ():
        part = isinstance(change, types.TextDocumentContentChangePartial)
        change.text = client.lines_of(change.text, text.text if part else "")
    lines = from_lsp.changed(text.lines, changes, client.encoding)
    text = text.with_lines(lines, params.text_document.version)
    root = ls.state.put_text(text)
    if root and (root.record_path(text) or root.is_settings(text) or root.is_prompt(text)):
        ls.diagnostics.schedule(root)


async def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """A saved file is read again, without waiting for whoever watches the disk."""
    text = ls.state.text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    path = root.relative(text.real) if root and text else None
    if root and text and path and (root.record_path(text) or root.is_settings(text) or root.is_prompt(text)):
        await ls.loader.refresh(root, {path})


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    text = ls.state.drop_text(params.text_document.uri)
    root = ls.state.root_of(text) if text else None
    if text and ls.state.settings.diagnostics == "open":
        ls.diagnostics.clear(text.uri)
    if root and text and (ref := root.record_of(text)):
        ls.usage.closed(root, ref)
    if root and root.loaded.is_set():
        ls.diagnostics.schedule(root)
    text_closed(ls)
