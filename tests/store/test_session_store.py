"""Our session logs as a library: appended, resumed, forked, rewound, deleted."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest

from memory_core.errors import SessionError
from memory_core.extract.evidence import collect
from memory_core.sessions.copies import COPIED, with_copies_marked
from memory_core.sessions.model import EntryKind, Speaker
from memory_core.sessions.pointer import DOMAIN, Pointer, fold
from memory_core.sessions.resume import Said, ToolUse
from memory_core.store.session_store import SessionStore

NOW = datetime(2026, 4, 1, 9, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    (tmp_path / ".omoide" / "memory").mkdir(parents=True)
    ticks = count()
    return SessionStore.of_workspace(tmp_path, lambda: NOW + timedelta(seconds=next(ticks)))


def talk(store: SessionStore, *texts: str, **more: Any) -> str:
    session = store.create("my-agent", **more)
    for number, text in enumerate(texts):
        store.append(session, "assistant_message" if number % 2 else "user_message", text=text)
    return session


def test_what_is_appended_is_read_back_with_its_speaker(store: SessionStore) -> None:
    session = talk(store, "Keep it small.", "Yes.", session_kind="code", cwd="/w/app", scope={"tenant": "t"})
    read = store.read(session)
    assert (read.agent, read.session_kind, read.cwds, dict(read.scope)) == (
        "my-agent",
        "code",
        ("/w/app",),
        {"tenant": "t"},
    )
    assert [(e.speaker, e.text) for e in read.entries[1:]] == [
        (Speaker.HUMAN, "Keep it small."),
        (Speaker.ASSISTANT, "Yes."),
    ]


def test_a_log_is_only_ever_added_to(store: SessionStore) -> None:
    session = talk(store, "One.")
    before = store.path(session).read_bytes()
    store.append(session, EntryKind.ASSISTANT_MESSAGE, text="Two.")
    store.extend(session, "my.domain", {"n": 1})
    store.rewind(session, 1)
    store.fork(session, 1)
    assert store.path(session).read_bytes().startswith(before)


@pytest.mark.parametrize("session_id", ["../escape", "a/b", "..", "CON", "nul.x", "日本", "x" * 300, "a\nb"])
def test_no_id_leads_out_of_the_folder(store: SessionStore, session_id: str) -> None:
    assert store.create("my-agent", session_id=session_id) == session_id
    store.append(session_id, "user_message", text="Hello.")
    assert store.read(session_id).session_id == session_id
    assert [path.parent for path in store.folder.rglob("*") if path.is_file()] == [store.folder]
    assert not any(PureWindowsPath(path).is_reserved() for path in store.folder.iterdir())


def test_an_entry_that_lacks_a_field_is_refused_with_its_name(store: SessionStore) -> None:
    session = talk(store)
    before = store.path(session).read_bytes()
    with pytest.raises(SessionError, match="tool_call entry needs name, arguments"):
        store.append(session, "tool_call", call_id="c1")
    with pytest.raises(SessionError, match="no JSON"):
        store.append(session, "user_message", text="x", extra={1, 2})
    with pytest.raises(SessionError, match="not appended"):
        store.append(session, "shout", text="x")
    assert store.path(session).read_bytes() == before


def test_an_unknown_session_is_named(store: SessionStore) -> None:
    with pytest.raises(SessionError, match="No session `nobody`"):
        store.append("nobody", "user_message", text="x")
    session = talk(store)
    with pytest.raises(SessionError, match="already"):
        store.create("my-agent", session_id=session)
    with pytest.raises(SessionError, match="no kind of session"):
        store.create("my-agent", session_kind="party")


def test_resume_pairs_calls_with_results_and_leaves_reasoning_out(store: SessionStore) -> None:
    session = talk(store, "Run the tests.")
    store.append(session, "reasoning", text="Which ones?")
    store.append(session, "tool_call", call_id="c1", name="Bash", arguments={"command": "pytest"})
    store.append(session, "tool_call", call_id="c2", name="Bash", arguments={"command": "ls"})
    store.append(session, "tool_result", call_id="c1", summary="3 passed", content="3 passed in 1 s")
    store.append(session, "tool_result", call_id="c9", summary="whose?")
    store.append(session, "usage", input_tokens=1, output_tokens=2)
    view = store.resume(session)
    assert [type(item) for item in view.items] == [Said, ToolUse, ToolUse]
    first, second = (item for item in view.items if isinstance(item, ToolUse))
    assert first.result
    assert first.result.output == "3 passed in 1 s"
    assert second.result is None, "the run was interrupted before c2 had a result"
    assert (view.unpaired, view.trimmed, view.trim_marker) == (1, 0, None)


def test_resume_keeps_the_newest_part_and_says_what_it_left_out(store: SessionStore) -> None:
    session = talk(store, *[f"Message number {number} about the build." for number in range(40)])
    view = store.resume(session, max_tokens=100)
    assert view.items[-1] == Said("assistant", "Message number 39 about the build.", 40)
    first = view.items[0]
    assert isinstance(first, Said)
    assert first.role == "user", "a model's history begins with a user's message"
    assert view.trimmed == 40 - len(view.items)
    assert (
        view.trim_marker
        == f"[{view.trimmed} earlier messages and tool uses are not shown. They are in the session log.]"
    )


def test_one_item_larger_than_the_room_is_kept_whole(store: SessionStore) -> None:
    session = talk(store, "word " * 500)
    assert len(store.resume(session, max_tokens=10).items) == 1


def test_a_domain_folds_its_own_extensions(store: SessionStore) -> None:
    session = talk(store, "One.")
    for number in range(3):
        store.extend(session, "counter", number)
    store.extend(session, DOMAIN, {"processed_through_entry": 1, "staging_id": None})
    assert store.extensions(session, "counter") == [0, 1, 2]
    assert fold(store.read(session).extensions) == Pointer(1)


def test_a_fork_begins_with_the_history_and_without_the_pointer(store: SessionStore) -> None:
    session = talk(store, "Use tabs.", "Tabs it is.", "No: spaces.", "Spaces.")
    store.extend(session, DOMAIN, {"processed_through_entry": 4, "staging_id": None})
    fork = store.fork(session, 2)
    store.append(fork, "user_message", text="And two of them.")
    read = store.read(fork)
    assert [e.text for e in read.entries[1:]] == ["Use tabs.", "Tabs it is.", "And two of them."]
    assert fold(read.extensions) == Pointer(-1)
    marked = with_copies_marked(read, [store.read(session)])
    assert [e.subtype for e in marked.entries[1:]] == [COPIED, COPIED, None], "nothing is extracted twice"
    with pytest.raises(SessionError, match="no entry 99"):
        store.fork(session, 99)


def test_what_was_rewound_is_neither_resumed_nor_evidence_and_the_pointer_stays(store: SessionStore) -> None:
    session = talk(store, "Use tabs.", "Tabs it is.", "No: spaces.", "Spaces.")
    store.extend(session, DOMAIN, {"processed_through_entry": 4, "staging_id": None})
    store.rewind(session, 2)
    store.append(session, "user_message", text="Tabs were right.")
    read = store.read(session)
    assert [e.subtype for e in read.entries[1:5]] == [None, None, "rolled_back", "rolled_back"]
    assert [item.text for item in store.resume(session).items if isinstance(item, Said)] == [
        "Use tabs.",
        "Tabs it is.",
        "Tabs were right.",
    ]
    assert [item.text for item in collect(read, 0, len(read.entries) - 1)] == [
        "Use tabs.",
        "Tabs it is.",
        "Tabs were right.",
    ]
    assert fold(read.extensions) == Pointer(4)


def test_reading_without_a_scope_never_means_all(store: SessionStore) -> None:
    """R5: an absent scope is no wildcard."""
    shared, mine = talk(store, "x"), talk(store, "y", scope={"principal": "me"})
    assert [info.session_id for info in store.sessions()] == [shared]
    assert [info.session_id for info in store.sessions({"principal": "me"})] == [mine]
    assert store.sessions({"principal": "you"}) == []


def test_delete_takes_the_log_alone_and_names_what_stays(store: SessionStore) -> None:
    session, other = talk(store, "x"), talk(store, "y")
    record = store.folder.parent / "memory" / "decisions" / "d.md"
    record.parent.mkdir(parents=True)
    record.write_text(f"sources: [{{session_id: {session}, range: [0, 1]}}]\n", encoding="utf-8")
    staged = store.folder.parent / "memory" / "_staging" / "s.json"
    staged.parent.mkdir(parents=True)
    staged.write_text(json.dumps({"source": {"session_id": session}}), encoding="utf-8")
    report = store.delete(session)
    assert report.kept == ("1 staging file made from it", "1 record made from it")
    assert report.bytes > 0
    assert record.exists()
    assert staged.exists()
    assert [info.session_id for info in store.sessions()] == [other]
    with pytest.raises(SessionError, match="No session"):
        store.read(session)


def test_a_sidecar_of_another_programs_session_is_not_listed(store: SessionStore) -> None:
    session = talk(store, "x")
    sidecar = store.folder / "codex.abc.jsonl"
    start = {"kind": "session_start", "session_id": "abc", "agent": "codex", "ts": "2026-04-01T09:00:00Z"}
    sidecar.write_text(json.dumps(start) + "\n", encoding="utf-8")
    assert [info.session_id for info in store.sessions()] == [session]
