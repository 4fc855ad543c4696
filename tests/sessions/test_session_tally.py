"""What the editor's watch measures: sessions of this workspace in files of several, found as they come, grow and go."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory_core.store import session_discovery
from memory_core.store.discovery import create_root
from memory_core.workspace import Workspace, open_workspace
from server.session_tally import Tally
from tests.sessions.open_code import TABLES, OpenCode, at_work, now_ms

DAY_MS = 86_400_000


class Clock:
    """Seconds that pass only when somebody looks: `step` at each look."""

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step = 1_000.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "project").mkdir()
    create_root(tmp_path / "project")
    return open_workspace(tmp_path / "project", {"HOME": str(tmp_path), "OMOIDE_CONFIG": os.devnull})


@pytest.fixture
def project(workspace: Workspace) -> Path:
    return workspace.layout.workspace


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / ".local/share/opencode/opencode.db"


@pytest.fixture
def agent(database: Path) -> Iterator[OpenCode]:
    with at_work(database) as agent:
        yield agent


@pytest.fixture
def tally(workspace: Workspace) -> Tally:
    """One that never rests: no look takes any time."""
    return Tally(workspace, Clock())


def aged(database: Path) -> None:
    """The database's files as if they had been written an hour ago."""
    at = (now_ms() - 3_600_000) * 1_000_000
    for path in (database, database.with_name("opencode.db-wal")):
        if path.exists():
            os.utime(path, ns=(at, at))


def tokens(tally: Tally, path: Path) -> int:
    reading = tally.measure(path)
    assert reading
    return reading.tokens


def wal(database: Path) -> set[Path]:
    return {database.with_name("opencode.db-wal"), database.with_name("opencode.db-shm")}


def test_sessions_of_a_database_are_measured_from_the_start(
    tally: Tally, agent: OpenCode, database: Path, project: Path
) -> None:
    agent.begin("ses_1", project)
    agent.say("ses_1", "user", "Keep the flags in one file.")
    assert tally.recent() == [database / "ses_1"]
    assert tokens(tally, database / "ses_1") > 0


def test_write_to_the_log_of_changes_is_a_word_in_the_sessions_of_this_workspace_alone(
    tally: Tally, agent: OpenCode, database: Path, project: Path, tmp_path: Path
) -> None:
    agent.begin("ses_1", project)
    agent.begin("ses_2", tmp_path / "elsewhere")
    agent.begin("ses_3", project, now_ms() - 30 * DAY_MS)
    agent.say("ses_1", "user", "Keep the flags in one file.")
    tally.recent()
    before = tokens(tally, database / "ses_1")
    agent.say("ses_1", "assistant", "Done: all of them are in one file.")
    assert tally.ours(wal(database)) == [database / "ses_1"]
    assert tokens(tally, database / "ses_1") > before


def test_session_that_is_taken_up_after_long_is_measured_though_its_clock_is_wrong(
    tally: Tally, agent: OpenCode, database: Path, project: Path
) -> None:
    agent.begin("ses_1", project, 1_000)
    tally.recent()
    tally.ours(wal(database))
    agent.say("ses_1", "user", "Keep the flags in one file.")
    agent.owner.execute("UPDATE session SET time_updated = 2000")
    assert tally.ours(wal(database)) == [database / "ses_1"]


def test_database_in_which_nothing_was_ours_is_looked_at_at_each_change(
    tally: Tally, agent: OpenCode, database: Path, project: Path, tmp_path: Path
) -> None:
    agent.begin("ses_1", tmp_path / "elsewhere")
    assert tally.recent() == []
    assert tally.ours(wal(database)) == []
    agent.begin("ses_2", project)
    agent.say("ses_2", "user", "Keep the flags in one file.")
    assert tally.ours(wal(database)) == [database / "ses_2"]
    assert tokens(tally, database / "ses_2") > 0


def test_database_that_stands_still_is_not_opened(
    tally: Tally, agent: OpenCode, database: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.begin("ses_1", project)
    agent.say("ses_1", "user", "Keep the flags in one file.")
    aged(database)
    tally.recent()
    assert tally.ours(wal(database)) == [database / "ses_1"], "it may have changed since the list was made"
    tokens(tally, database / "ses_1")

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("the database was opened")

    monkeypatch.setattr(sqlite3, "connect", refuse)
    monkeypatch.setattr(session_discovery, "discover", refuse)
    assert tally.ours(wal(database)) == []
    assert tally.ours(()) == []


def test_change_that_no_event_told_is_found_when_time_went_by(
    tally: Tally, agent: OpenCode, database: Path, project: Path
) -> None:
    agent.begin("ses_1", project)
    tally.recent()
    aged(database)
    tally.ours(())
    agent.say("ses_1", "user", "Keep the flags in one file.")
    assert tally.ours(()) == [database / "ses_1"]


def test_database_that_takes_long_is_left_alone_for_longer_and_then_looked_at(
    workspace: Workspace, agent: OpenCode, database: Path, project: Path
) -> None:
    agent.begin("ses_1", project)
    clock = Clock(step=2.0)
    tally = Tally(workspace, clock)
    tally.recent()
    assert tally.ours(wal(database)) == [database / "ses_1"]
    clock.step = 0.0
    agent.say("ses_1", "user", "Keep the flags in one file.")
    clock.now += 19.0
    assert tally.ours(wal(database)) == []
    clock.now += 2.0
    assert tally.ours(()) == [database / "ses_1"]


def test_locked_database_keeps_its_figure_and_is_read_when_it_is_free(
    tally: Tally, agent: OpenCode, database: Path, project: Path
) -> None:
    owner = agent.owner
    owner.execute("PRAGMA journal_mode = DELETE")
    agent.begin("ses_1", project)
    agent.say("ses_1", "user", "Keep the flags in one file.")
    tally.recent()
    before = tokens(tally, database / "ses_1")
    agent.say("ses_1", "user", "And name the file after the team.")
    owner.execute("BEGIN EXCLUSIVE")
    assert tally.ours({database}) == []
    assert tokens(tally, database / "ses_1") == before
    owner.execute("ROLLBACK")
    assert tally.ours(()) == [database / "ses_1"]
    assert tokens(tally, database / "ses_1") > before


def test_session_that_was_deleted_is_told_once_and_is_gone(
    tally: Tally, agent: OpenCode, database: Path, project: Path
) -> None:
    agent.begin("ses_1", project)
    agent.begin("ses_2", project)
    agent.say("ses_1", "user", "Keep the flags in one file.")
    tally.recent()
    tokens(tally, database / "ses_1")
    agent.delete("ses_1")
    assert set(tally.ours(wal(database))) == {database / "ses_1", database / "ses_2"}
    assert tally.measure(database / "ses_1") is None
    aged(database)
    assert tally.ours(()) == [database / "ses_2"]


def test_another_database_of_the_workspace_is_no_agents(tally: Tally, project: Path) -> None:
    with closing(sqlite3.connect(project / "opencode.db")) as own:
        own.executescript(TABLES)
    assert tally.ours({project / "opencode.db"}) == []
    assert tally.ours(()) == []


def test_history_of_markdown_that_goes_on_is_measured(tally: Tally, project: Path) -> None:
    history = project / ".aider.chat.history.md"
    history.write_text("\n# aider chat started at 2026-03-01 10:00:00\n\n#### Keep flags in one file.  \n", "utf-8")
    place = history / "2026-03-01T10-00-00"
    assert tally.recent() == [place]
    before = tokens(tally, place)
    with history.open("a", encoding="utf-8") as log:
        log.write("\nDone, they are in one file now.\n")
    assert tally.ours({history}) == [place]
    assert tokens(tally, place) > before


def test_sessions_of_goose_are_measured_too(tally: Tally, project: Path, tmp_path: Path) -> None:
    database = tmp_path / ".local/share/goose/sessions/sessions.db"
    database.parent.mkdir(parents=True)
    with closing(sqlite3.connect(database, isolation_level=None)) as owner:
        owner.execute("PRAGMA journal_mode = WAL")
        owner.execute("CREATE TABLE sessions (id TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP)")
        owner.execute("CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content_json TEXT)")
        owner.execute("INSERT INTO sessions VALUES ('g1', ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)", (str(project),))
        tally.recent()
        said = '[{"type": "text", "text": "Keep the flags in one file."}]'
        owner.execute("INSERT INTO messages VALUES (1, 'g1', 'user', ?)", (said,))
        assert tally.ours({database.with_name("sessions.db-wal")}) == [database / "g1"]
        assert tokens(tally, database / "g1") > 0


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_history_that_a_repository_brought_as_a_link_is_not_measured(
    tally: Tally, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.md"
    other.write_text("\n# aider chat started at 2026-03-01 10:00:00\n\n#### Another project's words.  \n", "utf-8")
    (project / ".aider.chat.history.md").symlink_to(other)
    assert tally.recent() == []
    assert tally.ours({project / ".aider.chat.history.md"}) == []
    assert tally.ours(()) == []
