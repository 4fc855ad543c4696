"""Inlay hints: what a record is, behind its name."""

from __future__ import annotations

import pytest

from memory_core.ide.inlay import MAX_HINTS, MAX_LENGTH, hints
from memory_core.ide.view import View, view_of
from memory_core.testing import fixture
from memory_core.text import LineIndex, Position, Range
from tests.ide.ide_questions import decision, knowledge, workflow

STORE = knowledge("api-keys", "Where keys live") + workflow("release", "How to release") + knowledge("deploy", "D")
ALL = Range(Position(0, 0), Position(10_000, 0))


def shown(text: str, records: str = STORE, within: Range = ALL, **more: bool) -> list[tuple[int, int, str]]:
    """The hints of a text: line, column, words."""
    found = hints(fixture(records).snapshot, View(text, **more), within)
    return [(hint.position.line, hint.position.character, hint.text) for hint in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see #api-keys.", [(0, 13, "Where keys live")]),
        ("日本語 👩 #api-keys", [(0, 15, "Where keys live")]),
        ("/release then #deploy", [(0, 8, "How to release"), (0, 21, "D")]),
        ("#api-keys #api-keys\n#api-keys", [(0, 9, "Where keys live"), (1, 9, "Where keys live")]),
        ("#nowhere `#api-keys` #12 https://x.org/#api-keys", []),
        ("```\n#api-keys\n```\n#deploy", [(3, 7, "D")]),
        ("", []),
    ],
)
def test_a_hint_stands_behind_each_name_of_a_record(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert shown(text) == expected


def test_only_what_is_asked_for_is_answered() -> None:
    text = "\n".join(["#api-keys"] * 100)
    within = Range(Position(10, 0), Position(20, 0))
    assert [line for line, _, _ in shown(text, within=within)] == list(range(10, 21))
    assert shown(text, within=Range(Position(200, 0), Position(300, 0))) == []


def test_at_most_so_many_at_once() -> None:
    assert len(shown("\n".join(["#api-keys"] * (MAX_HINTS + 50)))) == MAX_HINTS


def test_a_long_description_is_cut_and_whole_in_the_tooltip() -> None:
    long = "word " * 40
    (hint,) = hints(fixture(knowledge("a", long)).snapshot, View("#a"), ALL)
    assert len(hint.text) <= MAX_LENGTH
    assert hint.text.endswith("…")
    assert hint.tooltip == long.strip()
    (hint,) = hints(fixture(STORE).snapshot, View("#deploy"), ALL)
    assert hint.tooltip is None


def test_a_record_without_description_is_named_by_its_title_or_not_at_all() -> None:
    store = "//- knowledge/a.md\n---\nkind: fact\n---\n# The title\n//- knowledge/b.md\n---\nkind: fact\n---\nText.\n"
    assert shown("#a and #b", store) == [(0, 2, "The title")]


def test_a_replaced_decision_is_said_to_be() -> None:
    source = decision("new", replaced_by="old") + decision("old", status="replaced", description="Use the vault")
    read = fixture(source + decision("bare", status="replaced") + decision("x", replaced_by="bare"))
    view = view_of(read.snapshot.documents["memory/decisions/new.md"])
    (hint,) = hints(read.snapshot, view, ALL)
    assert hint.text == "replaced: Use the vault"
    view = view_of(read.snapshot.documents["memory/decisions/x.md"])
    assert [hint.text for hint in hints(read.snapshot, view, ALL)] == ["replaced"]


def test_slugs_in_frontmatter_have_hints_too() -> None:
    read = fixture(workflow("go", requires="[api-keys, deploy]") + STORE)
    view = view_of(read.snapshot.documents["workflow/go.md"])
    assert [hint.text for hint in hints(read.snapshot, view, ALL)] == ["Where keys live", "D"]


def test_a_hostile_description_stays_on_its_line() -> None:
    ((_, _, text),) = shown("#evil", knowledge("evil", "first\\nsecond \u202egnp.exe\\u0007"))
    assert text == "first second gnp.exe"


def test_every_line_end_counts_as_lsp_does() -> None:
    text = "a\r#api-keys\r\nform\x0cfeed #deploy \u2028 x"
    assert [place[0] for place in shown(text)] == [1, 2]
    assert LineIndex(text).line_count == 3
