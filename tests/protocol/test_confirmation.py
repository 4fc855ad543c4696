"""The question before a model is called that may cost money."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from memory_core.testing import ScriptedOpenAI, completion
from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import RawClient
from tests.protocol.test_commands import command, run, write_session

pytestmark = pytest.mark.protocol


def asking(new_client: NewClient, workspace: Path, model: ScriptedOpenAI, answer: Any, **options: Any) -> RawClient:
    """A client whose workspace has a paid provider, and whose person answers `answer`; with None, nothing yet."""
    write_session(workspace)
    environment = {
        "OMOIDE_PROVIDER": "openai",
        "OMOIDE_BASE_URL": model.url,
        "OMOIDE_API_KEY": "k",
        "OMOIDE_MODEL": "costly-1",
    }
    client = new_client(workspace, environment=environment)
    if answer is not None:
        client.answers["window/showMessageRequest"] = lambda _: answer
    client.initialize(workspace, **options)
    return client


def question(client: RawClient) -> Any:
    return client.wait(lambda m: m.get("method") == "window/showMessageRequest")


def asked(client: RawClient) -> bool:
    return any(m.get("method") == "window/showMessageRequest" for m in client.received)


@pytest.mark.parametrize("answer", [{"title": "Cancel"}, {"title": "something else"}])
def test_without_a_yes_no_model_is_called(new_client: NewClient, workspace: Path, answer: Any) -> None:
    with ScriptedOpenAI([completion("Nothing.")]) as model:
        client = asking(new_client, workspace, model, answer)
        refused = client.answer(client.begin("workspace/executeCommand", command("omoide.extract")))
        assert refused["error"]["code"] == -32800
        assert "not confirmed" in refused["error"]["message"]
        assert model.requests == []
    shown = question(client)["params"]
    assert "1 session" in shown["message"]
    assert "costly-1" in shown["message"]
    assert [action["title"] for action in shown["actions"]] == ["Call the model", "Cancel"]


def test_with_a_yes_it_is(new_client: NewClient, workspace: Path) -> None:
    with ScriptedOpenAI([completion("Nothing.") for _ in range(10)]) as model:
        client = asking(new_client, workspace, model, {"title": "Call the model"})
        assert run(client, "omoide.extract")["runs"]
        assert model.requests


def test_a_dismissed_question_is_a_no(new_client: NewClient, workspace: Path) -> None:
    """Editors answer null when the message is closed."""
    with ScriptedOpenAI([completion("Nothing.")]) as model:
        client = asking(new_client, workspace, model, None)
        client.answers["window/showMessageRequest"] = lambda _: None
        refused = client.answer(client.begin("workspace/executeCommand", command("omoide.extract")))
        assert refused["error"]["code"] == -32800
        assert model.requests == []


def test_the_setting_turns_the_question_off(new_client: NewClient, workspace: Path) -> None:
    with ScriptedOpenAI([completion("Nothing.") for _ in range(10)]) as model:
        client = asking(new_client, workspace, model, None, initializationOptions={"confirm": False})
        run(client, "omoide.extract")
        assert model.requests
        assert not asked(client)


def test_the_question_is_asked_all_the_same_for_what_only_the_repository_turned_on(
    new_client: NewClient, workspace: Path
) -> None:
    """`confirm` is a person's word about their own settings; a command with `if_due` is run by an editor by itself."""
    (workspace / ".omoide/config.toml").write_text("[memory]\nextract_threshold = 1\n", encoding="utf-8")
    with ScriptedOpenAI([completion("Nothing.") for _ in range(10)]) as model:
        client = asking(new_client, workspace, model, {"title": "Cancel"}, initializationOptions={"confirm": False})
        refused = client.answer(client.begin("workspace/executeCommand", command("omoide.extract", {"if_due": True})))
        assert "not confirmed" in refused["error"]["message"]
        assert asked(client)
        assert model.requests == []


def test_the_builtin_provider_never_asks_nor_does_a_dry_run(new_client: NewClient, workspace: Path) -> None:
    with ScriptedOpenAI([]) as model:
        client = asking(new_client, workspace, model, None)
        run(client, "omoide.extract", {"dry_run": True})
        run(client, "omoide.extract", {"provider": "builtin"})
        run(client, "omoide.consolidate", {"provider": "builtin"})
        assert not asked(client)


def test_nobody_is_asked_when_there_is_nothing_to_send(new_client: NewClient, workspace: Path) -> None:
    with ScriptedOpenAI([]) as model:
        client = asking(new_client, workspace, model, None)
        assert run(client, "omoide.consolidate")["status"] == "nothing"
        assert run(client, "omoide.extract", {"if_due": True})["runs"][0]["status"] == "skipped"
        assert not asked(client)


def test_a_consolidation_asks_with_its_candidates(new_client: NewClient, workspace: Path) -> None:
    with ScriptedOpenAI([]) as model:
        client = asking(new_client, workspace, model, {"title": "Cancel"})
        run(client, "omoide.extract", {"provider": "builtin"})
        client.answer(client.begin("workspace/executeCommand", command("omoide.consolidate")))
        assert "candidate" in question(client)["params"]["message"]
        assert model.requests == []


def test_bug_44_giving_up_while_the_question_is_open_answers_at_once_and_withdraws_it(
    new_client: NewClient, workspace: Path
) -> None:
    """pygls#587 and #621: a late answer to a request of ours that was given up raised inside the event loop."""
    with ScriptedOpenAI([]) as model:
        client = asking(new_client, workspace, model, None)
        number = client.begin("workspace/executeCommand", command("omoide.extract"))
        shown = question(client)
        started = time.monotonic()
        client.notify("$/cancelRequest", {"id": number})
        assert client.answer(number, timeout=1)["error"]["code"] == -32800
        assert time.monotonic() - started < 0.5
        withdrawn = client.wait(lambda m: m.get("method") == "$/cancelRequest", timeout=2)
        assert withdrawn["params"]["id"] == shown["id"]
        client.send({"id": shown["id"], "result": {"title": "Call the model"}})  # too late
        assert run(client, "omoide.extract", {"provider": "builtin"})["runs"]
        assert model.requests == []
        assert client.shut_down() == 0
    assert "InvalidStateError" not in client.stderr
    assert "Traceback" not in client.stderr


def test_an_editor_that_cannot_ask_is_told_of_the_setting(new_client: NewClient, workspace: Path) -> None:
    with ScriptedOpenAI([]) as model:
        client = asking(new_client, workspace, model, RuntimeError("no such method"))
        refused = client.answer(client.begin("workspace/executeCommand", command("omoide.extract")))
        assert "omoide.confirm" in refused["error"]["message"]
        assert model.requests == []
