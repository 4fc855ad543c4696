"""A model's text is read in work that grows with it alone, and what is no answer of a model is refused."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import FrameType

import pytest

from memory_core.llm import ToolCall
from memory_core.model_text import (
    MAX_CALLS,
    MAX_DEPTH,
    MAX_TEXT,
    json_value,
    nested_beyond,
    oversize,
    unfenced,
    without_thoughts,
)
from memory_core.providers.json_tools import calls_in
from memory_core.tool_loop import parse_call


def looks(work: Callable[[str], object], text: str) -> int:
    """How many calls look through a text: each is of C and passes over it at most once."""
    count = 0

    def counting(frame: FrameType, event: str, called: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        work(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("work", [without_thoughts, unfenced, lambda text: calls_in(text, 1)])
@pytest.mark.parametrize(
    "bomb",
    [
        lambda n: "<think>" * n,
        lambda n: "<think>" * n + "</think",
        lambda n: "```json " + " \n" * n + "x",
        lambda n: "```json\n" + "\n" * n + "`" * n,
        lambda n: "```" + "\n```" * n + "x",
    ],
    ids=["thoughts", "half a thought", "a fence of blanks", "a fence of lines", "fences"],
)
def test_a_text_is_looked_through_a_few_times_however_long_it_is(
    work: Callable[[str], object], bomb: Callable[[int], str]
) -> None:
    assert looks(work, bomb(20_000)) == looks(work, bomb(100)) < 100


def test_no_pattern_of_these_modules_searches_up_to_an_end_that_may_not_come() -> None:
    """The time of a pattern cannot be counted, and it holds the whole process meanwhile, Ctrl-C included."""
    import re

    from memory_core import model_text, tool_loop, tool_text
    from memory_core.providers import chat_completions, json_tools

    modules = (model_text, tool_loop, tool_text, json_tools, chat_completions)
    patterns = [value for module in modules for value in vars(module).values() if isinstance(value, re.Pattern)]
    assert not [pattern.pattern for pattern in patterns if ".*" in pattern.pattern or ".+" in pattern.pattern]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<think>a</think>b", "b"),
        ("a<think>b</think>c<think>d</think>e", "ace"),
        ("<think>a<think>b</think>c", "c"),
        ("<think>a", "<think>a"),
        ("</think>a<think>", "</think>a<think>"),
    ],
)
def test_closed_thoughts_are_left_out(text: str, kept: str) -> None:
    assert without_thoughts(text) == kept


@pytest.mark.parametrize(
    "text", ['```json\n{"a": 1}\n```', '```\n{"a": 1}\n```', ' ```JSON\r\n{"a": 1}``` ', '```{"a": 1}```', '{"a": 1}']
)
def test_a_fence_round_json_is_forgiven(text: str) -> None:
    assert unfenced(text) == '{"a": 1}'


@pytest.mark.parametrize("text", ["```", "````", "`````", "```json\n{}", "{}\n```"])
def test_half_a_fence_is_none(text: str) -> None:
    assert unfenced(text) == text


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


def test_what_is_nested_too_deeply_is_said_and_never_written() -> None:
    """Between what could be read and what could be written lay a run that ended with an internal error."""
    assert json_value(deep(MAX_DEPTH)) == json.loads(deep(MAX_DEPTH))
    for levels in (MAX_DEPTH + 1, 900, 100_000):
        with pytest.raises(RecursionError):
            json_value(deep(levels))
        assert parse_call(f'{{"a": {deep(levels)}}}') == (None, "the arguments are nested too deeply")
    assert nested_beyond({"a": [{"b": []}]}, 3)
    assert not nested_beyond({"a": [{"b": []}]}, 4)


def test_an_answer_has_a_longest_length_and_a_largest_number_of_calls() -> None:
    call = ToolCall("c", "look", "{}")
    assert oversize("x" * MAX_TEXT, []) is None
    assert "1,000,000 characters" in (oversize("x" * MAX_TEXT, [call]) or "")
    assert oversize("", [call] * MAX_CALLS) is None
    assert f"{MAX_CALLS} tool calls" in (oversize("", [call] * (MAX_CALLS + 1)) or "")
