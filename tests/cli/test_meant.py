"""A word that names nothing is answered with what may have been meant; help is where somebody looks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.cli.main import COMMANDS, SECTIONS
from memory_core.cli.meant import near
from memory_core.store.session_store import SessionStore
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("serach", "wal"), "`omoide search`?"),
        (("session",), "`omoide sessions`?"),
        (("help", "consolidat"), "`omoide consolidate`?"),
        (("help", "sessions", "exprot"), "`omoide sessions export`?"),
        (("remove",), "`omoide archive`?"),
        (("history",), "`omoide sessions`?"),
        (("consolidate", "--dryrun"), "--dry-run"),
        (("read", "decisions", "wal"), "`decision`?"),
        (("search", "wal", "--kind", "knowlege"), "`knowledge`?"),
        (("install", "claude"), "`claude-code`?"),
    ],
)
def test_a_near_miss_names_the_right_word(words: tuple[str, ...], meant: str, omoide: Run) -> None:
    outcome = omoide(*words)
    assert outcome.code == 2
    assert "did you mean" in outcome.err.lower()
    assert meant in outcome.err
    assert "internal error" not in outcome.err


def test_a_word_that_is_near_nothing_says_where_the_commands_are(omoide: Run) -> None:
    outcome = omoide("frobnicate")
    assert outcome.code == 2
    assert outcome.err == "Error: There is no command `frobnicate`; `omoide --help` lists them.\n"


def test_only_words_as_near_as_the_nearest_are_named() -> None:
    assert near("serach", COMMANDS) == ["search"]
    assert near("xyzzy", COMMANDS) == []


def test_omoide_alone_and_help_say_the_same_on_stdout(omoide: Run) -> None:
    alone, asked = omoide(), omoide("help")
    assert alone.code == asked.code == 0
    assert alone.out == asked.out
    assert not alone.err
    assert "\nBegin:\n" in alone.out
    assert "omoide demo" in alone.out


def test_a_group_of_commands_alone_is_its_help_in_lines(omoide: Run) -> None:
    outcome = omoide("legacy")
    assert outcome.code == 0
    assert "\nCommands:\n  apply" in outcome.out


def test_help_of_a_command_is_what_it_says_of_itself(omoide: Run) -> None:
    assert omoide("help", "sessions", "export").out == omoide("sessions", "export", "--help").out


def test_every_command_stands_in_one_section_of_the_help() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)


def test_the_version_is_told(omoide: Run) -> None:
    outcome = omoide("--version")
    assert outcome.code == 0
    assert outcome.out.startswith("omoide, version ")


def test_a_kind_is_one_short_word_in_usage_lines(omoide: Run) -> None:
    for name in ("read", "new", "rename", "archive", "promote"):
        text = omoide(name, "--help").out
        assert f"omoide {name} [OPTIONS] KIND" in text
        assert "KIND is " in text


def test_a_search_takes_its_words_unquoted(omoide: Run, workspace: object) -> None:
    assert omoide("new", "knowledge", "wal-mode", "--description", "WAL mode of SQLite. Read before.").code == 0
    assert "#wal-mode" in omoide("search", "wal", "mode", "--limit", "3").out


def test_the_shells_completion_offers_commands(monkeypatch: pytest.MonkeyPatch, omoide: Run) -> None:
    """What docs/command-line.md sets up: the shell asks the program itself."""
    monkeypatch.setenv("_OMOIDE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "omoide se")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert omoide().out.split() == ["plain,search", "plain,sessions"]


def test_a_kind_without_a_name_is_answered_with_the_names_and_counts_no_use(omoide: Run, workspace: Path) -> None:
    assert omoide("read", "knowledge").err == "omoide: Which knowledge? Give its slug. There is none yet.\n"
    assert omoide("new", "knowledge", "wal-mode", "--description", "WAL mode of SQLite. Read before.").code == 0
    outcome = omoide("read", "knowledge")
    assert outcome.code == 2
    assert outcome.err == (
        "omoide: Which knowledge? Give its slug. There are:\n  wal-mode  WAL mode of SQLite. Read before.\n"
    )
    assert omoide("--json", "usage", "report").json["records"] == []
    assert "`omoide read knowledge` lists those there are" in omoide("read", "knowledge", "zzz").err
    assert "there is no decision record yet" in omoide("archive", "decision", "zzz").err
    assert "`omoide read decision` lists them" in omoide("new", "decision").err


def test_a_hit_in_a_session_names_the_command_that_shows_it_whole(omoide: Run, workspace: Path) -> None:
    """A list cuts each entry; the one that was asked for alone is not cut, and keeps its lines."""
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(session, "user_message", text="Hello.")
    sessions.append(session, "assistant_message", text="words of the plan\n" + "filler " * 200 + "\nthe needle\x1b[2J.")
    found = omoide("sessions", "search", "needle").out
    command = found.split("`")[1].split()
    assert command[0] == "omoide"
    alone = omoide(*command[1:]).out
    assert alone.endswith("\n       the needle.\n")
    assert "       words of the plan\n       filler" in alone
    assert "needle" not in omoide("sessions", "show", session).out


def test_a_memory_below_another_one_says_so(omoide: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "part one").mkdir()
    monkeypatch.chdir(workspace / "part one")
    assert "memory of this folder was" not in omoide("status").err
    said = omoide("init").err
    assert f"until now the memory of this folder was {workspace / '.omoide'}; to go on with that one: rm -r '" in said
    assert "until now" not in omoide("init").err


def test_a_memory_in_the_home_folder_says_what_it_will_be_used_for(
    omoide: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    assert "this is your home folder" in omoide("init").err


def test_places_that_are_there_are_listed_first(omoide: Run, workspace: Path, home: Path) -> None:
    (home / ".codex/archived_sessions").mkdir(parents=True)
    codex, first, *rest = omoide("sessions", "places").out.splitlines()
    assert codex == "Codex (codex)"
    assert first == f"  * {home / '.codex/archived_sessions'}"
    marks = [line[2] for line in rest[:-1] if line.startswith("  ")]
    assert marks == sorted(marks, reverse=True), "what is not there comes behind all that is"
    assert f"    {home / '.codex/sessions'}" in rest


def test_where_logs_are_looked_for_is_told_in_any_folder(omoide: Run, workspace: Path) -> None:
    """Who installed the program has no docs folder to look into."""
    places = omoide("--json", "sessions", "places").json["places"]
    assert {"claude-code", "codex", "aider"} <= {place["agent"] for place in places}
    assert f"lists all {len(places)} places" in omoide("sessions").err
    assert "Claude Code (claude-code)" in omoide("sessions", "places").out
    (workspace / "notes.txt").write_text("no log")
    said = omoide("sessions", "show", "--log", "notes.txt").err
    assert "`omoide sessions places` lists the agents" in said
    assert "docs/" not in said
