"""Following logs: appended, unfinished, cut, replaced, gone; and the meter that counts what is new."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from memory_core.store.log_tail import Change, follow
from memory_core.store.session_meter import SessionMeter

FIRST = b'{"a": 1}\n{"b": 2}\n'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(FIRST)
    return path


def test_only_what_is_new_is_read_and_an_unfinished_line_is_held_back(log: Path) -> None:
    first = follow(log)
    assert (first.change, first.data) == (Change.APPENDED, b"")
    assert first.state
    assert (first.state.offset, first.state.line) == (len(FIRST), 2)
    with log.open("ab") as stream:
        stream.write(b'{"c": 3}\n{"d":')
    second = follow(log, first.state)
    assert (second.change, second.data) == (Change.APPENDED, b'{"c": 3}\n')
    with log.open("ab") as stream:
        stream.write(b" 4}\n")
    third = follow(log, second.state)
    assert third.data == b'{"d": 4}\n'
    assert third.state
    assert third.state.line == 4


def test_an_unchanged_log_is_not_opened(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = follow(log).state

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("the log was opened")

    monkeypatch.setattr(Path, "open", refuse)
    assert follow(log, state).change is Change.UNCHANGED


def test_other_line_ends_do_not_split_a_record(log: Path) -> None:
    odd = '{"t": "a\u2028b\x85c\x0cd\re"}\n'.encode()
    state = follow(log).state
    log.write_bytes(FIRST + odd)
    tail = follow(log, state)
    assert tail.data == odd
    assert tail.state
    assert tail.state.line == 3


def test_a_log_cut_shorter_is_read_from_its_beginning(log: Path) -> None:
    state = follow(log).state
    log.write_bytes(b'{"a": 1}\n')
    tail = follow(log, state)
    assert (tail.change, tail.data) == (Change.REWRITTEN, b"")
    assert tail.state
    assert (tail.state.offset, tail.state.line) == (9, 1)


@pytest.mark.parametrize("new", [b'{"x": 1}\n{"b": 2}\n{"c": 3}\n', b'{"a": 1}\n{"y": 2}\n{"c": 3}\n'])
def test_a_change_before_the_place_reached_is_noticed_though_the_log_grew(log: Path, new: bytes) -> None:
    state = follow(log).state
    log.write_bytes(new)
    tail = follow(log, state)
    assert (tail.change, tail.data) == (Change.REWRITTEN, b"")
    assert tail.state
    assert (tail.state.offset, tail.state.line) == (len(new), 3)


def test_a_log_met_for_the_first_time_is_not_held_in_memory(log: Path) -> None:
    """A gigabyte of it was, by every editor that watched."""
    log.write_bytes(FIRST)
    with log.open("r+b") as stream:
        stream.truncate(64 << 20)
    tracemalloc.start()
    try:
        tail = follow(log)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
    assert tail.state
    assert tail.state.offset == len(FIRST)


def test_a_file_replaced_by_its_own_continuation_is_the_same_log(log: Path) -> None:
    state = follow(log).state
    other = log.with_name("new")
    other.write_bytes(FIRST + b'{"c": 3}\n')
    other.replace(log)
    tail = follow(log, state)
    assert (tail.change, tail.data) == (Change.APPENDED, b'{"c": 3}\n')


def test_a_log_that_went_away_and_came_back(log: Path) -> None:
    state = follow(log).state
    log.unlink()
    assert follow(log, state).change is Change.GONE
    log.write_bytes(b'{"z": 1}\n')
    assert follow(log, state).change is Change.REWRITTEN


def claude(kind: str, number: int, content: Any) -> bytes:
    record = {
        "type": kind,
        "uuid": f"u{number}",
        "sessionId": "s1",
        "cwd": "/w/app",
        "timestamp": f"2026-04-01T09:00:{number:02d}Z",
        "message": {"role": kind, "content": content},
    }
    return json.dumps(record).encode() + b"\n"


CALL = [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]
RESULT = [{"type": "tool_result", "tool_use_id": "t1", "content": "a.py"}]
SAID = [{"type": "text", "text": "Done, there is one file."}]


@pytest.fixture
def through() -> int:
    """The first entry was extracted before."""
    return 0


def test_an_append_is_counted_without_reading_the_log_again(log: Path, meter: SessionMeter, reads: list[Path]) -> None:
    """T05: the trigger needs a figure at every append; it must not cost the whole log each time."""
    log.write_bytes(claude("user", 1, "Please list all of the files here."))
    first = meter.measure(log)
    assert first
    assert (first.tokens, first.finished) == (0, False), "the pointer stands behind the only entry"
    with log.open("ab") as stream:
        stream.write(claude("assistant", 2, CALL))
    second = meter.measure(log)
    with log.open("ab") as stream:
        stream.write(claude("user", 3, RESULT) + claude("assistant", 4, SAID))
    third = meter.measure(log)
    assert second
    assert third
    assert (second.finished, third.finished) == (False, True)
    assert 0 < second.tokens < third.tokens
    assert third.entries == 4
    assert reads == [log]
    assert meter.measure(log) is third


def test_a_run_whose_tool_still_works_is_not_finished(log: Path, meter: SessionMeter) -> None:
    log.write_bytes(claude("user", 1, "Go.") + claude("assistant", 2, CALL) + claude("assistant", 3, SAID))
    reading = meter.measure(log)
    assert reading
    assert not reading.finished


def test_a_rewritten_log_and_a_moved_pointer_are_measured_anew(
    log: Path, meter: SessionMeter, reads: list[Path]
) -> None:
    log.write_bytes(claude("user", 1, "One.") + claude("assistant", 2, SAID))
    before = meter.measure(log)
    log.write_bytes(claude("user", 1, "One."))
    after = meter.measure(log)
    assert before
    assert after
    assert after.tokens < before.tokens
    meter.extracted(log)
    meter.measure(log)
    assert len(reads) == 3


def test_what_is_no_session_is_not_measured(log: Path, meter: SessionMeter, tmp_path: Path) -> None:
    log.write_bytes(b"not a log\n")
    assert meter.measure(log) is None
    assert meter.measure(tmp_path / "nothing") is None
