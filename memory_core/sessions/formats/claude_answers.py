"""What a person decided inside Claude Code's tool results: answers to questions, approved plans, refused permissions.

The phrases are those the program itself writes; a result without one of them is a tool's.
"""

from __future__ import annotations

import re
from typing import Any

from memory_core.sessions.fields import map_at, text_at
from memory_core.text import shorten

_ASK = frozenset({"AskUserQuestion", "ask_user_question"})
_PLAN = frozenset({"ExitPlanMode", "exit_plan_mode"})
_ANSWERED = re.compile(
    r"(?:The )?[Uu]ser (?:has )?answered your questions?:\s*(.*?)\s*(?:You can now continue\b.*)?\Z", re.DOTALL
)
_PAIR = re.compile(r'"([^"]+(?:"(?!=")[^"]+)*)"="(.*?)"(?=, "|\.?\s*\Z| user notes:| selected preview:)', re.DOTALL)
_APPROVED = re.compile(
    r"(?:The )?[Uu]ser has approved (?:your|the) plan\b|(?:The )?[Uu]ser has approved exiting plan mode\b"
)
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action right now)|User rejected tool use\b"
    r"|The agent proposed a plan that was rejected by the user"
)
_CLARIFIED = re.compile(r'^- "(.+)"\n\s+Answer: (.+)$', re.MULTILINE)
_REASON = re.compile(
    r"(?:the user said|the user provided the following reason for the rejection|feedback):\s*(.+)\Z", re.DOTALL
)
# Advice to the agent that newer versions put behind a person's words.
_ADVICE = re.compile(r"\n+Note: The user's next message may contain a correction.*\Z", re.DOTALL)


def human_answer(
    tool: str, summary: str, content: str, detail: Any, *, is_error: bool, refused: bool
) -> tuple[str, str] | None:
    """The person's words in a tool result as (text, subtype), None for a result that is only a tool's.

    `summary`: the call's one line; `detail`: the line's `toolUseResult`, of any shape; `refused`: the line itself says
    that the person refused the call.
    """
    if refused or _REFUSED.match(content) or (is_error and _REFUSED.match(text_of(detail))):
        return _refusal(summary or tool or "a tool call", content)
    if is_error:
        return None
    if answers := _answers(tool, content, detail):
        return "\n".join(answers), "question_answer"
    if _APPROVED.match(content) and (tool in _PLAN or not tool):
        plan = text_at(detail, "plan")
        title = shorten(next((line.strip("# ") for line in plan.splitlines() if line.strip("# ")), ""), 200)
        return (f"Approved the plan: {title}" if title else "Approved the plan", "plan_approval")
    return None


def _refusal(call: str, content: str) -> tuple[str, str]:
    """What a person said when refusing a call; the act alone where nothing was said."""
    reason = _REASON.search(_ADVICE.sub("", content))
    said = reason[1].strip() if reason else ""
    if said.startswith("The user wants to clarify these questions"):
        answers = [f"{answer} (asked: {question})" for question, answer in _CLARIFIED.findall(said)]
        return ("\n".join(answers), "question_answer") if answers else (f"Wants to clarify first: {call}", "rejection")
    return said or f"Rejected {call}", "rejection"


def text_of(detail: Any) -> str:
    return detail if isinstance(detail, str) else ""


def _answers(tool: str, content: str, detail: Any) -> list[str]:
    """Answers, each with the question it belongs to; the answer comes first because it is the person's."""
    match = _ANSWERED.match(content)
    if not match and tool not in _ASK:
        return []
    given = map_at(detail, "answers")
    notes = map_at(detail, "annotations")
    pairs = [(question, _joined(answer)) for question, answer in given.items()]
    if not pairs and match:
        pairs = _PAIR.findall(match[1]) or ([("", match[1])] if match[1] else [])
    lines = []
    for question, answer in pairs:
        note = text_at(notes.get(question), "notes")
        said = ". ".join(part for part in (answer.strip(), note.strip()) if part)
        if said:
            lines.append(f"{said} (asked: {shorten(question, 300)})" if question else said)
    return lines


def _joined(answer: Any) -> str:
    if isinstance(answer, list):
        return ", ".join(part for part in answer if isinstance(part, str))
    return answer if isinstance(answer, str) else ""
