"""Extract over a real HTTP server and a real store: tool rounds, a malformed call, a 429, a time-out."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.config import Config, MemorySettings, ProviderSettings
from memory_core.extract.job import extract_session
from memory_core.extract.task import ExtractRun
from memory_core.ports import Silent
from memory_core.providers.model_worker import ModelWorker
from memory_core.providers.openai_compatible import OpenAIModel
from memory_core.providers.registry import extract_worker
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.store.session_files import read_log
from memory_core.testing import HttpReply, ScriptedOpenAI, completion, http_error, session_of

NOW = datetime(2026, 1, 31, 9, 0, tzinfo=UTC)
SECRET = "sk-proj-" + "a1B2" * 8
SESSION = session_of(
    ("human", f"Deploy with the key {SECRET}. Never deploy on Fridays: nobody is there to roll back."),
    ("call", "Bash", f"DEPLOY_TOKEN={SECRET} make deploy"),
    ("error", "deploy refused: Friday", f"deploy refused: Friday\ntoken was {SECRET}"),
    ("assistant", "The deploy was refused; I will wait until Monday."),
)
CANDIDATES = {
    "requests": [
        {
            "intent": "Never deploy on Fridays",
            "summary": f"Nobody is there to roll back. ({SECRET})",
            "evidence": ["M0001"],
        }
    ],
    "attempts": [{"action": "make deploy", "result": "refused: Friday", "succeeded": False, "evidence": ["E0001"]}],
}


async def no_wait(_: float) -> None:
    pass


async def run(
    store: FileStore, server: ScriptedOpenAI, session: Session = SESSION, timeout_s: float = 5.0
) -> ExtractRun:
    model = OpenAIModel(base_url=server.url, api_key=None, key_name="MY_KEY", timeout_s=timeout_s, sleep=no_wait)
    (only,) = await extract_session(
        session,
        store=store,
        worker=ModelWorker(model, "openai", "m-1"),
        config=Config(),
        progress=Silent(),
        now=lambda: NOW,
    )
    return only


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    layout, _ = create_root(tmp_path)
    return FileStore(layout, lambda: NOW)


async def test_tool_rounds_with_every_kind_of_trouble_end_in_anchored_candidates(store: FileStore) -> None:
    """A5 A8 A9 T14 T16"""
    script = [
        completion(calls=[("search_evidence", {"query": "Friday"}), ("read_evidence", {"evidence_id": "E0001"})]),
        http_error(429, "slow down", headers={"Retry-After": "1"}),
        HttpReply({}, hang=30),
        completion(calls=[("write_extracted", '{"requests": [{"intent": "cut')], finish_reason="length"),
        completion(calls=[("write_extracted", CANDIDATES)], usage=None),
    ]
    with ScriptedOpenAI(script) as server:
        ended = await run(store, server, timeout_s=0.5)
    assert (ended.status, ended.reason) == ("staged", "2 candidates staged")
    assert ended.usage.requests == 5
    assert server.exhausted == 0
    (file,) = store.staging().files
    assert file.requests[0].evidence[0].speaker == "human"
    assert (file.attempts[0].evidence[0].kind, file.attempts[0].evidence[0].tool) == ("tool_result", "Bash")
    answers = [message["content"] for message in server.requests[-1]["messages"] if message["role"] == "tool"]
    assert "deploy refused: Friday" in answers[1]
    assert answers[2].startswith("Error: write_extracted was not run: the arguments are not valid JSON")


async def test_no_secret_leaves_the_process_or_reaches_a_file(store: FileStore) -> None:
    """T36 T37"""
    script = [
        completion(calls=[("search_evidence", {"query": "deploy"}), ("read_evidence", {"entry_range": [0, 3]})]),
        completion(calls=[("resolve_source_anchor", {"evidence_id": "E0001"}), ("write_extracted", CANDIDATES)]),
    ]
    with ScriptedOpenAI(script) as server:
        ended = await run(store, server)
    assert ended.status == "staged"
    assert SECRET not in json.dumps(server.requests)
    for path in store.layout.root.rglob("*"):
        assert not path.is_file() or SECRET not in path.read_text(encoding="utf-8"), path


async def test_reasoning_and_injected_memory_are_never_sent(store: FileStore) -> None:
    """A4 T25"""
    session = session_of(
        ("human", "Go. <omoide-memory>RECALLED TEXT</omoide-memory>"),
        ("reasoning", "PRIVATE THOUGHT"),
        ("system", "SYSTEM NOTE"),
        ("summary", "COMPACTED STORY"),
    )
    script = [completion(calls=[("read_evidence", {"entry_range": [0, 3]}), ("write_extracted", {})])]
    with ScriptedOpenAI(script) as server:
        await run(store, server, session)
    sent = json.dumps(server.requests)
    for absent in ("RECALLED TEXT", "PRIVATE THOUGHT", "SYSTEM NOTE", "COMPACTED STORY"):
        assert absent not in sent


async def test_a_server_that_is_down_fails_the_run_with_its_address(store: FileStore) -> None:
    with ScriptedOpenAI([]) as server:
        url = server.url
    model = OpenAIModel(base_url=url, api_key=None, key_name="MY_KEY", sleep=no_wait)
    (ended,) = await extract_session(
        SESSION,
        store=store,
        worker=ModelWorker(model, "openai", "m-1"),
        config=Config(),
        progress=Silent(),
        now=lambda: NOW,
    )
    assert ended.status == "failed"
    assert url in ended.reason
    assert ended.usage.requests == 4
    assert store.pointer(SESSION) == Pointer()


async def test_a_runaway_model_is_stopped_by_the_budget(store: FileStore) -> None:
    """T01"""
    with ScriptedOpenAI([completion(calls=[("search_evidence", {"query": "x"})])] * 50) as server:
        ended = await run(store, server)
    assert ended.status == "failed"
    assert ended.reason == "the model did not finish within 8 turns"
    assert len(server.requests) == 8


async def test_our_own_log_gets_its_pointer_as_an_entry_and_is_then_finished(store: FileStore) -> None:
    """B5 B10"""
    path = store.layout.sessions / "own.jsonl"
    path.parent.mkdir(exist_ok=True)
    lines = [
        {"kind": "session_start", "id": "0", "ts": "2026-01-31T08:00:00Z", "session_id": "own", "agent": "omoide"},
        {"kind": "user_message", "id": "1", "ts": "2026-01-31T08:00:01Z", "text": "Never deploy on Fridays."},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    request = {"intent": "No deploys on Fridays", "summary": "Never on Fridays.", "evidence": ["M0001"]}
    with ScriptedOpenAI([completion(calls=[("write_extracted", {"requests": [request]})])]) as server:
        ended = await run(store, server, read_log(path))
        again = await run(store, server, read_log(path))
    assert ended.status == "staged"
    last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
    assert (last["kind"], last["domain"]) == ("extension", "memory.extract")
    assert last["payload"] == {"processed_through_entry": 1, "staging_id": ended.staging_id}
    assert (again.status, again.range) == ("nothing", None)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3


async def test_the_keyless_provider_opens_no_socket(store: FileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """T38"""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    config = Config(provider=ProviderSettings(name="builtin"), memory=MemorySettings())
    (ended,) = await extract_session(
        SESSION,
        store=store,
        worker=extract_worker(config, {}),
        config=config,
        progress=Silent(),
        now=lambda: NOW,
    )
    assert ended.status in ("staged", "nothing")
    assert ended.usage.requests == 0
