"""Logs of other programs that are cut, written anew or still growing: nothing is passed over, no index moves."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import zstandard

from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.store.extract_pointers import append_pointer, read_pointer
from memory_core.store.session_discovery import discover
from memory_core.store.session_files import read_log
from memory_core.store.session_store import SessionStore
from tests.store.conftest import unprivileged

CHILD, PARENT = "01990000-0000-7000-8000-00000000000c", "01980000-0000-7000-8000-00000000000a"


def said(number: int, text: str = "", **extra: Any) -> dict[str, Any]:
    message = {"content": text or f"Point {number}."}
    return {"type": "user", "sessionId": "s1", "uuid": f"u{number}", "message": message, **extra}


def write(path: Path, *records: dict[str, Any]) -> Session:
    path.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    return read_log(path)


def extracted(tmp_path: Path, through: int, *records: dict[str, Any]) -> Path:
    """A log of which entries 0 to `through` are extracted."""
    log = tmp_path / "s1.jsonl"
    append_pointer(tmp_path / "sessions", write(log, *records), Pointer(through, "staged"))
    return log


def pointer(tmp_path: Path, session: Session) -> int:
    return read_pointer(tmp_path / "sessions", session).processed_through_entry


def test_a_log_that_only_grew_keeps_its_pointer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log = extracted(tmp_path, 1, said(0), said(1))
    assert pointer(tmp_path, write(log, said(0), said(1), said(2))) == 1
    assert caplog.records == []


def test_a_log_cut_below_its_pointer_is_not_stuck_for_ever(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """session-logs.md 0.3: a log of 74 lines came back with 6."""
    log = extracted(tmp_path, 4, *map(said, range(5)))
    assert pointer(tmp_path, write(log, said(0), said(9))) == -1
    assert "s1 was cut or rewritten" in caplog.text


def test_the_newest_extract_that_is_still_there_counts_in_a_cut_log(tmp_path: Path) -> None:
    log = extracted(tmp_path, 1, *map(said, range(5)))
    append_pointer(tmp_path / "sessions", read_log(log), Pointer(4, None))
    assert pointer(tmp_path, write(log, *map(said, range(3)))) == 1


def test_a_log_written_anew_and_longer_is_read_from_its_beginning(tmp_path: Path) -> None:
    log = extracted(tmp_path, 1, said(0), said(1))
    assert pointer(tmp_path, write(log, *map(said, range(10, 15)))) == -1


def test_entries_that_moved_are_found_again(tmp_path: Path) -> None:
    log = extracted(tmp_path, 1, said(0), said(1))
    told = {"type": "system", "subtype": "informational", "content": "Resumed.", "uuid": "x", "sessionId": "s1"}
    session = write(log, told, said(0), said(1), said(2))
    assert pointer(tmp_path, session) == len(session.entries) - 2


def test_what_was_said_in_front_of_the_last_extracted_entry_since_is_not_passed_over(tmp_path: Path) -> None:
    """The answer to a tool call that ran beside another one, say: a format may put it where the call is."""
    log = extracted(tmp_path, 0, said(0), said(1))
    append_pointer(tmp_path / "sessions", read_log(log), Pointer(1, None))
    assert pointer(tmp_path, write(log, said(0), said(9), said(1), said(2))) == 0
    assert pointer(tmp_path, write(log, said(8), said(9), said(0), said(1), said(2))) == -1


def test_the_same_words_are_not_the_same_message(tmp_path: Path) -> None:
    """`ok` at the same time of day at the same place of another course of the talk."""
    ok = {"timestamp": "2026-03-01T10:00:00.000Z"}
    log = extracted(tmp_path, 2, said(0), said(1), said(2, "ok", **ok))
    assert pointer(tmp_path, write(log, said(0), said(8), said(9, "ok", **ok), said(10))) == -1


def task(folder: Path, *texts: str) -> Session:
    """A task of Cline, whose messages have no ids: their numbers stand for them."""
    path = folder / "tasks/1772359200000/api_conversation_history.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": [{"type": "text", "text": text}]} for n, text in enumerate(texts)]
    path.write_text(json.dumps(messages), encoding="utf-8")
    return read_log(path)


def test_another_message_of_the_same_number_is_not_the_one_that_was_extracted(tmp_path: Path) -> None:
    """A checkpoint was restored and other words typed: they were "no new entries", for good."""
    start = ("Add an importer.", "I will.")
    session = task(tmp_path, *start, "Use Postgres.", "Yes.")
    append_pointer(tmp_path / "sessions", session, Pointer(1, None))
    append_pointer(tmp_path / "sessions", session, Pointer(3, "staged"))
    assert pointer(tmp_path, session) == 3
    assert pointer(tmp_path, task(tmp_path, *start, "Use Postgres.", "Yes.", "Go on.")) == 3
    assert pointer(tmp_path, task(tmp_path, *start, "Use Redis instead.", "Redis it is.", "Log JSON.")) == 1


def test_a_numbered_message_that_goes_on_is_still_the_same(tmp_path: Path) -> None:
    append_pointer(tmp_path / "sessions", task(tmp_path, "Add an importer.", "I will add"), Pointer(1, None))
    assert pointer(tmp_path, task(tmp_path, "Add an importer.", "I will add it now.")) == 0


def chat(folder: Path, *pieces: str) -> Session:
    """A chat of VS Code, whose document is written anew while an answer grows."""
    request = {"requestId": "r1", "message": {"text": "Which?"}, "response": [{"value": piece} for piece in pieces]}
    path = folder / "chat.json"
    path.write_text(json.dumps({"version": 3, "sessionId": "c1", "requests": [request]}), encoding="utf-8")
    return read_log(path)


def test_an_answer_that_was_still_being_written_is_looked_at_once_more(tmp_path: Path) -> None:
    """Its rest was never extracted: the pointer stood behind an entry that had only begun."""
    session = chat(tmp_path, "Let us use ")
    append_pointer(tmp_path / "sessions", session, Pointer(1, "staged"))
    assert pointer(tmp_path, session) == 1
    whole = chat(tmp_path, "Let us use ", "Postgres, since Redis lost the orders.")
    assert len(whole.entries) == len(session.entries)
    assert read_pointer(tmp_path / "sessions", whole) == Pointer(0, "staged")
    append_pointer(tmp_path / "sessions", whole, Pointer(1, None))
    assert pointer(tmp_path, whole) == 1


def own(folder: Path, session_id: str, *texts: str) -> SessionStore:
    store = SessionStore(folder)
    store.create("agent", session_id=session_id)
    for text in texts:
        store.append(session_id, "user_message", text=text)
    return store


def test_the_pointer_of_another_programs_session_never_stands_in_our_log(tmp_path: Path) -> None:
    """A session of our own was called like the sidecar of another one: what it said was passed over."""
    sessions = tmp_path / "sessions"
    ours = own(sessions, "claude-code.s1", "One.", "Two.", "Three.")
    log = tmp_path / "s1.jsonl"
    session = write(log, *map(said, range(4)))
    append_pointer(sessions, session, Pointer(3, None))
    assert pointer(tmp_path, session) == 3
    assert pointer(tmp_path, ours.read("claude-code.s1")) == -1


def test_a_pointer_never_points_beyond_where_it_stands(tmp_path: Path) -> None:
    """Lines were taken out of our own log by hand, with a secret in them, say: what is said next is not passed over."""
    sessions = tmp_path / "sessions"
    store = own(sessions, "s1", *map(str, range(9)))
    append_pointer(sessions, store.read("s1"), Pointer(9, None))
    path = store.path("s1")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([lines[0], *lines[6:]]), encoding="utf-8")
    store.append("s1", "user_message", text="And Postgres.")
    session = store.read("s1")
    left = session.entries[pointer(tmp_path, session) + 1 :]
    assert "And Postgres." in [entry.text for entry in left]
    store.extend("s1", "of.somebody.else", {})  # which is about no extract
    assert pointer(tmp_path, store.read("s1")) < len(session.entries) - 1


def test_a_line_edited_in_place_moves_nothing(tmp_path: Path) -> None:
    """session-logs.md 0.3: a search-and-replace over the workspace rewrote old lines."""
    log = extracted(tmp_path, 1, said(0), said(1, "Use foo."))
    assert pointer(tmp_path, write(log, said(0), said(1, "Use bar."), said(2))) == 1


def test_a_session_read_before_another_process_went_on_is_not_taken_for_a_cut_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = tmp_path / "s1.jsonl"
    early = write(log, said(0))
    append_pointer(tmp_path / "sessions", write(log, said(0), said(1)), Pointer(1, None))
    assert pointer(tmp_path, early) == 1
    assert caplog.records == []


def test_a_log_that_is_gone_keeps_its_pointer(tmp_path: Path) -> None:
    log = extracted(tmp_path, 1, said(0), said(1))
    session = write(log, said(0))
    log.unlink()
    assert pointer(tmp_path, session) == 1


def test_a_pointer_of_an_older_sidecar_has_no_mark_and_is_trusted_inside_the_log(tmp_path: Path) -> None:
    log = extracted(tmp_path, 1, said(0), said(1))
    sidecar = next((tmp_path / "sessions").iterdir())
    lines = sidecar.read_text(encoding="utf-8").splitlines(keepends=True)
    sidecar.write_text("".join(line for line in lines if "memory.extract.mark" not in line), encoding="utf-8")
    assert pointer(tmp_path, write(log, *map(said, range(10, 15)))) == 1
    assert pointer(tmp_path, write(log, said(10))) == -1


def wrapped(name: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:00.000Z", "type": name, "payload": payload}


def item(role: str, text: str) -> dict[str, Any]:
    part = "input_text" if role == "user" else "output_text"
    return wrapped("response_item", type="message", role=role, content=[{"type": part, "text": text}])


def event(name: str, **payload: Any) -> dict[str, Any]:
    return wrapped("event_msg", type=name, **payload)


def test_a_persons_last_message_waits_for_its_event(read: Any) -> None:
    """Between the two lines of one message it must not become an entry that is never heard as a person's."""
    head = [wrapped("session_meta", id=CHILD, cwd="/w"), item("user", "One."), event("user_message", message="One.")]
    before = read(*head, item("user", "Keep the old API."))
    assert [entry.text for entry in before.entries] == ["One."]
    assert before.skipped["held_back:user"] == 1
    after = read(*head, item("user", "Keep the old API."), event("user_message", message="Keep the old API."))
    assert [(entry.text, str(entry.speaker)) for entry in after.entries] == [
        ("One.", "human"), ("Keep the old API.", "human")
    ]  # fmt: skip


def test_a_rollout_without_events_speaks_to_its_last_line(read: Any) -> None:
    session = read(wrapped("session_meta", id=CHILD, cwd="/w"), item("user", "Keep the old API."))
    assert [(entry.text, str(entry.speaker)) for entry in session.entries] == [("Keep the old API.", "human")]


def test_a_fork_that_has_not_begun_a_turn_of_its_own_says_nothing(read: Any) -> None:
    """Bug 26: the parent's history is its own log's; its turn marks say that the copy has not ended."""
    turn = f"{PARENT[:-1]}b"
    session = read(
        wrapped("session_meta", id=CHILD, cwd="/w", forked_from_id=PARENT),
        wrapped("session_meta", id=PARENT, cwd="/w"),
        event("task_started", turn_id=turn),
        event("user_message", message="Use WAL."),
        item("assistant", "Done."),
    )
    assert session.entries == ()
    assert session.skipped["copied_history"] == 4


@pytest.mark.parametrize("seed", range(30))
def test_no_entry_of_a_growing_rollout_ever_changes(read: Any, seed: int) -> None:
    chance = random.Random(seed)
    lines = [wrapped("session_meta", id=CHILD, cwd="/w")]
    for number in range(4):
        text = chance.choice(["Use WAL.", "ok", f"Point {number}.", "# AGENTS.md instructions for /w\nText"])
        user = [item("user", text), event("user_message", message=text)]
        reply = [item("assistant", "Done."), event("agent_message", message="Done.")]
        lines += [event("task_started"), wrapped("turn_context", cwd="/w")]
        lines += chance.sample(user, chance.choice([1, 2, 2])) + chance.sample(reply, 2)
        if chance.random() < 0.3:
            lines.append(event("thread_rolled_back", num_turns=1))
    whole = [(entry.kind, entry.speaker, entry.text) for entry in read(*lines).entries]
    for end in range(1, len(lines)):
        part = [(entry.kind, entry.speaker, entry.text) for entry in read(*lines[:end]).entries]
        assert part == whole[: len(part)]


def test_a_packed_log_that_was_cut_off_says_so(tmp_path: Path) -> None:
    """It read as an empty session without a word."""
    lines = [wrapped("session_meta", id=CHILD, cwd="/w"), *(event("user_message", message=f"{n}.") for n in range(9))]
    packed = zstandard.ZstdCompressor().compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    log = tmp_path / "rollout.jsonl.zst"
    for end in (len(packed) - 1, len(packed) // 2, 6):
        log.write_bytes(packed[:end])
        assert [gap.reason for gap in read_log(log).gaps] == ["the packed file ends in the middle"]
    log.write_bytes(packed + packed)
    assert (read_log(log).gaps, len(read_log(log).entries)) == ((), 18)


def test_a_packed_bomb_is_read_in_bounded_memory(tmp_path: Path) -> None:
    log = tmp_path / "rollout.jsonl.zst"
    line = json.dumps(event("token_count")).encode() + b"\n"
    with log.open("wb") as file, zstandard.ZstdCompressor(level=19).stream_writer(file) as writer:
        for _ in range(64):
            writer.write(line + b" " * (1 << 20) + b"\n")
    assert log.stat().st_size < 100_000
    tracemalloc.start()
    try:
        assert read_log(log).entries == ()
        assert tracemalloc.get_traced_memory()[1] < 48 << 20
    finally:
        tracemalloc.stop()


def test_a_folder_of_logs_that_cannot_be_listed_is_not_an_empty_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It was counted as `0 sessions` without a word."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    folder.chmod(0)
    try:
        with unprivileged(folder):
            assert discover(tmp_path, folder, {"HOME": str(tmp_path)}, ("omoide",)) == []
    finally:
        folder.chmod(0o700)
    assert "sessions cannot be searched for session logs (Permission denied)" in caplog.text
