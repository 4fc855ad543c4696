"""What the editor tells of an extract: what was staged, what was set aside and why, and how much there was to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_core.layout import Layout
from memory_core.staging import DeadLetter, StagingSource
from memory_core.store.filestore import FileStore
from memory_core.testing import HttpReply, ScriptedOpenAI, completion
from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import Message, RawClient
from tests.protocol.test_commands import progress, run, token_of, write_session

pytestmark = pytest.mark.protocol
TOML = {"options": ["YAML", "TOML"], "chosen": "Use TOML", "rationale": "comments survive", "evidence": ["M0003"]}
MADE_UP = {**TOML, "chosen": "Use MD5 for checksums", "evidence": ["M0099"]}


def said(client: RawClient, part: str) -> str:
    def wanted(message: Message) -> bool:
        return message.get("method") == "window/showMessage" and part in message["params"]["message"]

    return str(client.wait(wanted)["params"]["message"])


def test_the_message_names_what_was_set_aside_and_the_log_lists_everything(
    new_client: NewClient, workspace: Path
) -> None:
    """T18: what was found and not staged is not for a log file alone."""
    write_session(workspace)

    def handed_in(_: Any) -> HttpReply:
        return completion(calls=[("write_extracted", {"decisions": [TOML, MADE_UP]})])

    with ScriptedOpenAI([handed_in, handed_in]) as model:
        environment = {"OMOIDE_BASE_URL": model.url, "OMOIDE_API_KEY": "k", "OMOIDE_MODEL": "m"}
        client = new_client(workspace, environment=environment)
        client.initialize(workspace, initializationOptions={"confirm": False})
        answer = run(client, "omoide.extract", {"provider": "openai"})
    message = said(client, "staged")
    assert message.startswith("Omoide: 1 candidate staged; 1 set aside (decision “Use MD5 for checksums”: ")
    assert "there is no evidence `M0099`" in message
    assert "  decision: Use TOML" in answer["report"]
    assert any(line.startswith("  not staged: decision `Use MD5 for checksums`: ") for line in answer["report"])
    assert answer["report"][-1].startswith("1 session, 1 candidate staged, 1 set aside, ")
    logged = client.wait(lambda m: m.get("method") == "window/logMessage" and "not staged" in m["params"]["message"])
    assert "decision: Use TOML" in logged["params"]["message"]


def test_progress_counts_the_sessions(client: RawClient, workspace: Path) -> None:
    write_session(workspace, "talk-1")
    write_session(workspace, "talk-2")
    answer = run(client, "omoide.extract", {"all": True})
    steps = [step.get("message", "") for step in progress(client, token_of(client, "Omoide: extract"))]
    assert any(step.startswith("session 1 of 2, omoide talk-") for step in steps)
    assert answer["report"][-1].startswith("2 sessions, ")
    assert said(client, "staged").startswith("Omoide: ")


def test_what_failed_too_often_is_tried_again_on_a_word(client: RawClient, workspace: Path) -> None:
    """T12: from the editor as on the command line."""
    write_session(workspace)
    store = FileStore(Layout(workspace / ".omoide"))
    log = str(workspace / ".omoide/sessions/talk-1.jsonl")
    source = StagingSource(session_id="talk-1", range=(0, 6), agent="omoide", log=log)
    letter = DeadLetter(id="l-1", run_id="r", created_at="2026-01-31T09:00:00Z", source=source, reason="no", tries=3)
    store.bury(letter)
    (left,) = run(client, "omoide.extract")["runs"]
    assert (left["status"], "3 tries failed" in left["reason"]) == ("skipped", True)
    (tried,) = run(client, "omoide.extract", {"retry": True})["runs"]
    assert tried["status"] == "staged"
    assert store.dead_letters() == []
