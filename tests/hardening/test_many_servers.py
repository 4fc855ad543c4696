"""Many language servers at once on one store: each starts, answers and ends, and the store stays as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memory_core.layout import LOCAL
from tests.hardening.stores import project

pytestmark = [pytest.mark.protocol, pytest.mark.timeout(240)]
SERVERS = 20


def frame(**message: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


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
    for server in servers:
        said, _ = server.communicate(timeout=200)
        assert server.returncode == 0
        assert b'"id":3' in said.replace(b": ", b":")
        assert b"Traceback" not in said
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    for path in (path for place in LOCAL for path in (root / place).rglob("*.json")):
        json.loads(path.read_bytes())
