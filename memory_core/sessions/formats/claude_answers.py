"""What a person decided inside Claude Code's tool results: answers to questions, approved plans, refused permissions.

The phrases are those the program itself writes; a result without one of them is a tool's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memory_core.sessions.fields import map_at, text_at
from memory_core.sessions.tools import on_a_line

_ASK = frozenset({"AskUserQuestion", "ask_user_question"})
_PLAN = frozenset({"ExitPlanMode", "exit_plan_mode"})
# What these give is what somebody else wrote, as a server's tools do.
_QUOTING = frozenset({"ReadMcpResourceTool", "ListMcpResourcesTool", "WebFetch", "WebSearch", "Skill"})
_ANSWERED = re.compile(r"(?:The )?[Uu]ser (?:has )?answered your questions?:")
_CONTINUE = re.compile(r"You can now continue\b")
# Where an answer ends: not at each quotation mark, since answers hold such.
_ANSWER_END = re.compile(r'"(?=, "|\.?\s*\Z| user notes:| selected preview:)')
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
    if refused or (is_error and _is_refusal(tool, content, text_of(detail))):
        return _refusal(summary or tool or "a tool call", content)
    if is_error:
        return None
    if answers := _answers(tool, content, detail):
        return "\n".join(answers), "question_answer"
    plan = text_at(detail, "plan")
    if _APPROVED.match(content) and (tool in _PLAN or (plan and not tool)):
        title = on_a_line(next((line.strip("# ") for line in plan.splitlines() if line.strip("# ")), ""), 200)
        return (f"Approved the plan: {title}" if title else "Approved the plan", "plan_approval")
    return None


def _is_refusal(tool: str, content: str, detail: str) -> bool:
    """Whether a failure is a person's refusal. The output of any tool may read like one: of a tool that ran only the
    program's own note of a refusal counts, and a server's tool gives its error the program's form."""
    if tool.startswith("mcp__") or tool in _QUOTING:
        return detail.startswith("User rejected tool use")
    return bool(_REFUSED.match(content) or _REFUSED.match(detail))


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
    told = _CONTINUE.split(content[match.end() :], maxsplit=1)[0].strip() if match else ""
    given = map_at(detail, "answers")
    # What another tool prints is no answer, whatever it says; of a call that is not in the log the line must say so.
    if tool not in _ASK and (tool or not match or not given):
        return []
    notes = map_at(detail, "annotations")
    pairs = [(question, _joined(answer)) for question, answer in given.items()]
    if not pairs and told:
        pairs = list(_pairs(told)) or [("", told)]
    lines = []
    for question, answer in pairs:
        note = text_at(notes.get(question), "notes")
        said = ". ".join(part for part in (answer.strip(), note.strip()) if part)
        if said:
            lines.append(f"{said} (asked: {on_a_line(question, 300)})" if question else said)
    return lines


def _pairs(told: str) -> Iterator[tuple[str, str]]:
    """Questions with their answers, as a result lists them: `"question"="answer", "another"="answer"`."""
    at = 0
    while (middle := told.find('"="', at)) >= 0:
        begin = told.find('"', at)
        end = _ANSWER_END.search(told, middle + 3)
        if end is None:
            return
        if question := told[begin + 1 : middle].rpartition('""')[2]:
            yield question, told[middle + 3 : end.start()]
            at = end.end()
        else:
            at = middle + 1


def _joined(answer: Any) -> str:
    if isinstance(answer, list):
        return ", ".join(part for part in answer if isinstance(part, str))
    return answer if isinstance(answer, str) else ""
