"""Extracts that the server starts by itself: at the end of a run, where the settings say so, and never for money."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import Message, RawClient
from tests.protocol.test_commands import run, write_session
from tests.protocol.test_status_and_trace import WANTS_STATUS, status_until
from tests.sessions.open_code import at_work

pytestmark = pytest.mark.protocol

PROGRESS = {**WANTS_STATUS, "window": {"workDoneProgress": True}}
RULE = "From now on, never write straight to the main branch, because the release job builds from it."


def configure(workspace: Path, threshold: int, provider: str = "builtin") -> None:
    memory = f"[memory]\nextract_threshold = {threshold}\nextract_model = 'm-1'\n"
    (workspace / ".omoide/config.toml").write_text(f"{memory}[provider]\nname = '{provider}'\n", encoding="utf-8")


def say(workspace: Path, kind: str, text: str, number: int, session_id: str = "talk-1") -> None:
    """Another entry at the end of the log, as an agent writes it."""
    entry = {"id": f"0190f000-0000-7000-8000-{number:012d}", "ts": f"2026-06-12T10:{number:02d}:00Z"}
    with (workspace / f".omoide/sessions/{session_id}.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps({**entry, "kind": kind, "text": text}) + "\n")


def staged(workspace: Path) -> list[Any]:
    folder = workspace / ".omoide/memory/_staging"
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def tokens(told: Message) -> int:
    """What a status says is pending; -1 where it says nothing."""
    return int((told["unextracted"] or {}).get("tokens", -1))


def started(client: RawClient, workspace: Path, **more: Any) -> Message:
    """The first status that says how much is pending."""
    client.initialize(workspace, capabilities=PROGRESS, **more)
    return status_until(client, lambda told: tokens(told) > 0)


def test_growing_log_is_extracted_at_the_end_of_its_run_and_again_when_it_is_due_again(
    new_client: NewClient, workspace: Path
) -> None:
    """T05, with a real log: once for what is due, and not again until as much was said."""
    configure(workspace, 30)
    write_session(workspace)
    client = new_client(workspace)
    assert started(client, workspace)["unextracted"]["threshold"] == 30
    status_until(client, lambda told: told["jobs"] == ["extract"])
    status_until(client, lambda told: (told["pending"] or {}).get("files") == 1 and tokens(told) == 0)
    say(workspace, "user_message", RULE, 30)
    say(workspace, "assistant_message", "Understood: I open a pull request for every change from here on.", 31)
    status_until(client, lambda told: (told["pending"] or {}).get("files") == 2 and tokens(told) == 0)
    assert "never write straight to the main branch" in json.dumps(staged(workspace)[-1]).lower()
    client.shut_down()
    assert len(staged(workspace)) == 2
    assert not [m for m in client.received if m.get("method") == "window/showMessageRequest"]


def test_session_in_an_agents_database_is_counted_and_extracted_as_one_in_a_file_is(
    new_client: NewClient, workspace: Path, home: Path
) -> None:
    """Only paths of files were watched: what lies in a database stayed at nothing, and no extract of it began."""
    configure(workspace, 30)
    database = home / ".local/share/opencode/opencode.db"
    with at_work(database) as agent:
        agent.begin("ses_1", workspace)
        agent.begin("ses_2", home)
        agent.say("ses_1", "user", "Which branch do you write to?")
        agent.say("ses_2", "user", "This is said at length in another project: nobody here may count a word.")
        client = new_client(workspace, environment={"XDG_DATA_HOME": "", "LOCALAPPDATA": ""})
        first = started(client, workspace)["unextracted"]
        assert 0 < first["tokens"] < 30
        assert run(client, "omoide.status")["roots"][0]["unextracted"] == first
        agent.say("ses_1", "user", RULE)
        agent.say("ses_1", "assistant", "Understood: I open a pull request for every change from here on.")
        assert status_until(client, lambda told: tokens(told) >= 30)["jobs"] == []
        status_until(client, lambda told: told["jobs"] == ["extract"])
        status_until(client, lambda told: (told["pending"] or {}).get("files") == 1 and tokens(told) == 0)
        names = {path.name for path in database.parent.iterdir()}
        assert names == {"opencode.db", "opencode.db-wal", "opencode.db-shm"}, "the agent's own files and nothing else"
        client.shut_down()
    assert [path.name for path in database.parent.iterdir()] == ["opencode.db"]
    assert "never write straight to the main branch" in json.dumps(staged(workspace)[0]).lower()
    assert staged(workspace)[0]["source"]["session_id"] == "ses_1"


def test_run_that_has_not_ended_is_left_alone(new_client: NewClient, workspace: Path) -> None:
    """The figure is told at once; nothing is extracted while a person waits for an answer."""
    configure(workspace, 20)
    write_session(workspace)
    say(workspace, "user_message", "And what about the release branch, does it follow the same rule?", 20)
    client = new_client(workspace)
    assert started(client, workspace)["unextracted"]["tokens"] >= 20
    run(client, "omoide.reindex")
    assert run(client, "omoide.status")["roots"][0]["unextracted"]["tokens"] >= 20
    assert staged(workspace) == []


def test_without_a_threshold_nothing_is_watched(new_client: NewClient, workspace: Path) -> None:
    configure(workspace, 0)
    write_session(workspace)
    client = new_client(workspace)
    client.initialize(workspace, capabilities=PROGRESS)
    told = status_until(client, lambda told: not told["loading"])
    assert told["unextracted"] is None
    client.shut_down()
    assert staged(workspace) == []


def test_in_a_window_that_is_not_trusted_nothing_is_watched(new_client: NewClient, workspace: Path) -> None:
    """VS Code's Restricted Mode: words of private sessions got into files of a folder that nobody trusts."""
    configure(workspace, 1)
    write_session(workspace)
    client = new_client(workspace)
    ours = {"omoide": {"status": True, "restricted": True}}
    client.initialize(workspace, capabilities={**PROGRESS, "experimental": ours})
    told = status_until(client, lambda told: not told["loading"])
    assert told["unextracted"] is None
    client.shut_down()
    assert staged(workspace) == []


def test_model_is_never_called_by_itself_while_the_person_wants_to_be_asked(
    new_client: NewClient, workspace: Path, home: Path
) -> None:
    (home / "omoide.toml").write_text(f"[trust]\nworkspaces = ['{workspace}']\n", encoding="utf-8")
    configure(workspace, 20, provider="openai")
    write_session(workspace)
    client = new_client(workspace)
    started(client, workspace)
    say(workspace, "user_message", RULE, 30)
    say(workspace, "assistant_message", "Understood.", 31)
    before = run(client, "omoide.status")["roots"][0]["unextracted"]["tokens"]
    status_until(client, lambda told: tokens(told) > min(before, 60))
    audit = list((workspace / ".omoide").rglob("*audit*"))
    assert not any("extract" in path.read_text(encoding="utf-8") for path in audit if path.is_file())
    assert not [m for m in client.received if m.get("method") == "window/showMessageRequest"]


def test_threshold_that_is_set_while_the_editor_is_open_starts_the_watch(
    new_client: NewClient, workspace: Path
) -> None:
    write_session(workspace)
    client = new_client(workspace)
    client.initialize(workspace, capabilities=PROGRESS)
    status_until(client, lambda told: not told["loading"] and told["unextracted"] is None)
    configure(workspace, 10_000)
    run(client, "omoide.reindex")
    assert status_until(client, lambda told: tokens(told) > 0)["jobs"] == []
