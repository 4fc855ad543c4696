"""One session id and several logs: all words are asked for, each of them once."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory_core.sessions.copies import COPIED
from memory_core.sessions.model import EntryKind
from memory_core.sessions.pointer import Pointer
from memory_core.store.session_ref import SessionRef
from memory_core.workspace import Workspace

ID = "11111111-0000-4000-8000-000000000000"


def moment(number: int) -> str:
    return f"2026-04-01T09:{number:02d}:00.031Z"


def log(workspace: Workspace, place: str, *numbers: int, newest: bool = False) -> Path:
    """A log of Claude Code: the same number is the same message wherever it stands."""
    path = Path(workspace.environment["HOME"]) / ".claude/projects" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [
        {"type": "user" if n % 2 else "assistant", "uuid": f"u{n}", "sessionId": ID, "timestamp": moment(n),
         "cwd": str(workspace.layout.workspace), "message": {"content": f"words {n}"}}
        for n in numbers
    ]  # fmt: skip
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    os.utime(path, (2e9, 2e9) if newest else (1e9, 1e9))
    return path


def prompts(workspace: Workspace, *numbers: int) -> None:
    """What Claude Code keeps of what was typed, each a little before the transcript has it."""
    path = Path(workspace.environment["HOME"]) / ".claude/history.jsonl"
    path.parent.mkdir(exist_ok=True)
    about = {"project": str(workspace.layout.workspace), "sessionId": ID, "pastedContents": {}}
    stamps = {n: int(datetime.fromisoformat(moment(n)).timestamp() * 1000) - 31 for n in numbers}
    lines = [json.dumps({"display": f"words {n}", "timestamp": stamp, **about}) + "\n" for n, stamp in stamps.items()]
    path.write_text("".join(lines), encoding="utf-8")


def extract(workspace: Workspace) -> list[str]:
    """What an extract of all sessions asks for, the newest session first."""
    asked: list[str] = []
    every = workspace.sessions()
    for ref in every:
        session = workspace.read_session(ref, every)
        fresh = session.entries[workspace.store.pointer(session).processed_through_entry + 1 :]
        said = (EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE)
        asked += [entry.text for entry in fresh if entry.kind in said and entry.subtype != COPIED]
        workspace.store.advance(session, Pointer(len(session.entries) - 1))
    return asked


def found(workspace: Workspace) -> list[SessionRef]:
    return workspace.sessions()


@pytest.mark.parametrize("other", ["sub/11111111-0000-4000-8000-000000000000.jsonl", f"app/{ID}.sync-conflict-1.jsonl"])
def test_two_logs_of_one_id_with_words_of_their_own_are_both_read(workspace: Workspace, other: str) -> None:
    log(workspace, f"app/{ID}.jsonl", 1, 2, 3)
    assert extract(workspace) == ["words 1", "words 2", "words 3"]
    log(workspace, other, 1, 2, 5, 6, newest=True)
    assert extract(workspace) == ["words 5", "words 6"]
    assert extract(workspace) == []
    names = [ref.session_id for ref in found(workspace)]
    assert names[1] == ID, "the one that was there first keeps its id"
    assert names[0].startswith(f"{ID}~")
    assert workspace.session(names[0]).session_id == names[0]


def test_a_session_goes_on_by_its_id_when_the_log_that_had_the_plain_one_goes(workspace: Workspace) -> None:
    first = log(workspace, f"app/{ID}.jsonl", 1, 2, 3)
    extract(workspace)
    log(workspace, f"sub/{ID}.jsonl", 1, 2, 5, 6, newest=True)
    extract(workspace)
    (name,) = [ref.session_id for ref in found(workspace) if ref.session_id != ID]
    first.unlink()
    history = workspace.layout.workspace / ".aider.chat.history.md"
    starts = [f"# aider chat started at 2026-04-01 1{n}:00:00\n\n#### Say {n}.  \n\nOk.\n\n" for n in range(2)]
    history.write_text("\n".join(starts), encoding="utf-8")
    assert len({ref.session_id for ref in found(workspace) if ref.agent == "aider"}) == 2, "those of one file stay"
    history.unlink()
    log(workspace, f"sub/{ID}.jsonl", 1, 2, 5, 6, 7, newest=True)
    assert [ref.session_id for ref in found(workspace)] == [name]
    assert workspace.session(name).session_id == name
    assert extract(workspace) == ["words 7"]


def test_a_log_that_another_one_of_its_id_holds_is_no_session(workspace: Workspace) -> None:
    """A project that was moved leaves a log behind, and the session goes on at its new place."""
    log(workspace, f"app/{ID}.jsonl", 1, 2, newest=True)
    kept = log(workspace, f"moved/{ID}.jsonl", 1, 2, 3)
    assert [(ref.session_id, ref.path) for ref in found(workspace)] == [(ID, kept)]


def test_the_id_stays_where_it_was_when_the_log_that_was_left_behind_goes_on(workspace: Workspace) -> None:
    log(workspace, f"app/{ID}.jsonl", 1, 2)
    log(workspace, f"moved/{ID}.jsonl", 1, 2, 3, newest=True)
    assert extract(workspace) == ["words 1", "words 2", "words 3"]
    log(workspace, f"app/{ID}.jsonl", 1, 2, 5, newest=True)
    assert extract(workspace) == ["words 5"]


def test_a_log_of_the_same_id_that_cannot_be_read_is_said_and_the_other_one_read(workspace: Workspace) -> None:
    log(workspace, f"app/{ID}.jsonl", 1, 2)
    copy = log(workspace, f"app/{ID}.sync-conflict-1.jsonl", 1, newest=True)
    record = json.dumps({"type": "user", "sessionId": ID, "cwd": str(workspace.layout.workspace)})
    copy.write_text(record + "\n" + "{broken\n" * 60, encoding="utf-8")
    assert "words 2" in extract(workspace)


def test_what_stands_in_for_a_log_that_was_extracted_is_not_extracted_again(
    workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    """Claude Code deletes transcripts after thirty days, and keeps what was typed."""
    transcript = log(workspace, f"app/{ID}.jsonl", 1, 2, 3)
    prompts(workspace, 1, 3)
    assert extract(workspace) == ["words 1", "words 2", "words 3"]
    transcript.unlink()
    assert [ref.path.parent.name for ref in found(workspace)] == ["history.jsonl"]
    assert extract(workspace) == []
    prompts(workspace, 1, 3, 5)
    assert extract(workspace) == ["words 5"]
    assert extract(workspace) == []
    assert not caplog.records


def test_what_stands_in_for_a_log_that_was_never_extracted_is(workspace: Workspace) -> None:
    prompts(workspace, 1, 3)
    assert extract(workspace) == ["words 1", "words 3"]


def test_an_export_of_a_session_that_was_extracted_is_not_extracted_again(workspace: Workspace) -> None:
    transcript = log(workspace, f"app/{ID}.jsonl", 1, 2)
    assert extract(workspace) == ["words 1", "words 2"]
    transcript.unlink()
    export = workspace.layout.workspace / ".specstory/history/2026-04-01_09-01Z-x.md"
    export.parent.mkdir(parents=True)
    heads = {1: "User (2026-04-01 09:01:00Z)", 2: "Agent (m 2026-04-01 09:02:00Z)", 3: "User (2026-04-01 09:03:00Z)"}
    said = "".join(f"_**{head}**_\n\nwords {n}\n\n---\n\n" for n, head in heads.items())
    start = f"<!-- Generated by SpecStory -->\n\n# x\n\n<!-- Claude Code Session {ID} (2026-04-01 09:01:00Z) -->\n\n"
    export.write_text(start + said, encoding="utf-8")
    assert extract(workspace) == ["words 3"]


def test_a_chat_that_was_extracted_from_its_transcript_is_not_extracted_again(workspace: Workspace) -> None:
    """VS Code writes the requests of a chat late; until then its transcript is read."""
    storage = Path(workspace.environment["HOME"]) / ".config/Code/User/workspaceStorage/w"
    chat, events = storage / "chatSessions/c.jsonl", storage / "GitHub.copilot-chat/transcripts/c.jsonl"

    def written(path: Path, *records: Any) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")

    written(storage / "workspace.json", {"folder": workspace.layout.workspace.as_uri()})
    head = {"kind": 0, "v": {"version": 3, "sessionId": "c", "requests": []}}
    written(chat, head)
    event = {"type": "user.message", "id": "e2", "timestamp": moment(1), "data": {"content": "words 1"}}
    start = {"type": "session.start", "id": "e1", "timestamp": moment(0), "data": {"sessionId": "c"}}
    written(events, start, event)
    assert extract(workspace) == ["words 1"]
    stamps = {n: int(datetime.fromisoformat(moment(n)).timestamp() * 1000) - 5 for n in (1, 3)}
    requests = [
        {"requestId": f"r{n}", "timestamp": stamp, "message": {"text": f"words {n}", "parts": []}, "response": []}
        for n, stamp in stamps.items()
    ]
    written(chat, head, {"kind": 2, "k": ["requests"], "v": requests})
    os.utime(chat, (2e9, 2e9))
    assert extract(workspace) == ["words 3"]
    assert extract(workspace) == []


def test_a_session_of_another_agent_with_the_same_id_is_another_session(workspace: Workspace) -> None:
    log(workspace, f"app/{ID}.jsonl", 1, 2, 3)
    assert extract(workspace) == ["words 1", "words 2", "words 3"]
    rollout = Path(workspace.environment["HOME"]) / f".codex/sessions/2026/04/01/rollout-2026-04-01T09-00-00-{ID}.jsonl"
    rollout.parent.mkdir(parents=True)
    cwd = str(workspace.layout.workspace)
    records = [
        {"timestamp": moment(1), "type": "session_meta", "payload": {"id": ID, "cwd": cwd}},
        {"timestamp": moment(2), "type": "event_msg", "payload": {"type": "user_message", "message": "Others."}},
    ]
    rollout.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert extract(workspace) == ["Others."]
