"""Standard input and output as the MCP library can use them: one message a line, without what its parser refuses to
answer, and an end only when what was asked before it is answered.

JSON may name half of a surrogate pair (`\\ud800`), which is no character. The library drops a message with one and its
client waits for ever; here it becomes U+FFFD. The library ends with its input, and drops the calls that are under way: a
script that writes its calls, closes the pipe and reads would lose most of the answers.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import AsyncIterator
from typing import Any, TextIO

import anyio

_ESCAPE = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def answerable(line: str) -> str:
    """A line of JSON in which every escape names a character."""
    if "\\ud" not in line and "\\uD" not in line:
        return line
    return _ESCAPE.sub(lambda match: "\\ufffd" if match["half"] else match[0], line)


# So long nothing may be answered, once the input has ended, before the rest is given up.
_PATIENCE_S = 10.0
_ANSWER = re.compile(r'\{"jsonrpc":"2\.0","id":(?P<id>-?\d+|"(?:[^"\\]|\\.)*"),"(?:result|error)":')


class Calls:
    """The requests that were read and not answered yet: `open`, their ids as JSON."""

    def __init__(self) -> None:
        self.open: set[str] = set()
        self._answered = time.monotonic()

    def read(self, line: str) -> None:
        """A line of the client's."""
        if '"method"' not in line:
            return
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return  # the library refuses it
        if not isinstance(message, dict):
            return
        params: Any = message.get("params")
        if message.get("method") == "notifications/cancelled" and isinstance(params, dict):
            self.open.discard(json.dumps(params.get("requestId")))
        elif "method" in message and message.get("id") is not None:
            self.open.add(json.dumps(message["id"]))

    def wrote(self, line: str) -> None:
        """A line of ours."""
        if match := _ANSWER.match(line):
            self.open.discard(json.dumps(json.loads(match["id"])))
            self._answered = time.monotonic()

    async def settle(self) -> None:
        """Wait for the answers to what was read."""
        self._answered = time.monotonic()
        while self.open and time.monotonic() - self._answered < _PATIENCE_S:
            await anyio.sleep(0.02)


class Lines:
    """The lines of a stream, answerable, for `stdio_server`, which only goes through them."""

    def __init__(self, stream: TextIO, calls: Calls) -> None:
        self._stream = anyio.wrap_file(stream)
        self._calls = calls

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._stream:
            readable = answerable(line)
            self._calls.read(readable)
            yield readable
        await self._calls.settle()


class Answers:
    """A stream to write to, for `stdio_server`, which only writes lines and flushes."""

    def __init__(self, stream: TextIO, calls: Calls) -> None:
        self._stream = anyio.wrap_file(stream)
        self._calls = calls
        self._line = ""

    async def write(self, line: str) -> None:
        self._line = line
        await self._stream.write(line)

    async def flush(self) -> None:
        await self._stream.flush()
        self._calls.wrote(self._line)


def own_input() -> TextIO:
    """Standard input for us alone: what is started from here reads nothing instead of the client's messages."""
    ours = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(ours, "r", encoding="utf-8", errors="replace", newline="\n")


def own_output() -> TextIO:
    """Standard output for us alone: what anything else prints goes to standard error and breaks no message."""
    ours = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(ours, "w", encoding="utf-8", newline="\n")
