"""Logs for tests: records in, a session out; and a workspace with a home of its own, where agents leave theirs."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.sessions.model import Session
from memory_core.sessions.read import read_stream
from memory_core.store.discovery import create_root
from memory_core.workspace import Workspace, open_workspace

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    create_root(folder)
    return folder


@pytest.fixture
def workspace(folder: Path, tmp_path: Path) -> Workspace:
    return open_workspace(folder, {"HOME": str(tmp_path), "OMOIDE_CONFIG": os.devnull})


def _line(item: Any) -> bytes:
    if isinstance(item, bytes):
        return item
    return (item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)).encode() + b"\n"
