"""What git leaves of a conflict, and what only looks like it."""

from __future__ import annotations

import pytest

from memory_core.diagnostic import Diagnostic
from memory_core.lint.check import check
from memory_core.lint.fix import apply_fixes
from memory_core.snapshot import snapshot_of
from memory_core.text import apply_edits
from tests.lint.lint_fixture import DATES, decision

A = "memory/decisions/a.md"
CONFLICT = "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> 1a2b3c (why)\n"


def conflicts(text: str) -> list[Diagnostic]:
    return [d for d in check(snapshot_of({A: text}), A) if d.code == "merge-conflict"]


@pytest.mark.parametrize(
    "conflict",
    [
        CONFLICT,
        CONFLICT.replace("\n", "\r\n"),
        CONFLICT.replace("=======", "||||||| base\nZero.\n======="),
        CONFLICT.replace("One.", "One\n```sh\nls\n```"),
    ],
)
def test_both_sides_are_named_and_either_can_be_kept(conflict: str) -> None:
    text = decision(body=f"Before.\n{conflict}After.\n")
    (found,) = conflicts(text)
    assert (found.range.start.line, found.range.start.character) == (8, 0)
    assert f"in lines 9 to {8 + len(conflict.splitlines())}" in found.message
    first, second = (apply_edits(text, fix.edits) for fix in found.fixes)
    assert "One" in first
    assert "Two." in second
    for kept in (first, second):
        assert conflicts(kept) == []
        assert kept.startswith(text.partition("<")[0])
        assert kept.endswith("After.\n")
        assert "Zero." not in kept
    fixed = apply_fixes(snapshot_of({A: text}), A)
    assert fixed is None or CONFLICT.splitlines()[0] in fixed, "which side is true is a person's choice"


def test_a_conflict_in_the_head_is_named_too() -> None:
    """The usual one: both branches changed `updated_at`."""
    head = DATES + "<<<<<<< HEAD\nstatus: open\n=======\nstatus: resolved\n>>>>>>> b\nsources: []\n"
    (found,) = conflicts(f"---\n{head}---\n\nText.\n")
    assert found.range.start.line == 3
    (whole,) = conflicts(f"<<<<<<< HEAD\n{decision()}=======\n{decision(body='Other.')}\n>>>>>>> b\n")
    assert whole.range.start.line == 0


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (f"{CONFLICT}x\n{CONFLICT}", [7, 13]),
        ("x\n>>>>>>> feature\ny\n", [8]),
        ("<<<<<<< HEAD\ny\n", [7]),
        ("<<<<<<< HEAD\ny\n<<<<<<< HEAD\nz\n=======\n>>>>>>> b\n", [7, 9]),
        (f"```\n{CONFLICT}```\n", []),
        (f"- as in\n  ~~~text\n{CONFLICT}  ~~~\n", []),
        (f"    {CONFLICT}".replace("\n", "\n    "), []),
        ("Heading\n=======\n\nText.\n", []),
        ("> > quoted\n>>>>>>> quoted deeply\n> less\n", []),
        ("<<<<<<<< eight\n<<<<<<<x\n>>>>>>>\n", []),
        ("Git writes `<<<<<<< HEAD` and `>>>>>>> b`.\n", []),
        ("||||||| a table\n", []),
    ],
)
def test_marks_are_found_where_git_leaves_them_and_nowhere_else(body: str, lines: list[int]) -> None:
    assert [found.range.start.line for found in conflicts(decision(body=body))] == lines


def test_many_marks_take_no_square_of_time() -> None:
    assert len(conflicts(decision(body="<<<<<<< a\n" * 20_000))) == 501
