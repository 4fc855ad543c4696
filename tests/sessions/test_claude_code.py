"""Claude Code's transcripts, by synthetic lines of every shape that real ones have."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest

from memory_core.sessions.model import Entry, Session

ENVELOPE = {"sessionId": "s1", "cwd": "/w/app", "version": "2.1.0", "isSidechain": False, "userType": "external"}
_ids = itertools.count()


def user(content: Any, **extra: Any) -> dict[str, Any]:
    return {
        "type": "user",
        **ENVELOPE,
        "uuid": f"u{next(_ids)}",
        "message": {"role": "user", "content": content},
        **extra,
    }


def assistant(*blocks: dict[str, Any], message_id: str = "", model: str = "m", **extra: Any) -> dict[str, Any]:
    message = {"id": message_id or f"msg{next(_ids)}", "role": "assistant", "model": model, "content": list(blocks)}
    return {"type": "assistant", **ENVELOPE, "uuid": f"a{next(_ids)}", "message": message, **extra}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def tool_use(name: str, call_id: str = "toolu_1", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def tool_result(content: Any, call_id: str = "toolu_1", *, error: bool = False) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": error}]


def facts(session: Session) -> list[tuple[str, str, str]]:
    return [(str(e.kind), str(e.speaker), e.text) for e in session.entries]


def human(session: Session) -> list[tuple[str, str | None]]:
    return [(e.text, e.subtype) for e in session.entries if e.speaker == "human"]


def only(session: Session) -> Entry:
    assert len(session.entries) == 1
    return session.entries[0]


def test_a_turn_is_user_reasoning_text_call_and_result(read: Any) -> None:
    session = read(
        user("Use WAL mode.", timestamp="2026-04-01T09:00:00.000Z"),
        assistant({"type": "thinking", "thinking": "Hm.", "signature": "x"}, text("I will."), message_id="m1"),
        assistant(tool_use("Edit", file_path="/w/app/db.py", old_string="a", new_string="b"), message_id="m1"),
        user(tool_result("The file has been updated."), toolUseResult={"filePath": "db.py"}),
    )
    assert facts(session) == [
        ("user_message", "human", "Use WAL mode."),
        ("reasoning", "assistant", "Hm."),
        ("assistant_message", "assistant", "I will."),
        ("tool_call", "assistant", "Edit: /w/app/db.py"),
        ("tool_result", "tool", "The file has been updated."),
    ]
    call, result = session.entries[3:]
    assert (call.paths, call.call_id, call.arguments["new_string"]) == (("/w/app/db.py",), "toolu_1", "b")
    assert (result.tool, result.call_id, result.content) == ("Edit", "toolu_1", "The file has been updated.")
    assert (session.session_id, session.agent, session.cwds) == ("s1", "claude-code", ("/w/app",))
    assert (session.started_at, [e.line for e in session.entries]) == ("2026-04-01T09:00:00.000Z", [0, 1, 1, 2, 3])


def test_a_result_of_blocks_keeps_a_marker_for_an_image_not_its_data(read: Any) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 50}}
    entry = only(read(user(tool_result([text("done"), image]))))
    assert entry.content is not None
    assert entry.content.startswith("done\n[image/png, sha256 ")
    assert "QUJD" not in entry.content


def test_a_long_result_is_one_bounded_line_and_the_whole_text_stays_reachable(read: Any) -> None:
    """A3: a summary in the index, the raw content only for evidence reads."""
    content = "\n".join(f"test_{n} PASSED" for n in range(500)) + "\n3 failed, 497 passed"
    entry = only(read(user(tool_result(content))))
    assert len(entry.text) <= 200
    assert entry.text.endswith("3 failed, 497 passed")
    assert entry.content == content


@pytest.mark.parametrize(
    ("extra", "subtype"),
    [
        ({"isMeta": True}, "meta"),
        ({"isCompactSummary": True}, "compact_summary"),
        ({"origin": {"kind": "channel"}}, "injected"),
    ],
)
def test_marked_lines_are_the_programs(read: Any, extra: dict[str, Any], subtype: str) -> None:
    entry = only(read(user("Continue the work.", **extra)))
    assert (entry.speaker, entry.subtype) == ("system", subtype)


def test_a_sub_agents_prompt_is_an_agent_speaking(read: Any) -> None:
    session = read(
        user("Find the parser.", isSidechain=True, agentId="b1"),
        assistant(text("Found."), isSidechain=True, agentId="b1"),
        name="agent-b1",
    )
    assert facts(session) == [
        ("user_message", "assistant", "Find the parser."),
        ("assistant_message", "assistant", "Found."),
    ]
    assert (session.session_kind, session.session_id) == ("subagent", "agent-b1")


def test_a_message_of_blocks_is_one_entry_without_the_editors_part(read: Any) -> None:
    blocks = [text("<ide_opened_file>The user opened x</ide_opened_file>"), text("Rename it."), text("And test it.")]
    session = read(user(blocks))
    assert human(session) == [("Rename it.\n\nAnd test it.", None)]


def test_text_queued_while_the_agent_worked_is_human_and_not_doubled(read: Any) -> None:
    queue = {"type": "queue-operation", "operation": "enqueue", "content": "No, use sqlite.", "sessionId": "s1"}
    command = {"type": "queued_command", "prompt": "No, use sqlite.", "commandMode": "prompt"}
    attachment = {"type": "attachment", **ENVELOPE, "uuid": "q", "attachment": command}
    assert human(read(queue, {**queue, "operation": "remove"}, attachment)) == [("No, use sqlite.", "queued")]
    assert human(read(queue, {**queue, "operation": "dequeue"}, user("No, use sqlite."))) == [
        ("No, use sqlite.", "queued")
    ]
    assert human(read(user("Go."), attachment)) == [("Go.", None), ("No, use sqlite.", "queued")]


def test_saying_the_same_thing_twice_without_a_queue_is_two_entries(read: Any) -> None:
    assert human(read(user("continue"), user("continue"))) == [("continue", None), ("continue", None)]


def test_a_queued_notification_is_not_human(read: Any) -> None:
    note = "<task-notification>\n<task-id>1</task-id>\n</task-notification>"
    queue = {"type": "queue-operation", "operation": "enqueue", "content": note, "sessionId": "s1"}
    assert only(read(queue)).speaker == "system"


GO_ON = "You can now continue with the user's answers in mind."


def test_answers_to_questions_are_the_persons_decision(read: Any) -> None:
    content = f'User has answered your questions: "Which database?"="SQLite". {GO_ON}'
    detail = {
        "questions": [],
        "answers": {"Which database?": "SQLite"},
        "annotations": {"Which database?": {"notes": "one file"}},
    }
    call = assistant(tool_use("AskUserQuestion", questions=[{"question": "Which database?"}]))
    assert human(read(call, user(tool_result(content), toolUseResult=detail))) == [
        ("SQLite. one file (asked: Which database?)", "question_answer")
    ]
    two = f'User has answered your questions: "A?"="x, y", "B "quoted"?"="z". {GO_ON}'
    assert human(read(call, user(tool_result(two)))) == [
        ('x, y (asked: A?)\nz (asked: B "quoted"?)', "question_answer")
    ]


def test_a_tool_result_that_only_quotes_such_a_phrase_is_the_tools(read: Any) -> None:
    assert human(read(user(tool_result("log: User has answered your questions: nothing")))) == []


def test_an_approved_plan_is_the_persons_decision(read: Any) -> None:
    result = user(
        tool_result("User has approved your plan. You can now start coding."),
        toolUseResult={"plan": "## Use WAL\n1. x"},
    )
    assert human(read(assistant(tool_use("ExitPlanMode", plan="## Use WAL")), result)) == [
        ("Approved the plan: Use WAL", "plan_approval")
    ]


REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). "
)
NOTE = "Note: The user's next message may contain a correction or preference."


@pytest.mark.parametrize(
    ("tail", "said"),
    [
        ("To tell you how to proceed, the user said:\nUse pnpm here.", "Use pnpm here."),
        (f"To tell you how to proceed, the user said:\nUse pnpm.\n\n{NOTE}", "Use pnpm."),
        ("STOP what you are doing and wait for the user to tell you how to proceed.", "Rejected Bash: npm i"),
    ],
)  # fmt: skip
def test_a_refused_call_is_the_persons_word(read: Any, tail: str, said: str) -> None:
    call = assistant(tool_use("Bash", command="npm i"))
    session = read(call, user(tool_result(REFUSED + tail, error=True)))
    assert human(session) == [(said, "rejection")]
    assert [e.kind for e in session.entries] == ["tool_call", "tool_result", "user_message"]


def test_a_refusal_that_the_line_marks_counts_whatever_its_words(read: Any) -> None:
    assert human(read(user(tool_result("nope", error=True), toolDenialKind="user-rejected")))[0][1] == "rejection"


def test_a_failed_tool_is_no_person(read: Any) -> None:
    entry = only(read(user(tool_result("Exit code 1\nboom", error=True), toolUseResult="Error: Exit code 1")))
    assert (entry.speaker, entry.is_error) == ("tool", True)


def test_bug_8_a_uuid_twice_with_the_same_words_is_one_entry(read: Any) -> None:
    line = user("Hello.")
    session = read(line, {**line, "cwd": "/w/other", "gitBranch": "x"}, user("Bye."))
    assert [e.text for e in session.entries] == ["Hello.", "Bye."]
    assert session.skipped["duplicate:uuid"] == 1
    assert session.cwds == ("/w/app", "/w/other")


def test_bug_4_a_uuid_twice_with_other_words_is_two_entries(read: Any) -> None:
    line = user("Hello.")
    changed = {**line, "message": {"role": "user", "content": "Hello again."}}
    assert [e.text for e in read(line, changed, line).entries] == ["Hello.", "Hello again."]


def test_bug_7_a_block_repeated_on_lines_of_one_message_is_said_once(read: Any) -> None:
    session = read(
        assistant(text("Done."), message_id="m1"),
        assistant(text("Done."), tool_use("Bash", command="ls"), message_id="m1"),
    )
    assert [e.text for e in session.entries] == ["Done.", "Bash: ls"]


def test_bug_17_and_18_unknown_blocks_and_wrong_types_lose_only_themselves(read: Any) -> None:
    session = read(
        assistant({"type": "hologram"}, text("Still here."), timestamp=17, cwd=["x"]),
        user([{"type": "tool_result", "tool_use_id": 5, "content": {"odd": 1}, "is_error": "no"}]),
        {"type": "brand-new", **ENVELOPE},
    )
    assert [e.text for e in session.entries] == ["Still here.", '{"odd": 1}']
    assert session.skipped == {"unknown:block:hologram": 1, "unknown:brand-new": 1}


def test_program_errors_in_the_assistants_place_are_the_programs(read: Any) -> None:
    entry = only(read(assistant(text("API Error: 500"), model="<synthetic>")))
    assert (entry.kind, entry.speaker, entry.subtype) == ("system", "system", "api_error")


def test_nested_copies_and_metadata_are_counted_not_read(read: Any) -> None:
    session = read(
        {
            "type": "progress",
            **ENVELOPE,
            "data": {"type": "agent_progress", "message": {"message": {"content": "copy"}}},
        },
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        assistant({"type": "thinking", "thinking": "", "signature": "s"}, {"type": "redacted_thinking", "data": "x"}),
        {"type": "system", **ENVELOPE, "subtype": "turn_duration", "durationMs": 5},
    )
    assert session.entries == ()
    assert session.skipped == {
        "progress:agent_progress": 1, "file-history-snapshot": 1, "block:thinking": 1, "block:redacted_thinking": 1,
        "system:turn_duration": 1,
    }  # fmt: skip


def test_titles_are_extensions_and_the_sessions_name(read: Any) -> None:
    title = {"type": "ai-title", "aiTitle": "Move to WAL", "sessionId": "s1"}
    session = read(user("Hi."), title, title)
    assert session.title == "Move to WAL"
    assert session.extensions == (("claude-code.ai-title", {"title": "Move to WAL"}),)


def test_a_summary_of_another_session_is_not_this_ones_title(read: Any) -> None:
    line = user("Hi.")
    assert read({"type": "summary", "summary": "Other work", "leafUuid": "elsewhere"}, line).title is None
    assert read({"type": "summary", "summary": "This work", "leafUuid": line["uuid"]}, line).title == "This work"


def test_a_compaction_is_marked_and_its_summary_is_derived_text(read: Any) -> None:
    boundary = {
        "type": "system",
        **ENVELOPE,
        "subtype": "compact_boundary",
        "uuid": "c",
        "content": "Conversation compacted",
    }
    session = read(user("First."), boundary, user("This session is being continued …", isCompactSummary=True))
    assert [(e.speaker, e.subtype) for e in session.entries] == [
        ("human", None), ("system", "compact_boundary"), ("system", "compact_summary")
    ]  # fmt: skip


def test_bug_5_the_id_is_that_on_the_lines(read: Any) -> None:
    assert read(user("Hi."), name="renamed").session_id == "s1"
    assert read(user("Hi."), user("Hi.", sessionId="s2"), name="s2").session_id == "s2"


def test_indices_never_change_while_a_log_grows(read: Any) -> None:
    """A queued text takes the id of the line that it turns out to stand for; all else of it stays."""

    def same(entries: tuple[Entry, ...]) -> list[Entry]:
        return [replace(entry, native_id=None) if entry.subtype == "queued" else entry for entry in entries]

    lines = [
        user("Go."),
        {"type": "queue-operation", "operation": "enqueue", "content": "Wait.", "sessionId": "s1"},
        assistant(tool_use("Bash", command="ls"), message_id="m1"),
        user(tool_result(REFUSED + "STOP", error=True)),
        user("Wait."),
        user("Wait."),
        {"type": "summary", "summary": "t", "leafUuid": "x"},
        assistant(text("Ok."), message_id="m1"),
    ]
    lines.insert(4, lines[0])
    whole = read(*lines).entries
    for length in range(1, len(lines)):
        part = read(*lines[:length]).entries
        assert same(part) == same(whole[: len(part)])
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    for cut in range(200, len(data), 97):
        part = read(data[:cut]).entries
        assert same(part) == same(whole[: len(part)])
