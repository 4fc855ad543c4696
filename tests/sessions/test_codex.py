"""Codex rollouts of all four generations, by synthetic lines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_core.errors import SessionError
from memory_core.sessions.model import Session

OWN = "01990000-0000-7000-8000-00000000000a"
ENVIRONMENT = "<environment_context>\n<cwd>/w/app</cwd>\n</environment_context>"
OLD_ENVIRONMENT = "<environment_context>\nCurrent working directory: /w/app\n</environment_context>"
PARENT = "01980000-0000-7000-8000-00000000000b"


def line(name: str, payload: dict[str, Any], **extra: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:00.000Z", "type": name, "payload": payload, **extra}


def meta(session_id: str = OWN, **extra: Any) -> dict[str, Any]:
    return line("session_meta", {"id": session_id, "cwd": "/w/app", "originator": "codex_vscode", **extra})


def event(name: str, /, **payload: Any) -> dict[str, Any]:
    return line("event_msg", {"type": name, **payload})


def item(name: str, /, **payload: Any) -> dict[str, Any]:
    return line("response_item", {"type": name, **payload})


def message(role: str, *texts: str, **extra: Any) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text} for text in texts], **extra)


def facts(session: Session) -> list[tuple[str, str]]:
    return [(str(e.speaker), e.text) for e in session.entries]


def human(session: Session) -> list[str]:
    return [e.text for e in session.entries if e.speaker == "human"]


def test_each_text_is_an_entry_once_although_it_stands_twice(read: Any) -> None:
    session = read(
        meta(),
        message("user", "Keep the old API."),
        event("user_message", message="Keep the old API."),
        event("agent_reasoning", text="Hm."),
        item("reasoning", summary=[{"type": "summary_text", "text": "Hm."}], encrypted_content="x"),
        event("agent_message", message="I will."),
        message("assistant", "I will."),
        message("assistant", "I will."),
        event("agent_message", message="I will."),
    )
    assert facts(session) == [
        ("human", "Keep the old API."), ("assistant", "Hm."), ("assistant", "I will."), ("assistant", "I will.")
    ]  # fmt: skip
    assert (session.session_id, session.agent, session.cwds) == (OWN, "codex", ("/w/app",))


def test_events_are_the_authority_on_what_a_person_typed(read: Any) -> None:
    session = read(
        meta(),
        message("user", "A text some program put here."),
        message("user", "Fix the test."),
        event("user_message", message="Fix the test."),
        message("assistant", "Done."),
        message("user", "Another injected text."),
        message("assistant", "Noted."),
    )
    assert human(session) == ["Fix the test."]
    assert [e.subtype for e in session.entries if e.speaker == "system"] == ["injected", "injected"]


def test_without_events_the_role_counts_minus_injected_texts(read: Any) -> None:
    session = read(
        meta(),
        message("developer", "<permissions instructions>ask</permissions instructions>"),
        message("user", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\ntabs\n</INSTRUCTIONS>", ENVIRONMENT),
        message("user", "Fix the test."),
        message("assistant", "Done."),
    )  # fmt: skip
    assert human(session) == ["Fix the test."]
    assert [str(e.speaker) for e in session.entries] == ["system", "system", "system", "human", "assistant"]


def test_calls_and_outputs_of_all_shapes(read: Any) -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch"
    session = read(
        meta(),
        item("function_call", name="shell", arguments='{"command":["bash","-lc","rg old_api"]}', call_id="c1"),
        item("function_call_output", call_id="c1", output='{"output":"a.py:1\\n","metadata":{"exit_code":2}}'),
        item("function_call", name="exec_command", arguments='{"cmd":"npm test"}', call_id="c2"),
        item(
            "function_call_output",
            call_id="c2",
            output="Wall time: 1 s\nProcess exited with code 1\nOutput:\n3 failed\n",
        ),
        item("custom_tool_call", name="apply_patch", input=patch, call_id="c3"),
        item("custom_tool_call_output", call_id="c3", output=[{"type": "input_text", "text": "Success"}]),
        item("web_search_call", id="ws", action={"type": "search", "query": "zstd"}),
        item("function_call", name="broken", arguments='{"half', call_id="c5"),
    )
    assert [e.text for e in session.entries] == [
        "shell: rg old_api", "a.py:1", "exec_command: npm test", "3 failed", "apply_patch: src/a.py, b.py", "Success",
        "web_search: zstd", 'broken: {"half',
    ]  # fmt: skip
    assert [e.is_error for e in session.entries] == [False, True, False, True, False, False, False, False]
    assert session.entries[4].paths == ("src/a.py", "b.py")
    assert session.entries[1].tool == "shell"


def test_a_refused_command_is_the_persons_word(read: Any) -> None:
    call = item("function_call", name="shell", arguments='{"command":["rm","x"]}', call_id="c1")
    session = read(meta(), call, item("function_call_output", call_id="c1", output="exec command rejected by user"))
    assert [(e.text, e.subtype) for e in session.entries][-1] == ("Rejected shell: rm x", "rejection")


def test_answers_to_questions_are_the_persons_decision(read: Any) -> None:
    arguments = json.dumps({"questions": [{"id": "q1", "question": "Which one?"}]})
    output = json.dumps({"answers": {"q1": {"answers": ["SQLite", "user_note: one file"]}}})
    call = item("function_call", name="request_user_input", arguments=arguments, call_id="c1")
    session = read(meta(), call, item("function_call_output", call_id="c1", output=output))
    assert human(session) == ["SQLite. one file (asked: Which one?)"]


def test_rolled_back_turns_stay_marked_and_indices_with_them(read: Any) -> None:
    lines = [
        meta(),
        event("user_message", message="One."),
        message("assistant", "A."),
        event("user_message", message="Two."),
        message("assistant", "B."),
    ]
    before = read(*lines)
    after = read(*lines, event("thread_rolled_back", num_turns=1), event("user_message", message="Three."))
    assert [e.text for e in after.entries[:4]] == [e.text for e in before.entries]
    assert [e.subtype for e in after.entries] == [None, None, "rolled_back", "rolled_back", "rollback", None]


def test_interruptions_and_compactions_are_events(read: Any) -> None:
    session = read(
        meta(),
        message("user", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>"),
        event("turn_aborted", reason="interrupted"),
        line("compacted", {"message": "Summary.", "replacement_history": [{"type": "message"}]}),
    )
    assert [e.subtype for e in session.entries] == ["interruption", "compact_summary"]


def test_bug_26_a_childs_copied_history_is_dropped(read: Any) -> None:
    """Turn ids are UUIDs of version 7: a turn older than the child's own id was copied."""
    session = read(
        meta(OWN, source={"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}),
        meta(PARENT, cwd="/w/parent"),
        event("task_started", turn_id="01985000-0000-7000-8000-000000000001"),
        event("user_message", message="The person's words to the parent."),
        message("assistant", "Spawning."),
        event("task_started", turn_id="01990000-0001-7000-8000-000000000002"),
        event("user_message", message="Look at the parser."),
        message("assistant", "Looked."),
    )
    assert facts(session) == [("assistant", "Look at the parser."), ("assistant", "Looked.")]
    assert [e.subtype for e in session.entries] == ["subagent_prompt", None]
    assert (session.session_id, session.session_kind, session.skipped["copied_history"]) == (OWN, "subagent", 4)


def test_a_fork_by_a_person_keeps_a_human_speaker(read: Any) -> None:
    session = read(
        meta("fork", forked_from_id="old"), meta("old"), event("user_message", message="Old words."),
        event("task_started", turn_id="1"), event("user_message", message="New words."),
    )  # fmt: skip
    assert human(session) == ["New words."]


def test_bug_27_a_child_without_a_copy_keeps_its_first_turn(read: Any) -> None:
    session = read(
        meta(source={"subagent": "review"}),
        event("task_started", turn_id="1"),
        event("user_message", message="Review."),
    )
    assert facts(session) == [("assistant", "Review.")]


def test_a_copied_history_without_any_own_turn_is_kept(read: Any) -> None:
    assert human(read(meta("a"), meta("b"), event("user_message", message="Words."))) == ["Words."]


def test_generation_4_marks_and_completed_items(read: Any) -> None:
    marks = {
        "internal_chat_message_metadata_passthrough": {
            "content_item_kinds": ["environments.environment_context", "user.text"]
        }
    }
    session = read(
        meta(session_id_="x", history_mode="paginated"),
        message("user", "Working in /w/app", "Use WAL.", **marks) | {"ordinal": 2},
        event(
            "item_completed",
            item={"type": "UserMessage", "id": "i1", "content": [{"type": "text", "text": "Use WAL."}]},
        ),
        event(
            "item_completed", item={"type": "AgentMessage", "id": "i2", "content": [{"type": "Text", "text": "Done."}]}
        ),
        message("assistant", "Done."),
        event("item_completed", item={"type": "CommandExecution", "id": "i3"}),
    )
    assert facts(session) == [("system", "Working in /w/app"), ("human", "Use WAL."), ("assistant", "Done.")]
    assert session.entries[0].native_id == "ordinal:2"
    assert session.entries[1].native_id == "i1"


def test_generation_2_bare_items(read: Any) -> None:
    session = read(
        {"id": "old-1", "timestamp": "2025-06-01T10:00:00Z", "instructions": None, "git": {}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": OLD_ENVIRONMENT}]},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello."}]},
        {"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["ls", "-l"]}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi."}]},
        name="rollout-2025-06-01T10-00-00-x",
    )  # fmt: skip
    assert facts(session)[1:] == [("human", "Hello."), ("assistant", "shell: ls -l"), ("assistant", "Hi.")]
    assert (session.session_id, session.cwds, session.skipped) == ("old-1", ("/w/app",), {"head": 1, "state": 1})
    assert [e.line for e in session.entries] == [1, 3, 4, 5]


@pytest.mark.parametrize("indent", [None, 2])
def test_generation_1_one_document(read: Any, indent: int | None) -> None:
    document = {
        "session": {"timestamp": "2025-05-01T10:00:00Z", "id": "first", "instructions": ""},
        "items": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello \ud83d."}]},
            {"type": "message", "id": "m1", "role": "assistant", "content": [{"type": "output_text", "text": "Hi."}]},
        ],
    }
    session = read(json.dumps(document, indent=indent).encode())
    assert facts(session) == [("human", "Hello \ufffd."), ("assistant", "Hi.")]
    assert [(e.line, e.offset) for e in session.entries] == [(None, None)] * 2
    assert session.entries[1].native_id == "m1"
    assert all(e.sha256 for e in session.entries)
    assert session.session_id == "first"


def test_unknown_records_are_counted(read: Any) -> None:
    session = read(meta(), item("hologram"), event("hologram"), line("world_state", {"x": 1}), {"type": "hologram"})
    assert session.skipped == {
        "session_meta": 1, "unknown:hologram": 2, "unknown:event:hologram": 1, "world_state": 1
    }  # fmt: skip


def test_the_id_is_in_the_file_name_where_the_log_has_none(read: Any) -> None:
    name = f"rollout-2026-03-01T10-00-00-{OWN}"
    assert read(event("user_message", message="Hi."), name=name).session_id == OWN


def test_indices_never_change_while_a_rollout_grows(read: Any) -> None:
    lines = [
        meta(),
        message("user", "<environment_context><cwd>/w</cwd></environment_context>"),
        message("user", "One."),
        event("user_message", message="One."),
        event("agent_message", message="A."),
        message("assistant", "A."),
        message("user", "Two."),
        event("user_message", message="Two."),
        item("function_call", name="shell", arguments="{}", call_id="c"),
        item("function_call_output", call_id="c", output="rejected by user"),
    ]
    whole = [e.text for e in read(*lines).entries]
    for length in range(1, len(lines)):
        part = [e.text for e in read(*lines[:length]).entries]
        assert part == whole[: len(part)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"just some notes\nof mine\n", "no session log"),
        (b'{"some":"json"}\n', "no session log"),
        (b"SQLite format 3\x00\x10\x00", "binary"),
        (b"\x00\x01\x02", "binary"),
    ],
)
def test_foreign_files_get_one_clear_line(read: Any, data: bytes, words: str) -> None:
    with pytest.raises(SessionError, match=words) as caught:
        read(data, name="notes.txt")
    assert "\n" not in str(caught.value)
    assert "notes.txt" in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b'{"type":"user","message":{"ro'])
def test_a_file_without_a_whole_record_yet_is_an_empty_session(read: Any, data: bytes) -> None:
    assert read(data, name="new").entries == ()
