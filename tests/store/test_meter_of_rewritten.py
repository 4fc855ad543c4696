"""The meter and formats that write a message more than once: what is said again, or longer, is not counted anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_core.sessions.pointer import Pointer
from memory_core.store.session_files import read_log
from memory_core.store.session_meter import SessionMeter

AT = "2026-03-01T10:00:00Z"


def item(role: str, text: str) -> dict[str, Any]:
    content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
    return {"timestamp": AT, "type": "response_item", "payload": {"type": "message", "role": role, "content": content}}


def event(kind: str, text: str) -> dict[str, Any]:
    return {"timestamp": AT, "type": "event_msg", "payload": {"type": kind, "message": text}}


def claude(kind: str, uuid: str, text: str) -> dict[str, Any]:
    about = {"type": kind, "uuid": uuid, "sessionId": "s", "cwd": "/w", "timestamp": AT}
    return {**about, "message": {"role": kind, "content": [{"type": "text", "text": text}]}}


def response(text: str, **more: Any) -> dict[str, Any]:
    return {"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": text}], **more}


LOGS = {
    "codex, item and event": [
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "x", "cwd": "/w"}},
        item("user", "Do this now please."),
        event("user_message", "Do this now please."),
        item("assistant", "I have done it, all of it."),
        event("agent_message", "I have done it, all of it."),
        item("user", "And once more."),
        event("user_message", "And once more."),
    ],
    "gemini, an answer that grows": [
        {"sessionId": "s", "projectHash": "p", "startTime": AT},
        {"id": "1", "type": "user", "content": "Please refactor the orders service."},
        *({"id": "2", "type": "gemini", "content": "I am doing it. " * times} for times in (1, 2, 3, 4)),
        {"id": "3", "type": "user", "content": "Thank you, that will do."},
    ],
    "copilot, an answer that grows": [
        {"kind": 0, "v": {"version": 3, "sessionId": "c", "requests": []}},
        {"kind": 2, "k": ["requests"], "v": [{"requestId": "r1", "message": {"text": "Refactor it."}, "response": []}]},
        response("I am going to do it "),
        response("I am going to do it right now", i=0),
        response("I am going to do it right now, and then rest", i=0),
    ],
    "claude, words that waited": [
        claude("user", "u1", "Refactor the orders service."),
        claude("assistant", "a1", "I start with it."),
        {
            "type": "queue-operation",
            "operation": "enqueue",
            "timestamp": AT,
            "sessionId": "s",
            "content": "Tests, too.",
        },
        claude("user", "u2", "Tests, too."),
        claude("assistant", "a2", "Those as well."),
    ],
}


@pytest.mark.parametrize("name", LOGS)
def test_what_a_format_writes_again_is_counted_once(name: str, tmp_path: Path) -> None:
    log = tmp_path / "s.jsonl"
    log.touch()
    metering = SessionMeter(read_log, lambda _: Pointer())
    for record in LOGS[name]:
        with log.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")
        reading = metering.measure(log)
    exact = SessionMeter(read_log, lambda _: Pointer()).measure(log)
    assert reading is not None
    assert reading == exact


def test_the_same_words_said_often_are_counted(tmp_path: Path) -> None:
    """They may be one message that was written twice, so that every other one counts at least."""
    log = tmp_path / "s.jsonl"
    log.touch()
    metering = SessionMeter(read_log, lambda _: Pointer())
    for number in range(8):
        with log.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(claude("user", f"u{number}", "Go on with the next part of it, please.")) + "\n")
        reading = metering.measure(log)
    exact = SessionMeter(read_log, lambda _: Pointer()).measure(log)
    assert reading is not None
    assert exact is not None
    assert exact.tokens / 2 <= reading.tokens <= exact.tokens
