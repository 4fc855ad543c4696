"""A failed extract as a person meets it: `status` names it, `extract --retry` tries it again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.layout import Layout
from memory_core.staging import DeadLetter, StagingSource
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.store.session_store import SessionStore
from tests.cli.conftest import Run

NOW = datetime(2026, 1, 31, 9, tzinfo=UTC)


def failed_session(workspace: Path, tries: int = 3) -> tuple[FileStore, str]:
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(session, "user_message", text="From now on always run the linter before you commit.")
    sessions.append(session, "assistant_message", text="I will run it before each commit.")
    store = FileStore(Layout(workspace / ".omoide"))
    source = StagingSource(session_id=session, range=(0, 2), agent="my-agent", log=str(sessions.path(session)))
    letter = DeadLetter(
        id="l-1", run_id="r", created_at="2026-01-31T09:00:00Z", source=source, reason="it talked prose", tries=tries
    )
    store.bury(letter)
    return store, session


def test_status_names_what_failed_and_how_to_go_on(omoide: Run, workspace: Path) -> None:
    """T07, T18"""
    store, session = failed_session(workspace)
    store.append_audit("extract", {"status": "failed", "refused_calls": 4})
    out = omoide("status")
    assert f"entries 0-2 of session {session}, 3 tries: it talked prose" in out.out
    assert "omoide extract --retry" in out.out
    assert "1 of 1 extract failed, 4 calls of a worker refused" in out.err
    facts = json.loads(omoide("--json", "status").out)
    assert facts["failed"][0]["tries"] == 3
    assert facts["drops"] == {"slices": 1, "failed": 1, "refused": 4, "set_aside": 0}


def test_what_failed_too_often_waits_for_retry_and_then_goes_through(omoide: Run, workspace: Path) -> None:
    store, session = failed_session(workspace)
    (run,) = json.loads(omoide("--json", "extract", "--session", session).out)["runs"]
    assert (run["status"], run["range"]) == ("skipped", [0, 2])
    assert "it talked prose" in run["reason"]
    runs = json.loads(omoide("--json", "extract", "--retry").out)["runs"]
    assert [run["session_id"] for run in runs] == [session]
    assert runs[-1]["status"] in ("staged", "nothing")
    assert store.dead_letters() == []
    again = omoide("extract", "--retry")
    assert "no extract has failed" in again.err


def test_retry_names_a_session_whose_log_is_gone(omoide: Run, workspace: Path) -> None:
    store, session = failed_session(workspace)
    SessionStore.of_workspace(workspace).path(session).unlink()
    assert f"session {session} cannot be tried again" in omoide("extract", "--retry").err
    assert len(store.dead_letters()) == 1, "nothing is lost for that"


def test_a_failure_whose_log_is_gone_has_an_exit(omoide: Run, workspace: Path) -> None:
    """T07: status and retry say the same of it, and it can be forgotten with a reason."""
    store, session = failed_session(workspace)
    SessionStore.of_workspace(workspace).path(session).unlink()
    told = omoide("status").out
    assert "its log is gone, so that it cannot be tried again" in told
    assert "`omoide extract --retry`" not in told
    forget = "omoide staging close l-1 --action discarded --reason TEXT"
    assert forget in told
    assert forget in omoide("extract", "--retry").err
    assert omoide("staging", "close", "l-1", "--action", "duplicate", "--reason", "gone").code == 2
    assert omoide("staging", "close", "l-1", "--action", "discarded", "--reason", "the log was deleted").code == 0
    assert store.dead_letters() == []
    audited = [json.loads(line) for line in store.layout.audit.read_text(encoding="utf-8").splitlines()]
    assert (audited[-1]["event"], audited[-1]["reason"]) == ("forget", "the log was deleted")


def test_a_part_that_was_forgotten_is_not_extracted_again(omoide: Run, workspace: Path) -> None:
    """The count of its tries, which held it back, goes with it."""
    store, session = failed_session(workspace)
    assert omoide("staging", "close", "l-1", "--action", "discarded", "--reason", "private").code == 0
    (run,) = json.loads(omoide("--json", "extract", "--session", session).out)["runs"]
    assert (run["status"], run["range"]) == ("nothing", None)
    SessionStore.of_workspace(workspace).append(session, "user_message", text="From now on never push to main.")
    runs = json.loads(omoide("--json", "extract", "--session", session).out)["runs"]
    assert [run["status"] for run in runs] == ["staged"]
    (file,) = store.staging().files
    assert "linter" not in file.to_json()


def test_failures_are_tried_again_by_reason(omoide: Run, workspace: Path) -> None:
    """T12"""
    store, session = failed_session(workspace)
    assert (
        "no extract has failed with `timed out` in its reason"
        in omoide("extract", "--retry", "--reason", "timed out").err
    )
    assert len(store.dead_letters()) == 1
    runs = json.loads(omoide("--json", "extract", "--retry", "--reason", "Talked prose").out)["runs"]
    assert [run["session_id"] for run in runs] == [session]
    assert store.dead_letters() == []
    assert omoide("extract", "--reason", "prose").code == 2


def test_status_says_what_the_provider_lacks(omoide: Run, workspace: Path) -> None:
    """T07: a provider that cannot work is why nothing will happen."""
    assert json.loads(omoide("--json", "status").out)["provider_problem"] is None
    (workspace / ".omoide/config.toml").write_text('[provider]\nname = "openai"\n', encoding="utf-8")
    told = omoide("status").out
    assert "provider   openai\n           The provider `openai` needs a model: set `extract_model`" in told


def test_status_counts_what_was_set_aside(omoide: Run, workspace: Path) -> None:
    """T18"""
    store, _ = failed_session(workspace)
    aside = {"array": "decisions", "what": "Use MD5", "reason": "tool output alone"}
    store.append_audit("extract", {"status": "staged", "dropped": [aside, aside]})
    assert "0 calls of a worker refused, 2 candidates set aside" in omoide("status").err


def test_a_dry_run_needs_neither_key_nor_model(omoide: Run, workspace: Path) -> None:
    """What would leave the machine can be seen before anything is set up that could send it."""
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(session, "user_message", text="From now on always run the linter before you commit.")
    out = omoide("extract", "--session", session, "--dry-run", "--provider", "openai").out
    assert "### System prompt" in out
    assert "### Tools" in out
    (run,) = json.loads(omoide("--json", "extract", "--all", "--dry-run", "--provider", "openai").out)["runs"]
    assert run["planned"]["parts"] == 1
    assert run["planned"]["tokens"] > 1_000
    assert f"{run['planned']['tokens']:,} tokens would be sent in 1 part" in run["reason"]


def test_a_dry_run_of_the_rules_says_whose_words_they_read_and_shows_no_prompt(omoide: Run, workspace: Path) -> None:
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(session, "user_message", text="From now on always run the linter before you commit.")
    sessions.append(session, "assistant_message", text="I will.")
    out = omoide("extract", "--session", session, "--dry-run").out
    assert out.startswith("Dry run: nothing is written, and the built-in rules send nothing to anybody.")
    assert "the built-in rules would read 1 message of people, 1 of the agent and 0 tool calls" in out
    for words in ("###", "write_extracted", "tokens", "Instructions"):
        assert words not in out


def test_a_log_of_another_project_is_not_read_because_a_file_of_the_store_names_it(
    omoide: Run, workspace: Path, tmp_path: Path
) -> None:
    """A repository may bring such a file: what was said elsewhere would be staged here."""
    (tmp_path / "other").mkdir()
    create_root(tmp_path / "other")
    _, session = failed_session(tmp_path / "other")
    log = SessionStore.of_workspace(tmp_path / "other").path(session)
    source = StagingSource(session_id=session, range=(0, 2), agent="my-agent", log=str(log))
    letter = DeadLetter(id="l-2", run_id="r", created_at="2026-01-31T09:00:00Z", source=source, reason="x", tries=1)
    store = FileStore(Layout(workspace / ".omoide"))
    store.bury(letter)
    assert "is a log of another project" in omoide("extract", "--retry").err
    assert not store.staging().open


@pytest.mark.parametrize("command", ["extract", "consolidate"])
def test_what_runs_by_itself_sends_nothing_to_a_model_that_only_the_repository_chose(
    omoide: Run, workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Hooks run `--if-due` and ask nobody; the key in the environment is the person's."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    failed_session(workspace)
    (workspace / ".omoide/config.toml").write_text('[memory]\nextract_threshold = 1\n[provider]\nname = "openai"\n')
    outcome = omoide(command, "--if-due")
    assert outcome.code != 0
    assert "Nothing is sent without you" in outcome.err
    assert "not trusted" in (workspace / ".omoide/memory/_logs/audit.jsonl").read_text()
    assert omoide(command, "--if-due", "--provider", "builtin").code == 0
    (home / "config.toml").write_text(f'[trust]\nworkspaces = ["{workspace}"]\n')
    assert "Nothing is sent without you" not in omoide(command, "--if-due").err


@pytest.mark.parametrize(("command", "setting"), [("extract", "extract_model"), ("consolidate", "consolidation_model")])
def test_what_runs_by_itself_asks_no_model_in_the_place_of_the_persons_own(
    omoide: Run, workspace: Path, home: Path, command: str, setting: str
) -> None:
    failed_session(workspace)
    (home / "config.toml").write_text(
        f'[memory]\nextract_threshold = 1\n{setting} = "mine"\n[provider]\nname = "openai"\n'
    )
    (workspace / ".omoide/config.toml").write_text(f'[memory]\n{setting} = "theirs"\n')
    for more in ([], ["--provider", "openai"]):
        outcome = omoide(command, "--if-due", *more)
        assert outcome.code != 0
        assert f"Nothing is sent without you: `memory.{setting}` was set by a workspace" in outcome.err
    (workspace / ".omoide/config.toml").write_text(f'[memory]\n{setting} = "mine"\n')
    assert "Nothing is sent without you" not in omoide(command, "--if-due").err
