"""The lock: one holder, named; a dead one on this host is taken over, another host's never."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from memory_core.errors import LockHeld, StoreError
from memory_core.layout import Layout
from memory_core.store import lock, process
from memory_core.store.filestore import FileStore
from memory_core.store.lock import UNWRITTEN_SECONDS

DEAD = 0x7FFFFFF0  # above every system's limit of process numbers


def write_lock(store: FileStore, **fields: Any) -> None:
    data = {"pid": DEAD, "host": socket.gethostname(), "process_started": None, "started_at": "2026-01-01T00:00:00Z"}
    store.layout.lock.parent.mkdir(parents=True, exist_ok=True)
    store.layout.lock.write_text(json.dumps({**data, **fields}), encoding="utf-8")


def test_the_lock_names_its_holder_and_what_it_consumes(store: FileStore) -> None:
    with store.consolidation_lock(["one", "two"]):
        data = json.loads(store.layout.lock.read_text(encoding="utf-8"))
    assert data["pid"] == os.getpid()
    assert data["host"] == socket.gethostname()
    assert data["started_at"] == "2026-06-01T09:00:00Z"
    assert data["consumed_ids"] == ["one", "two"]
    assert not store.layout.lock.exists()


def test_a_held_lock_refuses_and_names_the_holder(store: FileStore) -> None:
    """T46"""
    with store.consolidation_lock([]):
        before = store.layout.lock.read_bytes()
        with pytest.raises(LockHeld, match=rf"process {os.getpid()} on .*2026-06-01"), store.consolidation_lock([]):
            pass
        assert store.layout.lock.read_bytes() == before


def test_the_lock_is_free_again_after_an_error(store: FileStore) -> None:
    with pytest.raises(ZeroDivisionError), store.consolidation_lock([]):
        raise ZeroDivisionError
    with store.consolidation_lock([]):
        pass


def test_a_dead_holder_is_taken_over(store: FileStore) -> None:
    write_lock(store)
    with store.consolidation_lock([]):
        assert json.loads(store.layout.lock.read_text())["pid"] == os.getpid()
    assert [p.name for p in store.layout.staging.iterdir() if "stale" in p.name] == []


def test_a_reused_process_number_is_a_dead_holder(store: FileStore) -> None:
    if process.started(os.getpid()) is None:
        pytest.skip("this system does not tell when a process started")
    write_lock(store, pid=os.getpid(), process_started="another boot/1")
    with store.consolidation_lock([]):
        pass


def test_another_host_is_never_taken_over(store: FileStore) -> None:
    write_lock(store, host="elsewhere")
    with pytest.raises(LockHeld, match="elsewhere"), store.consolidation_lock([]):
        pass
    assert store.layout.lock.exists()


def test_a_lock_that_says_nothing_counts_as_held_while_it_is_fresh(store: FileStore) -> None:
    """Between making the file and writing it the holder is not known."""
    store.layout.staging.mkdir(parents=True)
    store.layout.lock.write_bytes(b"")
    with pytest.raises(LockHeld), store.consolidation_lock([]):
        pass
    old = time.time() - UNWRITTEN_SECONDS - 5
    os.utime(store.layout.lock, (old, old))
    with store.consolidation_lock([]):
        pass


def test_a_full_disk_leaves_no_lock_without_a_name(store: FileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could take such a lock over, and every later run would be told that another one is running."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(lock.json, "dump", full)
        with pytest.raises(StoreError, match="No space left on device"), store.consolidation_lock([]):
            pass
    with store.consolidation_lock([]):
        assert store.layout.lock.exists()


def test_a_lock_taken_from_us_is_not_removed_by_us(store: FileStore) -> None:
    with store.consolidation_lock([]):
        write_lock(store, host="elsewhere")
    assert json.loads(store.layout.lock.read_text())["host"] == "elsewhere"


def test_extracts_of_two_sessions_do_not_wait_for_each_other(store: FileStore) -> None:
    with store.extract_lock("one"), store.extract_lock("../two"), pytest.raises(LockHeld, match="extract"):
        store.extract_lock("one").__enter__()
    names = {path.name for path in (store.layout.cache / "locks").iterdir() if path.suffix == ".lock"}
    assert names == set()


_RACER = """
import sys, time
from pathlib import Path
from memory_core.errors import LockHeld, StoreError
from memory_core.layout import Layout
from memory_core.store.filestore import FileStore
root, inside = Path(sys.argv[1]), Path(sys.argv[2])
store = FileStore(Layout(root))
won = 0
for _ in range(60):
    try:
        with store.consolidation_lock([]):
            with open(inside, "x"):
                won += 1
            inside.unlink()
    except LockHeld:
        pass
print(won)
"""


def test_two_processes_never_hold_it_together(store: FileStore, root: Path, tmp_path: Path) -> None:
    """Both race for a dead holder's lock first; whoever is inside makes a file that must not exist yet."""
    write_lock(store)
    command = [sys.executable, "-c", _RACER, str(root), str(tmp_path / "inside")]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    won = []
    for run in runs:
        out, err = run.communicate(timeout=60)
        assert run.returncode == 0, err
        won.append(int(out))
    assert sum(won) > 0
    assert not store.layout.lock.exists()


def test_a_killed_holder_is_taken_over(root: Path) -> None:
    """The lock of a process that was killed outright stays on disk, and stops nobody."""
    code = (
        "import sys, time; from pathlib import Path; from memory_core.layout import Layout\n"
        "from memory_core.store.filestore import FileStore\n"
        "with FileStore(Layout(Path(sys.argv[1]))).consolidation_lock(['x']):\n"
        "    print('held', flush=True); time.sleep(60)\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(root)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    store = FileStore(Layout(root))
    with pytest.raises(LockHeld, match=str(holder.pid)), store.consolidation_lock([]):
        pass
    holder.kill()
    holder.wait(timeout=10)
    holder.stdout.close()
    with store.consolidation_lock([]):
        pass


def test_this_process_is_alive_and_an_impossible_one_is_not() -> None:
    assert process.alive(os.getpid())
    assert not process.alive(DEAD)
    assert not process.alive(0)
    assert not process.alive(-1)
