"""Many language servers at once on one store: each starts, answers and ends, and the store stays as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BufferedReader
from pathlib import Path

import pytest

from memory_core.layout import LOCAL
from tests.hardening.stores import project

pytestmark = [pytest.mark.protocol, pytest.mark.timeout(240)]
SERVERS = 20


def frame(**message: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def until_shutdown(server: subprocess.Popen[bytes]) -> bytes:
    """What a server says until it has answered `shutdown`."""
    said = b""
    assert isinstance(server.stdout, BufferedReader)
    while b'"id":3' not in said.replace(b": ", b":"):
        part = server.stdout.read1(65_536)
        assert part, said
        said += part
    return said


def test_twenty_servers_start_on_one_store_and_all_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OMOIDE_CONFIG", str(tmp_path / "none.toml"))
    folder = project(tmp_path, "records")
    root = folder / ".omoide"
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    record = root / "memory/decisions/keep-exports-ninety-days.md"
    opened = {
        "uri": record.as_uri(),
        "languageId": "markdown",
        "version": 1,
        "text": record.read_text(encoding="utf-8"),
    }
    place = {"textDocument": {"uri": record.as_uri()}, "position": {"line": 5, "character": 48}}
    spoken = (
        frame(id=1, method="initialize", params={"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        + frame(method="initialized", params={})
        + frame(method="textDocument/didOpen", params={"textDocument": opened})
        + frame(id=2, method="textDocument/definition", params=place)
        + frame(id=3, method="shutdown")
        + frame(method="exit")
    )
    command = [sys.executable, "-I", "-m", "server"]
    pipe = subprocess.PIPE
    servers = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) for _ in range(SERVERS)]
    for server in servers:
        assert server.stdin
        server.stdin.write(spoken)
        server.stdin.flush()
    answers = [until_shutdown(server) for server in servers]  # a pipe that is closed sooner is a client that left
    for server, said in zip(servers, answers, strict=True):
        rest, errors = server.communicate(timeout=200)
        assert server.returncode == 0, errors
        assert b"Traceback" not in said + rest + errors
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    for path in (path for place in LOCAL for path in (root / place).rglob("*.json")):
        json.loads(path.read_bytes())
