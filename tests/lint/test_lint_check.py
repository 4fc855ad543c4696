"""What surrounds the rules: places and files that are no record, suppressions, severities, the order of answers."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.diagnostic import Severity
from memory_core.lint.check import check, check_all, errors
from memory_core.lint.fix import apply_fixes
from memory_core.lint.registry import CODES, EXPLAINED, GUESSES, RULES
from memory_core.snapshot import Document, Snapshot, snapshot_of
from memory_core.text import LineIndex, apply_edits
from tests.lint.lint_fixture import check_lint, codes, decision, fixed, knowledge

A = "memory/decisions/a.md"


def test_places_and_names_that_are_no_record():
    check_lint(
        f"//- memory/decisions/deep/a.md\n{decision()}".replace("---\ncreated", "---\n//< invalid-path\ncreated", 1)
        + f"//- memory/attempts/a.md\n{decision()}".replace("---\ncreated", "---\n//< invalid-path\ncreated", 1)
        + "//- knowledge/notes.txt\nSome notes.\n//<^^^^^^^^ invalid-path\n"
        + f"//- memory/decisions/Bad_Name.md\n{decision()}".replace("---\ncreated", "---\n//< invalid-slug\ncreated", 1)
        + f"//- memory/decisions/con.md\n{decision()}".replace("---\ncreated", "---\n//< invalid-slug\ncreated", 1)
    )


def test_a_bad_name_hides_no_other_problem():
    assert codes(f"//- memory/decisions/Bad.md\n{decision('')}", "memory/decisions/Bad.md") == [
        "invalid-slug",
        "missing-field",
    ]


def test_a_file_that_cannot_be_read_is_judged_by_that_alone():
    snapshot = Snapshot().with_documents({A: Document(A, "�", "`a` is not UTF-8 (byte 0): save it as UTF-8.")})
    assert [(d.code, d.message) for d in check(snapshot, A)] == [
        ("unreadable-file", "`a` is not UTF-8 (byte 0): save it as UTF-8.")
    ]
    assert apply_fixes(snapshot, A) is None


def test_an_unknown_path_has_no_problems():
    assert check(Snapshot(), A) == []
    assert apply_fixes(Snapshot(), A) is None


def test_no_frontmatter_and_an_empty_file():
    check_lint("//- knowledge/a.md\nJust text.\n//<^^^^^^^ missing-frontmatter\n")
    assert [d.code for d in check(snapshot_of({"knowledge/a.md": ""}), "knowledge/a.md")] == ["missing-frontmatter"]
    assert codes("//- knowledge/a.md\n---\nkind: x\n", "knowledge/a.md") == ["missing-frontmatter"]


def test_a_disabling_comment_hides_its_codes_in_its_file_only():
    body = "#ghost <!-- omoide-disable unknown-reference, thin-evidence -->\n"
    check_lint(
        f"//- memory/decisions/a.md\n{decision(body=body)}"
        f"//- memory/decisions/b.md\n{decision(body='#ghost' + chr(10) + '//<^^^ unknown-reference' + chr(10))}"
    )


def test_a_disabling_comment_with_a_wrong_code_says_so():
    body = "#ghost <!-- omoide-disable unknown-refs -->\n"
    found = check(snapshot_of({A: decision(body=body)}), A)
    assert [(d.code, d.severity) for d in found] == [
        ("unknown-reference", Severity.ERROR),
        ("unknown-disable", Severity.HINT),
    ]
    start, end = found[1].range.start.character, found[1].range.end.character
    assert body[start:end] == "unknown-refs"


def test_severities_of_the_workspace_replace_those_of_rules_and_parser():
    text = decision("status: open\nstatus: open\n", body="#ghost\n")
    severities = {"unknown-reference": Severity.HINT, "duplicate-key": None}
    found = check(snapshot_of({A: text}), A, severities)
    assert [(d.code, d.severity) for d in found] == [("unknown-reference", Severity.HINT)]
    assert errors(found) == []


def test_diagnostics_come_in_the_order_of_their_place():
    text = "---\nfoo: 1\nstatus: Open\n---\n\n#ghost\n"
    found = check(snapshot_of({A: text}), A)
    assert [d.range for d in found] == sorted(d.range for d in found)
    assert [d.code for d in found[-3:]] == ["unknown-key", "invalid-status", "unknown-reference"]


def test_check_all_names_only_files_with_problems_in_path_order():
    snapshot = snapshot_of({"knowledge/b.md": "", A: decision(), "knowledge/a.md": ""})
    assert list(check_all(snapshot)) == ["knowledge/a.md", "knowledge/b.md"]


def test_every_code_is_in_the_table_once_and_every_rule_has_its_own():
    codes_of_rules = [rule.code for rule in RULES]
    assert len(codes_of_rules) == len(set(codes_of_rules))
    assert set(codes_of_rules) <= CODES <= EXPLAINED.keys()
    assert set(codes_of_rules) >= GUESSES


def test_a_fix_keeps_the_line_ends_of_its_file():
    text = knowledge().replace("user_invocable: true\n", "").replace("kind: fact", "kind: 3").replace("\n", "\r\n")
    snapshot = snapshot_of({"knowledge/a.md": text})
    fixed_text = apply_fixes(snapshot, "knowledge/a.md")
    assert fixed_text is not None
    assert "\n" not in fixed_text.replace("\r\n", "")
    assert check(snapshot.with_texts({"knowledge/a.md": fixed_text}), "knowledge/a.md") == []


def test_a_fix_of_an_indented_head_is_indented():
    head = "".join(f"  {line}\n" for line in knowledge().split("---\n")[1].splitlines() if "user_inv" not in line)
    result = fixed(f"//- knowledge/a.md\n---\n{head}---\n\nSo.\n", "knowledge/a.md")
    assert result == f"---\n{head}  user_invocable: true\n---\n\nSo.\n"


def test_a_head_that_cannot_be_read_is_never_touched():
    text = decision("status: Open\nbad: a: b\n")
    assert "invalid-status" in codes(f"//- {A}\n{text}", A)
    assert fixed(f"//- {A}\n{text}", A) is None


def test_a_rule_turned_off_is_not_fixed():
    snapshot = snapshot_of({A: decision("status: Open\n")})
    assert apply_fixes(snapshot, A, {"invalid-status": None}) is None


PIECES = st.sampled_from(
    ["---", "\n", "\r\n", "\r", ": ", "- ", "#a", " #b", "/wf", "`", "```", "<!--", "-->", "$$", "$", "[",
     "]", "](", ")", "{", "}", "'", '"', "|", ">", "&a ", "*a", "!!int ", "~", "status", "replaced_by",
     "sources", "range", "[1, 2]", "description", "requires", "scope", "true", "2026-01-01T00:00:00Z", "\x00",
     "\ufeff", "\u2028", "\x85", "\t", " ", "語", "😀", "\ud800", "<!-- omoide-disable ", "omoide-disable",
     "http://x/", "a", "1", "_", "\\", "%", "@"]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=80))
PATHS = st.sampled_from(
    [
        "memory/summary.md",
        A,
        "memory/requests/a.md",
        "knowledge/a.md",
        "workflow/a.md",
        "knowledge/A b.md",
        "memory/x/y.md",
    ]
)


@pytest.mark.parametrize(
    "piece",
    ["a: 1\n", "a:\n", "- ", "? ", "[", "{", "a: [", "'", '"', "x\n", "&a ", "#", "a: |\n", "<!-- omoide-disable "],
)
def test_an_odd_head_or_body_takes_no_long_time(piece):
    """One bad file must not stop the editor. 100 kB; what is quadratic takes minutes."""
    text = piece * (100_000 // len(piece))
    snapshot = snapshot_of({A: f"---\n{text}\n---\n{text}"})
    started = time.process_time()
    check(snapshot, A)
    assert time.process_time() - started < 5


@settings(max_examples=400, deadline=None)
@given(PATHS, TEXTS, TEXTS, st.booleans())
def test_any_text_in_any_kind_is_answered_with_ranges_inside_it(path, head, body, framed):
    """Nothing a person types raises."""
    text = f"---\n{head}\n---\n{body}" if framed else head + body
    snapshot = snapshot_of({path: text, "knowledge/b.md": knowledge(), "workflow/wf.md": ""})
    lines = LineIndex(text)
    for diagnostic in check(snapshot, path):
        assert diagnostic.code in EXPLAINED
        assert diagnostic.message
        assert lines.position(lines.offset(diagnostic.range.start)) == diagnostic.range.start
        assert lines.position(lines.offset(diagnostic.range.end)) == diagnostic.range.end
        assert diagnostic.range.start <= diagnostic.range.end
        for fix in diagnostic.fixes:
            assert apply_edits(text, fix.edits) != text
    once = apply_fixes(snapshot, path)
    if once is not None:
        assert apply_fixes(snapshot.with_texts({path: once}), path) is None
