"""`$/logTrace`: what the server does with each message, for a client that turned tracing on by `$/setTrace`.

A message is named with its method and id; its content goes along only where the client asked for `verbose`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from lsprotocol import types

_LONGEST = 4_000  # characters of a message's content: a trace is read by people

# The trace itself, and what only carries it.
_SILENT = frozenset({"$/setTrace", "$/logTrace"})


class Trace:
    """Follows requests from their arrival to their answer. `send` is only called while tracing is on."""

    def __init__(self, send: Callable[[types.LogTraceParams], None]) -> None:
        self._send = send
        self.value = types.TraceValue.Off
        self._begun: dict[str | int, tuple[str, float]] = {}

    def came(self, message: dict[str, Any]) -> None:
        """A request or notification is about to be served."""
        method = str(message.get("method"))
        if self.value is types.TraceValue.Off or method in _SILENT:
            return
        if "id" in message and isinstance(message["id"], str | int):
            self._begun[message["id"]] = method, time.monotonic()
            text = f"Received request '{method} - ({message['id']})'."
        else:
            text = f"Received notification '{method}'."
        self._log(text, message.get("params"))

    def answered(self, msg_id: str | int | None, failure: str | None = None) -> None:
        """A request was answered, with an error where there is a `failure`."""
        begun = self._begun.pop(msg_id, None) if msg_id is not None else None
        if begun is None or self.value is types.TraceValue.Off:
            return
        method, at = begun
        took = f"{(time.monotonic() - at) * 1_000:.0f} ms"
        text = f"Answered '{method} - ({msg_id})' in {took}."
        self._log(text if failure is None else f"{text} It failed: {failure}", None)

    def _log(self, text: str, content: Any) -> None:
        verbose = None
        if self.value is types.TraceValue.Verbose and content is not None:
            verbose = json.dumps(content, ensure_ascii=False)
            if len(verbose) > _LONGEST:
                verbose = f"{verbose[:_LONGEST]}… ({len(verbose):,} characters)"
        self._send(types.LogTraceParams(text, verbose))
