"""Real processes: one that is killed at any of its writes, and several that write at the same time."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.changes import ChangeSet
from memory_core.consolidate import held
from memory_core.consolidate.undo import undo
from memory_core.lint.check import check_all
from memory_core.staging import Attempt
from tests.consolidate.test_consolidate_job import _content

B = Any
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked here")
WRITES = ("replace", "link", "unlink", "write", "rename", "mkdir")


def in_child(work: Callable[[], object]) -> int:
    """The wait status of a forked process that did `work`. It never returns into the test's own code."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:  # noqa: BLE001 - the parent sees the code; the text is for a person
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(1)
    return os.waitpid(child, 0)[1]


def killed_at(number: int, work: Callable[[], object]) -> bool:
    """Do `work` in a process that kills itself just before its write of that number; whether it came to that."""

    def dying() -> None:
        left = [number]
        os.fsync = lambda _: None  # type: ignore[assignment]  # a power cut is not what is tested here
        for name in WRITES:
            real = getattr(os, name)

            def call(*args: Any, _real: Any = real, **kwargs: Any) -> Any:
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1
                return _real(*args, **kwargs)

            setattr(os, name, call)
        work()

    status = in_child(dying)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def files(make: B) -> tuple[Any, ...]:
    return (
        make.staged(
            1,
            make.decided("Use SQLite for the queue", 3, options=("SQLite", "Redis"), rationale="nothing to run"),
            make.asked("Run slow tests at night only", 9),
            Attempt(
                action="Ran it twice",
                result="Failed because of the lock",
                succeeded=False,
                evidence=(make.said(9, "Failed because of the lock"),),
            ),
        ),
        make.staged(2, make.decided("We use SQLite for the queue", 5)),
    )


def fresh(bench: B, root: Path, make: B) -> Any:
    (root / "memory").mkdir(parents=True)
    other = type(bench)(root)
    other.stage(*files(make))
    return other


def sound(bench: B) -> None:
    """Nothing half written anywhere, and no record with a problem."""
    assert check_all(bench.store.load()) == {}
    for name, data in bench.everything().items():
        if name.endswith(".json") and ".tmp" not in name:
            json.loads(data)


def test_a_run_killed_at_any_write_ends_like_one_that_was_not(bench: B, make: B, tmp_path: Path) -> None:
    """T26, T44, T60, T62: SIGKILL before each write in turn; the store lints, the next run ends where one run would."""
    whole = fresh(bench, tmp_path / "whole/.omoide", make)
    whole.run()
    expected = _content(whole)
    candidates = {ref.id for file in files(make) for ref in file.candidates()}
    points = 0
    for number in range(400):
        one = fresh(bench, tmp_path / f"kill{number}/.omoide", make)
        if not killed_at(number, lambda one=one: one.run(run_id="first")):
            break
        points += 1
        sound(one)
        closed = {resolution.candidate for resolution in one.store.resolutions()}
        assert candidates == closed | one.store.staging().open
        assert one.run(run_id="second").status in ("committed", "nothing")
        sound(one)
        assert one.store.staging().open == frozenset()
        assert _content(one) == expected, number
        with one.store.consolidation_lock(()):  # a lock that the dead process left keeps nobody out
            pass
    assert points > 30


def test_an_accept_killed_at_any_write_can_be_done_again(bench: B, make: B, tmp_path: Path) -> None:
    from memory_core.config import Config, MemorySettings

    config = Config(memory=MemorySettings(consolidate_review="preview"))
    points = 0
    for number in range(400):
        one = fresh(bench, tmp_path / f"accept{number}/.omoide", make)
        assert one.run(run_id="first", config=config).status == "held"

        def accept(one: Any = one) -> Any:
            return held.accept(one.store, "first", config, now=one.now)

        if not killed_at(number, accept):
            break
        points += 1
        sound(one)
        if one.store.held():
            assert accept().status == "committed", number
        sound(one)
        assert one.store.staging().open == frozenset()
        assert len(_content(one)) == 4
    assert points > 20


def test_an_undo_killed_at_any_write_can_be_done_again(bench: B, make: B, tmp_path: Path) -> None:
    points = 0
    for number in range(400):
        one = fresh(bench, tmp_path / f"undo{number}/.omoide", make)
        open_before = one.store.staging().open
        one.run(run_id="first")
        if not killed_at(number, lambda one=one: undo(one.store, "first", now=one.now)):
            break
        points += 1
        with one.store.consolidation_lock(()):  # rolls back what was left half done
            pass
        undo(one.store, "first", now=one.now)
        sound(one)
        assert _content(one) == {}, number
        assert one.store.staging().open == open_before, number
    assert points > 15


def work_for(bench: B, make: B, who: int, rounds: int) -> None:
    """One process: stages a decision of its own and consolidates, again and again; now and then it takes one away."""
    for number in range(rounds):
        topic = f"{'alpha' if who else 'omega'}{number:02d} {'left' if number % 2 else 'right'}"
        bench.stage(make.staged(100 * who + number, make.decided(f"Use the {topic} thing", 3 + number)))
        for _ in range(400):
            run = bench.run(run_id=f"run-{who}-{number}")
            if run.status in ("committed", "nothing"):
                break
            assert "Another consolidation is running" in run.reason, run.reason
            time.sleep(0.005)
        else:
            raise AssertionError("never got the lock")
        path = f"knowledge/mine-{who}-{number}.md"
        text = make.knowledge_text(f"Body {who} {number}.\n", f"Fact {who} {number}. Read before x.")
        assert bench.store.commit(
            ChangeSet().with_file(path, None, text), run_id=f"own-{who}-{number}", reason="new"
        ).written


def test_two_processes_that_write_lose_no_record(bench: B, make: B) -> None:
    """T46, T47: two windows, a command line and a hook on one store."""
    rounds = 12
    children = []
    for who in (0, 1):
        child = os.fork()
        if child == 0:
            try:
                work_for(bench, make, who, rounds)
                os._exit(0)
            except BaseException as error:  # noqa: BLE001
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    bench.run(run_id="last")
    assert bench.store.staging().open == frozenset()
    sound(bench)
    text = "\n".join(data.decode() for path, data in bench.records().items() if path.startswith("memory/decisions"))
    for number in range(rounds):
        for name in ("alpha", "omega"):
            assert f"{name}{number:02d}" in text
    own = {path for path in bench.records() if path.startswith("knowledge/mine-")}
    assert len(own) == 2 * rounds
    applied = [r.candidate for r in bench.store.resolutions() if r.action == "applied"]
    assert len(applied) == len(set(applied)) == 2 * rounds
