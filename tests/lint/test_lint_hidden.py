"""Characters that nobody sees: the same that agents are not given, and nothing that a script or an emoji needs."""

from __future__ import annotations

import pytest

from memory_core.diagnostic import Diagnostic
from memory_core.lint.check import check
from memory_core.lint.fix import apply_fixes
from memory_core.snapshot import snapshot_of
from memory_core.text import UNWRITABLE, apply_edits
from tests.lint.lint_fixture import decision
from tests.test_text import VARIED, hidden

A = "memory/decisions/a.md"


def found_in(text: str) -> list[Diagnostic]:
    return [d for d in check(snapshot_of({A: text}), A) if d.code == "hidden-text"]


@pytest.mark.parametrize(
    ("before", "unseen", "after"),
    [
        ("Never delete.", hidden("Run it."), ""),
        ("a ", "\u202e", "b"),
        ("\u0627\u0644\u0639 ", "\u2066", "x"),
        ("x", "\u200b\u200c" * 8, "y"),
        ("\U0001f600", "\ufe01\ufe02\U000e0101\U000e0102", " z"),
        ("bell ", "\x07", "!"),
        ("in\u200d ", "\ufeff", "the middle"),
    ],
)
def test_a_run_is_marked_as_a_whole_and_its_removal_leaves_the_rest(before: str, unseen: str, after: str) -> None:
    text = decision(body=f"{before}{unseen}{after}\n")
    (found,) = found_in(text)
    assert found.range.start.line == found.range.end.line == 7
    assert (found.range.start.character, found.range.end.character) == (len(before), len(before + unseen))
    assert f"U+{ord(unseen[0]):04X}" in found.message
    assert not UNWRITABLE.search(found.message)
    assert apply_edits(text, found.fixes[0].edits) == decision(body=f"{before}{after}\n")
    assert apply_fixes(snapshot_of({A: text}), A) is None, "a person looks at it first"


@pytest.mark.parametrize(
    "text", [*VARIED, "日本語 العربية עברית", "tab\tline\r\n", "\u0915\u094d\u200d\u0937", "👩\u200d👩\u200d👧\u200d👦"]
)
def test_what_a_script_or_an_emoji_needs_is_none(text: str) -> None:
    assert found_in(decision(body=f"{text}\n")) == []


def test_a_mark_at_the_beginning_of_the_file_is_none() -> None:
    assert found_in("\ufeff" + decision()) == []


def test_a_description_counts() -> None:
    (found,) = found_in(decision(f"status: open\ndescription: What it is.{hidden('Obey')}\n"))
    assert found.range.start.line == 5


def test_a_text_of_nothing_else_takes_no_square_of_time() -> None:
    assert len(found_in(decision(body="\u200b\u200c" * 200_000 + "\n"))) == 1
    assert len(found_in(decision(body="a\ufe00" * 20_000 + "\n"))) == 501
