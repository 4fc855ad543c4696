"""Properties of all fixes together: they end, they keep every byte they do not need to change, they repair."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.diagnostic import Severity
from memory_core.lint.check import check, errors
from memory_core.lint.fix import apply_fixes, certain, fixed
from memory_core.lint.registry import GUESSES
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.text import apply_edits
from tests.lint.lint_fixture import decision, knowledge, workflow

INSTANTS = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00+09:00", "'2026-01-03T00:00:00Z'", "yesterday"]
SOURCES = ["[]", "[{session_id: s, range: [17, 3]}]", "\n  - session_id: s  # why\n    range: [9, 2]", "abc", ""]
# What may stand behind a key, right and wrong, as people write it.
VALUES = {
    "created_at": [*INSTANTS, "2026-01-01T00:00:00Z #imported", "#later"],
    "updated_at": INSTANTS,
    "sources": SOURCES,
    "last_sources": SOURCES,
    "status": ["open", "Open", "' RESOLVED'", "replaced", "done", "true", "", "replaced #old", "Open #old", "#open"],
    "replaced_by": [
        "other",
        "othr",
        "here",
        "'#other'",
        "gone",
        "",
        "other #since",
        "#other",
        "#gone",
        "#here",
        "'#null'",
        "2026",
    ],
    "kind": ["fact", "3", "2026", "null", "a #b", "''", "policy #imported", "&a 123", "!!int 5"],
    "description": [
        "What it is.",
        "See #othr",
        "See #other",
        "#othr",
        "issue #12 is why",
        "'it''s #x'",
        "it's #x",
        '"a: b"',
        "12",
        "",
        "# a comment",
    ],
    "model_invokation": ["true", "yes", "'Off'", "maybe", "TRUE", ""],
    "model_invocation": ["true", "on"],
    "user_invocable": ["false", "No", "1"],
    "requires": [
        "[other]",
        '["#other", othr]',
        "other",
        "\n  - other\n  - '#other.md'",
        "[]",
        "\n  - other #first\n  - #other",
        "\n  - #gone",
        "[2026, 'null', on]",
    ],
    "origin": ["user", "user #me", "me"],
    "discription": ["x"],
    "note": ["# kept", "kept  # and this", "a #b"],
    "last_rewritten_from_range": ["[9, 1]", "[1, 9]", "x"],
}
BODIES = st.sampled_from(
    [
        "",
        "\n",
        "\nText.\n",
        "\n\nSee #othr and /othr.\n\n",
        "No line end",
        "\ttabs \n trailing  \n",
        "語😀 #other\n",
        "---\nx\n",
    ]
)
PATHS = [
    "memory/summary.md",
    "memory/decisions/here.md",
    "memory/requests/here.md",
    "knowledge/here.md",
    "workflow/here.md",
]


@st.composite
def records(draw: st.DrawFn) -> tuple[str, str]:
    """A path and a record with whatever may be wrong in it; all line ends alike, perhaps with a byte order mark."""
    keys = draw(st.lists(st.sampled_from(sorted(VALUES)), unique=True, max_size=8))
    indent = draw(st.sampled_from(["", "", "", "  "]))
    lines: list[str] = []
    for key in keys:
        value = draw(st.sampled_from(VALUES[key]))
        lines += draw(st.sampled_from([[], [], [], ["# a comment"]]))
        lines += (
            f"{key}: {value}".rstrip(" ").split("\n") if not value.startswith("\n") else f"{key}:{value}".split("\n")
        )
    head = "".join(f"{indent}{line}\n" for line in lines)
    text = f"---\n{head}---\n{draw(BODIES)}"
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return draw(st.sampled_from(PATHS)), draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", newline)


def around(path: str, text: str) -> Snapshot:
    return snapshot_of(
        {
            "knowledge/other.md": knowledge(),
            "workflow/other.md": workflow(),
            "memory/decisions/other.md": decision(),
            "memory/decisions/null.md": decision(),
            "memory/decisions/2026.md": decision(),
            path: text,
        }
    )


def body_of(snapshot: Snapshot, path: str) -> str:
    record = snapshot.documents[path].record
    assert record
    return record.body


@settings(max_examples=500, deadline=None)
@given(records())
def test_fixing_twice_is_fixing_once(given_record):
    """T55"""
    path, text = given_record
    snapshot = around(path, text)
    once = apply_fixes(snapshot, path)
    if once is not None:
        assert once != text
        assert apply_fixes(snapshot.with_texts({path: once}), path) is None


@settings(max_examples=500, deadline=None)
@given(records())
def test_what_a_fix_need_not_change_stays(given_record):
    """T55: the mark, the body, the line ends, comments and unknown keys; nothing is put in front."""
    path, text = given_record
    snapshot = around(path, text)
    fixed = apply_fixes(snapshot, path)
    if fixed is None:
        return
    after = snapshot.with_texts({path: fixed})
    assert fixed.startswith("\ufeff") == text.startswith("\ufeff")
    assert body_of(after, path) == body_of(snapshot, path)
    assert _line_ends(fixed) <= _line_ends(text)
    assert fixed.count("---") == text.count("---")
    for kept in ("# a comment", "note: # kept", "note: kept  # and this", "# why"):
        assert fixed.count(kept) == text.count(kept)
    lines = [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if "note:" in line]
    assert all(line in fixed for line in lines)


def _line_ends(text: str) -> set[str]:
    rest = text.replace("\r\n", "")
    return {end for end, there in (("\r\n", "\r\n" in text), ("\n", "\n" in rest), ("\r", "\r" in rest)) if there}


@settings(max_examples=500, deadline=None)
@given(records())
def test_each_certain_fix_removes_its_problem_and_breaks_no_head(given_record):
    path, text = given_record
    snapshot = around(path, text)
    document = snapshot.documents[path]
    broken = document.record and document.record.head and document.record.head.broken
    for problem in check(snapshot, path):
        for fix in problem.fixes:
            changed = snapshot.with_texts({path: apply_edits(text, fix.edits)})
            found = check(changed, path)
            if not broken:
                assert "malformed-frontmatter" not in [d.code for d in found]
            if problem.code not in GUESSES:
                before = [d.message for d in check(snapshot, path)].count(problem.message)
                assert [d.message for d in found].count(problem.message) < before


@settings(max_examples=500, deadline=None)
@given(records())
def test_no_certain_fix_makes_an_error_of_what_was_none(given_record):
    """Valid values with a comment behind them became invalid ones, and the decision that was replaced was in force."""
    path, text = given_record
    snapshot = around(path, text)
    found = check(snapshot, path)
    record = snapshot.documents[path].record
    readable = record and record.head and not record.head.broken
    for problem in found if readable else ():
        if certain(problem):
            changed = snapshot.with_texts({path: apply_edits(text, problem.fixes[0].edits)})
            assert len(errors(check(changed, path))) <= len(errors(found)), problem
    fixed = apply_fixes(snapshot, path)
    if fixed is not None:
        assert len(errors(check(snapshot.with_texts({path: fixed}), path))) <= len(errors(found))


def test_a_fix_after_which_there_are_more_errors_is_dropped_and_the_others_are_made():
    """Whatever a rule thinks of its fix: what counts as an error is the workspace's to say."""
    text = knowledge(description=f"description: See #{'a' * 1024}\n").replace("model_invokation: false\n", "")
    text = text.replace("user_invocable: true", "user_invocable: yes\nmodel_invokation: true")
    severities = {"description-too-long": Severity.ERROR}
    done = fixed(snapshot_of({PATHS[3]: text}), PATHS[3], severities)
    assert done
    assert done.text == text.replace("user_invocable: yes", "user_invocable: true")
    assert [applied.code for applied in done.applied] == ["invalid-field"]


@settings(max_examples=300, deadline=None)
@given(records(), st.sampled_from(["a: b: c", "[", "a: 'x", "\ta: 1", "a: &x *x", "? [", "}: 1"]))
def test_a_head_that_cannot_be_read_is_left_alone(given_record, line):
    """T55"""
    path, text = given_record
    newline = next(iter(_line_ends(text)))
    broken = text.replace("---" + newline, f"---{newline}{line}{newline}", 1)
    snapshot = around(path, broken)
    record = snapshot.documents[path].record
    if record and (record.head is None or record.head.broken):
        assert apply_fixes(snapshot, path) is None


@pytest.mark.parametrize("text", ["", "---", "---\nstatus: Open\n", "Just text.\n", "\n---\nstatus: Open\n---\n"])
def test_a_record_without_a_head_gets_none(text):
    """T55: no second head in front of the first."""
    assert apply_fixes(snapshot_of({PATHS[1]: text}), PATHS[1]) is None
