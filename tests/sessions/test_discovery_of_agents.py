"""Every agent's logs are found in the places of every platform, and belong by the folder named inside them."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory_core.cli.main import main
from memory_core.config import SESSION_SOURCES
from memory_core.store.agents import AGENTS
from memory_core.store.discovery import create_root
from memory_core.store.session_discovery import discover, session_folders
from memory_core.store.session_files import read_log
from memory_core.store.session_ref import SessionRef
from tests.sessions.agents import DATA, made_database


class Home:
    """A home folder with agents' logs, and a workspace. The data's `/w/app` becomes the workspace's path."""

    def __init__(self, tmp_path: Path) -> None:
        self.home = tmp_path / "home"
        self.workspace = tmp_path / "app"
        self.sessions = self.workspace / ".omoide/sessions"
        self.sessions.mkdir(parents=True)

    def put(self, source: str, *target: str, cwd: Path | None = None) -> Path:
        """A file or folder of the data in the home, or at a path of its own."""
        path = self.home.joinpath(*target)
        if (DATA / source).is_dir():
            shutil.copytree(DATA / source, path, dirs_exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(DATA / source, path)
        for file in [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]:
            text = file.read_text(encoding="utf-8").replace("/w/app", str(cwd or self.workspace))
            file.write_text(text, encoding="utf-8")
        return path

    def find(self, **environment: str) -> list[SessionRef]:
        return discover(self.workspace, self.sessions, {"HOME": str(self.home), **environment}, SESSION_SOURCES)

    def ids(self, **environment: str) -> list[tuple[str, str]]:
        return sorted((ref.agent, ref.session_id) for ref in self.find(**environment))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


PUT = [
    ("pi/--w-app--", ".pi/agent/sessions/--x--", ("pi", "pi-1")),
    ("openclaw/.openclaw", ".clawdbot", ("openclaw", "claw-1")),
    ("goose/20260301_1.jsonl", ".local/share/goose/sessions/20260301_1.jsonl", ("goose", "20260301_1")),
    ("goose/20260301_1.jsonl", ".goose/sessions/20260301_1.jsonl", ("goose", "20260301_1")),
    ("yoi/sessions", ".local/share/yoi/sessions", ("yoi", "0195-seg")),
    ("copilot-cli/session-state/cli-1", ".copilot/session-state/cli-1", ("copilot-cli", "cli-1")),
    ("copilot-cli/session-state/cli-flat.jsonl", ".copilot/session-state/cli-flat.jsonl", ("copilot-cli", "cli-flat")),
    ("copilot-cli/history-session-state", ".copilot/history-session-state", ("copilot-cli", "cli-old")),
    ("opencode/storage", ".local/share/opencode/storage", ("opencode", "ses_1")),
    (
        "cline/saoudrizwan.claude-dev",
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev",
        ("cline", "1772359200000"),
    ),
    (
        "cline/rooveterinaryinc.roo-cline",
        "Library/Application Support/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline",
        ("roo-code", "roo-1"),
    ),
]


@pytest.mark.parametrize(("source", "target", "expected"), PUT, ids=[target for _, target, _ in PUT])
def test_a_log_is_found_in_its_agents_place_and_reads_under_the_same_name(
    home: Home, source: str, target: str, expected: tuple[str, str]
) -> None:
    home.put(source, target)
    (ref,) = home.find()
    session = read_log(ref.path)
    assert (ref.agent, ref.session_id) == expected == (session.agent, session.session_id)
    assert ref.cwd == str(home.workspace)


@pytest.mark.parametrize(("source", "target", "expected"), PUT, ids=[target for _, target, _ in PUT])
def test_a_log_of_another_folder_is_left_out(home: Home, source: str, target: str, expected: Any) -> None:
    home.put(source, target, cwd=Path("/elsewhere"))
    assert home.find() == []


@pytest.mark.parametrize(
    "user", [".config/Code/User", "Library/Application Support/Code - Insiders/User", ".vscode-server/data/User"]
)
def test_chats_belong_by_the_editors_workspace_file(home: Home, user: str) -> None:
    home.put("copilot-chat", f"{user}/workspaceStorage/hash1")
    home.put("copilot-chat", f"{user}/workspaceStorage/hash2", cwd=Path("/elsewhere"))
    assert home.ids() == [("copilot-chat", "chat-1"), ("copilot-chat", "chat-old")]


def test_chats_of_a_workspace_of_several_folders_are_found(home: Home, tmp_path: Path) -> None:
    storage = home.put("copilot-chat", ".config/Code/User/workspaceStorage/hash1")
    listing = tmp_path / "team.code-workspace"
    write(listing, {"folders": [{"path": "other"}, {"path": "app"}]})
    write(storage / "workspace.json", {"workspace": listing.as_uri()})
    assert ("copilot-chat", "chat-1") in home.ids()


def test_windows_places_are_named_by_their_variables(home: Home, tmp_path: Path) -> None:
    home.put("copilot-chat", str(tmp_path / "roaming/Code/User/workspaceStorage/h"))
    sql = home.put("goose/sessions.sql", str(tmp_path / "roaming/Block/goose/data/sessions/sessions.sql"))
    made_database(sql)
    found = home.ids(APPDATA=str(tmp_path / "roaming"))
    assert found == [("copilot-chat", "chat-1"), ("copilot-chat", "chat-old"), ("goose", "20260301_2")]


def test_variables_move_the_places(home: Home, tmp_path: Path) -> None:
    home.put("opencode/storage", str(tmp_path / "data/opencode/storage"))
    home.put("cline/rooveterinaryinc.roo-cline/tasks/roo-1/history_item.json", str(tmp_path / "x/h.json"))
    home.put("pi/--w-app--", str(tmp_path / "pi/sessions/p"))
    found = home.ids(XDG_DATA_HOME=str(tmp_path / "data"), PI_CODING_AGENT_DIR=str(tmp_path / "pi"))
    assert found == [("opencode", "ses_1"), ("pi", "pi-1")]


def test_sessions_of_a_database_are_found_one_by_one_without_those_of_helpers(home: Home) -> None:
    made_database(home.put("opencode/opencode.sql", ".local/share/opencode/opencode.sql"))
    (ref,) = home.find()
    assert (ref.session_id, ref.started_at, ref.updated_at) == (
        "ses_2", "2026-03-01T10:00:00.000Z", "2026-03-01T10:01:30.000Z"
    )  # fmt: skip
    assert read_log(ref.path).title == "Feature flags"


def test_a_session_may_be_in_any_of_two_databases_of_goose(home: Home) -> None:
    made_database(home.put("goose/sessions.sql", ".local/share/goose/sessions/sessions.sql"))
    home.put("goose/20260301_1.jsonl", ".local/share/goose/sessions/20260301_1.jsonl")
    assert home.ids() == [("goose", "20260301_1"), ("goose", "20260301_2")]


@pytest.mark.parametrize("how", ["root file", "list", "hash"])
def test_chats_of_gemini_belong_by_root_file_list_or_hash(home: Home, how: str) -> None:
    digest = hashlib.sha256(str(home.workspace).encode()).hexdigest()
    project = home.put("gemini-cli/app", f".gemini/tmp/{digest if how == 'hash' else 'app'}")
    if how != "root file":
        (project / ".project_root").unlink()
    if how == "list":
        write(home.home / ".gemini/projects.json", {"projects": {str(home.workspace): "app"}})
    assert home.ids() == [("gemini-cli", "gem-1"), ("gemini-cli", "gem-2")]


def test_aiders_history_in_the_workspace_is_one_session_a_heading(home: Home) -> None:
    shutil.copy(DATA / "aider/.aider.chat.history.md", home.workspace)
    refs = sorted(home.find(), key=lambda ref: ref.session_id)
    assert [ref.session_id for ref in refs] == ["2026-03-01T10-00-00", "2026-03-02T09-00-00"]
    second = read_log(refs[1].path)
    assert [entry.text for entry in second.entries] == ["/ask why decimals?", "Money."]
    assert second.session_id == refs[1].session_id
    assert second.entries[0].line == 28


def test_an_exported_history_counts_only_without_its_log(home: Home) -> None:
    shutil.copytree(DATA / "specstory/.specstory", home.workspace / ".specstory")
    name = "0190aaaa-0000-7000-8000-000000000001"
    assert home.ids() == [("specstory", name)]
    write(
        home.home / f".claude/projects/p/{name}.jsonl",
        {"type": "user", "uuid": "u", "sessionId": name, "cwd": str(home.workspace), "message": {"content": "Hi."}},
    )
    assert home.ids() == [("claude-code", name)]


def test_the_desktop_programs_runs_of_claude_are_found(home: Home) -> None:
    write(
        home.home / ".config/Claude/local-agent-mode-sessions/a/b/.claude/projects/p/run.jsonl",
        {"type": "user", "uuid": "u", "sessionId": "run", "cwd": str(home.workspace), "message": {"content": "Hi."}},
    )
    write(home.home / ".config/Claude/local-agent-mode-sessions/a/audit.jsonl", {"type": "user", "message": {}})
    assert home.ids() == [("claude-code", "run")]


def test_an_unreadable_log_is_named_and_the_others_are_found(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    home.put("pi/--w-app--", ".pi/agent/sessions/p")
    broken = home.home / ".local/share/opencode/opencode.db"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 200)
    with caplog.at_level(logging.WARNING):
        assert home.ids() == [("pi", "pi-1")]
    assert str(broken) in caplog.text


def test_the_settings_name_every_agent_of_the_table(home: Home) -> None:
    assert set(SESSION_SOURCES) == {"omoide", *(agent.name for agent in AGENTS)}
    folders = session_folders(home.workspace, home.sessions, {"HOME": str(home.home)}, SESSION_SOURCES)
    assert home.home / ".copilot/session-state" in folders


def test_an_agent_that_is_not_asked_for_is_not_looked_for(home: Home) -> None:
    home.put("pi/--w-app--", ".pi/agent/sessions/p")
    assert discover(home.workspace, home.sessions, {"HOME": str(home.home)}, ("omoide", "codex")) == []


def test_secrets_beside_the_sessions_are_never_read(home: Home) -> None:
    path = made_database(home.put("opencode/opencode.sql", ".local/share/opencode/opencode.sql"))
    from memory_core.store.session_database import open_tables

    with open_tables(path, ("session",)) as tables:
        connection = tables._connection
        with pytest.raises(sqlite3.DatabaseError, match="prohibited"):
            connection.execute("SELECT access_token FROM account")
    with closing(sqlite3.connect(path)) as connection:  # the fixture does hold one
        assert connection.execute("SELECT access_token FROM account").fetchone() == ("never-read-this-secret",)


def test_the_page_about_sessions_lists_every_agent() -> None:
    page = (Path(__file__).parents[2] / "docs/sessions.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| `")]
    listed = [(source.strip(" `"), title.strip()) for source, title in rows]
    assert listed == [("omoide", "Omoide itself"), *((agent.name, agent.title) for agent in AGENTS)]


def test_the_command_lists_every_agent_and_shows_a_session_by_its_id(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home.home))
    monkeypatch.setenv("OMOIDE_CONFIG", str(home.home / "none.toml"))
    for source, target, _ in PUT:
        home.put(source, target)
    home.put("copilot-chat", ".config/Code/User/workspaceStorage/h")
    home.put("gemini-cli/app", ".gemini/tmp/app")
    home.put("claude-code/projects", ".claude/projects")
    home.put("codex", ".codex")
    made_database(home.put("opencode/opencode.sql", ".local/share/opencode/opencode.sql"))
    shutil.copy(DATA / "aider/.aider.chat.history.md", home.workspace)
    shutil.copytree(DATA / "specstory/.specstory", home.workspace / ".specstory")
    create_root(home.workspace)
    run = ["--workspace", str(home.workspace), "--json", "sessions"]
    main(run)
    rows = json.loads(capsys.readouterr().out)["sessions"]
    assert {row["agent"] for row in rows} == {agent.name for agent in AGENTS} | {"roo-code"}
    assert all(row["entries"] for row in rows)
    main([*run, "show", "ses_2"])
    shown = json.loads(capsys.readouterr().out)
    assert shown["entries"][0]["text"] == "Add feature flags."
