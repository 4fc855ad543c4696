"""The whole protocol surface on one screen: which methods and commands are served, and by which function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from server.commands import (
    agent_tools,
    candidate_text,
    candidates,
    consolidate,
    expand,
    extract,
    offers,
    open_transcript,
    overview,
    preview,
    record_list,
    records,
    resident,
    roots,
    session_list,
    show_uses,
    trust,
    undo,
    usage_report,
)
from server.features import (
    code_action,
    code_lens,
    completion,
    completion_resolve,
    configuration,
    definition,
    diagnostic,
    document_highlight,
    document_link,
    document_symbol,
    documents,
    file_operations,
    folding_range,
    hover,
    implementation,
    inlay_hint,
    lifecycle,
    prepare_rename,
    references,
    rename,
    semantic_tokens,
    watched_files,
    will_rename_files,
    workspace_symbol,
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
    (types.COMPLETION_ITEM_RESOLVE, completion_resolve.resolve, None),
    (types.TEXT_DOCUMENT_HOVER, hover.hover, None),
    (types.TEXT_DOCUMENT_DEFINITION, definition.definition, None),
    (types.TEXT_DOCUMENT_IMPLEMENTATION, implementation.implementation, None),
    (types.TEXT_DOCUMENT_REFERENCES, references.references, None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, prepare_rename.prepare_rename, None),
    (types.TEXT_DOCUMENT_RENAME, rename.rename, rename.OPTIONS),
    (types.WORKSPACE_WILL_RENAME_FILES, will_rename_files.will_rename_files, file_operations.OPTIONS),
    (types.WORKSPACE_DID_CREATE_FILES, file_operations.did_create_files, file_operations.OPTIONS),
    (types.WORKSPACE_DID_RENAME_FILES, file_operations.did_rename_files, file_operations.OPTIONS),
    (types.WORKSPACE_DID_DELETE_FILES, file_operations.did_delete_files, file_operations.OPTIONS),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, document_symbol.document_symbol, None),
    (types.WORKSPACE_SYMBOL, workspace_symbol.workspace_symbol, None),
    (types.TEXT_DOCUMENT_CODE_ACTION, code_action.code_action, code_action.OPTIONS),
    (types.CODE_ACTION_RESOLVE, code_action.resolve, None),
    (types.TEXT_DOCUMENT_CODE_LENS, code_lens.code_lens, None),
    (types.CODE_LENS_RESOLVE, code_lens.resolve, None),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, document_link.document_link, None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, document_highlight.document_highlight, None),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, folding_range.folding_range, None),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, semantic_tokens.full, semantic_tokens.LEGEND),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, semantic_tokens.of_range, semantic_tokens.LEGEND),
    (types.TEXT_DOCUMENT_INLAY_HINT, inlay_hint.inlay_hint, None),
    (types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostic.document, None),
    (types.WORKSPACE_DIAGNOSTIC, diagnostic.workspace, None),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, configuration.did_change_configuration, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched_files.did_change_watched_files, None),
    (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, lifecycle.did_change_workspace_folders, None),
)

COMMANDS: tuple[tuple[str, Handler], ...] = (
    (open_transcript.NAME, open_transcript.open_transcript),
    (extract.NAME, extract.extract),
    (consolidate.NAME, consolidate.consolidate),
    ("omoide.status", roots.status),
    ("omoide.reindex", roots.reindex),
    (roots.LINT, roots.lint),
    ("omoide.new", records.new),
    ("omoide.rename", records.rename),
    ("omoide.promote", records.promote),
    ("omoide.archive", records.archive),
    ("omoide.staging", candidates.staging),
    (candidates.CLOSE, candidates.close_candidate),
    (candidate_text.TEXT, candidate_text.candidate_text),
    (candidate_text.EDIT, candidate_text.edit_candidate),
    (undo.NAME, undo.undo),
    (offers.NAME, offers.offers),
    (expand.NAME, expand.expand),
    (usage_report.NAME, usage_report.usage_report),
    (show_uses.NAME, show_uses.show_uses),
    (overview.NAME, overview.overview),
    (preview.NAME, preview.preview),
    (record_list.RECORDS, record_list.records),
    (record_list.SEARCH, record_list.search),
    (session_list.NAME, session_list.sessions),
    (resident.NAME, resident.resident),
    (trust.NAME, trust.trust),
    (agent_tools.SEARCH, agent_tools.agent_search),
    (agent_tools.READ, agent_tools.agent_read),
)


def create_server() -> Server:
    """A server that has met no client yet."""
    server = Server()
    for method, handler, options in FEATURES:
        server.feature(method, options)(handler)
    for name, handler in COMMANDS:
        server.command(name)(handler)
    return server
