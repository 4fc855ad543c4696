"""Bugs that readers of agents' logs have had, by their number in our list: those of reading and of attribution.

Bugs of copies, live logs and anchors (1-9, 20-27, 30, 35) have tests where those parts are tested.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.config import SESSION_SOURCES
from memory_core.sessions.model import EntryKind, Session, Speaker
from memory_core.store.session_discovery import discover
from memory_core.store.session_files import read_log

Reading = Callable[..., Session]


def claude(text: Any, uuid: str = "u", **more: Any) -> dict[str, Any]:
    return {"type": "user", "uuid": uuid, "sessionId": "s", "cwd": "/w", "message": {"content": text}, **more}


def said(session: Session, speaker: Speaker = Speaker.HUMAN) -> list[str]:
    return [entry.text for entry in session.entries if entry.speaker is speaker]


def write(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(r if isinstance(r, bytes) else json.dumps(r).encode() + b"\n" for r in records))
    return path


def found(tmp_path: Path, **environment: str) -> list[tuple[str, str]]:
    home, workspace = tmp_path / "home", tmp_path / "app"
    refs = discover(workspace, workspace / ".omoide/sessions", {"HOME": str(home), **environment}, SESSION_SOURCES)
    return sorted((ref.agent, ref.session_id) for ref in refs)


def test_session_bug_10_a_line_cut_in_the_middle_of_a_file_is_a_gap_with_its_place(read: Reading) -> None:
    session = read(claude("One.", "a"), '{"type":"user","uuid":"b","mess', claude("Three.", "c"))
    assert said(session) == ["One.", "Three."]
    assert [gap.line for gap in session.gaps] == [1]


def test_session_bug_11_a_whole_record_behind_a_torn_one_is_read(read: Reading) -> None:
    event = {"type": "user.message", "id": "2", "timestamp": "2026-03-01T10:00:00Z", "data": {"content": "Whole."}}
    start = {"type": "session.start", "id": "1", "data": {"sessionId": "x"}}
    session = read(start, '{"type":"user.message","id":"1","data":{"content":"to' + json.dumps(event))
    assert said(session) == ["Whole."]
    assert len(session.gaps) == 1


def test_session_bug_12_an_unfinished_last_line_is_held_back(read: Reading) -> None:
    whole = json.dumps(claude("One.", "a")).encode() + b"\n"
    session = read(whole + json.dumps(claude("Two.", "b")).encode()[:40])
    assert said(session) == ["One."]
    assert not session.gaps
    assert session.repairs["unfinished_tail"] == 40


def test_session_bug_13_several_objects_on_a_line_and_control_characters(read: Reading) -> None:
    line = json.dumps(claude("One.", "a")) + json.dumps(claude("Two.", "b")).replace("Two.", "Two\x01.")
    assert said(read(line)) == ["One.", "Two\x01."]


def test_session_bug_14_a_line_of_15_megabytes_is_one_record(read: Reading) -> None:
    session = read(claude("x" * 15_000_000, "a"), claude("After.", "b"))
    assert [len(text) for text in said(session)] == [15_000_000, 6]


@pytest.mark.parametrize("data", ["iVBORw0KGgo" * 50_000, "not base64 !!"])
def test_session_bug_15_pasted_images_become_a_marker(read: Reading, data: str) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    (text,) = said(read(claude([{"type": "text", "text": "See:"}, image])))
    assert text.startswith("See:\n\n[image/png, sha256 ")
    assert len(text) < 60


def test_session_bug_16_lone_surrogates_are_replaced_and_counted(read: Reading) -> None:
    session = read('{"type":"user","uuid":"u","sessionId":"s","message":{"content":"caf\\udcb2 \\ud83d\\ude00"}}')
    assert said(session) == ["caf\ufffd 😀"]
    assert session.repairs["lone_surrogates"] == 1


def test_session_bug_16_surrogates_in_a_document_are_replaced_too(read: Reading) -> None:
    session = read(b'{\n "responderUsername": "x",\n "requests": [{"message": {"text": "a\\ud800b"}, "response": []}]}')
    assert said(session) == ["a\ufffdb"]


@pytest.mark.parametrize(
    "block",
    [{"type": "server_tool_use", "id": "1", "name": "x", "input": {}}, {"type": "tool_reference"}, {"type": 3}, 7],
)
def test_session_bug_17_a_new_kind_of_block_does_not_drop_its_line(read: Reading, block: Any) -> None:
    line = {
        "type": "assistant", "uuid": "a", "sessionId": "s",
        "message": {"id": "m", "content": [block, {"type": "text", "text": "Still here."}]},
    }  # fmt: skip
    assert "Still here." in said(read(line), Speaker.ASSISTANT)


def test_session_bug_17_a_new_kind_of_line_is_counted(read: Reading) -> None:
    session = read(claude("One."), {"type": "of-next-month", "uuid": "x"})
    assert session.skipped["unknown:of-next-month"] == 1


def test_session_bug_18_a_badly_typed_field_loses_only_itself(read: Reading) -> None:
    session = read(claude("One.", timestamp={"at": 1}, cwd=7, isMeta="no", version=[1], parentUuid=3, slug=None))
    assert said(session) == ["One."]
    assert session.cwds == ()


def test_session_bug_19_folders_with_one_munged_name_are_told_apart(tmp_path: Path) -> None:
    for name, cwd in (("mine", tmp_path / "app"), ("other", tmp_path / "app/../ap-p"), ("cjk", tmp_path / "日本")):
        record = claude("Hi.", sessionId=name, cwd=str(cwd))
        write(tmp_path / f"home/.claude/projects/-w-app/{name}.jsonl", record)
    assert found(tmp_path) == [("claude-code", "mine")]


@pytest.mark.parametrize("originator", ["codex_cli_rs", "codex_vscode", "Codex Desktop", "somebody's fork", None, 3])
def test_session_bug_28_whoever_wrote_a_rollout_it_is_found_and_read(tmp_path: Path, originator: Any) -> None:
    name = "01990000-0000-7000-8000-00000000000a"
    log = write(
        tmp_path / f"home/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{name}.jsonl",
        {"type": "session_meta", "payload": {"id": name, "cwd": str(tmp_path / "app"), "originator": originator}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Hi."}},
    )
    assert found(tmp_path) == [("codex", name)]
    assert said(read_log(log)) == ["Hi."]


def test_session_bug_29_what_was_typed_is_left_when_the_transcript_was_cleaned_up(tmp_path: Path) -> None:
    app = str(tmp_path / "app")
    pasted = {"1": {"id": 1, "type": "text", "content": "a\nb"}}
    history = write(
        tmp_path / "home/.claude/history.jsonl",
        {"display": "Keep it.", "timestamp": 1772359200000, "project": app, "sessionId": "gone", "pastedContents": {}},
        {"display": "Elsewhere.", "timestamp": 1772359201000, "project": "/else", "sessionId": "x"},
        {"display": "See [Pasted text #1 +2 lines]", "timestamp": 1772359202000, "project": app, "sessionId": "gone",
         "pastedContents": pasted},
        {"display": "Not gone.", "timestamp": 1772359203000, "project": app, "sessionId": "there"},
    )  # fmt: skip
    write(tmp_path / "home/.claude/projects/p/there.jsonl", claude("Not gone.", sessionId="there", cwd=app))
    os.utime(history, (2e9, 2e9))  # newer than the transcript, and still only its stand-in
    assert found(tmp_path) == [("claude-code", "gone"), ("claude-code", "there")]
    session = read_log(history / "gone")
    assert said(session) == ["Keep it.", "See a\nb"]
    assert session.session_id == "gone"
    assert session.started_at == "2026-03-01T10:00:00.000Z"
    kept = discover(tmp_path / "app", tmp_path / "none", {"HOME": str(tmp_path / "home")}, SESSION_SOURCES)
    assert [r.path.name for r in kept if r.session_id == "there"] == ["there.jsonl"]


def test_session_bug_29_a_folder_whose_files_are_gone_lists_nothing(tmp_path: Path) -> None:
    (tmp_path / "home/.claude/projects/p/s1/subagents").mkdir(parents=True)
    write(tmp_path / "home/.claude/projects/p/sessions-index.json", {"entries": [{"sessionId": "s1"}]})
    assert found(tmp_path) == []


@pytest.mark.parametrize("place", ["app/chats/session-a.json", "app/chats/session-a.jsonl"])
def test_session_bug_31_both_generations_of_gemini_are_found(tmp_path: Path, place: str) -> None:
    message = {"id": "1", "type": "user", "content": [{"text": "Hi."}]}
    head = {"sessionId": "g", "projectHash": "h", "startTime": "2026-03-01T10:00:00Z"}
    records = [{**head, "messages": [message]}] if place.endswith(".json") else [head, message]
    log = write(tmp_path / "home/.gemini/tmp" / place, *records)
    (tmp_path / "home/.gemini/tmp/app/.project_root").write_text(str(tmp_path / "app"))
    assert found(tmp_path) == [("gemini-cli", "g")]
    assert said(read_log(log)) == ["Hi."]


def test_session_bug_31_batches_single_records_and_rewinds_are_folded(read: Reading) -> None:
    def turn(name: str, text: str) -> dict[str, Any]:
        return {"id": name, "type": "user", "content": text}

    session = read(
        {"sessionId": "g", "projectHash": "h", "startTime": "2026-03-01T10:00:00Z"},
        {"$set": {"messages": [turn("1", "One."), turn("2", "Tw")]}},
        turn("2", "Two."),
        turn("3", "Three."),
        {"$rewindTo": "3"},
        turn("4", "Four."),
    )
    assert said(session) == ["One.", "Two.", "Three.", "Four."]
    assert [entry.subtype for entry in session.entries] == [None, None, "rolled_back", None]


def test_session_bug_32_stubs_are_no_sessions(tmp_path: Path) -> None:
    head = {"sessionId": "stub", "projectHash": "h", "startTime": "2026-03-01T10:00:00Z"}
    folder = tmp_path / "home/.gemini/tmp/app/chats"
    write(folder / "session-a.json", {**head, "messages": [{"id": "1", "type": "info", "content": "x" * 900}]})
    write(folder / "session-b.jsonl", head)
    write(folder / "session-c.json")
    (folder.parent / ".project_root").write_text(str(tmp_path / "app"))
    assert found(tmp_path) == []
    assert read_log(folder / "session-c.json").entries == ()


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_session_bug_33_a_chat_without_its_first_line_or_with_a_mark_is_replayed(read: Reading, start: bytes) -> None:
    requests = [{"requestId": "r1", "message": {"text": "Hi."}, "response": [{"value": "Ho."}]}]
    lines = [{"kind": 0, "v": {"sessionId": "c", "requests": []}}, {"kind": 2, "k": ["requests"], "v": requests}]
    lines.append({"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": " And on."}]})
    data = [json.dumps(line).encode() + b"\n" for line in lines]
    whole, cut = read(start + b"".join(data)), read(start + b"".join(data[1:]))
    assert [e.text for e in whole.entries] == [e.text for e in cut.entries] == ["Hi.", "Ho. And on."]
    assert [gap.reason for gap in cut.gaps] == ["the log does not begin with its object"]
    assert not whole.gaps


def test_session_bug_33_a_mutation_that_leads_nowhere_is_a_gap(read: Reading) -> None:
    session = read(
        {"kind": 0, "v": {"sessionId": "c", "requests": [{"requestId": "r", "message": "Hi.", "response": []}]}},
        {"kind": 1, "k": ["requests", 10**9, "x"], "v": 1},
        {"kind": 1, "k": ["sessionId", "a", "b"], "v": 1},
        {"kind": 1, "v": 1, "k": []},
        {"kind": 9, "k": ["x"]},
        {"kind": 3, "k": ["not", "there"]},
    )
    assert said(session) == ["Hi."]
    assert [gap.line for gap in session.gaps] == [1, 3, 4]


def test_session_bug_34_a_stub_of_a_chat_gives_way_to_its_transcript(tmp_path: Path) -> None:
    storage = tmp_path / "home/.config/Code/User/workspaceStorage/h"
    write(storage / "workspace.json", {"folder": (tmp_path / "app").as_uri()})
    write(storage / "chatSessions/c1.jsonl", {"kind": 0, "v": {"sessionId": "c1", "requests": []}})
    events = [
        {"type": "session.start", "id": "1", "data": {"sessionId": "c1"}},
        {"type": "user.message", "id": "2", "data": {"content": "All is here."}},
    ]
    write(storage / "GitHub.copilot-chat/transcripts/c1.jsonl", *events)
    request = {"requestId": "r", "message": {"text": "Full."}, "response": []}
    write(storage / "chatSessions/c2.jsonl", {"kind": 0, "v": {"sessionId": "c2", "requests": [request]}})
    write(storage / "GitHub.copilot-chat/transcripts/c2.jsonl", *events)
    write(storage / "state.vscdb.json", {"chat.ChatSessionStore.index": {"entries": {"c2": {"isEmpty": True}}}})
    refs = discover(tmp_path / "app", tmp_path / "none", {"HOME": str(tmp_path / "home")}, SESSION_SOURCES)
    assert {ref.session_id: ref.path.parent.name for ref in refs} == {"c1": "transcripts", "c2": "chatSessions"}
    assert [said(read_log(ref.path)) for ref in sorted(refs, key=lambda r: r.session_id)] == [
        ["All is here."],
        ["Full."],
    ]


def logs_saying(text: str) -> dict[str, tuple[Any, ...]]:
    """A log of each format in which the role of the user says a text."""
    blocks = [{"type": "input_text", "text": text}]
    parts = [{"type": "text", "text": text}]
    request = {"requestId": "r", "message": text}
    export = {"working_dir": "/w", "conversation": [{"role": "user", "content": parts}]}
    document = {"role": "user", "content": parts}
    typed = text.replace("\n", "\n#### ")
    return {
        "claude-code": (claude(text),),
        "codex": (
            {"type": "session_meta", "payload": {"id": "x"}},
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": blocks}},
        ),
        "copilot-cli": ({"type": "user.message", "id": "1", "data": {"content": text}},),
        "copilot-chat": ({"kind": 0, "v": {"sessionId": "x", "requests": [request]}},),
        "gemini-cli": ({"sessionId": "x", "startTime": "t"}, {"id": "1", "type": "user", "content": text}),
        "pi": ({"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": text}},),
        "goose": ({"role": "user", "created": 1, "content": parts},),
        "goose export": (json.dumps(export, indent=1).encode(),),
        "cline": (json.dumps([document], indent=1).encode(),),
        "yoi": ({"kind": "user_input", "ts": 1, "segments": [{"kind": "text", "content": text}]},),
        "omoide": ({"kind": "user_message", "id": "1", "ts": "t", "text": text},),
        "aider": (f"# aider chat started at 2026-03-01 10:00:00\n\n#### {typed}\n".encode(),),
    }  # fmt: skip


INJECTED = [
    "<system-reminder>\nBe brief.\n</system-reminder>",
    "<environment_context>\n<cwd>/w</cwd>\n</environment_context>",
    "<omoide-memory>\nWe use SQLite.\n</omoide-memory>",
]
BEGINNINGS = [
    "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>",
    "This session is being continued from a previous conversation that ran out of context.",
]
AGENTS = list(logs_saying(""))


@pytest.mark.parametrize("injected", INJECTED + BEGINNINGS)
@pytest.mark.parametrize("agent", AGENTS)
def test_injected_text_is_never_a_persons_in_any_format(read: Reading, injected: str, agent: str) -> None:
    if injected in BEGINNINGS and agent in ("yoi", "omoide"):
        return  # what a person typed is marked as such there, and only our own blocks are cut out
    session = read(*logs_saying(injected)[agent])
    assert session.entries
    assert said(session) == []
    assert all(entry.kind is EntryKind.SYSTEM for entry in session.entries)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_persons_words_are_theirs_without_what_was_put_among_them(read: Reading, agent: str) -> None:
    session = read(*logs_saying("<system-reminder>\nBe brief.\n</system-reminder>\nUse tabs.")[agent])
    assert said(session) == ["Use tabs."]


@pytest.mark.parametrize("agent", [name for name in AGENTS if name not in ("yoi", "omoide", "aider")])
def test_the_arguments_of_a_command_are_a_persons_words(read: Reading, agent: str) -> None:
    typed = "<command-name>/review</command-name>\n<command-args>only the schema</command-args>"
    session = read(*logs_saying(typed)[agent])
    assert said(session) == ["/review only the schema"]
    assert session.entries[-1].subtype == "command"
