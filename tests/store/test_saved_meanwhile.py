"""A person's save wins over a run's write, also in the moment in which the disk takes the run's file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memory_core.changes import ChangeSet, FileChange
from memory_core.store import files, recovery
from memory_core.store.filestore import FileStore

PATH = "knowledge/here.md"


@pytest.fixture
def saves(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a person save a file while the temporary file beside it is being synced."""

    def while_syncing(path: Path, text: bytes) -> None:
        real = os.fsync

        def fsync(handle: int) -> None:
            real(handle)
            if any(path.parent.glob(f".{path.name}.*.tmp")) and path.read_bytes() != text:
                path.write_bytes(text)

        monkeypatch.setattr(files.os, "fsync", fsync)

    return while_syncing


def test_a_record_saved_while_the_disk_takes_its_next_text_is_a_conflict(store: FileStore, saves: Any) -> None:
    path = store.layout.root / PATH
    path.write_bytes(b"before\n")
    saves(path, b"before\nA person wrote this.\n")
    result = store.commit(ChangeSet({PATH: FileChange(PATH, "before\n", "after\n")}), run_id="run", reason="test")
    assert result.conflicts == (PATH,)
    assert result.reasons[PATH] == "was changed meanwhile"
    assert path.read_bytes() == b"before\nA person wrote this.\n"
    assert not list(path.parent.glob(".*.tmp"))


def test_a_record_saved_while_a_dead_run_is_rolled_back_stays(store: FileStore, saves: Any) -> None:
    path = store.layout.root / PATH
    path.write_bytes(b"before\n")
    change = ChangeSet({PATH: FileChange(PATH, "before\n", "after\n")})
    store.commit(change, run_id="run", reason="test")
    manifest = store.layout.archive / "run/manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"written"', '"planned"'), encoding="utf-8")
    saves(path, b"after\nA person wrote this.\n")
    recovery.abandon(store.layout, "run")
    assert path.read_bytes() == b"after\nA person wrote this.\n"
