"""`textDocument/diagnostic` and `workspace/diagnostic`: for clients that ask."""

from __future__ import annotations

from lsprotocol import types

from server.convert.diagnostics import Report
from server.language_server import Server


async def document(ls: Server, params: types.DocumentDiagnosticParams) -> Report:
    return await ls.diagnostics.pulled.document(params.text_document.uri, params.previous_result_id)


async def workspace(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    return await ls.diagnostics.pulled.workspace(params)
