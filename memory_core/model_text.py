"""What stands in a model's text: JSON, perhaps in a fence or behind thoughts. Pure.

A model, or whoever answers in its place, sends what it likes. Nothing here searches a text more than a few times over,
and what is longer, deeper or more than any answer has reason to be is a problem in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from memory_core.llm import ToolCall

MAX_TEXT = 1_000_000  # characters of one answer, its calls included; the longest of a model is a tenth of it
MAX_CALLS = 256  # of one answer; the loop runs far fewer
MAX_DEPTH = 64  # lists and objects within each other; no tool takes more than four
_FENCE = "```"
_THINKS, _THOUGHT = "<think>", "</think>"


def oversize(text: str, calls: Iterable[ToolCall]) -> str | None:
    """Why an answer is none of a model: longer, or with more calls, than any is. Asked before anything looks at it."""
    sizes = [len(call.id) + len(call.name) + len(call.arguments) for call in calls]
    if len(sizes) > MAX_CALLS:
        return f"The model asked for more than {MAX_CALLS} tool calls at once."
    if len(text) + sum(sizes) > MAX_TEXT:
        return f"The model sent an answer of more than {MAX_TEXT:,} characters: that is no answer of a model."
    return None


def without_thoughts(text: str) -> str:
    """The text without what stands in `<think>` up to the next `</think>`; one that is not closed stays."""
    kept, at = [], 0
    while (start := text.find(_THINKS, at)) >= 0 and (end := text.find(_THOUGHT, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(_THOUGHT)
    return "".join([*kept, text[at:]])


def unfenced(text: str) -> str:
    """What stands in a code fence that is the whole text; any other text as it is. Without blanks at both ends."""
    text = text.strip()
    if not (text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) >= 2 * len(_FENCE)):
        return text
    inner = text[len(_FENCE) : -len(_FENCE)]
    return (inner[4:] if inner[:4].lower() == "json" else inner).strip()


def json_value(text: str) -> Any:
    """The value that a text holds. ValueError where it is none, RecursionError where it is nested too deeply: a value
    that could be read may still be too deep to be written."""
    value = json.loads(text)
    if nested_beyond(value, MAX_DEPTH):
        raise RecursionError
    return value


def nested_beyond(value: Any, most: int) -> bool:
    """Whether lists and objects stand in each other more than `most` times."""
    level = [value]
    for _ in range(most + 1):
        level = [item for item in level if isinstance(item, dict | list)]
        if not level:
            return False
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return True
