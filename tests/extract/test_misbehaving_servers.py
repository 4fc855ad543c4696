"""Whatever a model or its server does, an extract ends within its limits, says why, and leaves a valid store.

Every case is played by a real server on this machine. A case says how the run must end and what its reason must say.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_core.config import Config, MemorySettings, ProviderSettings
from memory_core.extract.job import extract_session
from memory_core.extract.task import ExtractRun
from memory_core.ports import Silent
from memory_core.providers import openai_compatible
from memory_core.providers.json_tools import JsonToolsModel
from memory_core.providers.model_worker import ModelWorker
from memory_core.providers.openai_compatible import OpenAIModel
from memory_core.sessions.pointer import Pointer
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.testing import HttpReply, ScriptedOpenAI, completion, http_error, session_of
from tests.extract.test_extract_job import audit

NOW = datetime(2026, 1, 31, 9, 0, tzinfo=UTC)
SESSION = session_of(
    ("human", "Use uv instead of pip for this project, because it locks."),
    ("call", "Bash", "uv sync"),
    ("result", "12 packages", "12 packages installed"),
    ("assistant", "Done, uv is set up."),
)
REQUESTS, TURNS = 6, 5
DECISION = {"options": ["uv", "pip"], "chosen": "Use uv", "rationale": "it locks", "evidence": ["M0001"]}
GOOD = {"decisions": [DECISION]}
INVENTED = {**DECISION, "chosen": "Use Go", "evidence": ["M9"]}
READ = ("read_evidence", {"evidence_id": "M0001"})
WHOLE = json.dumps(GOOD)
TORN = ("write_extracted", WHOLE[:40])
BAD_BYTES = b'{"choices": [{"message": {"content": "\xff\xfe\xc3"}}]}'
REFUSED = HttpReply({"choices": [{"message": {"role": "assistant", "content": None, "refusal": "I cannot help."}}]})
FILTERED = HttpReply({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]})
LOOKS = tuple(completion(calls=[("search_evidence", {"query": letter})]) for letter in "abcdefgh")
FOR_EVER = {"Retry-After": "99999999"}


def wrote(arguments: Any) -> HttpReply:
    return completion(calls=[("write_extracted", arguments)])


def with_decision(**changes: Any) -> HttpReply:
    return wrote({"decisions": [{**DECISION, **changes}]})


def said(text: str) -> HttpReply:
    return completion(text)


@dataclass(frozen=True)
class Case:
    """`replies`: what the server sends, the last one for ever. `status`: how the run ends; `reason`: a part of why;
    `set_aside`: how many candidates are not staged, with a reason."""

    name: str
    replies: tuple[HttpReply, ...]
    status: str = "failed"
    reason: str = ""
    set_aside: int = 0


INVALID = "4 invalid calls in a row"
MALFORMED = (
    Case("malformed JSON", (wrote('{"decisions": [,]}'),), reason=INVALID),
    Case("truncated JSON", (wrote(WHOLE[:-9]),), reason=INVALID),
    Case("fenced JSON", (wrote(f"```json\n{WHOLE}\n```"),), "staged", "1 candidate staged"),
    Case("JSON with a comma too many", (wrote(WHOLE.replace("]}", "],}")),), reason=INVALID),
    Case("wrong root: a list", (wrote(f"[{WHOLE}]"),), reason=INVALID),
    Case("wrong root: a number", (wrote("17"),), reason=INVALID),
    Case("wrong root: a text", (wrote('"decisions"'),), reason=INVALID),
    Case("wrong root: null", (wrote("null"),), reason=INVALID),
    Case("nested without end", (wrote("[" * 100_000),), reason=INVALID),
    Case("array as a text", (wrote({"decisions": "[]"}),), reason=INVALID),
    Case("array as an object", (wrote({"decisions": {"0": DECISION}}),), reason=INVALID),
    Case("extra field", (with_decision(author="me"),), reason=INVALID),
    Case("claimed confidence", (with_decision(confidence=1.0, importance=10),), "staged", "1 candidate staged"),
    Case("claimed anchors", (with_decision(anchors=[{"entry_range": [0, 0]}]),), reason=INVALID),
    Case("extra array", (wrote({**GOOD, "preferences": []}),), reason=INVALID),
    Case("missing field", (wrote({"decisions": [{"chosen": "Use uv", "evidence": ["M0001"]}]}),), reason=INVALID),
    Case("null field", (with_decision(chosen=None),), reason=INVALID),
    Case("empty field", (with_decision(chosen="  "),), reason=INVALID),
    Case("field that is far too long", (with_decision(chosen="x" * 100_000),), reason=INVALID),
    Case("no evidence", (with_decision(evidence=[]),), reason=INVALID),
    Case("ten thousand candidates", (wrote({"decisions": [DECISION] * 10_000}),), reason=INVALID),
    Case("mended at the second try", (wrote("{"), wrote(GOOD)), "staged", "1 candidate staged"),
)
BEHAVIOR = (
    Case("prose", (said("I found that uv is used."),), reason="without calling a tool"),
    Case("prose with the JSON in it", (said(f"Here you are: {WHOLE}"),), reason="without calling a tool"),
    Case("prose once, then the call", (said("Let me see."), wrote(GOOD)), "staged", "1 candidate staged"),
    Case("refusal", (said("I'm sorry, but I can't help with that."),), reason="without calling a tool"),
    Case("refusal in its own field", (REFUSED,), reason="without calling a tool"),
    Case("content filter", (FILTERED,), reason="without calling a tool"),
    Case("empty answer", (said(""),), reason="without calling a tool"),
    Case("unknown tool", (completion(calls=[("delete_records", {})]),), reason=INVALID),
    Case("tool of another step", (completion(calls=[("write_record", {"slug": "x"})]),), reason=INVALID),
    Case("invented ids", (with_decision(evidence=["M0099"]),), "nothing", "1 set aside", 1),
    Case("ids of another slice", (with_decision(evidence=["E0044", "M0007"]),), "nothing", "1 set aside", 1),
    Case("tool output for a decision", (with_decision(evidence=["E0001"]),), "nothing", "1 set aside", 1),
    Case("one good, one invented", (wrote({"decisions": [DECISION, INVENTED]}),), "staged", "(1 set aside)", 1),
    Case("never finishing", LOOKS, reason=f"within {TURNS} turns"),
    Case("repeated calls", (completion(calls=[("search_evidence", {"query": "uv"})]),), reason=f"within {TURNS} turns"),
    Case("flood of calls in one turn", (completion(calls=[READ] * 500),), reason="256 tool calls"),
    Case("many calls in one turn", (completion(calls=[READ] * 250),), reason="invalid calls"),
    Case("range of another slice", (completion(calls=[("read_evidence", {"entry_range": [90, 99]})]),), reason=INVALID),
    Case("cut off", (completion(calls=[TORN], finish_reason="length"),), reason=INVALID),
)  # fmt: skip
ANSWERS = (
    Case("no choices", (HttpReply({"choices": []}),), reason="no message"),
    Case("choices that are null", (HttpReply({"choices": None}),), reason="no message"),
    Case("web page", (HttpReply("<html>login</html>"),), reason="OpenAI-compatible"),
    Case("body that is no JSON", (HttpReply('{"choices": ['),), reason="OpenAI-compatible"),
    Case("empty body", (HttpReply(""),), reason="OpenAI-compatible"),
    Case("invalid UTF-8", (HttpReply(BAD_BYTES),), reason="OpenAI-compatible"),
    Case("401", (http_error(401, "bad key"),), reason="401"),
    Case("403", (http_error(403, "not allowed"),), reason="403"),
    Case("404", (http_error(404, "no such model"),), reason="no such model"),
    Case("408", (http_error(408, "timeout"),), reason="408"),
    Case("429", (http_error(429, "slow down"),), reason="429"),
    Case("429 without end", (http_error(429, "slow down", headers=FOR_EVER),), reason="429"),
    Case("429 with nonsense", (http_error(429, "no", headers={"Retry-After": "soon"}),), reason="429"),
    Case("500", (http_error(500, "oops"),), reason="500"),
    Case("502", (HttpReply("<h1>Bad gateway</h1>", 502),), reason="502"),
    Case("503", (http_error(503, "overloaded"),), reason="503"),
    Case("400", (http_error(400, "no such parameter"),), reason="400"),
    Case("500 once, then the call", (http_error(500, "oops"), wrote(GOOD)), "staged", "1 candidate staged"),
    Case("slow body", (HttpReply("x" * 1_000, drip=0.05),), reason="timeout_s"),
    Case("silent server", (HttpReply("{}", hang=30.0),), reason="timeout_s"),
)  # fmt: skip
EVERY = (*MALFORMED, *BEHAVIOR, *ANSWERS)


async def no_wait(seconds: float) -> None:
    assert seconds <= openai_compatible.LONGEST_WAIT


def for_ever(case: Case) -> list[Callable[[Any], HttpReply]]:
    """The script: the last reply again and again, far beyond what a run may ask for."""
    replies = [*case.replies, *[case.replies[-1]] * 40]
    return [lambda _, reply=reply: reply for reply in replies]  # type: ignore[misc]


async def run_on(url: str, store: FileStore, *, as_json: bool = False, brief: bool = False) -> ExtractRun:
    server = OpenAIModel(base_url=url, api_key=None, key_name="MY_KEY", timeout_s=0.4 if brief else 20.0, sleep=no_wait)
    model = JsonToolsModel(server) if as_json else server
    (only,) = await extract_session(
        SESSION,
        store=store,
        worker=ModelWorker(model, "openai", "m-1"),
        config=Config(
            memory=MemorySettings(extract_worker_max_turns=TURNS),
            provider=ProviderSettings(requests_per_run=REQUESTS),
        ),
        progress=Silent(),
        now=lambda: NOW,
        retry=True,
    )
    return only


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    layout, _ = create_root(tmp_path)
    return FileStore(layout, lambda: NOW)


def assert_told(run: ExtractRun, store: FileStore, case: Case) -> None:
    """Nothing is silently gone: the run says how it ended, the audit says the same, and every file can be read."""
    assert (run.status, case.reason in run.reason) == (case.status, True), run.reason
    assert "\n" not in run.reason
    assert len(run.reason) < 500
    assert len(run.dropped) == case.set_aside
    assert all(each.reason for each in run.dropped)
    area = store.staging()
    assert area.invalid == ()
    assert len(area.files) == (run.status == "staged")
    assert store.pointer(SESSION) == (Pointer() if run.status == "failed" else Pointer(3, run.staging_id))
    (written,) = [e for e in audit(store) if e["event"] == "extract"]
    assert (written["status"], written["reason"]) == (run.status, run.reason)
    assert written["usage"] is None or written["usage"]["requests"] <= REQUESTS


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.name)
async def test_run_ends_within_its_limits_and_says_why(store: FileStore, case: Case) -> None:
    """T01 T06 T07 T09 T14 T18 T19: no crash, no silent drop, no budget exceeded, no failure tried without end."""
    with ScriptedOpenAI(for_ever(case)) as server:
        run = await run_on(server.url, store, brief=case.reason == "timeout_s")
    assert_told(run, store, case)
    assert len(server.requests) <= REQUESTS
    letters = store.dead_letters()
    assert len(letters) <= (run.status == "failed")
    assert all(letter.tries == 1 and letter.reason == run.reason for letter in letters)


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        (wrote('{"decisions": [,]}'), 'write_extracted({"decisions": [,]})'),
        (wrote(WHOLE[:-9]), WHOLE[:-9]),
        (said("I found that uv is used."), "I found that uv is used."),
        (HttpReply("<html>login</html>"), "<html>login</html>"),
        (HttpReply('{"choices": ['), '{"choices": ['),
        (HttpReply({"choices": [], "note": "no"}), "note"),
    ],
    ids=["malformed", "truncated", "prose", "web page", "torn body", "no choices"],
)
async def test_what_could_not_be_used_is_kept_as_it_came(store: FileStore, reply: HttpReply, kept: str) -> None:
    """T09: the raw reply lies with its reason, so that somebody can see what went wrong."""
    with ScriptedOpenAI([lambda _: reply] * 40) as server:
        await run_on(server.url, store)
    (letter,) = store.dead_letters()
    assert kept in str(letter.reply)


JSON_CASES = (
    Case("good object", (said(json.dumps({"tool": "write_extracted", "arguments": GOOD})),), "staged"),
    Case("fenced object", (said(f'```json\n{{"tool": "write_extracted", "arguments": {WHOLE}}}\n```'),), "staged"),
    Case("thoughts first", (said(f'<think>hm</think>{{"tool": "write_extracted", "arguments": {WHOLE}}}'),), "staged"),
    Case("torn object", (said(f'{{"tool": "write_extracted", "arguments": {WHOLE[:30]}'),), reason=INVALID),
    Case("prose", (said("There is nothing to keep."),), reason="without calling a tool"),
    Case("unknown tool", (said('{"tool": "rm", "arguments": {}}'),), reason=INVALID),
    Case("a list of nothing", (said("[]"),), reason="without calling a tool"),
    Case("native call all the same", (wrote(GOOD),), reason="without calling a tool"),
)  # fmt: skip


@pytest.mark.parametrize("case", JSON_CASES, ids=lambda case: case.name)
async def test_model_without_tools_is_held_to_the_same(store: FileStore, case: Case) -> None:
    with ScriptedOpenAI(for_ever(case)) as server:
        run = await run_on(server.url, store, as_json=True)
    assert_told(run, store, case)
    assert len(server.requests) <= REQUESTS
    assert not any("tools" in request for request in server.requests)


@asynccontextmanager
async def raw_server(serve: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> AsyncIterator[str]:
    """The address of a server that answers every request by whatever bytes `serve` writes."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(length)
            await serve(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has left, which is what some cases are about
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()
        await server.wait_closed()


async def test_connection_that_is_cut_is_asked_again_and_then_given_up(store: FileStore) -> None:
    async def cut(writer: asyncio.StreamWriter) -> None:
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"choices": [')
        await writer.drain()

    async with raw_server(cut) as url:
        run = await run_on(url, store, brief=True)
    assert_told(run, store, Case("", (), reason="broke off its answer"))


async def test_answer_that_is_no_http_is_given_up(store: FileStore) -> None:
    async def babble(writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await writer.drain()

    async with raw_server(babble) as url:
        run = await run_on(url, store, brief=True)
    assert_told(run, store, Case("", (), reason="No connection to"))


@pytest.mark.parametrize("status", [b"200 OK", b"400 Bad Request", b"500 Oops"])
async def test_reply_without_end_is_read_up_to_its_cap(
    store: FileStore, monkeypatch: pytest.MonkeyPatch, status: bytes
) -> None:
    """Of an answer as of an error: what is read is bounded in bytes, not only in seconds."""
    monkeypatch.setattr(openai_compatible, "MAX_REPLY", 1 << 20)
    sent: list[int] = []

    async def flood(writer: asyncio.StreamWriter) -> None:
        sent.append(0)
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Type: application/json\r\n\r\n")
        while sent[-1] < 256:
            writer.write(b"x" * (1 << 20))
            await writer.drain()
            sent[-1] += 1

    async with raw_server(flood) as url:
        run = await run_on(url, store, brief=True)
    assert run.status == "failed"
    assert max(sent) < 64, "the connection was closed long before the server was done"
    assert len(run.reason) < 500
