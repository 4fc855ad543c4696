"""The pipe to the client: frames in, frames out, whatever comes through it.

Takes the place of pygls' own loop, which reads a frame only when the last one is served: there a request that was given
up while it waited is served all the same (pygls#517), a client that writes much before it reads blocks both sides for
ever, and a header in lower case, which LSP allows, makes the server deaf.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, BinaryIO

from server.messages import is_id

log = logging.getLogger(__name__)

MAX_FRAME = 256 * 1024 * 1024  # bytes; VS Code sends no document above 50 MB, so a larger figure is a broken header
_MAX_WAITING = 256 * 1024 * 1024  # bytes read and not served yet, after which the client has to wait
_MESSAGE = 8 * 1024  # bytes that a message of some words takes once it is parsed, and a bit: ten times its text

# When the client has left and nothing was served for so long, an answer hangs; it must not keep the process alive.
_GRACE_S = 0.8
_BUSY = 0.05  # of the time on a processor, from which a process counts as at work
_STARVED_S = 10.0

# Searched for, not matched: behind rubbish that ended in no line end, the next header still counts.
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?\n\Z", re.IGNORECASE)

END = object()


_CHANGE = re.compile(rb'"method"\s*:\s*"textDocument/didChange"')
_URI = re.compile(rb'"uri"\s*:\s*("(?:[^"\\]|\\.)*")')
_LARGEST = 1.7976931348623157e308


class Unreadable:
    """A frame whose body is no JSON. `reason`: why not, in one line; `changed`: the document that it changes, if it is
    a change: those behind it are of a text that nobody here knows."""

    def __init__(self, reason: str, changed: str | None = None) -> None:
        self.reason = reason
        self.changed = changed


class Inbox:
    """The messages of a client in the order it sent them, read ahead on a thread of its own."""

    def __init__(self, source: BinaryIO, on_leave: Callable[[], None]) -> None:
        """`on_leave` is called on a thread when the client has left and what it sent before is served no more."""
        self._source = source
        self._on_leave = on_leave
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._waiting: deque[tuple[Any, int]] = deque()
        self._size = 0
        self._served = 0
        self._room = threading.Condition()
        self._given_up: set[str | int] = set()
        threading.Thread(target=self._run, name="omoide-read", daemon=True).start()

    async def get(self) -> Any:
        """The next message as parsed JSON, an Unreadable, or END when the client is gone."""
        # Once round the loop first: what the last message began runs before the next one changes anything.
        await asyncio.sleep(0)
        while not self._waiting:
            self._news.clear()
            if not self._waiting:
                await self._news.wait()
        message, size = self._waiting.popleft()
        self._served += 1
        with self._room:
            self._size -= size
            self._room.notify()
        return message

    def given_up(self, message: Any) -> bool:
        """Whether a request was given up while it waited here. Asked once of each message."""
        if not isinstance(message, dict):
            return False
        if (cancelled := _cancelled(message)) is not None:
            self._given_up.discard(cancelled)
            return False
        return "method" in message and is_id(message.get("id")) and message["id"] in self._given_up

    def _run(self) -> None:
        try:
            while (body := read_frame(self._source)) is not None:
                message = _parsed(body)
                self._put(message, len(body) + _MESSAGE)
                if isinstance(message, dict) and message.get("method") == "exit":
                    break
        except (OSError, ValueError) as error:  # closed under our hands
            log.warning("stdin cannot be read (%s): the server ends.", error)
        self._put(END, 0)
        self._wait_for_answers()
        self._on_leave()

    def _wait_for_answers(self) -> None:
        """Wait until nothing is served any more. A process that is at work without serving is starved by others, as
        when many servers start at once: it is given longer than one that stands still."""
        served, busy_until, used = -1, 0.0, 0.0
        while served != self._served or (used > _BUSY * _GRACE_S and time.monotonic() < busy_until):
            if served != self._served:
                served, busy_until = self._served, time.monotonic() + _STARVED_S
            before = time.process_time()
            time.sleep(_GRACE_S)
            used = time.process_time() - before

    def _put(self, message: Any, size: int) -> None:
        if isinstance(message, dict) and (cancelled := _cancelled(message)) is not None:
            self._given_up.add(cancelled)
        with self._room:
            while self._size >= _MAX_WAITING:
                self._room.wait()
            self._size += size
        self._waiting.append((message, size))
        try:
            self._loop.call_soon_threadsafe(self._news.set)
        except RuntimeError:
            return  # the loop is closed: nobody reads any more


def read_frame(source: BinaryIO) -> bytes | None:
    """The body of the next frame, None at the end of input. What is no frame is skipped, with one line in the log."""
    length, skipped = 0, 0
    while True:
        line = source.readline(65_536)
        if not line:
            if skipped:
                log.warning("The client's last %d bytes were no message.", skipped)
            return None
        if match := _LENGTH.search(line):
            skipped += match.start()
            length = int(match[1])
            if length > MAX_FRAME:
                log.warning("A message of %s bytes was announced, which is too long: its header is ignored.", length)
                length = 0
        elif not line.strip():
            if length:
                break
        elif not re.match(rb"content-type[ \t]*:", line, re.IGNORECASE):
            skipped += len(line)
    if skipped:
        log.warning("%d bytes between the client's messages were no message and were skipped.", skipped)
    body = source.read(length)
    if len(body) < length:
        log.warning("The client closed the pipe in the middle of a message.")
        return None
    return body


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body, parse_float=_number, parse_constant=_no_number)
    except RecursionError:
        return Unreadable("it is nested too deeply", _changed(body))
    except ValueError as error:  # bad JSON, bad UTF-8
        return Unreadable(str(error), _changed(body))


def _number(text: str) -> float:
    """JSON knows `1e400`, Python makes an infinity of it, and to answer with one, as an id say, is no JSON."""
    return max(-_LARGEST, min(_LARGEST, float(text)))


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


def _changed(body: bytes) -> str | None:
    """The URI of a change that cannot be read, as well as it can be told."""
    if not _CHANGE.search(body) or not (match := _URI.search(body)):
        return None
    try:
        return str(json.loads(match[1]))
    except ValueError:
        return None


def _cancelled(message: dict[str, Any]) -> str | int | None:
    params = message.get("params")
    if message.get("method") != "$/cancelRequest" or not isinstance(params, dict):
        return None
    return params["id"] if is_id(params.get("id")) else None


class Outbox:
    """stdout as pygls' writer. `on_broken`: called when the client reads no more."""

    def __init__(self, target: BinaryIO, on_broken: Callable[[], None]) -> None:
        self._target = target
        self._on_broken = on_broken

    def write(self, data: bytes) -> None:
        try:
            self._target.write(data)
            self._target.flush()
        except (OSError, ValueError):
            self._on_broken()

    def close(self) -> None:
        """Nothing: the process ends right behind, and closing would fail on a client that is gone."""
