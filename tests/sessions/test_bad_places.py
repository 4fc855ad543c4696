"""Odd things where logs are looked for: nothing that is no ordinary file is opened, nothing hangs, the rest is found.

Also what the damage tests of single readers cannot show: clocks that jump, rights that are missing.
"""

from __future__ import annotations

import io
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.config import SESSION_SOURCES
from memory_core.sessions.model import Session
from memory_core.sessions.read import read_stream
from memory_core.store.file_search import found
from memory_core.store.session_discovery import discover
from tests.sessions.agents import DATA, fixtures

LINED = [f for f in fixtures() if f.suffix == ".jsonl"]
# A log's place for each way of looking at one, below the home (or, with `app/`, in the workspace).
PLACES = (
    ".claude/projects/p/odd.jsonl",
    ".claude/history.jsonl",
    ".codex/sessions/2026/03/01/rollout-odd.jsonl",
    ".codex/sessions/2026/03/01/rollout-odd.jsonl.zst",
    ".codex/sessions/rollout-odd.json",
    ".config/Code/User/workspaceStorage/h/chatSessions/odd.jsonl",
    ".config/Code/User/workspaceStorage/h/workspace.json",
    ".copilot/session-state/odd/events.jsonl",
    ".copilot/history-session-state/odd.json",
    ".local/share/opencode/opencode.db",
    ".local/share/opencode/storage/session/p/odd.json",
    ".gemini/tmp/p/chats/odd.json",
    ".gemini/tmp/p/.project_root",
    ".pi/agent/sessions/p/odd.jsonl",
    ".openclaw/agents/a/sessions/odd.jsonl",
    ".local/share/goose/sessions/sessions.db",
    ".local/share/goose/sessions/odd.jsonl",
    "app/.aider.chat.history.md",
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
    ".cline/data/sessions/1/1.messages.json",
    "app/.specstory/history/odd.md",
    ".local/share/yoi/sessions/s/odd.jsonl",
    "app/.omoide/sessions/odd.jsonl",
)


def folder(path: Path) -> None:
    path.mkdir()


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    """A socket; its path may be longer than sockets allow, so it is made under a short name and moved."""
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("s")
        Path("s").rename(path.name)
    finally:
        os.chdir(here)


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def empty(path: Path) -> None:
    path.touch()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize(
    "make", [folder, pipe, listening, dangling, loop, device, empty], ids=lambda make: make.__name__
)
def test_what_is_no_file_in_a_logs_place_is_passed_over(tmp_path: Path, make: Callable[[Path], None]) -> None:
    for place in PLACES:
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path)
    app = tmp_path / "app"
    log = tmp_path / ".claude/projects/p/whole.jsonl"
    said = {"type": "user", "uuid": "u", "sessionId": "whole", "cwd": str(app), "message": {"content": "Hi."}}
    log.write_text(json.dumps(said) + "\n", encoding="utf-8")
    refs = discover(app, app / ".omoide/sessions", {"HOME": str(tmp_path)}, SESSION_SOURCES)
    assert "whole" in {ref.session_id for ref in refs}
    # An empty file of our own or in the workspace may be a session that is about to begin.
    assert {ref.path.name for ref in refs} <= {"whole.jsonl"} | ({"odd.jsonl", "odd"} if make is empty else set())


@pytest.mark.skipif(not hasattr(os, "seteuid") or os.geteuid() != 0, reason="only the administrator can become another")
def test_folders_and_files_without_rights_cost_only_themselves(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    home = tmp_path_factory.mktemp("home")
    app = home / "app"
    for name in ("mine", "secret", "hidden"):
        log = home / f".claude/projects/{name}/{name}.jsonl"
        log.parent.mkdir(parents=True)
        said = {"type": "user", "uuid": "u", "sessionId": name, "cwd": str(app), "message": {"content": "Hi."}}
        log.write_text(json.dumps(said) + "\n", encoding="utf-8")
    app.mkdir()
    for parent in (home, *home.parents):
        if parent.stat().st_uid == 0 and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
    (home / ".claude/projects/secret/secret.jsonl").chmod(0)
    (home / ".claude/projects/hidden").chmod(0)
    os.seteuid(65534)
    try:
        refs = discover(app, app / ".omoide/sessions", {"HOME": str(home)}, SESSION_SOURCES)
    finally:
        os.seteuid(0)
        (home / ".claude/projects/hidden").chmod(0o700)
    assert [ref.session_id for ref in refs] == ["mine"]
    assert "secret.jsonl" in caplog.text


def times_moved(value: Any, to: Any) -> Any:
    """A record with its times set to something else, wherever they stand."""
    names = ("timestamp", "ts", "time", "created", "createdAt", "startTime", "creationDate")
    if isinstance(value, dict):
        return {k: to if k in names and not isinstance(v, dict) else times_moved(v, to) for k, v in value.items()}
    return [times_moved(item, to) for item in value] if isinstance(value, list) else value


def plainly(session: Session) -> list[tuple[Any, ...]]:
    return [(e.index, e.kind, e.speaker, e.text, e.subtype, e.call_id) for e in session.entries]


@pytest.mark.parametrize("fixture", LINED, ids=str)
@pytest.mark.parametrize(
    "step", ["1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "not a time", -1, 1e300, None]
)
def test_a_clock_that_jumps_changes_no_entry_and_no_order(fixture: Path, step: Any) -> None:
    """Every other record has an impossible time: what was said stays, in the order of the file."""
    lines = (DATA / fixture).read_bytes().split(b"\n")
    moved = []
    for number, line in enumerate(lines):
        try:
            moved.append(json.dumps(times_moved(json.loads(line), step)).encode() if number % 2 else line)
        except ValueError:
            moved.append(line)
    before = read_stream(io.BytesIO(b"\n".join(lines)), fixture.stem, fixture.stem)
    after = read_stream(io.BytesIO(b"\n".join(moved)), fixture.stem, fixture.stem)
    assert plainly(after) == plainly(before)


@pytest.mark.skipif(os.name != "posix", reason="folders opened by descriptor")
def test_folders_deeper_than_a_stack_are_passed_over_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Every list of sessions ended in an internal error."""
    projects = tmp_path / "projects"
    projects.mkdir()
    (projects / "ok.jsonl").write_text("{}\n")
    here = os.open(projects, os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    with caplog.at_level("WARNING"):
        assert list(found(projects, "**/*.jsonl")) == [projects / "ok.jsonl"]
    assert "deeper than session logs lie" in caplog.text
    deep, aside = projects / "d", tmp_path / "aside"
    while (deep / "d").exists():  # what cleans up after tests follows a tree by names
        (deep / "d").rename(aside)
        deep.rmdir()
        aside.rename(deep)


def test_patterns_of_places_are_found_as_they_were(tmp_path: Path) -> None:
    names = [
        "a.jsonl", "x/a.jsonl", "x/projects/a.jsonl", "x/projects/y/z/a.jsonl", "p/chats/a.json", "p/chats/q/a.json",
        "p/other/a.json", ".hidden/a.jsonl", "a.jsonl.zst",
    ]  # fmt: skip
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for pattern in ("**/*.jsonl", "**/projects/**/*.jsonl", "*/chats/**/*.json", "**/*.jsonl.zst", "*.jsonl"):
        expected = sorted(path for path in tmp_path.glob(pattern) if path.is_file())
        assert list(found(tmp_path, pattern)) == expected
