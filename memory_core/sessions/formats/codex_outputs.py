"""What the output of a call says in Codex's rollouts: its text, whether it failed, a person's answers in it. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from memory_core.sessions.fields import list_at, map_at, text_at
from memory_core.sessions.tools import arguments_of, result_text

_EXIT = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d+)", re.MULTILINE)


def output_text(output: Any) -> tuple[str, bool]:
    """The text of an output, and whether it failed: a string, a JSON string with exit code, an object, or blocks."""
    if isinstance(output, str) and output[:20].lstrip().startswith("{"):
        try:
            parsed = json.loads(output)
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, dict) and ("output" in parsed or "metadata" in parsed):
            output = parsed
    if isinstance(output, dict):
        text = result_text(output.get("output", output.get("content", output.get("body"))))
        code = map_at(output, "metadata").get("exit_code")
        return text, output.get("success") is False or (isinstance(code, int) and code != 0)
    text = result_text(output)
    return text, exit_code(text) not in (None, "0")


def ran(item: dict[str, Any]) -> bool:
    """Whether an output is that of a command which ran: what it printed may read like a refusal."""
    output = item.get("output")
    if isinstance(output, str) and '"exit_code"' in output:
        output = arguments_of(output)
    return "exit_code" in map_at(output, "metadata")


def exit_code(content: str) -> str | None:
    """The exit code that an output states at its beginning; words are looked for first, the pattern costs more."""
    head = content[:400]
    match = _EXIT.search(head) if "Exit code:" in head or "Process exited" in head else None
    return match[1] if match else None


def answers_in(content: str, arguments: Mapping[str, Any]) -> list[str]:
    """A person's answers to the agent's questions, each with its question behind it."""
    try:
        given = map_at(json.loads(content), "answers")
    except (ValueError, RecursionError):
        return []
    questions = {text_at(q, "id"): text_at(q, "question") for q in list_at(arguments, "questions")}
    lines = []
    for key, answer in given.items():
        texts = [text for text in list_at(answer, "answers") if isinstance(text, str) and text.strip()]
        said = ". ".join(text.removeprefix("user_note:").strip() for text in texts)
        if said:
            lines.append(f"{said} (asked: {questions[key]})" if questions.get(key) else said)
    return lines
