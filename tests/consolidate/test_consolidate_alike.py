"""Candidates that say nearly the same are marked for whoever decides them (T27, T30, T62)."""

from __future__ import annotations

from memory_core.consolidate.alike import MOST, alike
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.staging import CandidateRef
from tests.consolidate.conftest import decided, staged


def refs(*texts: str) -> list[CandidateRef]:
    return [ref for number, text in enumerate(texts) for ref in staged(number, decided(text)).candidates()]


def record(slug: str, description: str) -> Snapshot:
    dates = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\n"
    text = f"---\n{dates}sources: []\nstatus: open\ndescription: {description}\n---\n\nText.\n"
    return snapshot_of({f"memory/decisions/{slug}.md": text})


def test_two_wordings_of_one_thing_point_at_each_other() -> None:
    one, two, other = refs(
        "Keep all dates in UTC in the database",
        "Always keep dates in UTC in the database",
        "Use uv for the lock file",
    )
    marks = alike([one, two, other], Snapshot())
    assert marks == {one.id: (two.id,), two.id: (one.id,)}


def test_numbers_do_not_hide_a_likeness() -> None:
    """T30: notes that differ only in a figure pile up unnoticed."""
    one, two = refs("The retry limit of the importer is 3 attempts", "The retry limit of the importer is 5 attempts")
    assert alike([one, two], Snapshot())[one.id] == (two.id,)


def test_the_opposite_is_no_likeness() -> None:
    one, two = refs(
        "Commit the generated files to the repository", "Do not commit the generated files to the repository"
    )
    assert alike([one, two], Snapshot()) == {}


def test_a_record_that_says_it_is_named() -> None:
    (one,) = refs("Keep all dates in UTC in the database")
    assert alike([one], record("utc", "Keep dates in UTC in the database."))[one.id] == ("decision/utc",)


def test_japanese_and_chinese_are_compared_without_a_dictionary() -> None:
    one, two = refs("日付はデータベースでは必ずUTCで保存する", "日付はデータベースではUTCで保存する")
    assert alike([one, two], Snapshot())[one.id] == (two.id,)


def spoken(number: int, text: str, *, entry: int = 1, heard: str = "日付はUTCで保存して") -> CandidateRef:
    """A candidate that rests on what was said in an entry of the same session."""
    (ref,) = staged(number, decided(text, entry, heard), session="s").candidates()
    return ref


def test_the_same_fact_in_two_languages_is_known_by_its_evidence() -> None:
    """T22: it shares no word with itself in the other language."""
    english, japanese = spoken(1, "Keep all dates in UTC"), spoken(2, "日付は必ず UTC で保存する")
    elsewhere = spoken(3, "日付は必ず UTC で保存すること", entry=2)
    marks = alike([english, japanese, elsewhere], Snapshot())
    assert marks[english.id] == (japanese.id,)
    assert marks[japanese.id] == (english.id, elsewhere.id)
    assert marks[elsewhere.id] == (japanese.id,)


def test_a_record_in_another_language_is_named_by_its_evidence() -> None:
    """T22"""
    ref = spoken(1, "Keep all dates in UTC")
    (anchor,) = ref.candidate.evidence
    dates = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\n"
    where = f"{{entry_range: [1, 1], sha256: {anchor.sha256}, evidence_id: M0001, kind: message, speaker: human}}"
    source = f"sources:\n  - {{session_id: s, range: [1, 1], anchors: [{where}]}}\n"
    text = f"---\n{dates}{source}status: open\ndescription: 日付は UTC で保存する。\n---\n\n本文\n"
    snapshot = snapshot_of({"memory/decisions/utc.md": text})
    assert alike([ref], snapshot) == {ref.id: ("decision/utc",)}
    assert alike([spoken(1, "Keep all dates in UTC", entry=2)], snapshot) == {}


def test_two_decisions_of_one_message_in_one_language_are_no_likeness() -> None:
    both = "Keep all dates in UTC, and use uv for the lock file"
    refs = [spoken(1, "Keep all dates in UTC", heard=both), spoken(2, "Use uv for the lock file", heard=both)]
    assert alike(refs, Snapshot()) == {}


def test_many_alike_name_a_few_and_a_thousand_take_no_time_by_pairs() -> None:
    many = refs(*[f"Keep all dates in UTC in table number {n}" for n in range(300)])
    marks = alike(many, Snapshot())
    assert all(len(like) <= MOST for like in marks.values())
