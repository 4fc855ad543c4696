"""The provider `editor`: a real server that asks its client for each turn of a model, and clients that answer as they
like."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import NewClient
from tests.protocol.raw_client import Message, RawClient
from tests.protocol.test_commands import command, run, token_of, write_session
from tests.protocol.test_session_watch import configure, tokens
from tests.protocol.test_status_and_trace import status_until

pytestmark = pytest.mark.protocol

TURN, MODEL = "omoide/modelTurn", "omoide/model"
OFFERS = {"experimental": {"omoide": {"models": True}}}
WATCHED = {"experimental": {"omoide": {"models": True, "status": True}}}
DECISION = {
    "options": ["TOML", "YAML"],
    "chosen": "Use TOML for settings",
    "rationale": "Comments survive a round trip.",
    "evidence": ["M0003"],
}
STAGES = {"text": "", "model": "scripted/one", "tool_calls": [
    {"id": "c1", "name": "write_extracted", "arguments": {"decisions": [DECISION]}}]}  # fmt: skip
LOOKS = {"tool_calls": [{"id": "c0", "name": "search_evidence", "arguments": {"query": "TOML"}}]}


def refused(code: str, message: str = "") -> Message:
    return {"error": {"code": code, "message": message}}


def editor(
    new_client: NewClient,
    workspace: Path,
    turn: Any,
    *,
    described: Any = None,
    confirm: bool = False,
    capabilities: Any = None,
    config: str = "",
) -> RawClient:
    """A client whose models are asked: `turn` is its answer to every turn, a list of answers, or a function; None
    answers nothing."""
    write_session(workspace)
    (workspace / ".omoide/config.toml").write_text(f"[provider]\nname = 'editor'\n{config}", encoding="utf-8")
    client = new_client(workspace)
    script = list(turn) if isinstance(turn, list) else None
    client.answers[MODEL] = lambda _: described or {"model": "scripted/one"}
    if turn is not None:
        answer = turn if callable(turn) else lambda _: script.pop(0) if script else turn
        client.answers[TURN] = answer
    offers = OFFERS if capabilities is None else capabilities
    client.initialize(workspace, capabilities=offers, initializationOptions={"confirm": confirm})
    return client


def turns(client: RawClient) -> list[Message]:
    return [m["params"] for m in client.received if m.get("method") == TURN]


def staged(workspace: Path) -> list[Path]:
    return sorted((workspace / ".omoide/memory/_staging").glob("*.json"))


def audit(workspace: Path) -> list[Any]:
    log = workspace / ".omoide/memory/_logs/audit.jsonl"
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def asked(client: RawClient) -> list[Message]:
    return [m["params"] for m in client.received if m.get("method") == "window/showMessageRequest"]


# The way it should be


def test_the_loop_runs_in_the_server_and_each_turn_is_asked_of_the_client(
    new_client: NewClient, workspace: Path
) -> None:
    client = editor(new_client, workspace, [LOOKS, STAGES])
    (done,) = run(client, "omoide.extract")["runs"]
    assert (done["status"], done["counts"]["decisions"]) == ("staged", 1)
    first, second = turns(client)
    assert first["asked"] is True
    assert first["model"] is None
    assert [m["role"] for m in first["messages"]] == ["system", "user"]
    assert {tool["name"] for tool in first["tools"]} == {
        "search_evidence", "read_evidence", "resolve_source_anchor", "write_extracted"}  # fmt: skip
    assert [m["role"] for m in second["messages"]] == ["system", "user", "assistant", "tool"]
    assert "TOML" in second["messages"][3]["content"]
    (entry,) = (it for it in audit(workspace) if it["event"] == "extract")
    assert (entry["provider"], entry["model"]) == ("editor", "scripted/one")
    assert entry["usage"]["requests"] == 2
    assert entry["usage"]["input_tokens"] > 500  # counted by the server, since the client did not say
    (file,) = staged(workspace)
    assert json.loads(file.read_text(encoding="utf-8"))["decisions"][0]["evidence"][0]["excerpt"]


def test_a_consolidation_asks_the_client_too(new_client: NewClient, workspace: Path) -> None:
    seen: list[Message] = []

    def close_all(turn: Message) -> Message:
        seen.append(turn)
        text = json.dumps(turn["messages"])
        ids = sorted({part for part in text.replace("\\", '"').replace("`", '"').split('"') if "/decisions/" in part})
        ids = [word for part in ids for word in part.split() if "/decisions/" in word and word.count("/") == 2]
        calls = [{"id": f"c{n}", "name": "CloseCandidate",
                  "arguments": {"id": it.strip("():,.[]"), "action": "discarded", "reason": "a test", "records": []}}
                 for n, it in enumerate(dict.fromkeys(ids))]  # fmt: skip
        return {"text": "", "tool_calls": calls, "usage": {"input_tokens": 11, "output_tokens": 3}}

    client = editor(new_client, workspace, STAGES)
    run(client, "omoide.extract")
    client.answers[TURN] = close_all
    done = run(client, "omoide.consolidate")
    assert seen
    assert {tool["name"] for tool in seen[0]["tools"]} >= {"MemoryWrite", "CloseCandidate"}
    assert done["usage"]["input_tokens"] == 11 * len(seen)
    assert staged(workspace) == []


def test_the_question_names_the_model_that_would_answer(new_client: NewClient, workspace: Path) -> None:
    client = editor(new_client, workspace, STAGES, confirm=True)
    client.answers["window/showMessageRequest"] = lambda _: {"title": "Call the model"}
    assert run(client, "omoide.extract")["runs"][0]["status"] == "staged"
    (question,) = asked(client)
    assert "(editor, scripted/one)" in question["message"]


def test_without_a_yes_no_turn_is_asked_for(new_client: NewClient, workspace: Path) -> None:
    client = editor(new_client, workspace, STAGES, confirm=True)
    client.answers["window/showMessageRequest"] = lambda _: {"title": "Cancel"}
    refusal = client.answer(client.begin("workspace/executeCommand", command("omoide.extract")))
    assert refusal["error"]["code"] == -32800
    assert turns(client) == []


def test_the_model_of_a_step_is_passed_on(new_client: NewClient, workspace: Path) -> None:
    client = editor(new_client, workspace, STAGES, config="[memory]\nextract_model = 'copilot/small'\n")
    run(client, "omoide.extract")
    assert turns(client)[0]["model"] == "copilot/small"
    described = [m["params"] for m in client.received if m.get("method") == MODEL]
    assert described == [{"model": "copilot/small", "asked": True}]


# No model


@pytest.mark.parametrize(
    "capabilities", [{}, {"experimental": {"omoide": {"models": False}}}, {"experimental": {"omoide": 7}}]
)
def test_a_client_that_offers_no_models_gets_one_error_with_the_remedy(
    new_client: NewClient, workspace: Path, capabilities: Any
) -> None:
    client = editor(new_client, workspace, STAGES, capabilities=capabilities, confirm=True)
    for name in ("omoide.extract", "omoide.consolidate"):
        if name == "omoide.consolidate":
            run(client, "omoide.extract", {"provider": "builtin"})
        refusal = client.answer(client.begin("workspace/executeCommand", command(name)))["error"]
        assert refusal["code"] == -32803
        assert "`builtin` or `openai`" in refusal["message"]
        assert "omoide.provider" in refusal["message"]
    assert not [m for m in client.received if m.get("method") in (TURN, MODEL, "window/showMessageRequest")]


@pytest.mark.parametrize("confirm", [True, False])
def test_for_want_of_a_model_the_rules_do_it_only_where_the_person_says_so(
    new_client: NewClient, workspace: Path, *, confirm: bool
) -> None:
    client = editor(new_client, workspace, STAGES, described=refused("noModel"), confirm=confirm)
    client.answers["window/showMessageRequest"] = lambda _: {"title": "Cancel"}
    refusal = client.answer(client.begin("workspace/executeCommand", command("omoide.extract")))
    assert refusal["error"]["code"] == -32800
    assert staged(workspace) == []
    (question,) = asked(client)
    assert "no language model" in question["message"]
    assert [it["title"] for it in question["actions"]] == ["Use the Built-in Rules", "Cancel"]
    client.answers["window/showMessageRequest"] = lambda _: {"title": "Use the Built-in Rules"}
    assert run(client, "omoide.extract")["runs"][0]["status"] == "staged"
    assert turns(client) == []
    assert {it["provider"] for it in audit(workspace)} == {"builtin"}


def test_a_preview_and_a_consolidation_offer_the_rules_too(new_client: NewClient, workspace: Path) -> None:
    client = editor(new_client, workspace, STAGES, described=refused("untrusted"))
    run(client, "omoide.extract", {"provider": "builtin"})
    client.answers["window/showMessageRequest"] = lambda _: {"title": "Use the Built-in Rules"}
    shown = run(client, "omoide.preview")
    assert shown["status"] == "held"
    run(client, "omoide.consolidate", {"reject": shown["run_id"]})
    assert run(client, "omoide.consolidate")["status"] == "committed"
    assert all("Restricted Mode" in question["message"] for question in asked(client))


def test_a_dismissed_choice_of_a_model_cancels(new_client: NewClient, workspace: Path) -> None:
    client = editor(new_client, workspace, STAGES, described=refused("cancelled"))
    refusal = client.answer(client.begin("workspace/executeCommand", command("omoide.extract")))
    assert refusal["error"]["code"] == -32800
    assert asked(client) == []


# Failures of a turn


FAILURES: list[tuple[Any, str]] = [
    (refused("quota", "premium requests"), "premium requests"),
    (refused("denied"), "allow it there"),
    (refused("noModel", "gone"), "gone"),
    (refused("untrusted"), "Restricted Mode"),
    (refused("failed", "boom"), "boom"),
    (refused("tooLarge"), "too long"),
    ("no object", "update its extension"),
    (None, "update its extension"),
    ({"text": 7}, "`text` must be a string"),
    ({"tool_calls": {"a": 1}}, "must be a list"),
    ({"type_name": "__import__", "text": "x"}, "without calling a tool"),
    ({"text": "x" * 5_000_000}, "1,000,000 characters"),
    (RuntimeError("no such method"), "could not ask its model"),
]


def test_a_turn_that_fails_is_a_failed_run_that_says_why_and_moves_nothing(
    new_client: NewClient, workspace: Path
) -> None:
    client = editor(new_client, workspace, STAGES)
    for number, (answer, said) in enumerate(FAILURES):
        write_session(workspace, f"failure-{number}")
        client.answers[TURN] = lambda _, answer=answer: answer  # type: ignore[misc]
        (done,) = run(client, "omoide.extract", {"session": f"failure-{number}"})["runs"]
        assert done["status"] == "failed", answer
        assert said in done["reason"]
        assert staged(workspace) == []
    client.answers[TURN] = lambda _: STAGES
    (done,) = run(client, "omoide.extract", {"session": "failure-0"})["runs"]
    assert done["status"] == "staged"
    assert client.shut_down() == 0
    assert "Traceback" not in client.stderr


def test_a_turn_cancelled_in_the_editor_cancels_the_run(new_client: NewClient, workspace: Path) -> None:
    client = editor(new_client, workspace, [LOOKS, refused("cancelled")])
    refusal = client.answer(client.begin("workspace/executeCommand", command("omoide.extract")))
    assert refusal["error"]["code"] == -32800
    (entry,) = (it for it in audit(workspace) if it["event"] == "extract")
    assert entry["reason"] == "cancelled"
    assert entry["usage"]["requests"] == 2
    assert staged(workspace) == []


def test_what_passes_is_tried_again_by_the_server(new_client: NewClient, workspace: Path) -> None:
    client = editor(new_client, workspace, [refused("offline"), STAGES])
    (done,) = run(client, "omoide.extract")["runs"]
    assert (done["status"], done["usage"]["requests"]) == ("staged", 2)


def test_a_turn_without_an_answer_is_given_up_and_its_late_answer_dropped(
    new_client: NewClient, workspace: Path
) -> None:
    config = "timeout_s = 0.2\nrequests_per_run = 1\n"
    client = editor(new_client, workspace, None, config=config)
    number = client.begin("workspace/executeCommand", command("omoide.extract"))
    turn = client.wait(lambda m: m.get("method") == TURN)
    withdrawn = client.wait(lambda m: m.get("method") == "$/cancelRequest", timeout=6)
    assert withdrawn["params"]["id"] == turn["id"]
    (done,) = client.answer(number)["result"]["runs"]
    assert "did not answer within 0.2 s" in done["reason"]
    client.send({"id": turn["id"], "result": STAGES})
    client.answers[TURN] = lambda _: STAGES
    assert run(client, "omoide.extract")["runs"][0]["status"] == "staged"
    assert len(staged(workspace)) == 1
    assert client.shut_down() == 0
    assert "Traceback" not in client.stderr


@pytest.mark.parametrize("how", ["request", "progress"])
def test_giving_up_withdraws_the_turn_at_once_and_what_comes_after_it_is_dropped(
    new_client: NewClient, workspace: Path, how: str
) -> None:
    client = editor(new_client, workspace, None, capabilities={**OFFERS, "window": {"workDoneProgress": True}})
    number = client.begin("workspace/executeCommand", command("omoide.extract"))
    turn = client.wait(lambda m: m.get("method") == TURN)
    begun = time.monotonic()
    if how == "request":
        client.notify("$/cancelRequest", {"id": number})
    else:
        client.notify("window/workDoneProgress/cancel", {"token": token_of(client, "Omoide: extract")})
    assert client.answer(number, timeout=3)["error"]["code"] == -32800
    withdrawn = client.wait(lambda m: m.get("method") == "$/cancelRequest", timeout=3)
    assert withdrawn["params"]["id"] == turn["id"]
    assert time.monotonic() - begun < 2
    client.send({"id": turn["id"], "result": STAGES})
    assert run(client, "omoide.status")["roots"]
    assert staged(workspace) == []
    client.answers[TURN] = lambda _: STAGES
    assert run(client, "omoide.extract")["runs"][0]["status"] == "staged"
    assert client.shut_down() == 0
    assert "Traceback" not in client.stderr


def test_a_client_that_leaves_in_the_middle_of_a_turn_leaves_nothing_behind(
    new_client: NewClient, workspace: Path
) -> None:
    client = editor(new_client, workspace, None)
    client.begin("workspace/executeCommand", command("omoide.extract"))
    client.wait(lambda m: m.get("method") == TURN)
    assert client.process.stdin
    client.process.stdin.close()
    client.process.wait(5)
    assert staged(workspace) == []
    other = editor(new_client, workspace, STAGES)  # its lock is nobody's any more
    assert run(other, "omoide.extract")["runs"][0]["status"] == "staged"


def test_two_runs_at_once_get_their_own_answers(new_client: NewClient, workspace: Path) -> None:
    """Answered the other way round."""
    client = editor(new_client, workspace, STAGES)
    run(client, "omoide.extract")
    write_session(workspace, "talk-2")
    del client.answers[TURN]
    client.received.clear()
    extract = client.begin("workspace/executeCommand", command("omoide.extract", {"session": "talk-2"}))
    first = client.wait(lambda m: m.get("method") == TURN)
    consolidate = client.begin("workspace/executeCommand", command("omoide.consolidate"))
    second = client.wait(lambda m: m.get("method") == TURN)
    names = [{tool["name"] for tool in turn["params"]["tools"]} for turn in (first, second)]
    assert "write_extracted" in names[0]
    assert "CloseCandidate" in names[1]
    assert first["id"] != second["id"]
    client.send({"id": second["id"], "result": refused("quota", "of the second")})
    assert "of the second" in client.answer(consolidate)["result"]["reason"]
    client.send({"id": first["id"], "result": STAGES})
    assert client.answer(extract)["result"]["runs"][0]["status"] == "staged"


def test_answers_with_ids_of_nobody_are_ignored(new_client: NewClient, workspace: Path) -> None:
    client = editor(new_client, workspace, None)
    number = client.begin("workspace/executeCommand", command("omoide.extract"))
    turn = client.wait(lambda m: m.get("method") == TURN)
    for msg_id in (f"{TURN}/999", f"{MODEL}/1", 7, "x"):
        client.send({"id": msg_id, "result": refused("quota")})
    client.send({"id": turn["id"], "result": STAGES})
    client.send({"id": turn["id"], "result": STAGES})  # twice
    assert client.answer(number)["result"]["runs"][0]["status"] == "staged"
    assert len(staged(workspace)) == 1
    assert client.shut_down() == 0
    assert "Traceback" not in client.stderr


# Runs that nobody asked for


def trust(home: Path, workspace: Path) -> None:
    """The person's own word: what only a repository chooses starts nothing by itself."""
    (home / "omoide.toml").write_text(f"[trust]\nworkspaces = ['{workspace}']\n", encoding="utf-8")


def test_a_run_of_its_own_that_needs_consent_says_so_once_and_waits(
    new_client: NewClient, workspace: Path, home: Path
) -> None:
    trust(home, workspace)
    configure(workspace, 30, "editor")
    write_session(workspace)
    client = new_client(workspace)
    client.answers[MODEL] = lambda _: {"model": "scripted/one"}
    client.answers[TURN] = lambda turn: STAGES if turn["asked"] else refused("noConsent")
    client.initialize(workspace, capabilities=WATCHED, initializationOptions={"confirm": False})
    said = client.notification("window/showMessage")
    assert "consent" in said["message"]
    assert "Omoide: Extract Sessions" in said["message"]
    status_until(client, lambda told: told["jobs"] == [])
    run(client, "omoide.reindex")
    assert len(turns(client)) == 1
    assert staged(workspace) == []
    assert run(client, "omoide.extract")["runs"][0]["status"] == "staged"


def test_a_run_of_its_own_starts_where_nobody_wants_to_be_asked(
    new_client: NewClient, workspace: Path, home: Path
) -> None:
    trust(home, workspace)
    configure(workspace, 30, "editor")
    write_session(workspace)
    client = new_client(workspace)
    client.answers[TURN] = lambda _: STAGES
    client.initialize(workspace, capabilities=WATCHED, initializationOptions={"confirm": False})
    status_until(client, lambda told: (told["pending"] or {}).get("files") == 1)
    assert [turn["asked"] for turn in turns(client)] == [False]


def test_no_run_starts_by_itself_while_a_person_wants_to_be_asked(new_client: NewClient, workspace: Path) -> None:
    configure(workspace, 30, "editor")
    write_session(workspace)
    client = new_client(workspace)
    client.answers[TURN] = lambda _: STAGES
    client.initialize(workspace, capabilities=WATCHED)
    status_until(client, lambda told: tokens(told) > 0)
    run(client, "omoide.reindex")
    assert turns(client) == []
