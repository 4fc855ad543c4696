"""Models of the editor: what is sent, what comes back whatever it is, and what each refusal becomes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.config import Config, MemorySettings, ProviderSettings
from memory_core.errors import BadReply, Cancelled, InputTooLong, MemoryCoreError, ProviderError, ProviderUnavailable
from memory_core.llm import Message, ModelRequest, TokenUsage, ToolCall, ToolSpec
from memory_core.model_text import MAX_CALLS, MAX_TEXT
from memory_core.ports import Silent
from memory_core.prompts import Prompt
from memory_core.providers import editor
from memory_core.providers.editor import EditorModel, Nobody, model_named, refusal, reply_of, turn_of
from memory_core.providers.registry import consolidate_worker, extract_worker
from memory_core.worker import CancelledRun, Limits, Work
from tests.providers.test_tool_loop import Box

REQUEST = ModelRequest(
    "copilot/small",
    (
        Message("system", "SYSTEM"),
        Message("user", "INPUT"),
        Message("assistant", "", (ToolCall("c1", "look", '{"at": 1}'),)),
        Message("tool", "seen", tool_call_id="c1"),
    ),
    (ToolSpec("look", "Look.", {"type": "object"}),),
)
CALL = {"id": "c9", "name": "look", "arguments": {"at": 1}}


class Scripted:
    """An editor that plays a list of answers and keeps what it was asked; an exception is raised, a function called."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.turns: list[Mapping[str, Any]] = []

    async def describe(self, model: str | None) -> Any:
        return {"model": model or "scripted/one"}

    async def turn(self, turn: Mapping[str, Any]) -> Any:
        self.turns.append(turn)
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return await answer() if isinstance(answer, Callable) else answer  # type: ignore[arg-type]


def refused(code: str, message: str = "") -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def model(turns: Scripted, timeout_s: float = 120.0) -> tuple[EditorModel, list[float]]:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    return EditorModel(turns, timeout_s=timeout_s, sleep=sleep, jitter=lambda: 1.0), waits


def settings(**provider: Any) -> Config:
    return Config(provider=ProviderSettings(name="editor", **provider), memory=MemorySettings())


# What is sent


def test_a_turn_carries_messages_tools_and_the_model_that_the_settings_name() -> None:
    turn = turn_of(REQUEST, 30.0)
    assert (turn["model"], turn["timeout_s"]) == ("copilot/small", 30.0)
    assert [m["role"] for m in turn["messages"]] == ["system", "user", "assistant", "tool"]
    assert turn["messages"][2]["tool_calls"] == [{"id": "c1", "name": "look", "arguments": {"at": 1}}]
    assert turn["messages"][3] == {"role": "tool", "content": "seen", "tool_calls": [], "tool_call_id": "c1"}
    assert turn["tools"] == [{"name": "look", "description": "Look.", "parameters": {"type": "object"}}]
    assert turn_of(ModelRequest("", ()), 1.0)["model"] is None
    json.dumps(turn)


# What comes back


async def test_an_answer_becomes_a_reply_with_its_calls_and_its_model() -> None:
    turns = Scripted({"text": "so", "tool_calls": [CALL], "usage": {"input_tokens": 7, "output_tokens": 2},
                      "model": "copilot/gpt"})  # fmt: skip
    asked, _ = model(turns)
    reply = await asked.complete(REQUEST)
    assert (reply.text, reply.tool_calls) == ("so", (ToolCall("c9", "look", '{"at": 1}'),))
    assert reply.usage == TokenUsage(7, 2, 1)
    assert asked.answered_by == "copilot/gpt"


@pytest.mark.parametrize(
    "usage", [None, {}, 5, {"input_tokens": 0}, {"input_tokens": -4, "output_tokens": True}, {"input_tokens": 10**12}]
)
def test_tokens_are_counted_here_where_the_editor_does_not_say(usage: Any) -> None:
    reply, _ = reply_of({"text": "a reply of a few words", "usage": usage}, REQUEST, 1)
    assert reply.usage.input_tokens > 10
    assert reply.usage.output_tokens > 3


def test_calls_without_an_id_or_with_the_same_one_can_be_told_apart() -> None:
    reply, _ = reply_of({"tool_calls": [CALL, CALL, {"name": "look"}]}, REQUEST, 1)
    assert len({call.id for call in reply.tool_calls}) == 3
    assert reply.tool_calls[2].arguments == ""


def test_arguments_may_be_the_text_that_a_model_wrote() -> None:
    reply, _ = reply_of({"tool_calls": [{**CALL, "arguments": '{"at": '}]}, REQUEST, 1)
    assert reply.tool_calls[0].arguments == '{"at": '


def test_arguments_that_are_nested_too_deeply_are_a_bad_reply() -> None:
    """They ended the run as a mistake of ours."""
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(BadReply, match="nested"):
        reply_of({"tool_calls": [{**CALL, "arguments": deep}]}, REQUEST, 1)


@pytest.mark.parametrize(
    "answer",
    [
        None, 7, "text", [], {"text": 7}, {"text": ["a"]}, {"tool_calls": {"name": "look"}}, {"tool_calls": [7]},
        {"tool_calls": [{"id": "x"}]}, {"tool_calls": [{"name": None}]}, {"error": "no"}, {"error": 7},
        {"tool_calls": [CALL] * (MAX_CALLS + 1)}, {"text": "x" * (MAX_TEXT + 1)},
        {"tool_calls": [{**CALL, "arguments": {"at": "y" * MAX_TEXT}}]},
    ],
)  # fmt: skip
def test_what_is_no_answer_is_a_bad_reply_in_one_line(answer: Any) -> None:
    with pytest.raises(BadReply) as caught:
        reply_of(answer, REQUEST, 1)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
answers = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("text", "tool_calls", "usage", "model", "error", "finish_reason"), json_values)
)


@given(answers | json_values)
def test_any_json_is_a_reply_or_an_error_of_ours(answer: Any) -> None:
    try:
        reply, name = reply_of(answer, REQUEST, 1)
    except MemoryCoreError:
        return
    json.dumps([reply.text, [c.arguments for c in reply.tool_calls], name], ensure_ascii=False).encode("utf-8")


def test_half_a_surrogate_pair_reaches_no_file() -> None:
    answer = json.loads(
        r'{"text": "a\ud83d", "model": "m\udc00", "tool_calls": [{"name": "look\ud83d", "arguments": {"k": "\udc00"}}]}'
    )
    reply, name = reply_of(answer, REQUEST, 1)
    for text in (reply.text, reply.tool_calls[0].name, reply.tool_calls[0].arguments, name or ""):
        text.encode("utf-8")


# Refusals


@pytest.mark.parametrize(
    ("code", "kind", "remedy"),
    [
        ("noModel", ProviderUnavailable, "sign in"),
        ("untrusted", ProviderUnavailable, "trust this folder"),
        ("noConsent", ProviderUnavailable, "Omoide: Extract Sessions"),
        ("denied", ProviderUnavailable, "allow it there"),
        ("quota", ProviderUnavailable, "try later"),
        ("offline", ProviderUnavailable, "try later"),
        ("timeout", ProviderUnavailable, "timeout_s"),
        ("tooLarge", InputTooLong, "too long"),
        ("cancelled", Cancelled, "cancelled"),
        ("failed", ProviderError, "try again"),
        ("a code of another version", ProviderError, "try again"),
        (None, ProviderError, "try again"),
        ({"hostile": 1}, ProviderError, "try again"),
    ],
)
def test_each_refusal_has_its_kind_of_error_and_a_remedy(code: Any, kind: type[Exception], remedy: str) -> None:
    error = refusal(code, "the words of the editor")
    assert isinstance(error, kind)
    assert remedy in str(error)


def test_what_an_editor_says_is_shortened_and_redacted() -> None:
    token = "ghp_" + "a1B2" * 9
    text = str(refusal("failed", f"token {token} " + "x" * 5_000))
    assert token not in text
    assert len(text) < 500
    assert "(" not in str(refusal("failed", 7)).split(":")[0]


@pytest.mark.parametrize("code", ["noModel", "denied", "quota", "noConsent", "failed", "tooLarge"])
async def test_what_another_attempt_cannot_mend_is_asked_once(code: str) -> None:
    turns = Scripted(refused(code))
    asked, waits = model(turns)
    with pytest.raises(ProviderError) as caught:
        await asked.complete(REQUEST)
    assert (len(turns.turns), waits, caught.value.attempts) == (1, [], 1)


async def test_what_passes_is_tried_again_with_growing_waits() -> None:
    turns = Scripted(refused("offline"), refused("timeout"), {"text": "", "tool_calls": [CALL]})
    asked, waits = model(turns)
    reply = await asked.complete(REQUEST)
    assert waits == [0.5, 1.0]
    assert reply.usage.requests == 3


async def test_attempts_end_and_never_exceed_what_the_run_has_left() -> None:
    asked, _ = model(turns := Scripted(*[refused("offline", "ENOTFOUND")] * 9))
    with pytest.raises(ProviderUnavailable, match=r"ENOTFOUND.*4 attempts"):
        await asked.complete(REQUEST)
    assert len(turns.turns) == 4
    few = ModelRequest("", (), (), {"requests_left": "2"})
    with pytest.raises(ProviderUnavailable):
        await asked.complete(few)
    assert len(turns.turns) == 6
    with pytest.raises(ProviderError, match="requests_per_run"):
        await asked.complete(ModelRequest("", (), (), {"requests_left": "0"}))
    assert len(turns.turns) == 6


async def test_an_editor_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor, "_GRACE_S", 0.0)
    given_up = []

    async def never() -> Any:
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            given_up.append(True)
            raise

    asked, _ = model(Scripted(*[never] * 4), timeout_s=0.02)
    with pytest.raises(ProviderUnavailable, match=r"did not answer within 0\.02 s"):
        await asked.complete(REQUEST)
    assert len(given_up) == 4


# As a worker


async def worker_report(turns: Scripted, **provider: Any) -> tuple[Any, Any]:
    worker = extract_worker(settings(**provider), {}, None, turns)
    box = Box()
    work = Work(Prompt("p", "SYSTEM", "sha256:0"), "INPUT", box, Limits(), Silent())
    return await worker.run(work, None), (worker, box)  # type: ignore[arg-type]


async def test_the_loop_runs_here_and_the_worker_names_the_model_that_answered() -> None:
    turns = Scripted(
        {"text": "", "tool_calls": [CALL], "model": "copilot/gpt"},
        {"text": "", "tool_calls": [{"id": "e", "name": "done", "arguments": {}}], "model": "copilot/gpt"},
    )
    report, (worker, box) = await worker_report(turns)
    assert report.stopped is None
    assert [name for name, _ in box.calls] == ["look", "done"]
    assert (worker.name, worker.model) == ("editor", "copilot/gpt")
    assert report.usage.requests == 2
    assert report.usage.input_tokens > 0
    assert turns.turns[1]["messages"][-1]["tool_call_id"] == "c9"


async def test_a_person_who_cancels_in_the_editor_cancels_the_run_with_what_it_spent() -> None:
    usage = {"input_tokens": 40, "output_tokens": 2}
    turns = Scripted({"tool_calls": [CALL], "usage": usage}, refused("cancelled"))
    with pytest.raises(CancelledRun) as caught:
        await worker_report(turns)
    assert caught.value.usage == TokenUsage(40, 2, 2)


async def test_a_model_without_tools_is_told_of_them_in_words() -> None:
    turns = Scripted({"text": '{"tool": "done", "arguments": {}}', "model": "scripted/plain"})
    report, (worker, box) = await worker_report(turns, tool_calls="json")
    assert report.stopped is None
    assert turns.turns[0]["tools"] == []
    assert worker.model == "scripted/plain"
    assert box.finished


def test_where_no_editor_is_the_one_error_says_where_it_works_and_what_else_there_is() -> None:
    for make in (extract_worker, consolidate_worker):
        with pytest.raises(ProviderError, match=r"only there.*`builtin` or `openai`"):
            make(settings(), {})


async def test_nobody_makes_a_worker_and_answers_no_turn() -> None:
    report, (worker, _) = await worker_report(Nobody())  # type: ignore[arg-type]
    assert worker.model == "chosen by the editor"
    assert "works only there" in report.stopped
    assert not report.at_fault


@pytest.mark.parametrize(
    ("answer", "name"),
    [({"model": "copilot/gpt"}, "copilot/gpt"), ({}, "a model of the editor"), ({"model": 7}, "a model of the editor")],
)
def test_the_model_is_named_before_it_is_called(answer: Any, name: str) -> None:
    assert model_named(answer) == name


def test_a_description_may_be_a_refusal() -> None:
    with pytest.raises(ProviderUnavailable, match="no language model"):
        model_named(refused("noModel"))
    for answer in (None, "x", [1]):
        with pytest.raises(BadReply):
            model_named(answer)


def test_a_long_name_is_shortened() -> None:
    assert len(model_named({"model": "n" * 5_000})) < 200
