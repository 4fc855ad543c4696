"""The whole protocol surface on one screen: which methods and commands are served, and by which function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from server.commands import consolidate, extract, roots
from server.features import (
    completion,
    configuration,
    definition,
    documents,
    hover,
    lifecycle,
    references,
    watched_files,
)
from server.language_server import Server

Handler = Callable[..., Any]

FEATURES: tuple[tuple[str, Handler, Any], ...] = (
    (types.INITIALIZE, lifecycle.initialize, None),
    (types.INITIALIZED, lifecycle.initialized, None),
    (types.SHUTDOWN, lifecycle.shutdown, None),
    (types.TEXT_DOCUMENT_DID_OPEN, documents.did_open, None),
    (types.TEXT_DOCUMENT_DID_CHANGE, documents.did_change, None),
    (types.TEXT_DOCUMENT_DID_SAVE, documents.did_save, None),
    (types.TEXT_DOCUMENT_DID_CLOSE, documents.did_close, None),
    (types.TEXT_DOCUMENT_COMPLETION, completion.completion, completion.OPTIONS),
    (types.TEXT_DOCUMENT_HOVER, hover.hover, None),
    (types.TEXT_DOCUMENT_DEFINITION, definition.definition, None),
    (types.TEXT_DOCUMENT_REFERENCES, references.references, None),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, configuration.did_change_configuration, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched_files.did_change_watched_files, None),
    (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, lifecycle.did_change_workspace_folders, None),
)

COMMANDS: tuple[tuple[str, Handler], ...] = (
    (extract.NAME, extract.extract),
    (consolidate.NAME, consolidate.consolidate),
    ("omoide.status", roots.status),
    ("omoide.reindex", roots.reindex),
)


def create_server() -> Server:
    """A server that has met no client yet."""
    server = Server()
    for method, handler, options in FEATURES:
        server.feature(method, options)(handler)
    for name, handler in COMMANDS:
        server.command(name)(handler)
    return server
