"""Standard input as the MCP library can read it: one message a line, without what its parser refuses to answer.

JSON may name half of a surrogate pair (`\\ud800`), which is no character. The library drops a message with one and its
client waits for ever; here it becomes U+FFFD.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from typing import TextIO

import anyio

_ESCAPE = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def answerable(line: str) -> str:
    """A line of JSON in which every escape names a character."""
    if "\\ud" not in line and "\\uD" not in line:
        return line
    return _ESCAPE.sub(lambda match: "\\ufffd" if match["half"] else match[0], line)


class Lines:
    """The lines of a stream, answerable, for `stdio_server`, which only goes through them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = anyio.wrap_file(stream)

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._stream:
            yield answerable(line)


def own_input() -> TextIO:
    """Standard input for us alone: what is started from here reads nothing instead of the client's messages."""
    ours = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(ours, "r", encoding="utf-8", errors="replace", newline="\n")
