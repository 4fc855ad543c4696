"""An extract that is killed at any of its writes leaves a valid store, and the next one ends in the same state."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from memory_core.llm import ModelReply
from memory_core.sessions.pointer import Pointer
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.testing import ScriptedModel, tool_call
from tests.consolidate.test_consolidate_killed import killed_at
from tests.extract.test_extract_job import FOUND, NOW, SESSION, extract

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked here")

NONSENSE = tool_call("no_such_tool", {})
MOST = 60  # writes of one run: far more than there are


def state(store: FileStore) -> tuple[Any, ...]:
    """What a run left, without the ids and instants that differ from run to run."""
    area = store.staging()
    pointer = store.pointer(SESSION)
    return (
        area.invalid,
        [(file.source.range, file.counts()) for file in area.files],
        (pointer.processed_through_entry, pointer.staging_id is None),
    )


def run(store: FileStore, reply: ModelReply) -> None:
    asyncio.run(extract(store, ScriptedModel([reply] * 10)))


def new_store(folder: Path) -> FileStore:
    folder.mkdir()
    layout, _ = create_root(folder)
    return FileStore(layout, lambda: NOW)


@pytest.mark.parametrize("first", [FOUND, tool_call("write_extracted", {}), NONSENSE], ids=["found", "none", "failed"])
def test_extract_killed_at_any_write_is_made_good_by_the_next(tmp_path: Path, first: ModelReply) -> None:
    """T07 T10: whatever the killed run was about to write, the session is extracted once, and no file is torn."""
    whole = new_store(tmp_path / "whole")
    if first is not NONSENSE:
        run(whole, first)
    run(whole, FOUND)
    for number in range(MOST):
        store = new_store(tmp_path / str(number))
        if not killed_at(number, lambda store=store: run(store, first)):  # type: ignore[misc]
            assert number > 2, "the run writes at least a lock, a pointer and the audit"
            return
        assert store.staging().invalid == ()
        assert all(letter.reason for letter in store.dead_letters())
        again = FOUND if first is NONSENSE else first
        run(store, again)
        assert state(store) == state(whole), f"killed at write {number}"
        assert store.dead_letters() == []
        assert store.pointer(SESSION) != Pointer()
    pytest.fail("the run never came to its end")
