"""Rules about `#slug`, `/slug` and `requires`."""

import pytest

from memory_core.lint.check import check_all
from memory_core.snapshot import snapshot_of
from memory_core.text import apply_edits
from tests.lint.lint_fixture import check_lint, codes, decision, diagnostics, fixed, knowledge, request, workflow

POLICY = f"//- knowledge/retry-policy.md\n{knowledge()}"


def test_unknown_slug_is_reported_once_at_its_exact_place():
    """The older store checked no reference in a body."""
    check_lint(
        POLICY
        + "//- memory/decisions/a.md\n"
        + decision(
            body="See #retry-policy, and (#ghost-slug).\n//                      ^^^^^^^^^^^ unknown-reference\n"
        )
    )


def test_each_occurrence_is_reported():
    text = decision(body="#ghost and #ghost\n")
    assert codes(f"//- memory/decisions/a.md\n{text}", "memory/decisions/a.md") == ["unknown-reference"] * 2


def test_a_reference_in_a_description_counts():
    check_lint(
        POLICY
        + "//- memory/decisions/a.md\n"
        + decision(
            "status: open\n"
            "description: See '#retry-policy' and '#ghost'.\n"
            "//                                    ^^^^^^ unknown-reference\n"
        )
    )


@pytest.mark.parametrize(
    "body",
    [
        "`#ghost` and ``a ` #ghost``",
        "```sh\n#!/bin/bash\n#ghost\n```",
        "~~~\n#ghost\n~~~",
        "- item\n\n  ```\n  #ghost\n  ```",
        "```\n#ghost never closed",
        "https://example.org/a#ghost and <https://example.org/#ghost>",
        "[text](../../../other.md#ghost) [text](#ghost)",
        "[label]: ../../../other.md#ghost",
        '<a href="#ghost">x</a>',
        "<!-- #ghost -->",
        "$x #ghost$ and $$\n#ghost\n$$",
        "C#ghost issue#ghost F#",
        "\\#ghost",
        "#12 #fff #00ff00",
        "# Heading\n## ghost",
        "#Ghost #gho_st #café",
        "#ghost/nested #ghost.md",
    ],
)
def test_what_is_no_reference_is_not_reported(body):
    check_lint(f"//- memory/decisions/a.md\n{decision(body=body + chr(10))}")


def test_emoji_and_cjk_before_a_reference_shift_no_column():
    """Code points, not UTF-16 units or bytes."""
    body = "😀語é #ghost語\n//  ^^^^^^ unknown-reference\n"
    check_lint(f"//- memory/decisions/a.md\n{decision(body=body)}")


def test_a_near_slug_is_suggested():
    found = diagnostics(
        POLICY + f"//- memory/decisions/a.md\n{decision(body='#retry-polcy ' + chr(10))}", "memory/decisions/a.md"
    )
    assert "Did you mean `#retry-policy`?" in found[0].message
    assert found[0].fixes[0].title == "Change to `#retry-policy`"
    assert found[0].fixes[0].edits[0].new_text == "#retry-policy"


def test_a_guess_is_never_applied_by_fix():
    source = POLICY + f"//- memory/decisions/a.md\n{decision(body='#retry-polcy ' + chr(10))}"
    assert fixed(source, "memory/decisions/a.md") is None


def test_a_decision_of_that_name_is_no_knowledge():
    source = (
        f"//- memory/decisions/ghost.md\n{decision()}//- memory/decisions/a.md\n{decision(body='#ghost' + chr(10))}"
    )
    assert codes(source, "memory/decisions/a.md") == ["unknown-reference"]


def test_a_broken_record_still_has_its_slug():
    """Bug 18: one bad head breaks no other record."""
    source = (
        f"//- knowledge/ghost.md\n---\nkind: [\n---\n//- memory/decisions/a.md\n{decision(body='#ghost' + chr(10))}"
    )
    assert codes(source, "memory/decisions/a.md") == []
    assert "malformed-frontmatter" in codes(source, "knowledge/ghost.md")


def test_a_slash_word_is_a_problem_only_near_a_workflow():
    body = "Run /release-chek, look in /tmp and /usr/bin.\n//  ^^^^^^^^^^^^^ unknown-workflow\n"
    check_lint(f"//- workflow/release-check.md\n{workflow()}//- memory/decisions/a.md\n{decision(body=body)}")


def test_a_requirement_that_does_not_exist():
    check_lint(
        POLICY
        + """\
//- workflow/w.md
---
description: Do.
requires: [retry-policy, ghost]
//                       ^^^^^ unknown-requires
---
Text.
"""
    )


def test_a_record_that_is_left_behind_by_a_rename_says_where_the_name_is_now():
    source = POLICY + f"//- memory/decisions/a.md\n{decision(body='#retry-polcy ' + chr(10))}"
    assert [place.path for place in diagnostics(source, "memory/decisions/a.md")[0].related] == [
        "knowledge/retry-policy.md"
    ]


def test_a_name_that_another_kind_bears_is_said():
    """`#` names knowledge alone: a decision of that name is not what it leads to."""
    source = (
        f"//- memory/decisions/use-tabs.md\n{decision()}"
        f"//- memory/decisions/a.md\n{decision(body='#use-tabs' + chr(10))}"
    )
    (found,) = diagnostics(source, "memory/decisions/a.md")
    assert "There is a decision `use-tabs`, which cannot be named here." in found.message
    assert [place.path for place in found.related] == ["memory/decisions/use-tabs.md"]
    assert found.fixes == ()


def test_deleting_a_record_is_an_error_in_every_record_that_names_it():
    texts = {
        "knowledge/retry-policy.md": knowledge(),
        "memory/decisions/a.md": decision(body="#retry-policy\n"),
        "workflow/w.md": workflow("requires: [retry-policy]\n"),
    }
    snapshot = snapshot_of(texts)
    assert check_all(snapshot) == {}
    without = check_all(snapshot.with_documents({"knowledge/retry-policy.md": None}))
    assert {path: [d.code for d in found] for path, found in without.items()} == {
        "memory/decisions/a.md": ["unknown-reference"],
        "workflow/w.md": ["unknown-requires"],
    }


def test_a_path_that_leads_to_no_record_is_found_where_it_can_mean_nothing_else() -> None:
    body = (
        "See [it](use-x.md#why), not [this](here.md) nor `requests/adapters` nor decisions/gone.\n"
        "//       ^^^^^^^^ unknown-place\n"
        "Replaces `decisions/use-x`: old.\n"
        "//        ^^^^^^^^^^^^^^^ unknown-place\n"
    )
    check_lint(f"//- memory/decisions/here.md\n{decision(body=body)}")


def test_a_near_name_is_offered_for_a_path_as_it_is_written() -> None:
    body = "See [it](../requests/exprot.md).\n"
    source = f"//- memory/decisions/here.md\n{decision(body=body)}//- memory/requests/export.md\n{request()}"
    (problem,) = diagnostics(source, "memory/decisions/here.md")
    assert "Did you mean `../requests/export`?" in problem.message
    (fix,) = problem.fixes
    assert apply_edits(decision(body=body), fix.edits) == decision(body=body.replace("exprot", "export"))
