"""A language client of a few lines, to ask the real server over stdio what an editor would ask. Knows no feature."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from memory_core.errors import MemoryCoreError


class ServerClient:
    """A running `python -m server`, as an editor starts it. Leaving the `with` block shuts it down."""

    def __init__(self, workspace: Path, *, timeout: float = 30.0) -> None:
        self.workspace = workspace
        self.timeout = timeout
        self.notifications: list[dict[str, Any]] = []
        self._inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._next_id = 0

    def __enter__(self) -> ServerClient:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.workspace,
        )
        threading.Thread(target=self._read, daemon=True).start()
        root = self.workspace.as_uri()
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": self.workspace.name}],
                "capabilities": {"general": {"positionEncodings": ["utf-32", "utf-16"]}},
            },
        )
        self.notify("initialized", {})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.request("shutdown", None)
                self.notify("exit", None)
        finally:
            try:
                self._process.wait(timeout=3)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe:
                    pipe.close()

    def request(self, method: str, params: Any) -> Any:
        """The result of a request; MemoryCoreError when the server answers an error, dies or stays silent."""
        self._next_id += 1
        self._send({"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params})
        while True:
            message = self._receive(method)
            if "method" in message:
                self._answer(message)
            elif message.get("id") == self._next_id:
                if "error" in message:
                    raise MemoryCoreError(f"The server answered {method} with: {message['error'].get('message')}.")
                return message.get("result")

    def notify(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def wait_for(self, method: str) -> dict[str, Any]:
        """The parameters of the next notification of a method."""
        while True:
            for number, message in enumerate(self.notifications):
                if message["method"] == method:
                    params: dict[str, Any] = self.notifications.pop(number)["params"]
                    return params
            self._answer(self._receive(method))

    def _answer(self, message: dict[str, Any]) -> None:
        if "id" in message and "method" in message:  # a request of the server: progress tokens, registrations, settings
            items = message.get("params", {}).get("items") if message["method"] == "workspace/configuration" else None
            result = [None] * len(items) if items is not None else None
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        elif "method" in message:
            self.notifications.append(message)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        pipe = self._process.stdin
        if pipe is None:
            raise MemoryCoreError("The server has no input pipe.")
        pipe.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        pipe.flush()

    def _receive(self, waiting_for: str) -> dict[str, Any]:
        try:
            message = self._inbox.get(timeout=self.timeout)
        except queue.Empty:
            raise MemoryCoreError(f"The server did not answer {waiting_for} in {self.timeout:.0f} s.") from None
        if message is None:
            raise MemoryCoreError(f"The server ended before it answered {waiting_for}.")
        return message

    def _read(self) -> None:
        pipe = self._process.stdout
        while pipe and (message := read_frame(pipe)) is not None:
            self._inbox.put(message)
        self._inbox.put(None)


def read_frame(pipe: IO[bytes]) -> dict[str, Any] | None:
    """The next message of a server that frames correctly (LSP 3.17 "Base Protocol"); None at the end of the pipe."""
    length = 0
    while (line := pipe.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    body = pipe.read(length) if length else b""
    message: dict[str, Any] | None = json.loads(body) if body else None
    return message
