"""The pipe: headers and bodies as no client should write them, and as some do."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.stdio import MAX_FRAME, read_frame
from tests.protocol.raw_client import Message, RawClient

pytestmark = pytest.mark.protocol

BODY = json.dumps(
    {"jsonrpc": "2.0", "id": "s", "method": "workspace/executeCommand", "params": {"command": "omoide.status"}}
).encode()
FRAME = b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY


def frame(message: Message) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


INITIALIZE = frame(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
)


@contextmanager
def started(workspace: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server with nobody at the other end of its pipes yet."""
    command = [sys.executable, "-I", "-m", "server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=workspace) as process:
        try:
            yield process
        finally:
            process.kill()


def send(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin
    process.stdin.write(data)
    process.stdin.flush()


def write(client: RawClient, data: bytes) -> None:
    assert client.process.stdin
    client.process.stdin.write(data)
    client.process.stdin.flush()


@pytest.mark.parametrize(
    "head",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Length :  %d \r\n\r\n",
        b"Content-Length: %d\n\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: 0\r\n\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: -5\r\n\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: many\r\n\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: 99999999999999999999999\r\n\r\nContent-Length: %d\r\n\r\n",
        b"rubbish\r\n\r\nContent-Length: %d\r\n\r\n",
        b"rubbish that ends in no line endContent-Length: %d\r\n\r\n",
        b"x" * 200_000 + b"\nContent-Length: %d\r\n\r\n",
    ],
)
def test_a_header_is_found_however_it_is_written_and_whatever_stands_before_it(head: bytes) -> None:
    """pygls knows one spelling, and is deaf for the rest of the session behind any other."""
    assert read_frame(io.BytesIO(head % len(BODY) + BODY)) == BODY


@pytest.mark.parametrize(
    "data", [b"", b"\r\n", b"Content-Length: 5", b"Content-Length: 5\r\n\r\nabc", b"Content-Length: 5\r\n", b"no frame"]
)
def test_input_that_ends_early_is_the_end(data: bytes) -> None:
    assert read_frame(io.BytesIO(data)) is None


def test_a_length_that_no_client_means_is_not_waited_for() -> None:
    assert read_frame(io.BytesIO(b"Content-Length: %d\r\n\r\n" % (MAX_FRAME + 1) + FRAME)) == BODY


@given(st.lists(st.sampled_from([FRAME, b"\r\n", b"\n", b"x", b"\0", b"{}", b"Content-Length: ", b"7", b": "])))
def test_no_bytes_break_the_reader(parts: list[bytes]) -> None:
    source = io.BytesIO(b"".join(parts))
    for _ in range(len(parts) + 1):
        if read_frame(source) is None:
            assert source.read() == b""
            return
    raise AssertionError("more messages than parts")


@pytest.mark.parametrize(
    "body",
    [b"{nope", b'{"method": "\xff"}', b"[" * 100_000, b"5", b"null", b"[1, 2]", b"[%b]" % BODY, b'{"jsonrpc": "2.0"}'],
)
def test_a_body_that_is_no_message_is_refused_with_a_null_id_and_the_next_one_served(
    client: RawClient, body: bytes
) -> None:
    """JSON-RPC 2.0, 5.1: the id is null where it could not be read."""
    write(client, b"Content-Length: %d\r\n\r\n" % len(body) + body + FRAME)
    refused = client.wait(lambda m: "error" in m)
    assert "id" in refused
    assert refused["id"] is None
    assert refused["error"]["code"] in (-32700, -32600)
    assert client.wait(lambda m: m.get("id") == "s")["result"]["roots"]
    assert client.shut_down() == 0
    assert "Traceback" not in client.stderr


def test_a_message_cut_off_by_the_end_of_the_pipe_is_one_line(client: RawClient) -> None:
    client.request("workspace/executeCommand", {"command": "omoide.status"})
    write(client, FRAME[:-5])
    assert client.process.stdin
    client.process.stdin.close()
    assert client.process.wait(3) == 1
    client.close()
    assert "in the middle of a message" in client.stderr
    assert "Traceback" not in client.stderr


def test_what_was_sent_before_the_pipe_closed_is_answered(workspace: Path) -> None:
    """`omoide lsp < frames`: a script as a client."""
    command = [sys.executable, "-I", "-m", "server"]
    done = subprocess.run(command, input=INITIALIZE + FRAME * 200, cwd=workspace, capture_output=True, check=False)
    assert done.stdout.count(b'"id": "s"') == 200
    assert done.returncode == 1
    assert done.stderr == b""


def test_a_client_that_writes_much_before_it_reads(workspace: Path) -> None:
    """With a server that writes its answers before it reads on, both sides would wait for each other for ever."""
    written = threading.Event()
    with started(workspace) as process:
        threading.Thread(target=lambda: (send(process, INITIALIZE + FRAME * 5_000), written.set())).start()
        assert written.wait(15)
        assert process.stdin
        assert process.stdout
        process.stdin.close()
        assert process.stdout.read().count(b'"id": "s"') == 5_000


@pytest.mark.skipif(os.name != "posix", reason="pipes are made by hand")
def test_a_client_that_closes_its_end_under_an_answer() -> None:
    """While somebody else still holds stdin, only the writing tells that nobody listens."""
    end, start = os.pipe()
    os.close(end)
    with subprocess.Popen(
        [sys.executable, "-I", "-m", "server"], stdin=subprocess.PIPE, stdout=start, stderr=subprocess.PIPE
    ) as process:
        os.close(start)
        assert process.stdin
        assert process.stderr
        process.stdin.write(FRAME)
        process.stdin.flush()
        assert process.wait(10) == 1
        assert process.stderr.read() == b""


def test_bug_43_requests_given_up_while_they_wait_are_not_begun(client: RawClient, workspace: Path) -> None:
    """pygls#517: seventy were queued, thirty of them given up, and all were executed."""
    uri = (workspace / "a.md").as_uri()
    client.open(uri, "#api-keys")
    client.at("hover", uri, 0, 3)
    text = "\n".join(f"[a](b) `c` #api-keys {number}" for number in range(12_000))
    client.change(uri, 2, {"text": text})  # the first completion has all of it to look through
    where = {"textDocument": {"uri": uri}, "position": {"line": 5_000, "character": 17}}
    numbers = [client.begin("textDocument/completion", where) for _ in range(70)]
    for number in numbers[40:]:
        client.notify("$/cancelRequest", {"id": number})
    answers = [client.answer(number) for number in numbers]
    assert all("result" in answer for answer in answers[:1])
    given_up = [answer for answer in answers[40:] if "error" in answer]
    assert {answer["error"]["code"] for answer in given_up} == {-32800}
    assert len(given_up) >= 25
    assert all("result" in answer for answer in answers[:40])


def test_an_answer_that_hangs_does_not_keep_the_process(workspace: Path) -> None:
    """`exit` is seen while the event loop is held up: here by a pipe that is full and that nobody reads."""
    with started(workspace) as process:
        send(process, INITIALIZE + FRAME * 3_000 + frame({"jsonrpc": "2.0", "method": "exit"}))
        assert process.wait(10) == 1
