"""What a turn and a session leave behind: log entries before the model is asked, and usage events. C4, D2, D3."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.sessions.model import EntryKind, Speaker
from memory_core.store.discovery import create_root
from memory_core.store.filestore import FileStore
from memory_core.store.session_store import SessionStore
from memory_core.using.policy import Origin, ResidentRules
from memory_core.using.turn import expand_turn, give_resident
from tests.using.test_expansion import knowledge, workflow
from tests.using.test_resident import summary

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    layout, _ = create_root(tmp_path)
    for path, text in {
        "knowledge/api-keys.md": knowledge(),
        "knowledge/other.md": knowledge("Other."),
        "workflow/go.md": workflow(requires="[other]"),
        "memory/summary.md": summary(),
    }.items():
        (layout.root / path).write_text(text, encoding="utf-8")
    return FileStore(layout, lambda: NOW)


def uses(layout: Layout) -> list[tuple[str, str, str, str]]:
    lines = layout.usage.read_text(encoding="utf-8").splitlines() if layout.usage.exists() else []
    found = [json.loads(line) for line in lines]
    return [(e["event"], e["source"], e["actor"], r["slug"]) for e in found for r in e["records"]]


def test_the_exact_text_is_in_the_log_before_the_model_sees_it(store: FileStore) -> None:
    """C4"""
    sessions = SessionStore(store.layout.sessions)
    session_id = sessions.create("mine", session_kind="chat")
    turn = "Look at #api-keys and #nowhere, then /go"
    sessions.append(session_id, EntryKind.USER_MESSAGE, text=turn)
    expansion = expand_turn(
        store,
        store.load(),
        turn,
        actor="human",
        session_id=session_id,
        now=NOW,
        append=lambda kind, fields: sessions.append(session_id, kind, **fields),
    )
    lines = [json.loads(line) for line in sessions.path(session_id).read_text(encoding="utf-8").splitlines()]
    assert [line["kind"] for line in lines] == ["session_start", "user_message", "system", "system", "system", "system"]
    assert lines[1]["text"] == turn
    assert [line["text"] for line in lines[2:5]] == [item.text for item in expansion.records]
    assert [(line["slug"], line["record_sha256"]) for line in lines[2:5]] == [
        (item.ref.slug, item.sha256) for item in expansion.records
    ]
    assert lines[5]["subtype"] == "unresolved_reference"
    assert "`#nowhere` names no knowledge" in lines[5]["text"]
    entries = sessions.read(session_id).entries
    assert all(entry.speaker is Speaker.SYSTEM for entry in entries[2:])


def test_a_later_edit_does_not_change_what_was_said(store: FileStore) -> None:
    sessions = SessionStore(store.layout.sessions)
    session_id = sessions.create("mine")
    append = lambda kind, fields: sessions.append(session_id, kind, **fields)  # noqa: E731
    expand_turn(store, store.load(), "#api-keys", actor="human", session_id=None, now=NOW, append=append)
    before = sessions.path(session_id).read_bytes()
    (store.layout.root / "knowledge/api-keys.md").write_text(knowledge("Elsewhere."), encoding="utf-8")
    assert sessions.path(session_id).read_bytes() == before
    assert b"In the vault." in before


def test_what_was_named_is_used_and_what_came_along_is_not(store: FileStore) -> None:
    """D2"""
    expand_turn(store, store.load(), "#api-keys #nowhere /go", actor="human", session_id="s", now=NOW)
    assert uses(store.layout) == [
        ("use", "KnowledgeRef", "human", "api-keys"),
        ("use", "WorkflowInvoke", "human", "go"),
    ]


def test_a_log_that_cannot_be_written_ends_the_turn_before_anything_counts(store: FileStore) -> None:
    def append(_kind: object, _fields: object) -> None:
        raise StoreError("no space")

    with pytest.raises(StoreError):
        expand_turn(store, store.load(), "#api-keys", actor="human", session_id=None, now=NOW, append=append)
    assert uses(store.layout) == []


def test_resident_context_is_logged_and_is_exposure_never_use(store: FileStore) -> None:
    """D3, C1"""
    sessions = SessionStore(store.layout.sessions)
    session_id = sessions.create("mine")
    context = give_resident(
        store,
        store.load(),
        Origin.CHAT,
        ResidentRules(),
        session_id=session_id,
        now=NOW,
        append=lambda kind, fields: sessions.append(session_id, kind, **fields),
    )
    assert sessions.read(session_id).entries[1].text == context.text
    assert uses(store.layout) == [("resident_exposure", "ResidentInjection", "agent", "summary")]
    (row,) = store.usage_report().rows
    assert (row.use_count, row.resident_exposure_count) == (0, 1)


def test_nothing_given_is_nothing_recorded(store: FileStore) -> None:
    """R15"""
    give_resident(store, store.load(), Origin.CODE, ResidentRules(), session_id="s", now=NOW)
    assert uses(store.layout) == []
    assert not store.layout.sessions.exists() or not list(store.layout.sessions.iterdir())


def test_what_we_put_in_is_never_extracted_again(store: FileStore) -> None:
    """R4, #4916: neither the expansion nor the resident context enters an extract."""
    sessions = SessionStore(store.layout.sessions)
    session_id = sessions.create("mine")
    append = lambda kind, fields: sessions.append(session_id, kind, **fields)  # noqa: E731
    snapshot = store.load()
    give_resident(store, snapshot, Origin.CHAT, ResidentRules(), session_id=session_id, now=NOW, append=append)
    sessions.append(session_id, EntryKind.USER_MESSAGE, text="Look at #api-keys, and remember: tabs.")
    expand_turn(store, snapshot, "#api-keys", actor="human", session_id=session_id, now=NOW, append=append)
    sessions.append(session_id, EntryKind.ASSISTANT_MESSAGE, text="Tabs it is.")
    from memory_core.config import Config
    from memory_core.extract.job import rendered_inputs

    (text,) = rendered_inputs(sessions.read(session_id), store.pointer(sessions.read(session_id)), Config())
    assert "remember: tabs" in text
    assert "In the vault." not in text
    assert "We build an importer." not in text
