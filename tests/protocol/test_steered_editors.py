"""What a repository or a web page could have an editor or the server do: nothing by a message, nothing by a request."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import sys
from pathlib import Path

import pytest

from tests.protocol.conftest import NewClient
from tests.protocol.test_status_and_trace import listening

pytestmark = pytest.mark.protocol

# As VS Code finds links in the plain text of a message.
LINK = re.compile(r"\[([^\]]+)\]\(((?:https?://|command:|file:)[^)\s]+)")
WORDS = "[Repair](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D)"


def test_a_setting_that_a_workspace_brings_makes_no_link_in_a_message(workspace: Path, new_client: NewClient) -> None:
    """In VS Code such a link runs the command, also in Restricted Mode; the message looks as if it were ours."""
    client = new_client(workspace)
    client.initialize(workspace, initializationOptions={WORDS: 1})
    said = client.notification("window/showMessage")["message"]
    assert "Repair" in said
    assert not LINK.search(said)


def test_a_root_that_cannot_be_opened_makes_no_link_in_a_message(tmp_path: Path, new_client: NewClient) -> None:
    folder = tmp_path / WORDS
    (folder / ".omoide/memory").mkdir(parents=True)
    (folder / ".omoide/config.toml").write_bytes(b"\xff")
    client = new_client(folder)
    client.initialize(folder)
    said = client.notification("window/showMessage")["message"]
    assert "Repair" in said
    assert not LINK.search(said)


def test_what_is_refused_makes_no_link_in_a_message(workspace: Path, new_client: NewClient) -> None:
    """VS Code shows why a rename was refused as it shows any message."""
    client = new_client(workspace)
    client.initialize(workspace)
    close = {"candidate": WORDS, "action": "discarded", "reason": "x", "uri": workspace.as_uri()}
    called = {"command": "omoide.closeCandidate", "arguments": [close]}
    for method, params in ((WORDS, {}), ("workspace/executeCommand", called)):
        said = client.answer(client.begin(method, params))["error"]["message"]
        assert "Repair" in said
        assert not LINK.search(said)


def test_a_request_of_a_web_page_to_the_debug_port_is_no_message(workspace: Path, new_client: NewClient) -> None:
    """A page chooses the address in `Referer`, the last header that named a length, and the body: all the frames."""
    server = new_client(workspace, command=(sys.executable, "-I", "-m", "server", "--tcp", "0"))
    port = int(re.search(r"127\.0\.0\.1:(\d+)", listening(server))[1])  # type: ignore[index]
    params = {"processId": None, "rootUri": workspace.as_uri(), "capabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n"
    page = f"{head}Referer: http://example.com/content-length:{len(body)}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), timeout=20) as browser:
        browser.sendall(page + body)
        with contextlib.suppress(ConnectionResetError):  # it is closed with bytes unread
            assert browser.recv(1) == b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as editor:
        editor.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert editor.recv(15) == b"Content-Length:"
