#!/usr/bin/env python3
"""A language server that only writes down who its client is, to renew `tests/protocol/clients/*.json`.

Start it from an editor in place of `omoide lsp`, with `OMOIDE_RECORD=<file>` in its environment:
the `capabilities` and `clientInfo` of `initialize` go to that file, and everything is answered by nothing.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    while (message := read()) is not None:
        method = message.get("method")
        if method == "initialize":
            params = message["params"]
            kept = {"clientInfo": params.get("clientInfo"), "capabilities": params["capabilities"]}
            text = json.dumps(kept, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
            Path(os.environ["OMOIDE_RECORD"]).write_text(text, encoding="utf-8")
        if "id" in message and method:
            answer(
                {
                    "jsonrpc": "2.0",
                    "id": message["id"],
                    "result": {"capabilities": {}} if method == "initialize" else None,
                }
            )
        if method == "exit":
            return


def read() -> dict[str, Any] | None:
    """The next message, None at the end of input."""
    length = 0
    while line := sys.stdin.buffer.readline():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        elif not line.strip():
            return json.loads(sys.stdin.buffer.read(length))  # type: ignore[no-any-return]
    return None


def answer(message: dict[str, Any]) -> None:
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
