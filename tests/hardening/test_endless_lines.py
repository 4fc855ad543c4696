"""Logs with a line that has no end, as a crash leaves behind a file that was made longer than what was written."""

from __future__ import annotations

import io
import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.config import SESSION_SOURCES
from memory_core.sessions.frames import Repairs
from memory_core.sessions.lines import MAX_LINE, lines_within, read_lines
from memory_core.store.session_discovery import discover

HOLE = 200 << 20  # bytes, which take no room on the disk
MOST = 150 << 20


def line(record: Any) -> bytes:
    return json.dumps(record).encode() + b"\n"


def of_another_project(folder: Path) -> Path:
    path = folder / "home/.claude/projects/p/s1.jsonl"
    record = {"type": "user", "uuid": "u", "sessionId": "s1", "cwd": "/other", "message": {"content": "x"}}
    return written(path, line(record))


def list_of_prompts(folder: Path) -> Path:
    record = {"display": "x", "timestamp": 1, "project": str(folder / "app"), "sessionId": "a"}
    return written(folder / "home/.claude/history.jsonl", line(record))


def empty_chat(folder: Path) -> Path:
    storage = folder / "home/.config/Code/User/workspaceStorage/h"
    written(storage / "workspace.json", line({"folder": (folder / "app").as_uri()}))
    written(storage / "GitHub.copilot-chat/transcripts/c.jsonl", b"{}")
    return written(storage / "chatSessions/c.jsonl", line({"kind": 0, "v": {"version": 3, "requests": []}}))


def history(folder: Path) -> Path:
    text = "\n# aider chat started at 2026-03-01 10:00:00\n\n#### hello  \n\nok\n"
    return written(folder / "app/.aider.chat.history.md", text.encode())


def written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("log", [of_another_project, list_of_prompts, empty_chat, history])
def test_a_log_with_a_hole_at_its_end_does_not_fill_the_memory(log: Callable[[Path], Path], tmp_path: Path) -> None:
    path = log(tmp_path)
    os.truncate(path, path.stat().st_size + HOLE)
    tracemalloc.start()
    try:
        discover(tmp_path / "app", tmp_path / "none", {"HOME": str(tmp_path / "home")}, SESSION_SOURCES)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()


def test_a_line_that_is_too_long_is_passed_over_and_the_next_one_read() -> None:
    stream = io.BytesIO(b"one\n" + b"x" * 50 + b"\n" + b"\0" * 5 + b"two\n" + b"y" * 50)
    assert list(lines_within(stream, 10)) == [b"one\n", b"two\n"]


def test_what_is_over_a_long_line_of_a_history_is_dropped_and_counted() -> None:
    repairs = Repairs()
    stream = io.BytesIO(b"a" * (MAX_LINE + 70) + b"\n\0\0b\0\0\n")
    lines = list(read_lines(stream, repairs))
    assert [(found.number, found.offset, len(found.text)) for found in lines] == [
        (0, 0, MAX_LINE),
        (1, MAX_LINE + 71, 1),
    ]
    assert repairs.counts == {"long_lines": 1}
