"""A memory root in a temporary folder, with a clock that stands still."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.layout import Layout
from memory_core.store.filestore import FileStore

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
