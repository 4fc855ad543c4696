"""`omoide sessions`, as people and programs call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_core.cli.main import main
from memory_core.sessions.pointer import Pointer
from memory_core.store.discovery import create_root
from memory_core.store.extract_pointers import append_pointer
from memory_core.store.session_files import read_log


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with one Claude Code session in a home of its own."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OMOIDE_CONFIG", str(tmp_path / "none.toml"))
    folder = tmp_path / "ws"
    folder.mkdir()
    create_root(folder)
    log = tmp_path / ".claude/projects/p/s1.jsonl"
    log.parent.mkdir(parents=True)
    said = {"type": "user", "sessionId": "s1", "uuid": "u1", "cwd": str(folder), "timestamp": "2026-04-01T09:00:00Z"}
    lines = [
        {**said, "message": {"content": "Use \x1b]0;evil\x07WAL\x1b[31m mode."}},
        {"type": "assistant", "uuid": "a1", "message": {"id": "m", "content": [{"type": "text", "text": "Done."}]}},
    ]  # fmt: skip
    log.write_text(json.dumps(lines[0]) + "\n{broken\n" + json.dumps(lines[1]) + "\n")
    return folder


def run(workspace: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        main(["--workspace", str(workspace), *arguments])
        code = 0
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def answer(workspace: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, _ = run(workspace, capsys, "--json", *arguments)
    assert code == 0
    return json.loads(out)


def test_the_list_counts_entries_gaps_and_what_is_not_extracted(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = answer(workspace, capsys, "sessions")["sessions"]
    assert len(rows) == 1
    log = workspace.parent / ".claude/projects/p/s1.jsonl"
    assert set(rows[0]) == {
        "session_id", "agent", "path", "entries", "started_at", "updated_at", "unextracted_tokens", "gaps"
    }  # fmt: skip
    assert (rows[0]["session_id"], rows[0]["agent"], rows[0]["path"]) == ("s1", "claude-code", str(log))
    assert (rows[0]["entries"], rows[0]["gaps"]) == (2, 1)
    assert rows[0]["unextracted_tokens"] > 0
    append_pointer(workspace / ".omoide/sessions", read_log(log), Pointer(1, None))
    assert answer(workspace, capsys, "sessions")["sessions"][0]["unextracted_tokens"] == 0


def test_show_gives_entries_with_speakers_and_places(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = answer(workspace, capsys, "sessions", "show", "s1")
    assert (shown["session_id"], shown["agent"], shown["gaps"]) == ("s1", "claude-code", 1)
    assert shown["gap_details"][0]["line"] == 1
    assert [(e["index"], e["speaker"], e["line"], e["native_id"]) for e in shown["entries"]] == [
        (0, "human", 0, "u1"), (1, "assistant", 2, "a1")
    ]  # fmt: skip


@pytest.mark.parametrize(("span", "indices"), [("1:1", [1]), ("0:", [0, 1]), (":0", [0]), ("1", [1]), ("5:9", [])])
def test_a_range_includes_both_ends(
    workspace: Path, capsys: pytest.CaptureFixture[str], span: str, indices: list[int]
) -> None:
    shown = answer(workspace, capsys, "sessions", "show", "s1", "--entries", span)
    assert [entry["index"] for entry in shown["entries"]] == indices


def test_what_a_log_says_cannot_drive_the_terminal(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(workspace, capsys, "sessions", "show", "s1")
    assert code == 0
    assert "Use WAL mode." in out
    assert "evil" not in out
    _, out, _ = run(workspace, capsys, "sessions", "search", "WAL")
    assert "Use WAL mode." in out
    assert "\x1b]" not in out


def test_search_finds_entries(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hits = answer(workspace, capsys, "sessions", "search", "wal", "--limit", "1")["hits"]
    assert [(hit["session_id"], hit["entry"], hit["kind"], hit["speaker"]) for hit in hits] == [
        ("s1", 0, "user_message", "human")
    ]
    assert {"excerpt", "score"} <= set(hits[0])


def test_entries_beside_hits_are_counted_apart(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(workspace, capsys, "sessions", "search", "wal")
    assert "Done." in out
    assert out.splitlines()[-1] == (
        "1 hit and 1 entry beside a hit; `omoide sessions show s1 --entries 0` shows the first whole."
    )
    hits = answer(workspace, capsys, "sessions", "search", "wal")["hits"]
    assert [(hit["entry"], hit["beside"]) for hit in hits] == [(0, False), (1, True)]


def test_a_secret_that_is_typed_whole_is_not_found(
    tmp_path: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "keys.jsonl"
    said = {"type": "user", "sessionId": "s2", "uuid": "u9", "cwd": str(workspace)}
    log.write_text(json.dumps({**said, "message": {"content": "password: hunter2-Xk9!"}}) + "\n")
    _, out, _ = run(workspace, capsys, "sessions", "search", "hunter2-Xk9!", "--log", str(log))
    assert out.startswith("Nothing matched")
    _, out, _ = run(workspace, capsys, "sessions", "search", "password", "--log", str(log))
    assert "password: [redacted secret]" in out


def test_nothing_matched_and_nothing_stored_are_told_apart(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """T24."""
    assert answer(workspace, capsys, "sessions", "search", "nowhere") == {"hits": [], "stored": 2}
    assert answer(workspace, capsys, "sessions", "search", "wal")["stored"] == 2
    code, out, _ = run(workspace, capsys, "sessions", "search", "nowhere")
    assert (code, out) == (0, "Nothing matched: 2 entries searched. Try fewer or other words.\n")
    (workspace.parent / ".claude/projects/p/s1.jsonl").unlink()
    assert answer(workspace, capsys, "sessions", "search", "wal") == {"hits": [], "stored": 0}
    code, out, _ = run(workspace, capsys, "sessions", "search", "wal")
    assert code == 0
    assert out.startswith("Nothing stored: nothing was said in ")
    assert str(workspace / ".omoide/sessions") in out


def test_a_log_anywhere_needs_no_workspace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"type":"user","sessionId":"s9","message":{"content":"Hello there."}}\n')
    assert answer(tmp_path, capsys, "sessions", "show", "--log", str(log))["session_id"] == "s9"
    assert answer(tmp_path, capsys, "sessions", "search", "hello", "--log", str(log))["hits"][0]["entry"] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("sessions", "show"),
        ("sessions", "show", "s1", "--log", "x.jsonl"),
        ("sessions", "show", "s1", "--entries", "b:a"),
        ("sessions", "show", "s1", "--entries", "5:2"),
        ("sessions", "search", " "),
        ("sessions", "show", "nobody"),
        ("sessions", "show", "--log", "missing.jsonl"),
    ],
)
def test_misuse_is_one_clear_line(
    workspace: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    code, out, err = run(workspace, capsys, *arguments)
    assert code in (1, 2)
    assert out == ""
    assert "Traceback" not in err
    assert err.strip()


def test_no_secret_of_a_log_is_shown(tmp_path: Path, workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """T36, T37: what is shown or searched is redacted like what is staged."""
    key = "sk-ant-api03-AbCdEf0123456789AbCdEf0123456789"
    said = {"type": "user", "sessionId": "s2", "uuid": "u9", "cwd": str(workspace)}
    log = tmp_path / "keys.jsonl"
    log.write_text(json.dumps({**said, "message": {"content": f"the staging key is {key}, keep it out of git"}}) + "\n")
    for words in (["sessions", "show", "--log", str(log)], ["sessions", "search", "staging key", "--log", str(log)]):
        for flags in ([], ["--json"]):
            code, out, _ = run(workspace, capsys, *words, *flags)
            assert code == 0
            assert "the staging key is" in out
            assert key not in out


def test_a_session_is_exported_and_imported_and_no_file_is_written_over(
    workspace: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    code, out, _ = run(workspace, capsys, "sessions", "export", "s1", "--out", str(page))
    assert (code, out) == (0, "")
    assert "mode." in page.read_text(encoding="utf-8")
    assert run(workspace, capsys, "sessions", "export", "s1", "--out", str(page))[0] == 2
    assert json.loads(run(workspace, capsys, "sessions", "export", "s1", "--format", "atif")[1])["session_id"] == "s1"

    log = workspace.parent / ".claude/projects/p/s1.jsonl"
    code, _, err = run(workspace, capsys, "sessions", "import", str(log))
    assert (code, "read where its log lies" in err) == (1, True), "it is extracted from there already"
    log = log.rename(tmp_path / "brought-along.jsonl")
    facts = answer(workspace, capsys, "sessions", "import", str(log))
    assert (facts["session_id"], facts["agent"], facts["gaps"]) == ("s1", "claude-code", 1)
    assert Path(facts["path"]).parent == workspace / ".omoide/sessions"
    assert run(workspace, capsys, "sessions", "import", str(log))[0] == 1, "it is here already"
    assert [row["session_id"] for row in answer(workspace, capsys, "sessions")["sessions"]] == ["s1"], "one session"


def test_one_id_of_two_agents_is_said_and_one_of_them_is_meant(
    workspace: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    rollout = workspace.parent / ".codex/sessions/rollout-s1.jsonl"
    rollout.parent.mkdir(parents=True)
    head = {"timestamp": "2026-04-01T09:00:00Z", "type": "session_meta", "payload": {"id": "s1", "cwd": str(workspace)}}
    rollout.write_text(json.dumps(head) + "\n")
    code, out, _ = run(workspace, capsys, "sessions", "show", "s1")
    assert code == 0
    meant, other = ("codex", "claude-code") if "s1  codex" in out else ("claude-code", "codex")
    assert f"{other} has a session `s1` too: that of {meant} is meant" in caplog.text


def test_an_id_with_line_ends_makes_no_row_of_its_own(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = workspace.parent / ".claude/projects/p/s1.jsonl"
    log.write_text(log.read_text().replace('"sessionId": "s1"', '"sessionId": "s1\\nforged  A title"'))
    _, out, _ = run(workspace, capsys, "sessions")
    assert not [line for line in out.splitlines() if line.startswith("forged")]


def test_records_of_types_that_are_not_known_are_said_where_sessions_are_looked_at(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A newer version of a program may say words in them, and nobody would miss these."""
    log = workspace.parent / ".claude/projects/p/s1.jsonl"
    record = {"type": "human_turn", "uuid": "h1", "sessionId": "s1", "turn": {"text": "We use MySQL."}}
    with log.open("a", encoding="utf-8") as stream:
        stream.write((json.dumps(record) + "\n") * 2)
    assert "1 gap, 2 records of unknown types" in run(workspace, capsys, "sessions")[1]
    shown = run(workspace, capsys, "sessions", "show", "s1")[2]
    assert "records of unknown types: human_turn 2" in shown
    assert "unknown:" not in shown
    said = "2 records of unknown types (claude-code human_turn) were not read"
    assert said in run(workspace, capsys, "extract", "--all")[2]
    checks = answer(workspace, capsys, "doctor")["checks"]
    assert [c["level"] for c in checks if c["name"] == "log records"] == ["warning"]


def test_the_places_that_are_there_are_listed_first_with_those_of_imports(
    workspace: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    own = str(workspace / ".omoide/sessions")
    places = answer(workspace, capsys, "sessions", "places")["places"]
    there = [place["exists"] for place in places]
    assert there == sorted(there, reverse=True)
    assert any(there)
    assert not all(there)
    assert own in [place["folder"] for place in places if place["agent"] == "omoide"]
    log = workspace.parent / ".claude/projects/p/s1.jsonl"
    kept = log.rename(tmp_path / "brought-along.jsonl")
    run(workspace, capsys, "sessions", "import", str(kept))
    first = answer(workspace, capsys, "sessions", "places")["places"][0]
    assert (first["folder"], first["exists"], first["imported"], first["unread"]) == (own, True, 1, 0)
    kept.rename(log)
    _, out, _ = run(workspace, capsys, "sessions", "places")
    assert out.splitlines()[1] == f"  * {own}  (1 imported, 1 not read: the log itself is there)"


def test_the_places_can_be_asked_where_there_is_no_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = answer(tmp_path, capsys, "sessions", "places")["places"]
    assert {place["agent"] for place in places} >= {"claude-code", "codex", "yoi"}
    assert "omoide" not in {place["agent"] for place in places}
