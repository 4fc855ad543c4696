"""What single agents do that others do not, beyond their golden logs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.sessions.model import EntryKind, Session, Speaker
from memory_core.store.session_files import read_log

Reading = Callable[..., Session]


def write(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def human(session: Session) -> list[str]:
    return [entry.text for entry in session.entries if entry.speaker is Speaker.HUMAN]


def test_a_claude_output_beside_the_log_that_is_gone_leaves_its_preview(read: Reading) -> None:
    content = "<persisted-output>\nOutput too large. Full output saved to: /x/tool-results/t.txt\n\nPreview:\nline 1"
    block = {"type": "tool_result", "tool_use_id": "t", "content": content}
    session = read({"type": "user", "uuid": "u", "sessionId": "s", "message": {"content": [block]}})
    assert "line 1" in (session.entries[0].output or "")
    assert session.skipped["tool-results:missing"] == 1


@pytest.mark.parametrize("name", ["../../secret.txt", "..\\..\\secret.txt", "/secret.txt"])
def test_a_name_in_a_log_leads_to_no_other_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    content = f"<persisted-output>\nFull output saved to: {name}\n"
    block = {"type": "tool_result", "tool_use_id": "t", "content": content}
    line = {"type": "user", "uuid": "u", "sessionId": "s", "message": {"content": [block]}}
    session = read_log(write(tmp_path / "a/b/s.jsonl", line))
    assert session.entries[0].output == content
    assert session.skipped["tool-results:missing"] == 1


def test_an_id_in_a_head_of_opencode_leads_to_no_other_folder(tmp_path: Path) -> None:
    write(tmp_path / "message/x/msg_1.json", {"role": "user"})
    write(tmp_path / "part/msg_1/prt_1.json", {"type": "text", "text": "elsewhere"})
    log = write(tmp_path / "storage/session/p/ses.json", {"id": "ses/../../../message/x", "directory": "/w"})
    assert read_log(log).entries == ()


def test_a_session_of_openclaw_that_an_agent_began_has_no_human(tmp_path: Path) -> None:
    folder = tmp_path / ".openclaw/agents/main/sessions"
    asked = {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": "Look it up."}}
    head = {"type": "session", "version": 3, "id": "x", "timestamp": "2026-03-01T10:00:00Z", "cwd": "/w"}
    log = write(folder / "x.jsonl", head, asked)
    assert human(read_log(log)) == ["Look it up."]
    write(folder / "sessions.json", {"agent:main:subagent:1": {"sessionId": "x"}})
    assert human(read_log(log)) == []


def test_pi_sessions_of_version_1_have_no_ids_and_are_read(read: Reading) -> None:
    session = read(
        {"type": "session", "id": "x", "timestamp": "2025-11-01T10:00:00Z", "cwd": "/w"},
        {"type": "message", "timestamp": "2025-11-01T10:00:01Z", "message": {"role": "user", "content": "Hi."}},
    )
    assert (session.agent, session.session_id, human(session)) == ("pi", "x", ["Hi."])
    assert session.entries[0].native_id is None
    assert session.entries[0].sha256


def test_aiders_marks_count_without_the_blanks_that_an_editor_took_away(read: Reading) -> None:
    text = "# aider chat started at 2026-03-01 10:00:00\n\n#### Rename it.\n\nDone.\n\n> Applied edit to a.py\n"
    session = read(text.encode())
    assert [(str(e.kind), e.text) for e in session.entries] == [
        ("user_message", "Rename it."), ("assistant_message", "Done."), ("tool_call", "edit: a.py"),
    ]  # fmt: skip


def test_a_fence_that_aider_never_closed_does_not_swallow_what_was_typed_next(read: Reading) -> None:
    text = "# aider chat started at 2026-03-01 10:00:00\n\n#### One.  \n\n```py\nx = 1\n\n#### Two.  \n\nDone.\n"
    assert human(read(text.encode())) == ["One.", "Two."]


def test_a_chat_with_arguments_and_results_of_the_model_prefers_them_to_what_was_shown(read: Reading) -> None:
    part = {
        "kind": "toolInvocationSerialized", "toolId": "grep", "toolCallId": "c", "isComplete": True,
        "invocationMessage": "Searching", "pastTenseMessage": "Searched, 1 result",
    }  # fmt: skip
    tree = {"node": {"children": [{"text": "a.py:1: "}, {"children": [{"text": "x"}]}]}}
    metadata = {
        "toolCallRounds": [{"toolCalls": [{"id": "c", "arguments": '{"query": "x"}'}]}],
        "toolCallResults": {"c": {"content": [{"value": tree}]}},
    }
    request = {"requestId": "r", "message": "Hi.", "response": [part], "result": {"metadata": metadata}}
    session = read({"kind": 0, "v": {"sessionId": "s", "requests": [request]}})
    call, result = session.entries[1:]
    assert (call.text, call.arguments) == ("grep: x", {"query": "x"})
    assert result.output == "a.py:1: x"


def test_the_unsent_draft_of_a_chat_is_private(read: Reading) -> None:
    session = read({"kind": 0, "v": {"sessionId": "s", "inputState": {"inputText": "a secret draft"}, "requests": []}})
    assert "draft" not in repr(session)


def test_goose_words_that_a_person_does_not_see_are_not_a_persons(read: Reading) -> None:
    message = {"role": "user", "created": 1, "content": [{"type": "text", "text": "Summary."}]}
    assert human(read({**message, "metadata": {"userVisible": False}})) == []
    assert human(read({**message, "metadata": {"userVisible": True, "agentVisible": False}})) == ["Summary."]


def test_a_yoi_log_is_not_taken_for_ours_nor_ours_for_yois(read: Reading) -> None:
    ours = {"kind": "extension", "id": "1", "ts": "2026-03-01T10:00:00Z", "domain": "d", "payload": 1}
    assert read(ours).agent == "omoide"
    assert read({**ours, "ts": 1772359200000}).agent == "yoi"


def test_entries_of_a_yoi_segment_are_numbered_by_its_lines_without_blank_ones(read: Reading) -> None:
    one = {"kind": "user_input", "ts": 1, "segments": [{"kind": "text", "content": "Hi."}]}
    session = read(one, "", "{torn", one)
    assert [(entry.kind, entry.subtype) for entry in session.entries] == [
        (EntryKind.USER_MESSAGE, None), (EntryKind.SYSTEM, "gap"), (EntryKind.USER_MESSAGE, None),
    ]  # fmt: skip
    assert [entry.line for entry in session.entries] == [0, 2, 3]


@pytest.mark.parametrize("text", ["[ERROR] You did not use a tool.", "# Todo list", "Any text without a mark"])
def test_text_without_marks_is_the_programs_in_a_cline_log_that_has_marks(read: Reading, text: str) -> None:
    messages = [{"role": "user", "content": "<task>Go.</task>"}, {"role": "user", "content": text}]
    assert human(read(json.dumps(messages).encode())) == ["Go."]


def test_a_cline_log_without_marks_is_read_as_it_stands(read: Reading) -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Go."}]},
        {"role": "assistant", "content": "Gone."},
    ]
    assert human(read(json.dumps(messages).encode())) == ["Go."]
