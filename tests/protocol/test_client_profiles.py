"""The recorded capabilities of real editors, with a client that checks what we send against the protocol's types."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.protocol.conftest import knowledge

pytestmark = pytest.mark.protocol


@pytest_asyncio.fixture(params=["visual-studio-code", "neovim", "emacs"])
async def editor(request: pytest.FixtureRequest, workspace: Path, home: Path) -> AsyncIterator[LanguageClient]:
    environment = {**os.environ, "HOME": str(home), "OMOIDE_CONFIG": str(home / "omoide.toml")}
    config = ClientServerConfig(server_command=[sys.executable, "-I", "-m", "server"], server_env=environment)
    client = await config.start()
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: None)
    for refresh in (types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_SEMANTIC_TOKENS_REFRESH):
        client.feature(refresh)(lambda *_: None)  # the profiles announce that they can
    folder = types.WorkspaceFolder(uri=workspace.as_uri(), name="project")
    await client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[folder],
            root_uri=workspace.as_uri(),
            process_id=os.getpid(),
        )
    )
    yield client
    await client.shutdown_session()


async def test_complete_hover_jump_and_diagnose(editor: LanguageClient, workspace: Path) -> None:
    """F1, F3."""
    uri = (workspace / "a.md").as_uri()
    item = types.TextDocumentItem(uri=uri, language_id="markdown", version=1, text="see #api-keys")
    editor.text_document_did_open(types.DidOpenTextDocumentParams(item))
    document, position = types.TextDocumentIdentifier(uri), types.Position(0, 8)
    found = await editor.text_document_completion_async(types.CompletionParams(document, position))
    assert isinstance(found, types.CompletionList)
    assert [item.label for item in found.items] == ["#api-keys", "#api-limits"]
    hover = await editor.text_document_hover_async(types.HoverParams(document, position))
    assert hover
    assert isinstance(hover.contents, types.MarkupContent)
    assert "Where keys live" in hover.contents.value
    target = await editor.text_document_definition_async(types.DefinitionParams(document, position))
    assert target
    record = (workspace / ".omoide/knowledge/api-keys.md").as_uri()
    item = types.TextDocumentItem(uri=record, language_id="markdown", version=1, text=knowledge(body="#nowhere\n"))
    editor.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await editor.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert [d.code for d in editor.diagnostics[record]] == ["unknown-reference"]


async def test_commands_answer(editor: LanguageClient) -> None:
    result = await editor.workspace_execute_command_async(types.ExecuteCommandParams("omoide.extract"))
    assert result == {"runs": [], "report": []}
