"""Runs that wait for a person and workflows that were offered, in the editor: asked once, done on a word."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from memory_core.testing import ScriptedOpenAI, completion
from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import Message, RawClient
from tests.protocol.test_commands import command, run, write_session

pytestmark = pytest.mark.protocol
ROOT = str(Path(__file__).parents[2])
EDITS = {"applyEdit": True, "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename"]}}
WORKFLOW = {
    "slug": "cut-a-release",
    "description": "How a release is cut. Use when somebody asks for one.",
    "body": "1. Run the tests.\n2. Tag the commit.",
    "reason": "It was done three times the same way.",
}


def held(new_client: NewClient, workspace: Path, *answers: Any) -> tuple[RawClient, Message]:
    """A client with a run that was held for review. `answers`: what the person answers to the messages, in turn."""
    write_session(workspace)
    config = workspace / ".omoide/config.toml"
    config.write_text('[memory]\nconsolidate_review = "preview"\n', encoding="utf-8")
    client = new_client(workspace)
    left = list(answers)
    client.answers["window/showMessageRequest"] = lambda _: left.pop(0) if left else None
    client.answers["window/showDocument"] = lambda _: {"success": True}
    client.initialize(workspace, capabilities={"window": {"showDocument": {"support": True}}})
    run(client, "omoide.extract")
    answer = run(client, "omoide.consolidate")
    assert answer["status"] == "held"
    return client, answer


def question(client: RawClient) -> Message:
    return client.wait(lambda m: m.get("method") == "window/showMessageRequest")["params"]  # type: ignore[no-any-return]


def titles(params: Message) -> list[str]:
    return [action["title"] for action in params["actions"]]


def records(workspace: Path) -> list[str]:
    root = workspace / ".omoide"
    return sorted(p.name for folder in ("memory/decisions", "knowledge", "workflow") for p in (root / folder).glob("*"))


def test_a_held_run_is_reviewed_and_accepted_from_the_editor(new_client: NewClient, workspace: Path) -> None:
    before = records(workspace)
    client, answer = held(new_client, workspace, {"title": "Review"}, {"title": "Accept"})
    assert titles(question(client)) == ["Review", "Accept", "Not now"]
    shown = client.wait(lambda m: m.get("method") == "window/showDocument")["params"]["uri"]
    assert shown.endswith(f"/cache/reviews/{answer['run_id']}.md")
    page = (workspace / f".omoide/cache/reviews/{answer['run_id']}.md").read_text(encoding="utf-8")
    assert "```diff" in page
    assert "because of" in page
    assert "human, session talk-1, entry " in page
    assert titles(question(client)) == ["Accept", "Reject", "Not now"]
    client.wait(lambda m: m.get("method") == "window/showMessage" and "changed" in m["params"]["message"])
    assert set(records(workspace)) > set(before)
    assert list((workspace / ".omoide/memory/_staging/_held").glob("*.json")) == []


def test_not_now_leaves_a_held_run_waiting_and_the_command_takes_it(new_client: NewClient, workspace: Path) -> None:
    before = records(workspace)
    client, answer = held(new_client, workspace, {"title": "Not now"})
    question(client)
    shown = run(client, "omoide.consolidate", {"review": answer["run_id"]})
    assert shown["held"][0]["changes"][0]["diff"].startswith("--- ")
    assert shown["held"][0]["changes"][0]["because"][0]["evidence"]
    assert records(workspace) == before
    done = run(client, "omoide.consolidate", {"accept": answer["run_id"]})
    assert done["status"] == "committed"
    assert set(records(workspace)) > set(before)


def test_a_rejected_run_is_gone_and_its_candidates_wait(new_client: NewClient, workspace: Path) -> None:
    before = records(workspace)
    client, answer = held(new_client, workspace)
    done = run(client, "omoide.consolidate", {"reject": answer["run_id"]})
    assert (done["status"], done["left"]) == ("rejected", sorted(answer["left"]))
    assert records(workspace) == before
    refused = client.answer(
        client.begin("workspace/executeCommand", command("omoide.consolidate", {"accept": answer["run_id"]}))
    )
    assert "waits for review" in refused["error"]["message"]


def test_accepting_spares_a_record_with_unsaved_edits(new_client: NewClient, workspace: Path) -> None:
    """T39: both texts stay, and the candidates stay staged."""
    client, answer = held(new_client, workspace)
    path = run(client, "omoide.consolidate", {"review": answer["run_id"]})["held"][0]["changes"][0]["path"]
    uri = (workspace / ".omoide" / path).as_uri()
    client.open(uri, "typed, not saved\n")
    client.change(uri, 2, {"text": "typed more, not saved\n"})
    done = run(client, "omoide.consolidate", {"accept": answer["run_id"]})
    assert (done["status"], done["conflicts"]) == ("conflict", [path])
    assert "unsaved edits" in done["reason"]
    assert not (workspace / ".omoide" / path).exists()


IMPATIENT = """
from server import lazy_types
lazy_types.load()
from server.commands import open_records
open_records._PATIENCE_S = 0.3
from server.__main__ import main
main()
"""


def test_an_edit_that_the_editor_does_not_answer_is_taken_back(workspace: Path) -> None:
    """The run had been given up, and the editor could apply the edit all the same."""
    write_session(workspace)
    (workspace / ".omoide/config.toml").write_text('[memory]\nconsolidate_review = "preview"\n', encoding="utf-8")
    summary = workspace / ".omoide/memory/summary.md"
    summary.write_text("---\ndescription: All.\n---\n- old\n", encoding="utf-8")
    client = RawClient(workspace.parent, command=(sys.executable, "-c", IMPATIENT), environment={"PYTHONPATH": ROOT})
    try:
        client.answers["window/showMessageRequest"] = lambda _: None
        client.initialize(workspace, capabilities={"workspace": EDITS})
        run(client, "omoide.extract")
        answer = run(client, "omoide.consolidate")
        client.open(summary.as_uri(), summary.read_text(encoding="utf-8"))
        done = run(client, "omoide.consolidate", {"accept": answer["run_id"]})
        assert (done["status"], "did not answer" in done["reason"]) == ("conflict", True)
        asked = client.wait(lambda m: m.get("method") == "workspace/applyEdit")
        assert client.notification("$/cancelRequest") == {"id": asked["id"]}
        client.send({"id": asked["id"], "result": {"applied": True}})  # late all the same
        assert run(client, "omoide.consolidate", {"review": answer["run_id"]})["held"]
        assert client.shut_down() == 0
        assert "Traceback" not in client.stderr
    finally:
        client.close()


@pytest.mark.parametrize("arguments", [{"accept": "x", "reject": "x"}, {"accept": "x", "dry_run": True}])
def test_arguments_that_exclude_each_other_are_refused(
    new_client: NewClient, workspace: Path, arguments: Message
) -> None:
    client = new_client(workspace)
    client.initialize(workspace)
    refused = client.answer(client.begin("workspace/executeCommand", command("omoide.consolidate", arguments)))
    assert refused["error"]["code"] == -32602


def offered(new_client: NewClient, workspace: Path, answer: Any) -> tuple[RawClient, ScriptedOpenAI]:
    """A client whose model offers a workflow in every run."""
    write_session(workspace)

    def offer(_: Any) -> Any:
        return completion(calls=[("OfferWorkflow", WORKFLOW)])

    model = ScriptedOpenAI([offer, completion("Done.")] * 2 + [completion("Done.")] * 20)
    model.__enter__()
    environment = {"OMOIDE_BASE_URL": model.url, "OMOIDE_API_KEY": "k", "OMOIDE_MODEL": "m"}
    client = new_client(workspace, environment=environment)
    client.answers["window/showMessageRequest"] = lambda _: answer
    client.initialize(workspace, initializationOptions={"confirm": False})
    run(client, "omoide.extract")
    return client, model


def stored(workspace: Path) -> Message:
    path = workspace / ".omoide/memory/_staging/_offers/cut-a-release.json"
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def test_an_offer_is_asked_about_once_and_created_on_a_word(new_client: NewClient, workspace: Path) -> None:
    client, model = offered(new_client, workspace, {"title": "Not now"})
    try:
        first = run(client, "omoide.consolidate", {"provider": "openai"})
        assert [offer["slug"] for offer in first["offers"]] == ["cut-a-release"]
        asked = question(client)
        assert titles(asked) == ["Create", "Not now", "Never"]
        assert "three times" in asked["message"]
        again = run(client, "omoide.consolidate", {"provider": "openai"})
        assert again["offers"] == []
        waiting = run(client, "omoide.offers")["offers"]
        assert [(offer["slug"], offer["answer"]) for offer in waiting] == [("cut-a-release", "later")]
        assert not (workspace / ".omoide/workflow/cut-a-release.md").exists()
        done = run(client, "omoide.offers", {"create": "cut-a-release"})
        text = (workspace / ".omoide/workflow/cut-a-release.md").read_text(encoding="utf-8")
        assert text == stored(workspace)["text"]
        assert "model_invokation: true" not in text
        assert run(client, "omoide.undo", {"run_id": done["run_id"]})["removed"] == ["workflow/cut-a-release.md"]
    finally:
        model.__exit__()


def test_never_is_never(new_client: NewClient, workspace: Path) -> None:
    client, model = offered(new_client, workspace, {"title": "Never"})
    try:
        run(client, "omoide.consolidate", {"provider": "openai"})
        question(client)
        client.request("workspace/executeCommand", command("omoide.status"))
        assert run(client, "omoide.consolidate", {"provider": "openai"})["offers"] == []
        assert run(client, "omoide.offers")["offers"] == []
        assert stored(workspace)["answer"] == "never"
        assert not (workspace / ".omoide/workflow/cut-a-release.md").exists()
    finally:
        model.__exit__()
