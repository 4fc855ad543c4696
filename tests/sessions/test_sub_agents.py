"""What an agent's helpers left: no part of the workspace's history, an agent's words, and named where it lies."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memory_core.cli.columns import cut, left, width
from memory_core.cli.main import main
from memory_core.sessions.model import Speaker
from memory_core.store.session_files import read_log
from memory_core.store.sub_agents import sub_agent_logs
from memory_core.workspace import Workspace

SESSION = "11111111-1111-4111-8111-111111111111"


def write(workspace: Workspace, name: str, *said: str, session: str = SESSION, **more: Any) -> Path:
    folder = workspace.layout.workspace
    path = folder.parent / ".claude/projects/p" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        for number, text in enumerate(said):
            role = "assistant" if number % 2 else "user"
            record = {"type": role, "uuid": f"{path.stem}-{number}", "sessionId": session, "cwd": str(folder)}
            stream.write(json.dumps({**record, "message": {"role": role, "content": text}, **more}) + "\n")
    return path


@pytest.fixture
def helpers(workspace: Workspace) -> list[Path]:
    """A session, a helper of each generation, a compaction's run, and a helper of another session."""
    write(workspace, f"{SESSION}.jsonl", "Build the parser.", "I will.")
    side = {"isSidechain": True, "agentId": "a1"}
    new = write(workspace, f"{SESSION}/subagents/agent-a1.jsonl", "Count the files.", "12.", **side)
    again = write(workspace, f"{SESSION}/subagents/agent-acompact-b2.jsonl", "Build the parser.", "I will.", **side)
    old = write(workspace, "agent-0a1b2c3d.jsonl", "Look for TODOs.", **side)
    write(workspace, "agent-ffffffff.jsonl", "Another's.", session="another", **side)
    return [new, again, old]


def test_a_helpers_log_is_no_session_of_the_workspace(workspace: Workspace, helpers: list[Path]) -> None:
    assert [ref.session_id for ref in workspace.sessions()] == [SESSION]


def test_what_an_agent_tells_its_helper_is_an_agents_speech(workspace: Workspace, helpers: list[Path]) -> None:
    session = read_log(helpers[0])
    assert session.session_kind == "subagent"
    assert [entry.speaker for entry in session.entries] == [Speaker.ASSISTANT] * 2
    assert session.entries[0].subtype == "subagent_prompt"


def test_the_helpers_of_a_session_are_named(workspace: Workspace, helpers: list[Path]) -> None:
    found = sub_agent_logs(workspace.session(SESSION))
    assert [(log.path, log.repeats) for log in found] == [(helpers[0], False), (helpers[1], True), (helpers[2], False)]


def test_show_tells_that_a_session_has_helpers(
    workspace: Workspace, helpers: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", workspace.environment["HOME"])
    monkeypatch.setenv("OMOIDE_CONFIG", os.devnull)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    main(["--workspace", str(workspace.layout.workspace), "sessions", "show", SESSION])
    told = capsys.readouterr().err
    assert f"2 logs of sub-agents beside it, for example: --log {helpers[0]}" in told
    assert "1 log beside it with nothing but its history once more" in told


def test_columns_count_wide_letters_twice_and_accents_not() -> None:
    assert width("WAL モード") == 10
    assert width("e\u0301") == 1
    assert cut("保存形式を変更", 8) == "保存形…"
    assert cut("short", 5) == "short"
    assert width(left("日本", 8)) == 8


def test_a_list_with_wide_titles_fits_80_columns(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = write(workspace, f"{SESSION}.jsonl", *["保存形式を決める。"] * 1200)
    with log.open("a", encoding="utf-8") as stream:
        title = {"type": "custom-title", "customTitle": "保存形式の変更と" * 20, "sessionId": SESSION}
        stream.write(json.dumps(title, ensure_ascii=False) + "\n{damaged\n")
    monkeypatch.setenv("HOME", workspace.environment["HOME"])
    monkeypatch.setenv("OMOIDE_CONFIG", os.devnull)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    main(["--workspace", str(workspace.layout.workspace), "sessions"])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if SESSION in line]
    assert [line for line in lines if "1,2" in line and "1 gap" in line]
    assert max(map(width, lines)) <= 80
