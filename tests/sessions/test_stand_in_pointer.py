"""How far a session was extracted, told from another log of it: by what a person said last, not by the clock alone."""

from __future__ import annotations

from typing import Any

from memory_core.sessions.model import Entry, EntryKind, Speaker
from memory_core.sessions.pointer import Pointer, mark_of, until

HUMAN, ASSISTANT = Speaker.HUMAN, Speaker.ASSISTANT


def log(*said: tuple[Speaker, str, str | None]) -> list[Entry]:
    kinds = {HUMAN: EntryKind.USER_MESSAGE, ASSISTANT: EntryKind.ASSISTANT_MESSAGE}
    return [
        Entry(index=n, kind=kinds[speaker], speaker=speaker, text=text, ts=ts and f"2026-06-01T{ts}Z")
        for n, (speaker, text, ts) in enumerate(said)
    ]


READ = log((HUMAN, "Explain the build.", "09:01:00"), (ASSISTANT, "It is make.", "09:02:00"))


def mark(entries: list[Entry] = READ) -> dict[str, Any] | None:
    return mark_of(entries, Pointer(len(entries) - 1))


def through(entries: list[Entry], *marks: dict[str, Any] | None) -> int:
    return until(entries, marks or (mark(),)).processed_through_entry


def test_what_was_typed_while_the_agent_answered_is_asked_for() -> None:
    typed = log((HUMAN, "Explain the build.", "09:00:59"), (HUMAN, "Use PostgreSQL.", "09:01:51"))
    assert through(typed) == 0
    queued = log((HUMAN, "Explain the build.", "09:00:59"), (HUMAN, "Use PostgreSQL.", "09:01:00"))
    assert through(queued) == 0


def test_an_answer_is_passed_by_where_it_is_the_one_that_was_read() -> None:
    at = "09:01:00"
    same = log((HUMAN, "Explain the build.", at), (ASSISTANT, "It is make.", at), (HUMAN, "Use Redis.", "09:03:00"))
    assert through(same) == 1
    other = log((HUMAN, "Explain the build.", at), (ASSISTANT, "It is make. Use it.", at))
    assert through(other) == 0


def test_words_that_another_log_has_otherwise_are_told_by_their_time() -> None:
    other = log((HUMAN, "Explain the build. [picture]", "09:00:59"), (HUMAN, "Use Redis.", "09:01:51"))
    assert through(other) == 0


def test_the_same_words_of_another_time_are_others() -> None:
    again = log((HUMAN, "Explain the build.", "09:00:59"), (HUMAN, "Explain the build.", "10:00:00"))
    assert through(again) == 0


def test_without_a_time_all_is_asked_for() -> None:
    untimed = log((HUMAN, "Explain the build.", None))
    assert through(untimed) == -1
    assert through(log((HUMAN, "Explain the build.", "09:01:00")), mark(untimed), None) == -1


def test_a_mark_of_before_knows_the_last_entry_alone() -> None:
    old = {name: value for name, value in (mark() or {}).items() if name != "person"}
    typed = log((HUMAN, "Explain the build.", "09:00:59"), (HUMAN, "Use Redis.", "09:03:00"))
    assert through(typed, old) == 0
