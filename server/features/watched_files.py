"""`workspace/didChangeWatchedFiles`: what the client saw change on disk."""

from __future__ import annotations

from lsprotocol import types

from server.convert.uris import to_path
from server.language_server import Server


def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    for change in params.changes:
        if change.type is types.FileChangeType.Deleted:
            ls.diagnostics.clear(change.uri)
    ls.watchers.changed({path for change in params.changes if (path := to_path(change.uri))})
