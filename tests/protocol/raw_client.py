"""A language client of plain JSON over pipes: nothing between a test and the bytes, and no time spent on types.

For the protocol tests and the benchmark. Reads on a thread; every wait has an end.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from memory_core.demo.server_client import read_frame

TIMEOUT = 20.0
Message = dict[str, Any]

CAPABILITIES: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True},
    "workspace": {"configuration": False, "didChangeWatchedFiles": {"dynamicRegistration": False}},
    "textDocument": {
        "completion": {"completionItem": {"labelDetailsSupport": True}},
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
    },
}


class RawClient:
    """A server process and both directions of its pipe. `sent_at` of a message is `time.perf_counter()`."""

    def __init__(
        self,
        cwd: Path,
        *,
        command: Sequence[str] = (sys.executable, "-I", "-m", "server"),
        environment: dict[str, str] | None = None,
    ) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, **(environment or {})},
        )
        self.received: list[Message] = []
        self.stderr = ""
        self._news = threading.Condition()
        self._ended = False
        self._ids = itertools.count(1)
        self.answers: dict[str, Callable[[Any], Any]] = {}  # answers to the server, an Exception refuses
        self._threads = [threading.Thread(target=t, daemon=True) for t in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    # Sending

    def send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        """Send a request without waiting; the answer is `answer(id)`."""
        number = next(self._ids)
        self.send({"id": number, "method": method, "params": params})
        return number

    def answer(self, number: int, timeout: float = TIMEOUT) -> Message:
        """The whole response to a request."""
        return self.wait(lambda m: m.get("id") == number and "method" not in m, timeout)

    def request(self, method: str, params: Any, timeout: float = TIMEOUT) -> Any:
        response = self.answer(self.begin(method, params), timeout)
        assert "error" not in response, response
        return response["result"]

    # Receiving

    def wait(self, wanted: Callable[[Message], bool], timeout: float = TIMEOUT) -> Message:
        """The first message not taken yet that is wanted; taken by this call."""
        deadline = time.monotonic() + timeout
        with self._news:
            while True:
                for number, message in enumerate(self.received):
                    if wanted(message):
                        return self.received.pop(number)
                left = deadline - time.monotonic()
                if left <= 0 or self._ended:
                    raise AssertionError(f"no such message; got {self.received[-5:]}; stderr: {self.stderr[-2000:]}")
                self._news.wait(left)

    def notification(self, method: str, timeout: float = TIMEOUT) -> Any:
        return self.wait(lambda m: m.get("method") == method, timeout)["params"]

    def diagnostics(self, uri: str, timeout: float = TIMEOUT) -> Any:
        return self.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri, timeout
        )["params"]

    # Life

    def initialize(self, *folders: Path, **changes: Any) -> Any:
        """`initialize` and `initialized`; `changes` replace parameters, `capabilities` is merged one level deep."""
        capabilities = {**CAPABILITIES, **changes.pop("capabilities", {})}
        params = {
            "processId": os.getpid(),
            "rootUri": folders[0].as_uri() if folders else None,
            "workspaceFolders": [{"uri": f.as_uri(), "name": f.name} for f in folders] or None,
            "capabilities": capabilities,
            **changes,
        }
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, language: str = "markdown") -> None:
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}},
        )

    def change(self, uri: str, version: int, *changes: Message) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def at(self, method: str, uri: str, line: int, character: int, **more: Any) -> Any:
        """A request about a position, `textDocument/<method>`."""
        position = {"line": line, "character": character}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position, **more})

    def shut_down(self, timeout: float = 5.0) -> int:
        """The orderly end; the exit code."""
        if self.process.poll() is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        return self.process.wait(timeout)

    def wait_for_end(self, timeout: float) -> None:
        """Wait until nobody holds the writing end of the server's output any more."""
        with self._news:
            assert self._news.wait_for(lambda: self._ended, timeout), "the server still runs"

    def close(self) -> None:
        """End it whatever state it is in."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(2)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue

    def _read(self) -> None:
        pipe = self.process.stdout
        assert pipe
        while (message := read_frame(pipe)) is not None:
            message["at"] = time.perf_counter()
            if "id" in message and "method" in message and message["method"] in self.answers:
                result = self.answers[message["method"]](message.get("params"))
                refused = {"error": {"code": -32601, "message": str(result)}}
                self.send({"id": message["id"], **(refused if isinstance(result, Exception) else {"result": result})})
            elif "id" in message and message.get("method") in (
                "window/workDoneProgress/create",
                "client/registerCapability",
            ):
                self.send({"id": message["id"], "result": None})
            with self._news:
                self.received.append(message)
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _read_errors(self) -> None:
        pipe = self.process.stderr
        assert pipe
        for line in pipe:
            self.stderr += line.decode("utf-8", "replace")
