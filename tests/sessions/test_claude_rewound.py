"""Turns that a person took back in Claude Code: they went up in the talk, and typed something else there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memory_core.sessions.model import Session

Reading = Callable[..., Session]


def line(uuid: str, parent: str | None, text: str, role: str = "user", **extra: Any) -> dict[str, Any]:
    message = {"role": role, "content": text, **({"id": f"msg-{uuid}"} if role == "assistant" else {})}
    return {"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": message, **extra}


START = [line("a", None, "Look at the queue."), line("b", "a", "I did.", "assistant")]
POSTGRES = [line("c", "b", "Use Postgres for it."), line("d", "c", "Postgres it is.", "assistant")]
SQLITE = [line("e", "b", "Use SQLite for it."), line("f", "e", "SQLite it is.", "assistant")]


def taken_back(session: Session) -> list[str]:
    return [entry.text for entry in session.entries if entry.subtype == "rolled_back"]


def test_what_was_typed_elsewhere_instead_is_taken_back_with_all_that_followed(read: Reading) -> None:
    session = read(*START, *POSTGRES, *SQLITE)
    assert taken_back(session) == ["Use Postgres for it.", "Postgres it is."]
    assert [entry.index for entry in session.entries] == list(range(6))


def test_each_of_several_tries_but_the_last_is_taken_back(read: Reading) -> None:
    again = [line("g", "b", "Use a file for it."), line("h", "g", "A file.", "assistant")]
    assert len(taken_back(read(*START, *POSTGRES, *SQLITE, *again))) == 4


def test_an_answer_to_the_agents_question_goes_with_its_branch(read: Reading) -> None:
    ask = {"type": "tool_use", "id": "t", "name": "AskUserQuestion", "input": {"questions": [{"question": "Which?"}]}}
    answer = {"type": "tool_result", "tool_use_id": "t", "content": 'User answered: "Which?"="Postgres"'}
    branch = [
        line("c", "b", "Ask me what to use."),
        line("d", "c", [ask], "assistant"),  # type: ignore[arg-type]
        line("x", "d", [answer], toolUseResult={"answers": {"Which?": "Postgres"}}),  # type: ignore[arg-type]
    ]
    session = read(*START, *branch, *SQLITE)
    assert {entry.subtype for entry in session.entries[2:-2]} == {"rolled_back"}


def test_two_programs_that_go_on_with_one_session_take_nothing_back(read: Reading) -> None:
    """Both branches grow side by side: both are a person's words that stand."""
    more = [line("g", "d", "And a worker for it.")]
    assert taken_back(read(*START, *POSTGRES, *SQLITE, *more)) == []


@pytest.mark.parametrize("parent", [None, "never-written"])
def test_lines_that_follow_nothing_known_are_no_rivals(read: Reading, parent: str | None) -> None:
    """In many logs the lines are missing that others follow."""
    first, second = line("c", parent, "Use Postgres for it."), line("e", parent, "Use SQLite for it.")
    assert taken_back(read(*START, first, second)) == []


def test_what_no_person_typed_makes_no_rival(read: Reading) -> None:
    notes = [
        line("n", "b", "Caveat: local commands follow.", isMeta=True),
        line("m", "b", "Sub-task.", isSidechain=True),
    ]
    assert taken_back(read(*START, *POSTGRES, *notes)) == []


def test_a_line_that_stands_twice_is_no_rival_of_itself(read: Reading) -> None:
    assert taken_back(read(*START, *POSTGRES, POSTGRES[0], line("g", "d", "Go on."))) == []
