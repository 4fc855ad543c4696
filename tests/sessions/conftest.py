"""Logs for tests: records in, a session out."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from memory_core.sessions.model import Session
from memory_core.sessions.read import read_stream

Reading = Callable[..., Session]


@pytest.fixture
def read() -> Reading:
    """Reads a log given as records (each a line), raw lines, or bytes, and checks what holds for every session."""

    def reading(*lines: Any, name: str = "log") -> Session:
        data = lines[0] if len(lines) == 1 and isinstance(lines[0], bytes) else b"".join(map(_line, lines))
        session = read_stream(io.BytesIO(data), name, name)
        assert [entry.index for entry in session.entries] == list(range(len(session.entries)))
        for entry in session.entries:
            entry.text.encode()  # no lone surrogate gets through
        return session

    return reading


def _line(item: Any) -> bytes:
    if isinstance(item, bytes):
        return item
    return (item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)).encode() + b"\n"
