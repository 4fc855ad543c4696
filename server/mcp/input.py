"""Standard input and output as the MCP library can use them: one message a line, none without an answer, and an end
only when what was asked before it is answered.

The library drops a message that its parser refuses, and its client waits for ever: here it is refused, but half of a
surrogate pair (`\\ud800`), which JSON may name and which is no character, becomes U+FFFD. The library ends with its
input, and drops the calls that are under way: a script that writes its calls, closes the pipe and reads would lose most
of the answers.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import TextIO

import anyio
import mcp_types as types

_ESCAPE = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def answerable(line: str) -> str:
    """A line of JSON in which every escape names a character."""
    if "\\ud" not in line and "\\uD" not in line:
        return line
    return _ESCAPE.sub(lambda match: "\\ufffd" if match["half"] else match[0], line)


# So long nothing may be answered, while calls are waited for, before the wait is given up.
_PATIENCE_S = 10.0
_MOST_OPEN = 200  # calls, from which no more are read: of a client that reads no answers each keeps its own in memory
_ANSWER = re.compile(r'\{"jsonrpc":"2\.0","id":(?P<id>-?\d+|"(?:[^"\\]|\\.)*"),"(?:result|error)":')
_ID = re.compile(r'"id"\s*:\s*(?P<id>-?\d{1,18}|"(?:[^"\\]|\\.)*")\s*[,}]')


def parsed(line: str) -> types.JSONRPCMessage | None:
    """A line as the message that the library will see; None where it would not answer what wants to be answered."""
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        # A request whose id is none, a fraction say, passes as a notification.
        if isinstance(message, types.JSONRPCNotification) and '"id"' in line and "id" in json.loads(line):
            return None
    except (ValueError, RecursionError):
        return None
    return message


class Calls:
    """The requests that were read and not answered yet: `open`, how many by their id as JSON."""

    def __init__(self) -> None:
        self.open: Counter[str] = Counter()
        self._answered = time.monotonic()

    def read(self, message: types.JSONRPCMessage) -> None:
        """A message of the client's."""
        if isinstance(message, types.JSONRPCRequest):
            self.open[json.dumps(message.id)] += 1
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._ended(json.dumps((message.params or {}).get("requestId")))

    def wrote(self, line: str) -> None:
        """A line of ours."""
        if match := _ANSWER.match(line):
            self._ended(json.dumps(json.loads(match["id"])))
            self._answered = time.monotonic()

    def _ended(self, call: str) -> None:
        self.open -= Counter((call,))

    async def settle(self, most: int = 0) -> None:
        """Wait until no more than so many of those that were read are unanswered."""
        self._answered = time.monotonic()
        while self.open.total() > most and time.monotonic() - self._answered < _PATIENCE_S:  # noqa: ASYNC110 - many
            await anyio.sleep(0.02)


class Answers:
    """A stream to write to, for `stdio_server`, which only writes lines and flushes, and for our own refusals."""

    def __init__(self, stream: TextIO, calls: Calls, on_broken: Callable[[], None]) -> None:
        """`on_broken` is called when the client reads no more. To raise would wait for its next line, which never
        comes while somebody else holds its end of the pipe."""
        self._stream = anyio.wrap_file(stream)
        self._calls = calls
        self._on_broken = on_broken
        self._one = anyio.Lock()

    async def write(self, line: str) -> None:
        async with self._one:
            try:
                await self._stream.write(line)
                await self._stream.flush()
            except OSError:
                self._on_broken()
        self._calls.wrote(line)

    async def flush(self) -> None:
        """Nothing is left to do."""

    async def refuse(self, line: str) -> None:
        """Answer what is no message: the library drops it, and whoever sent it waits for ever."""
        error = {"code": types.INVALID_REQUEST, "message": "This is no message of JSON-RPC 2.0 that MCP knows."}
        answer = {"jsonrpc": "2.0", "id": _id_of(line), "error": error}
        await self.write(json.dumps(answer) + "\n")


def _id_of(line: str) -> int | str | None:
    """The id of what is no message, as well as it can be told: it may be what is wrong with it."""
    known = _ID.search(line)
    try:
        return json.loads(known["id"]) if known else None
    except ValueError:  # an escape that is none, a control character
        return None


class Lines:
    """The lines of a stream, answerable, for `stdio_server`, which only goes through them."""

    def __init__(self, stream: TextIO, calls: Calls, answers: Answers) -> None:
        self._stream = anyio.wrap_file(stream)
        self._calls = calls
        self._answers = answers

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._stream:
            if not line.strip():
                continue
            readable = answerable(line)
            message = parsed(readable)
            if message is None:
                await self._answers.refuse(readable)
                continue
            self._calls.read(message)
            yield readable
            await self._calls.settle(_MOST_OPEN)
        await self._calls.settle()


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
