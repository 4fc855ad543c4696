"""A memory root in a temporary folder, with a clock that stands still."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.layout import Layout
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.filestore import FileStore
from memory_core.store.session_files import read_log
from memory_core.store.session_meter import SessionMeter

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / ".omoide"
    for name in ("memory/decisions", "memory/requests", "knowledge", "workflow"):
        (folder / name).mkdir(parents=True)
    return folder


@pytest.fixture
def store(root: Path) -> FileStore:
    return FileStore(Layout(root), lambda: NOW)


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """As a user to whom file modes apply: root (in a container, say) may read and write everything."""
    if os.name != "posix" or os.geteuid() != 0:
        yield
        return
    closed = {parent: mode for parent in folder.parents if not (mode := parent.stat().st_mode) & 0o001}
    for parent, mode in closed.items():
        parent.chmod(mode | 0o011)
    os.seteuid(65_534)  # nobody
    try:
        yield
    finally:
        os.seteuid(0)
        for parent, mode in closed.items():
            parent.chmod(mode)


@pytest.fixture
def reads() -> list[Path]:
    """The logs that the meter read whole."""
    return []


@pytest.fixture
def through() -> int:
    """The last entry of each session that was extracted: none."""
    return -1


@pytest.fixture
def meter(reads: list[Path], through: int) -> SessionMeter:
    def read(path: Path) -> Session:
        reads.append(path)
        return read_log(path)

    return SessionMeter(read, lambda _: Pointer(through))
