"""`omoide/status`, `$/logTrace`, `window/logMessage`, the log file and the port for debugging."""

from __future__ import annotations

import itertools
import json
import re
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from memory_core.demo.server_client import read_frame
from memory_core.errors import StoreError
from server import errors
from tests.protocol.conftest import NewClient, knowledge, make_root
from tests.protocol.raw_client import CAPABILITIES, Message, RawClient
from tests.protocol.test_commands import run, write_session

pytestmark = pytest.mark.protocol

WANTS_STATUS = {"experimental": {"omoide": {"status": True}}}


def status_until(client: RawClient, wanted: Any) -> Message:
    """The parameters of the first status that is as wanted."""
    return client.wait(lambda m: m.get("method") == "omoide/status" and wanted(m["params"]))["params"]


def test_a_client_that_wants_it_is_told_how_the_workspace_is(new_client: NewClient, workspace: Path) -> None:
    write_session(workspace)
    record = workspace / ".omoide/knowledge/api-keys.md"
    client = new_client(workspace)
    client.initialize(workspace, capabilities=WANTS_STATUS)
    client.open(record.as_uri(), knowledge(body="see #nowhere\n"))
    ready = status_until(client, lambda told: not told["loading"] and (told["problems"] or {}).get("errors") == 1)
    assert ready["workspace"] == str(workspace)
    assert ready["records"] == {"knowledge": 2, "workflow": 1}
    assert ready["jobs"] == []
    run(client, "omoide.extract")
    staged = status_until(client, lambda told: (told["pending"] or {}).get("files") == 1)
    assert staged["pending"]["candidates"] >= 1
    run(client, "omoide.consolidate")
    status_until(
        client, lambda told: told["pending"] == {"files": 0, "candidates": 0} and "decision" in told["records"]
    )


def test_the_same_status_is_not_said_twice(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.initialize(workspace, capabilities=WANTS_STATUS)
    for _ in range(5):
        run(client, "omoide.reindex")
    status_until(client, lambda told: not told["loading"])
    client.shut_down()
    told = [json.dumps(m["params"]) for m in client.received if m.get("method") == "omoide/status"]
    assert all(one != other for one, other in itertools.pairwise(told))


@pytest.mark.parametrize("experimental", [None, {}, {"omoide": True}, {"omoide": {"status": False}}, []])
def test_a_client_that_did_not_ask_for_it_is_told_nothing(
    new_client: NewClient, workspace: Path, experimental: Any
) -> None:
    client = new_client(workspace)
    client.initialize(workspace, capabilities={"experimental": experimental})
    run(client, "omoide.reindex")
    run(client, "omoide.lint", {"quiet": True})
    client.shut_down()
    assert not [m for m in client.received if m.get("method") == "omoide/status"]


def traces(client: RawClient) -> list[Message]:
    return [m["params"] for m in client.received if m.get("method") == "$/logTrace"]


def test_tracing_is_off_unless_asked_for(client: RawClient) -> None:
    run(client, "omoide.status")
    assert traces(client) == []


def test_each_message_and_its_answer_are_traced_with_the_time_it_took(client: RawClient) -> None:
    client.notify("$/setTrace", {"value": "messages"})
    run(client, "omoide.status")
    client.answer(client.begin("workspace/executeCommand", {"command": "omoide.nothing"}))
    client.notify("$/setTrace", {"value": "off"})
    run(client, "omoide.status")
    told = [line["message"] for line in traces(client)]
    assert re.fullmatch(r"Received request 'workspace/executeCommand - \(\d+\)'\.", told[0])
    assert re.fullmatch(r"Answered 'workspace/executeCommand - \(\d+\)' in \d+ ms\.", told[1])
    assert "It failed: " in told[3]
    assert len(told) == 4
    assert all("verbose" not in line for line in traces(client))


def test_verbose_tracing_shows_what_is_in_a_message_within_a_bound(new_client: NewClient, workspace: Path) -> None:
    client = new_client(workspace)
    client.initialize(workspace, trace="verbose")
    client.open((workspace / "a.md").as_uri(), "x" * 100_000)
    run(client, "omoide.status")
    shown = {line["message"]: line.get("verbose", "") for line in traces(client)}
    opened = shown["Received notification 'textDocument/didOpen'."]
    assert opened.startswith('{"textDocument"')
    assert len(opened) < 5_000
    assert any('"omoide.status"' in verbose for verbose in shown.values())


def test_an_unknown_trace_value_is_ignored(client: RawClient) -> None:
    client.notify("$/setTrace", {"value": "compact"})
    run(client, "omoide.status")
    assert traces(client) == []


def test_what_a_person_reads_in_the_log_has_a_level(new_client: NewClient, tmp_path: Path) -> None:
    """An editor shows errors to everybody: that there is no memory here is none."""
    (tmp_path / "plain").mkdir()
    client = new_client(tmp_path / "plain")
    client.initialize(tmp_path / "plain")
    logged = client.notification("window/logMessage")
    assert logged["type"] == 3
    assert "omoide init" in logged["message"]


def test_the_log_file_has_what_happened(new_client: NewClient, workspace: Path, tmp_path: Path) -> None:
    log = tmp_path / "omoide.log"
    command = (sys.executable, "-I", "-m", "server", "--log-file", str(log), "--log-level", "info")
    client = new_client(workspace, command=command)
    client.initialize(workspace, capabilities={"telepathy": 1, "textDocument": {"completion": True}})
    client.change((workspace / "never-opened.md").as_uri(), 2, {"text": "x"})
    run(client, "omoide.status")
    client.shut_down()
    text = log.read_text(encoding="utf-8")
    assert "was never opened" in text
    assert "was not understood" in text


def test_a_client_on_a_port_of_this_machine_is_served(new_client: NewClient, workspace: Path) -> None:
    """`--tcp 0`: the port is said on stderr; nothing listens on any other address."""
    server = new_client(workspace, command=(sys.executable, "-I", "-m", "server", "--tcp", "0"))
    port = int(re.search(r"127\.0\.0\.1:(\d+)", listening(server))[1])  # type: ignore[index]
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection, connection.makefile("rwb") as stream:
        for message in (
            {
                "id": 1,
                "method": "initialize",
                "params": {"processId": None, "rootUri": None, "capabilities": CAPABILITIES},
            },
            {"method": "initialized", "params": {}},
            {"id": 2, "method": "workspace/executeCommand", "params": {"command": "omoide.status"}},
        ):
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            stream.flush()
        answers: list[Any] = []
        while len(answers) < 2:
            message = read_frame(stream)
            assert message is not None
            if "id" in message and "method" not in message:
                answers.append(message)
        assert answers[1]["result"] == {"roots": []}
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=2)  # one client, then nobody
    assert server.process.wait(5) == 1  # gone with its client


def listening(server: RawClient) -> str:
    """The line that says where it listens."""
    import time

    deadline = time.monotonic() + 20
    while "for one client" not in server.stderr:
        assert time.monotonic() < deadline, server.stderr
        assert server.process.poll() is None, server.stderr
        time.sleep(0.02)
    return server.stderr


def test_stdio_and_a_port_exclude_each_other(new_client: NewClient, workspace: Path) -> None:
    server = new_client(workspace, command=(sys.executable, "-I", "-m", "server", "--stdio", "--tcp", "0"))
    assert server.process.wait(20) == 2


def test_what_is_staged_and_cannot_be_listed_is_a_problem_of_its_root_alone(
    new_client: NewClient, workspace: Path, tmp_path: Path
) -> None:
    """`omoide.status` was an internal error, for every root."""
    other, staging = make_root(tmp_path / "other", {}), workspace / ".omoide/memory/_staging"
    staging.write_text("no folder", encoding="utf-8")
    client = new_client(workspace)
    client.initialize(workspace, other)

    def told() -> dict[Path, Message]:
        for root in (workspace, other):
            run(client, "omoide.reindex", {"workspace": str(root)})
        return {Path(it["workspace"]): it for it in run(client, "omoide.status")["roots"]}

    before = told()
    assert before[other]["pending"] == {"files": 0, "candidates": 0}
    assert before[other]["problem"] is None
    assert "_staging" in before[workspace]["problem"]
    assert before[workspace]["pending"] is None
    staging.unlink()
    assert told()[workspace]["problem"] is None


def test_what_the_operating_system_refuses_is_no_fault_of_ours() -> None:
    """Nine commands answered that Omoide failed, and that its log says where."""
    said = errors.for_client(PermissionError(13, "Permission denied", "/project/.omoide/memory/_logs/audit.jsonl"))
    assert isinstance(said, JsonRpcException)
    assert said.code == errors.REQUEST_FAILED
    assert said.message == "/project/.omoide/memory/_logs/audit.jsonl: Permission denied; check space and permissions"
    refused = errors.for_client(StoreError("`_staging` cannot be listed."))
    assert isinstance(refused, JsonRpcException)
    assert refused.message == "`_staging` cannot be listed."
    for fault in (ConnectionResetError(104, "Connection reset by peer"), ValueError("odd"), None):
        assert errors.for_client(fault) is fault
