"""`omoide.extract` and `omoide.consolidate`: results, progress, cancelling."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from memory_core.testing import HttpReply, ScriptedOpenAI, completion
from tests.protocol.conftest import NewClient, knowledge
from tests.protocol.raw_client import Message, RawClient

pytestmark = pytest.mark.protocol

TALK = [
    ("user_message", "Please set up the settings file for the importer."),
    ("assistant_message", "YAML or TOML? Both would work here."),
    ("user_message", "We decided to use TOML instead of YAML for settings, because comments survive a round trip."),
    ("assistant_message", "Done: the importer now reads settings.toml."),
    ("user_message", "From now on, always run the linter before you commit."),
    ("assistant_message", "Understood, I will run the linter before each commit."),
]


def write_session(workspace: Path, session_id: str = "talk-1") -> None:
    """A session log of our own format in which a decision and a standing request are made."""
    entries: list[dict[str, Any]] = [
        {"kind": "session_start", "session_id": session_id, "agent": "omoide", "cwd": str(workspace)},
        *({"kind": kind, "text": text} for kind, text in TALK),
    ]
    folder = workspace / ".omoide/sessions"
    folder.mkdir(exist_ok=True)
    lines = [
        json.dumps({"id": f"0190f000-0000-7000-8000-{number:012d}", "ts": f"2026-06-12T09:{number:02d}:00Z", **entry})
        for number, entry in enumerate(entries)
    ]
    (folder / f"{session_id}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def command(name: str, *arguments: Any, **more: Any) -> Message:
    return {"command": name, "arguments": list(arguments), **more}


def run(client: RawClient, name: str, *arguments: Any) -> Any:
    return client.request("workspace/executeCommand", command(name, *arguments))


def token_of(client: RawClient, title: str) -> Any:
    """The token of the progress that began with a title; reading the records may show one of its own."""

    def begins(message: Message) -> bool:
        value = message["params"]["value"] if message.get("method") == "$/progress" else {}
        return value.get("kind") == "begin" and value.get("title") == title

    begun = client.wait(begins)
    client.received.insert(0, begun)
    return begun["params"]["token"]


def progress(client: RawClient, token: Any) -> list[Message]:
    return [
        m["params"]["value"]
        for m in client.received
        if m.get("method") == "$/progress" and m["params"]["token"] == token
    ]


def test_extract_then_consolidate_with_the_builtin_provider(client: RawClient, workspace: Path) -> None:
    """F1: from the editor, without a key or a network."""
    write_session(workspace)
    extracted = run(client, "omoide.extract")
    assert [r["status"] for r in extracted["runs"]] == ["staged"]
    assert extracted["runs"][0]["session_id"] == "talk-1"
    assert extracted["runs"][0]["counts"]["decisions"] >= 1
    assert "staged" in client.notification("window/showMessage")["message"]
    steps = progress(client, token_of(client, "Omoide: extract"))
    assert steps[0]["kind"] == "begin"
    assert steps[0]["cancellable"] is True
    assert steps[-1]["kind"] == "end"

    before = run(client, "omoide.status")["roots"][0]["records"]
    done = run(client, "omoide.consolidate", {"workspace": str(workspace)})
    assert done["status"] == "committed"
    assert done["changes"]
    client.notification("window/showMessage")
    after = run(client, "omoide.reindex")["records"]
    assert sum(after.values()) > sum(before.values())
    for change in done["changes"]:
        assert change["kind"] in after

    again = run(client, "omoide.extract", {"session": "talk-1"})
    assert [r["status"] for r in again["runs"]] == ["nothing"]


def test_a_quiet_caller_shows_the_outcome_itself(client: RawClient, workspace: Path) -> None:
    write_session(workspace)
    run(client, "omoide.extract", {"quiet": True, "uri": workspace.as_uri()})
    run(client, "omoide.status")
    assert not [m for m in client.received if m.get("method") == "window/showMessage"]


def test_the_clients_own_token_is_used(client: RawClient, workspace: Path) -> None:
    write_session(workspace)
    client.request("workspace/executeCommand", command("omoide.extract", workDoneToken="mine-1"))
    steps = progress(client, "mine-1")
    assert [steps[0]["kind"], steps[-1]["kind"]] == ["begin", "end"]
    assert token_of(client, "Omoide: extract") == "mine-1"


def test_a_client_without_progress_is_sent_none(new_client: NewClient, workspace: Path) -> None:
    write_session(workspace)
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"window": {}})
    assert run(client, "omoide.extract")["runs"]
    assert not [m for m in client.received if m.get("method") in ("$/progress", "window/workDoneProgress/create")]


def test_a_record_with_unsaved_edits_is_left_alone(client: RawClient, workspace: Path) -> None:
    write_session(workspace)
    run(client, "omoide.extract")
    dry = run(client, "omoide.consolidate", {"dry_run": True})
    changed = next(change for change in dry["changes"] if change["kind"] == "decision")
    record = workspace / f".omoide/memory/decisions/{changed['slug']}.md"
    client.open(record.as_uri(), "being written\n")
    done = run(client, "omoide.consolidate")
    assert f"memory/decisions/{changed['slug']}.md" in done["conflicts"]
    assert not record.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([{"sesion": "x"}], "takes no `sesion`"),
        ([{"session": 5}], "`session` must be a str"),
        ([{"session": "x", "all": True}], "one of session, log and all"),
        (["x"], "takes one object"),
        ([{"session": ""}], "`session` names nothing"),
        ([{"log": "a\0b"}], "`log` names nothing"),
        ([{"workspace": "beside"}], "must be an absolute path"),
        ([{"uri": "untitled:x", "provider": " "}], "`provider` names nothing"),
        ([{}, {}], "takes one object"),
    ],
)
def test_arguments_are_checked(client: RawClient, arguments: list[Any], message: str) -> None:
    answer = client.answer(client.begin("workspace/executeCommand", command("omoide.extract", *arguments)))
    assert message in answer["error"]["message"]
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"session": "nobody"}, "No session `nobody`"),
        ({"log": "/nowhere/at/all.jsonl"}, "/nowhere/at/all.jsonl"),
        ({"uri": "untitled:x"}, "No memory root in untitled:x"),
        ({"uri": "http://[bad"}, "No memory root in http://[bad"),
        ({"provider": "oracle"}, "oracle"),
    ],
)
def test_what_cannot_be_done_is_said(client: RawClient, workspace: Path, given: Message, message: str) -> None:
    write_session(workspace)
    answer = client.answer(client.begin("workspace/executeCommand", command("omoide.extract", given)))
    assert message in answer["error"]["message"]
    assert answer["error"]["code"] == -32803


def slow_client(new_client: NewClient, workspace: Path, model: ScriptedOpenAI) -> RawClient:
    """A client whose server's provider takes its time."""
    write_session(workspace)
    environment = {
        "OMOIDE_PROVIDER": "openai",
        "OMOIDE_BASE_URL": model.url,
        "OMOIDE_API_KEY": "k",
        "OMOIDE_MODEL": "m",
    }
    client = new_client(workspace, environment=environment)
    client.initialize(workspace, initializationOptions={"confirm": False})
    client.open((workspace / "a.md").as_uri(), "see #api-keys")
    return client


def hanging() -> ScriptedOpenAI:
    reply = completion("never")
    return ScriptedOpenAI([type(reply)(reply.body, hang=60) for _ in range(10)])


def wait_for_request(model: ScriptedOpenAI) -> None:
    deadline = time.monotonic() + 10
    while not model.requests:
        assert time.monotonic() < deadline, "the model was never asked"
        time.sleep(0.01)


def test_a_busy_job_makes_no_deaf_server(new_client: NewClient, workspace: Path) -> None:
    """Pitfall 1: stdin is read through the pool that long work would occupy."""
    with hanging() as model:
        client = slow_client(new_client, workspace, model)
        for number in range(12):  # eleven of them are refused: one at a time
            client.begin("workspace/executeCommand", command("omoide.extract", {"quiet": True}))
            assert number >= 0
        wait_for_request(model)
        started = time.monotonic()
        assert client.at("hover", (workspace / "a.md").as_uri(), 0, 8)
        assert time.monotonic() - started < 1
        refused = [m for m in client.received if "error" in m]
        assert len(refused) == 11
        assert all("Another extract of this workspace is running" in m["error"]["message"] for m in refused)


def test_a_given_up_request_is_answered_at_once_and_the_work_stops(new_client: NewClient, workspace: Path) -> None:
    with hanging() as model:
        client = slow_client(new_client, workspace, model)
        number = client.begin("workspace/executeCommand", command("omoide.extract"))
        wait_for_request(model)
        started = time.monotonic()
        client.notify("$/cancelRequest", {"id": number})
        assert client.answer(number, timeout=1)["error"]["code"] == -32800
        assert time.monotonic() - started < 0.5
        free_again(client, started)
    assert list((workspace / ".omoide/memory/_staging").glob("*.json")) == []


def test_a_request_given_up_before_its_workspace_is_open_is_not_begun(new_client: NewClient, workspace: Path) -> None:
    """The client was told that it was cancelled, and the session was extracted all the same."""
    write_session(workspace)
    client = new_client(workspace)
    client.initialize(workspace)
    number = client.begin("workspace/executeCommand", command("omoide.extract"))
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number)["error"]["code"] == -32800
    run(client, "omoide.reindex")
    assert list((workspace / ".omoide/memory/_staging").glob("*.json")) == []
    # Neither is one under way, nor has one been there.
    assert run(client, "omoide.extract")["runs"][0]["status"] == "staged"


@pytest.mark.parametrize("seconds", [0.0, 0.3, 0.6, 0.9, 1.2])
def test_an_extract_given_up_at_any_moment_is_whole_or_not_at_all(
    client: RawClient, workspace: Path, seconds: float
) -> None:
    write_session(workspace)
    run(client, "omoide.reindex")
    number = client.begin("workspace/executeCommand", command("omoide.extract"))
    time.sleep(seconds)  # any moment will do: the claim holds at each of them
    client.notify("$/cancelRequest", {"id": number})
    given_up = "error" in client.answer(number)
    free_again(client, time.monotonic())
    staged = list((workspace / ".omoide/memory/_staging").glob("*.json"))
    pointed = "memory.extract" in (workspace / ".omoide/sessions/talk-1.jsonl").read_text(encoding="utf-8")
    assert len(staged) == pointed
    assert given_up or staged
    again = run(client, "omoide.extract")["runs"][0]["status"]
    assert again == ("nothing" if pointed else "staged")
    client.shut_down()
    assert client.stderr == ""


def test_an_edit_begun_while_the_model_thinks_is_left_alone(new_client: NewClient, workspace: Path) -> None:
    """What was open was looked at once, before the model was asked."""
    write_session(workspace)
    record = workspace / ".omoide/memory/decisions/use-toml.md"
    client: RawClient

    def write(_: Any) -> HttpReply:
        client.open(record.as_uri(), "being written\n")
        run(client, "omoide.status")
        (staged,) = (workspace / ".omoide/memory/_staging").glob("*.json")
        given = {
            "kind": "decision",
            "slug": "use-toml",
            "body": "# Use TOML\n\nComments survive.\n",
            "fields": {"status": "resolved", "description": "Settings are TOML."},
            "candidates": [f"{staged.stem}/decisions/0"],
        }
        return completion(calls=[("MemoryWrite", given)])

    with ScriptedOpenAI([write, *(completion("Done.") for _ in range(5))]) as model:
        environment = {"OMOIDE_BASE_URL": model.url, "OMOIDE_API_KEY": "k", "OMOIDE_MODEL": "m"}
        client = new_client(workspace, environment=environment)
        client.initialize(workspace, initializationOptions={"confirm": False})
        run(client, "omoide.extract")
        done = run(client, "omoide.consolidate", {"provider": "openai"})
    assert "memory/decisions/use-toml.md" in done["conflicts"]
    assert not record.exists()
    assert list((workspace / ".omoide/memory/_staging").glob("*.json"))


def test_a_pressed_cancel_button_does_the_same(new_client: NewClient, workspace: Path) -> None:
    with hanging() as model:
        client = slow_client(new_client, workspace, model)
        number = client.begin("workspace/executeCommand", command("omoide.extract"))
        token = token_of(client, "Omoide: extract")
        wait_for_request(model)
        started = time.monotonic()
        client.notify("window/workDoneProgress/cancel", {"token": token})
        assert client.answer(number, timeout=1)["error"]["code"] == -32800
        assert time.monotonic() - started < 0.5
        assert progress(client, token)[-1]["kind"] == "end"
        free_again(client, started)
        client.shut_down()
    assert "InvalidStateError" not in client.stderr
    assert "Traceback" not in client.stderr


def free_again(client: RawClient, since: float) -> None:
    """The next job can start within a second of the cancelling: the thread has really ended."""
    while True:
        given = {"provider": "builtin", "quiet": True, "dry_run": True}
        answer = client.answer(client.begin("workspace/executeCommand", command("omoide.extract", given)))
        if "error" not in answer:
            return
        assert "Another extract" in answer["error"]["message"]
        assert time.monotonic() - since < 1.5
        time.sleep(0.02)


@pytest.mark.parametrize("way", ["shutdown", "pipe"])
def test_bug_45_the_process_ends_with_a_job_running(new_client: NewClient, workspace: Path, way: str) -> None:
    """Pitfall 9: pygls waits for the job."""
    with hanging() as model:
        client = slow_client(new_client, workspace, model)
        client.begin("workspace/executeCommand", command("omoide.extract"))
        wait_for_request(model)
        started = time.monotonic()
        if way == "shutdown":
            assert client.shut_down(timeout=2) == 0
        else:
            assert client.process.stdin
            client.process.stdin.close()
            client.process.wait(2)
        assert time.monotonic() - started < 1.5


def test_a_hover_after_a_consolidation_shows_what_was_written(client: RawClient, workspace: Path) -> None:
    """The snapshot follows the commit without a watcher's help."""
    write_session(workspace)
    run(client, "omoide.extract")
    done = run(client, "omoide.consolidate")
    slug = next(change["slug"] for change in done["changes"] if change["kind"] == "decision")
    run(client, "omoide.reindex")
    old = workspace / ".omoide/memory/decisions/older.md"
    client.open(old.as_uri(), knowledge().replace("kind: policy", f"status: replaced\nreplaced_by: {slug}"))
    assert f"decision/{slug}" in client.at("hover", old.as_uri(), 4, 15)["contents"]["value"]
