"""Edits between two texts: right for every pair of texts, and no larger than what changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.changes import FileChange
from memory_core.refactor.file_edits import edits_between, file_edits
from memory_core.text import LineIndex, Position, Range, apply_edits

PIECES = st.sampled_from(["a", "b", "\n", "\r\n", "\r", "a\n", "b\n", "\u2028", "語", "👩\u200d👧", "", "x" * 5])
TEXTS = st.lists(PIECES, max_size=14).map("".join)


@given(TEXTS, TEXTS)
@settings(max_examples=800, deadline=None)
def test_the_edits_of_any_two_texts_lead_from_one_to_the_other(before: str, after: str) -> None:
    assert apply_edits(before, edits_between(before, after)) == after


@given(TEXTS, TEXTS)
@settings(max_examples=400, deadline=None)
def test_no_edit_begins_or_ends_inside_a_line_end(before: str, after: str) -> None:
    """An editor has no position between `\\r` and `\\n`."""
    lines = LineIndex(before)
    for edit in edits_between(before, after):
        for place in (edit.range.start, edit.range.end):
            at = lines.offset(place)
            assert not (at and before[at - 1 : at + 1] == "\r\n")


def test_equal_texts_need_no_edit() -> None:
    assert edits_between("a\nb\n", "a\nb\n") == ()


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ("one\ntwo\nthree\n", "one\n2\nthree\n", [((1, 0), (1, 3), "2")]),
        ("a #old b\n", "a #new b\n", [((0, 3), (0, 6), "new")]),
        ("a\n", "a\nb\n", [((1, 0), (1, 0), "b\n")]),
        ("a\nb\n", "a\n", [((1, 0), (2, 0), "")]),
        ("", "a", [((0, 0), (0, 0), "a")]),
        ("x\ny\nz\n", "1\ny\n2\n", [((0, 0), (0, 1), "1"), ((2, 0), (2, 1), "2")]),
    ],
)
def test_an_edit_holds_what_changed_and_nothing_around_it(
    before: str, after: str, places: list[tuple[tuple[int, int], tuple[int, int], str]]
) -> None:
    found = [(edit.range, edit.new_text) for edit in edits_between(before, after)]
    assert found == [(Range(Position(*start), Position(*end)), text) for start, end, text in places]


def test_a_long_text_that_is_another_one_is_one_edit() -> None:
    before, after = "".join(f"a{n}\n" for n in range(4_000)), "".join(f"b{n}\n" for n in range(4_000))
    (edit,) = edits_between(before, after)
    assert apply_edits(before, [edit]) == after


def test_a_long_text_with_one_other_line_is_a_small_edit() -> None:
    before = "".join(f"line {n}\n" for n in range(20_000))
    (edit,) = edits_between(before, before.replace("line 9999\n", "line x\n"))
    assert (edit.range.start.line, edit.range.end.line, len(edit.new_text)) == (9999, 9999, 1)


def test_the_edits_of_a_change_refer_to_what_was_there_before() -> None:
    found = file_edits(FileChange("knowledge/a.md", "one\n", "two\n"))
    assert (found.path, found.text, found.moved_to) == ("knowledge/a.md", "one\n", None)
    assert apply_edits(found.text, found.edits) == "two\n"
