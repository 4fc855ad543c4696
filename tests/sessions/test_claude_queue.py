"""What became of texts that were typed while Claude Code's agent worked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_core.extract.evidence import speaker_of
from memory_core.sessions.model import Session
from tests.sessions.test_claude_code import ENVELOPE, assistant, text, user

MYSQL, POSTGRES = "We decided to use MySQL.", "We decided to use Postgres."


def queue(operation: str, content: str = "", **extra: Any) -> dict[str, Any]:
    return {
        "type": "queue-operation",
        "operation": operation,
        "sessionId": "s1",
        **({"content": content} if content else {}),
        **extra,
    }


def attachment(prompt: str, uuid: str = "q", **extra: Any) -> dict[str, Any]:
    command = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", **extra}
    return {"type": "attachment", **ENVELOPE, "uuid": uuid, "attachment": command}


def said(session: Session) -> list[str]:
    """A person's words that a candidate may rest on."""
    return [entry.text for entry in session.entries if speaker_of(entry) == "human"]


SCHEDULED = {"isMeta": True, "promptSource": "system", "turnOrigin": "scheduled", "scheduledTaskId": "f"}


@pytest.mark.parametrize(
    "line",
    [
        user(MYSQL, **SCHEDULED),
        user(MYSQL, turnOrigin="scheduled"),
        user(MYSQL, origin={"kind": "peer"}),
        attachment(MYSQL, commandMode="task-notification"),
        attachment(MYSQL, isMeta=True),
    ],
)
def test_a_prompt_that_a_program_queued_is_not_the_persons(read: Any, line: dict[str, Any]) -> None:
    session = read(user("Go."), queue("enqueue", MYSQL), queue("dequeue"), line)
    assert said(session) == ["Go."]
    assert [entry.speaker for entry in session.entries if entry.text == MYSQL] == ["system", "system"]


@pytest.mark.parametrize(
    "removal",
    [
        [queue("popAll", MYSQL)],
        [queue("popAll")],
        [queue("remove", MYSQL, reason="user_cancelled")],
        [queue("remove", reason="user_cancelled")],
        [queue("remove", MYSQL), attachment("And test it.", "r")],
    ],
)
def test_what_a_person_took_back_was_not_said(read: Any, removal: list[dict[str, Any]]) -> None:
    session = read(user("Go."), queue("enqueue", MYSQL), *removal, queue("enqueue", POSTGRES), user(POSTGRES))
    assert MYSQL not in said(session)
    assert said(session)[-1] == POSTGRES
    assert next(e.subtype for e in session.entries if e.text == MYSQL) == "withdrawn"


def test_what_was_taken_out_to_be_given_to_the_agent_was_said(read: Any) -> None:
    for removal in (queue("remove", MYSQL), queue("remove", MYSQL, reason="absorbed_mid_turn"), queue("remove")):
        assert said(read(queue("enqueue", MYSQL), removal, attachment(MYSQL))) == [MYSQL]
    # Older versions wrote no attachments: nothing tells that it was taken back.
    assert said(read(queue("enqueue", MYSQL), queue("remove", MYSQL))) == [MYSQL]


def test_a_removal_at_the_logs_end_for_now_decides_nothing(read: Any) -> None:
    start = [attachment("Go.", "0"), queue("enqueue", MYSQL)]
    for reason in ({}, {"reason": "absorbed_mid_turn"}):
        removal = queue("remove", MYSQL, **reason)
        assert said(read(*start, removal)) == ["Go.", MYSQL]
        assert said(read(*start, removal, attachment(MYSQL))) == ["Go.", MYSQL]
    assert said(read(*start, queue("remove", MYSQL), user("Hm."))) == ["Go.", "Hm."]
    assert said(read(*start, queue("remove", MYSQL, reason="absorbed_mid_turn"), user("Hm."))) == ["Go.", MYSQL, "Hm."]


def test_a_removal_behind_its_attachment_is_not_about_what_still_waits(read: Any) -> None:
    start = [queue("enqueue", MYSQL), queue("enqueue", POSTGRES), attachment(MYSQL), queue("remove")]
    assert said(read(*start)) == [MYSQL, POSTGRES]
    assert said(read(*start, queue("dequeue"), user(POSTGRES))) == [MYSQL, POSTGRES]
    assert said(read(*start, queue("remove"), user("Hm."))) == [MYSQL, "Hm."]


def test_a_scheduled_prompt_takes_one_text_of_its_words(read: Any) -> None:
    twice = [queue("enqueue", "Go on."), queue("enqueue", "Go on."), user("Go on.", **SCHEDULED)]
    assert said(read(*twice)) == ["Go on."]
    assert said(read(*twice, queue("dequeue"), user("Go on."))) == ["Go on."]


def test_texts_that_come_joined_or_with_other_blanks_are_the_same(read: Any) -> None:
    joined = read(queue("enqueue", MYSQL), queue("enqueue", POSTGRES), user(f"{MYSQL}\n{POSTGRES}"), user(MYSQL))
    assert said(joined) == [MYSQL, POSTGRES, MYSQL]
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    blocks = [text(MYSQL), image]
    session = read({**queue("enqueue"), "content": blocks}, queue("dequeue"), user(blocks))
    assert len(said(session)) == 1
    pasted = read(queue("enqueue", "Look: [Pasted text #1 +3 lines]"), user(f"Look: {MYSQL}"))
    assert said(pasted)[-1] == f"Look: {MYSQL}", "the queue has not what was pasted"


@pytest.mark.parametrize("removal", [queue("popAll"), queue("remove", "yes", reason="user_cancelled")])
def test_the_same_words_said_later_are_said(read: Any, removal: dict[str, Any]) -> None:
    session = read(user("Go."), queue("enqueue", "yes"), removal, assistant(text("MySQL?")), user("yes"))
    assert said(session) == ["Go.", "yes"]


def test_a_text_that_never_came_swallows_no_later_one(read: Any) -> None:
    """The program was killed with a text in its queue; what is typed when it goes on shows that nothing waits."""
    session = read(user("Go."), queue("enqueue", "yes"), user("Go on."), assistant(text("MySQL?")), user("yes"))
    assert said(session) == ["Go.", "yes", "Go on.", "yes"]


def test_a_queued_text_is_known_by_the_line_that_it_stands_for(read: Any) -> None:
    """VS Code appends the history again, and a fork copies its lines: neither says anything anew."""
    line, mail = user(MYSQL), attachment(POSTGRES, "m")
    lines = [user("Go."), queue("enqueue", MYSQL), line, queue("enqueue", POSTGRES), mail, assistant(text("Ok."))]
    first = read(*lines)
    assert [entry.native_id for entry in first.entries if entry.subtype == "queued"] == [line["uuid"], "m"]
    again = read(*lines, lines[0], line, mail, user("Thanks."))
    assert said(again) == ["Go.", MYSQL, POSTGRES, "Thanks."]
    forked = json.loads(json.dumps([lines[0], line, mail]).replace('"s1"', '"s2"'))
    assert [entry.native_id for entry in read(*forked).entries][1:] == [line["uuid"], "m"]


@pytest.mark.parametrize(
    "line",
    [
        user(MYSQL, isVisibleInTranscriptOnly=True),
        user(MYSQL, turnCompanion=True),
        user(MYSQL, turnCompanion=True, origin={"kind": "human"}),
        user(MYSQL, scheduledTaskId="x", origin={"kind": "human"}),
        user(MYSQL, sourceToolUseID="t", origin={"kind": "human"}),
        user(MYSQL, promptSource="system"),
        user(MYSQL, turnOrigin="task_notification"),
        user(MYSQL, scheduledTaskId="x"),
        user(f"<agent-message from='x'>{MYSQL}</agent-message>"),
        user(f"<coordinator-relay>{MYSQL}</coordinator-relay>"),
        user(f'<channel source="telegram" user="x">{MYSQL}</channel>'),
        user(f"<status>stopped</status><summary>{MYSQL}"),
    ],
)
def test_lines_with_a_mark_of_the_programs_are_not_the_persons(read: Any, line: dict[str, Any]) -> None:
    assert said(read(line)) == []


@pytest.mark.parametrize(
    "marks",
    [
        {"turnOrigin": "human", "promptSource": "typed", "origin": {"kind": "human"}},
        {"turnOrigin": "user", "promptSource": "user", "origin": {"kind": "human"}},
        {"turnOrigin": "scheduled", "promptSource": "system", "origin": {"kind": "human"}},
        {"turnOrigin": "sdk", "promptSource": "sdk"},
        {"turnOrigin": "some_front_end"},
    ],
)
def test_front_ends_have_names_of_their_own_for_a_persons_turn(read: Any, marks: dict[str, Any]) -> None:
    assert said(read(user(MYSQL, **marks))) == [MYSQL]


def test_each_result_of_a_servers_tool_is_told(read: Any) -> None:
    blocks: list[dict[str, Any]] = []
    for call_id in ("s1", "s2"):
        blocks.append({"type": "server_tool_use", "id": call_id, "name": "web_search", "input": {"query": call_id}})
        blocks.append({"type": "web_search_tool_result", "tool_use_id": call_id, "content": []})
    blocks += [{"type": "tool_use", "name": "Bash", "input": {"command": name}} for name in ("ls", "pwd")]
    session = read(assistant(*blocks, message_id="m"), assistant(*blocks[:4], message_id="m"))
    assert [entry.call_id for entry in session.entries if entry.kind == "tool_result"] == ["s1", "s2"]
    assert [entry.tool for entry in session.entries if entry.kind == "tool_call"][2:] == ["Bash", "Bash"]
