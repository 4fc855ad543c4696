"""Messages that no client should send, to a real server: every request is answered, and the server goes on.

python bench/fuzz_server.py [--seconds 60] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from server.app import FEATURES
from tests.protocol.raw_client import RawClient

# Those that end a server, and what begins paid or endless work.
_NEVER = frozenset({"initialize", "initialized", "shutdown", "exit"})
METHODS = [*sorted({str(method) for method, *_ in FEATURES} - _NEVER), "workspace/executeCommand"]
_SCALARS: tuple[Any, ...] = (
    None, True, 0, -1, 2**31, 2**63, 1.5, "", "x", "\ud800", "file:///", "file:///no/such", "untitled:a", "#",
    "\x1b[2J", "omoide.status", [], {}, [None], {"uri": 1},
)  # fmt: skip


def params(source: random.Random, uri: str, depth: int = 0) -> Any:
    """Parameters as a client sends them, with something wrong in most."""
    if depth > 3 or source.random() < 0.1:
        return source.choice(_SCALARS)
    whole: dict[str, Any] = {
        "textDocument": {"uri": uri, "version": source.randrange(3), "languageId": "markdown", "text": "#a " * 5},
        "position": {"line": source.randrange(9), "character": source.randrange(30)},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": source.randrange(9), "character": 5}},
        "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
        "contentChanges": [{"text": "#a\n"}],
        "newName": source.choice(("b", "B!", "")),
        "query": "a",
        "command": "omoide.status",
        "changes": [{"uri": uri, "type": source.randrange(5)}],
        "files": [{"oldUri": uri, "newUri": uri + "x", "uri": uri}],
        "event": {"added": [], "removed": []},
        "settings": {"omoide": source.choice(_SCALARS)},
        "previousResultIds": [],
    }
    for name in list(whole):
        if source.random() < 0.15:
            del whole[name]
        elif source.random() < 0.1:
            whole[name] = params(source, uri, depth + 1)
    return whole


def converse(client: RawClient, source: random.Random, uri: str, messages: int) -> int:
    """Send so many messages; AssertionError when a request stays without an answer, or is answered by a mistake of
    ours."""
    asked = []
    for _ in range(messages):
        method = source.choice([*METHODS, "no/such", "$/no", "$/cancelRequest"])
        match source.randrange(12):
            case 0:
                _raw(client, source)
            case 1:
                client.notify(method, params(source, uri))
            case 2 if asked:
                client.notify("$/cancelRequest", {"id": source.choice(asked)})
            case _:
                asked.append(client.begin(method, params(source, uri)))
        if len(asked) >= 50:
            _answered(client, asked)
    _answered(client, asked)
    client.request("workspace/executeCommand", {"command": "omoide.status"}, 60)
    return messages


def _answered(client: RawClient, asked: list[int]) -> None:
    for number in asked:
        error = client.answer(number, 60).get("error", {})
        if error.get("code") == -32603:  # InternalError: something was raised that nobody expected
            raise AssertionError(f"{error}; {client.stderr[-3_000:]}")
    asked.clear()
    client.received[:] = []  # what it tells unasked is not waited for, and must not pile up here


def _raw(client: RawClient, source: random.Random) -> None:
    """A frame that is no message, or rubbish between two."""
    body = source.choice(
        (b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 5_000, b'{"jsonrpc":"2.0"}', b'{"id":{},"method":[]}', b'"x"')
    )
    assert client.process.stdin
    rubbish = source.choice((b"", b"", b"rubbish\r\n", b"\x00\x01\r\n\r\n"))
    client.process.stdin.write(rubbish + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    client.process.stdin.flush()


def started(folder: Path) -> tuple[RawClient, str]:
    """A server on a small store, with one record open."""
    for name in ("memory", "knowledge"):
        (folder / ".omoide" / name).mkdir(parents=True)
    path = folder / ".omoide/knowledge/a.md"
    path.write_text("---\ndescription: x\n---\nsee #a and #b\n", encoding="utf-8")
    client = RawClient(folder, environment={"OMOIDE_CONFIG": os.devnull, "HOME": str(folder)})
    client.initialize(folder)
    client.open(path.as_uri(), path.read_text(encoding="utf-8"))
    return client, path.as_uri()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sent, seed, end = 0, options.seed, time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as folder:
        client, uri = started(Path(folder))
        try:
            while time.monotonic() < end:
                sent += converse(client, random.Random(seed), uri, 500)
                seed += 1
            ended = client.shut_down(30)
        finally:
            client.close()
    print(
        json.dumps(
            {"messages": sent, "last seed": seed - 1, "exit code": ended, "tracebacks": "Traceback" in client.stderr}
        )
    )


if __name__ == "__main__":
    main()
