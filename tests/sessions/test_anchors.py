"""Anchors that still resolve next month: the log grew, was cut, rewritten, or is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memory_core.extract.evidence import anchor_for, collect
from memory_core.sessions.anchors import FoundBy, Resolved, entry_hash, resolve
from memory_core.sessions.model import Entry, Session

SESSION = "11111111-1111-4111-8111-111111111111"


def line(number: int, text: str, **extra: Any) -> dict[str, Any]:
    return {
        "type": "user" if number % 2 else "assistant",
        "uuid": f"u{number}",
        "sessionId": SESSION,
        "cwd": "/w/app",
        "timestamp": f"2026-04-01T09:00:{number:02d}Z",
        "message": {"role": "user" if number % 2 else "assistant", "content": text},
        **extra,
    }


LINES = [
    line(1, "Keep the dates in UTC, always."),
    line(2, "I will store them in UTC from now on."),
    line(3, "The token is api_key=abcd1234efgh5678ijkl, do not print it."),
    line(4, "Understood, it stays out of the output."),
]


def anchors(session: Session) -> list[dict[str, Any]]:
    return [anchor_for(item).plain() for item in collect(session, 0, len(session.entries) - 1)]


def resolve_all(entries: Sequence[Entry], known: list[dict[str, Any]]) -> list[Resolved]:
    return [resolve(entries, anchor) for anchor in known]


def test_an_unchanged_log_gives_every_anchor_its_entry_by_id(read: Any) -> None:
    """A5 (evidence down to the log entry)."""
    session = read(*LINES)
    found = resolve_all(session.entries, anchors(session))
    assert [place.by for place in found] == [FoundBy.ID] * 4
    assert [place.entry.index for place in found if place.entry] == [0, 1, 2, 3]
    assert not any(place.changed or place.moved for place in found)


def test_what_is_appended_moves_no_anchor(read: Any) -> None:
    old = anchors(read(*LINES))
    later = read(*LINES, line(5, "One more thing: the tests."), line(6, "Done."))
    assert [(p.by, p.moved) for p in resolve_all(later.entries, old)] == [(FoundBy.ID, False)] * 4


def test_a_log_cut_at_its_beginning_moves_the_anchors_and_loses_the_cut_ones(read: Any) -> None:
    old = anchors(read(*LINES))
    found = resolve_all(read(*LINES[2:]).entries, old)
    assert [place.by for place in found] == [FoundBy.GONE, FoundBy.GONE, FoundBy.ID, FoundBy.ID]
    assert found[2].moved
    assert found[0].gone
    assert old[0]["excerpt"] == "Keep the dates in UTC, always.", "what was said stays with the anchor"


def test_a_rewritten_record_keeps_its_id_and_says_that_it_changed(read: Any) -> None:
    old = anchors(read(*LINES))
    rewritten = read(*[line(n, text["message"]["content"], gitBranch="main") for n, text in enumerate(LINES, 1)])
    found = resolve_all(rewritten.entries, old)
    assert [(place.by, place.changed) for place in found] == [(FoundBy.ID, True)] * 4


def test_without_its_id_the_hash_finds_a_record_and_without_both_its_words_do(read: Any) -> None:
    session = read(*LINES)
    old = anchors(session)
    for anchor in old:
        del anchor["native_id"]
    assert {place.by for place in resolve_all(session.entries, old)} == {FoundBy.HASH}
    renamed = read(*[{**item, "uuid": f"copy-{item['uuid']}"} for item in LINES])
    found = resolve_all(renamed.entries, old)
    assert [(place.by, place.entry.index) for place in found if place.entry] == [(FoundBy.EXCERPT, n) for n in range(4)]


def test_an_excerpt_without_the_secret_still_finds_the_entry_that_has_it(read: Any) -> None:
    old = anchors(read(*LINES))[2]
    assert "abcd1234" not in old["excerpt"]
    found = resolve(read({**LINES[2], "uuid": "other", "version": "2"}).entries, old)
    assert found.by is FoundBy.EXCERPT


def test_two_short_words_prove_nothing(read: Any) -> None:
    gone = resolve(read(line(1, "ok, yes")).entries, {"excerpt": "yes", "sha256": "0" * 64, "entry_range": [0, 0]})
    assert gone.by is FoundBy.GONE


def test_of_copies_the_one_nearest_to_the_old_place_counts(read: Any) -> None:
    session = read(*[line(n, "Please run all of the tests again.", uuid=f"x{n}") for n in (1, 3, 5, 7)])
    anchor = {"excerpt": "Please run all of the tests again.", "entry_range": [2, 2]}
    found = resolve(session.entries, anchor)
    assert found.entry
    assert found.entry.index == 2


def test_odd_anchors_resolve_to_nothing_and_raise_nothing(read: Any) -> None:
    entries = read(*LINES).entries
    for anchor in ({}, {"entry_range": "x"}, {"native_id": 7, "sha256": None, "excerpt": ["a"]}, {"entry_range": [1]}):
        assert resolve(entries, anchor).gone
    assert resolve((), {"native_id": "u1"}).gone


def test_where_numbers_stand_for_ids_the_record_itself_is_believed(read: Any) -> None:
    """Cline's messages have no ids, so after a message was taken out each number is another message's."""
    entries = read(*LINES).entries
    shifted = [replace(entry, native_id=str(entry.index)) for entry in entries]
    anchor = {"native_id": "3", "sha256": entries[1].sha256, "excerpt": entries[1].text, "entry_range": [3, 3]}
    found = resolve(shifted, anchor)
    assert (found.by, found.entry and found.entry.index) == (FoundBy.HASH, 1)


def test_an_entry_of_a_log_without_records_is_found_by_the_hash_of_its_words(read: Any) -> None:
    entries = [replace(entry, sha256=None, native_id=None) for entry in read(*LINES).entries]
    found = resolve(entries, {"sha256": entry_hash(entries[2]), "entry_range": [0, 0]})
    assert (found.by, found.entry and found.entry.index, found.changed) == (FoundBy.HASH, 2, False)


def test_of_several_entries_of_one_record_the_one_that_was_anchored_is_meant_wherever_it_stands_now(read: Any) -> None:
    """Words and calls of one record have its id and its hash in common, and entries before them may go."""
    words = ("I propose to use MySQL for the store.", "And Redis instead of files for the cache.")
    use = [{"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": f"ls {n}"}} for n in (1, 2)]
    parts = [{"type": "text", "text": text} for text in words]
    record = line(2, "", message={"role": "assistant", "content": [parts[0], use[0], parts[1], use[1]]})
    session = read(line(1, "Hello there."), line(1, "Refactor the store.", uuid="u0"), record)
    known = anchors(session)[2:]
    assert len(known) == 4
    for kept in (read(line(1, "Refactor the store.", uuid="u0"), record), read(record)):
        found = resolve_all(kept.entries, known)
        assert [place.entry.text for place in found if place.entry] == [session.entries[n].text for n in (2, 3, 4, 5)]
        assert not any(place.changed for place in found)
