"""What broke other servers and linters over Markdown, row by row of the study of their issue trackers: the scanner, the
linter and the places of what they find."""

from __future__ import annotations

import time

import pytest

from memory_core.document import Document
from memory_core.ide.completion import complete
from memory_core.ide.view import view_of
from memory_core.lint.check import check
from memory_core.lint.fix import apply_fixes
from memory_core.records.refs import scan
from memory_core.snapshot import snapshot_of
from memory_core.text import LineIndex, Position
from server.convert.columns import Encoding, from_code_points, to_code_points
from tests.lint.lint_fixture import codes, decision, diagnostics, knowledge

PATH = "knowledge/here.md"


def unknown(body: str) -> list[str]:
    """The names in a body that the linter says lead nowhere."""
    snapshot = snapshot_of({PATH: knowledge(body), "knowledge/there.md": knowledge("Another thing.\n")})
    text = snapshot.documents[PATH].text
    lines = LineIndex(text)
    return [
        text[lines.offset(d.range.start) : lines.offset(d.range.end)]
        for d in check(snapshot, PATH)
        if d.code == "unknown-reference"
    ]


@pytest.mark.parametrize("encoding", list(Encoding))
def test_bug_07_columns_go_to_every_unit_and_back(encoding: Encoding) -> None:
    """marksman#9: a client that counts bytes and a server that counts UTF-16."""
    line = "a語👩\u200d🚀é #nowhere"
    for column in range(len(line) + 1):
        assert to_code_points(line, from_code_points(line, column, encoding), encoding) == column


@pytest.mark.parametrize(
    "body", ["$x_1 #gone$\n", "$$\n#gone\n$$\n", "$$ #gone $$\n", "> $$\n> #gone\n> $$\n", "a $\\alpha #gone$ b\n"]
)
def test_bug_08_formulas_hold_no_references(body: str) -> None:
    """marksman#326."""
    assert unknown(body) == []


@pytest.mark.parametrize("text", ["", "\0", "\0" * 100, "a" * 1_000_000, "#" * 100_000, "\ufffd\ud800", "---", "---\n"])
def test_bug_11_an_odd_file_is_answered_and_hides_no_other(text: str) -> None:
    """markdown-oxide#154."""
    snapshot = snapshot_of({"knowledge/odd.md": text, PATH: knowledge("See #gone.\n")})
    found = {d.code for d in check(snapshot, "knowledge/odd.md")}
    assert found <= {"missing-frontmatter", "malformed-frontmatter", "body-too-long", "hidden-text"}
    assert found & {"missing-frontmatter", "malformed-frontmatter"}
    assert [d.code for d in check(snapshot, PATH)] == ["unknown-reference"]


@pytest.mark.parametrize(
    "body",
    [
        "```\n#!/bin/bash\n#gone\n```\n",
        "~~~sh\n#!/bin/bash\n#gone\n~~~\n",
        "- a\n\n  ```\n  #gone\n  ```\n",
        "````\n```\n#gone\n```\n#gone\n````\n",
        "> ```\n> #gone\n> ```\n",
        "```\n#gone\n",  # never closed: to the end of the text
    ],
)
def test_bug_12_code_holds_no_references(body: str) -> None:
    """markdown-oxide#7: `#!/bin/bash` became a tag."""
    assert unknown(f"Text.\n\n{body}") == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[there]", []),
        ("[gone]", ["unknown-requires"]),
        ("[\"there\", 'gone']", ["unknown-requires"]),
        ("\n  - there\n  - gone", ["unknown-requires"]),
        ("\n- gone\n- gone-too", ["unknown-requires", "unknown-requires"]),
        ("gone", ["invalid-field"]),
        ("null", []),
        ("", []),
        ("[]", []),
    ],
)
def test_bug_13_every_form_of_a_list_is_read(written: str, expected: list[str]) -> None:
    """markdown-oxide#161, #347: tags were seen in one form of list only."""
    text = f"---\ndescription: Do it.\nrequires: {written}\n---\n\n1. Do.\n".replace("requires: \n", "requires:\n")
    snapshot = snapshot_of({"workflow/w.md": text, "knowledge/there.md": knowledge()})
    assert [d.code for d in check(snapshot, "workflow/w.md")] == expected


def test_bug_16_every_beginning_of_a_document_is_answered() -> None:
    """zk#461: typing inside a fence ended the server."""
    text = knowledge(
        "# Head\n\n- see #there and `#x`\n\n```sh\n#!/bin/sh\n```\n\n| #a | $y$ |\n|--|--|\n",
        more="note: [a, {b: c}]\n",
    )
    for end in range(len(text) + 1):
        snapshot = snapshot_of({PATH: text[:end], "knowledge/there.md": knowledge("Other.\n")})
        lines = LineIndex(text[:end])
        for found in check(snapshot, PATH):
            assert lines.position(lines.offset(found.range.start)) == found.range.start, (end, found)
            assert found.range.start <= found.range.end, (end, found)
        apply_fixes(snapshot, PATH)


@pytest.mark.parametrize("before", ["語", "👩\u200d🚀", "e\u0301", "ａ", "한국어 ", "\u200b"])
def test_bug_17_completion_after_wide_characters(before: str) -> None:
    """zk#317."""
    text = knowledge(f"{before} #the\n")
    snapshot = snapshot_of({PATH: text, "knowledge/there.md": knowledge("Other.\n")})
    document = snapshot.documents[PATH]
    line = text.split("\n").index(f"{before} #the")
    at = Position(line, len(before) + 5)
    result = complete(snapshot, view_of(document), at, explicit=True)
    assert result
    assert [item.label for item in result.items] == ["#there"]
    assert result.range.start == Position(line, len(before) + 1)


@pytest.mark.parametrize("value", ["a: b", "a | b", "a & b", "&a", "*a", "| x", "a: [", "{", "%x", "@x", "`x`"])
def test_bug_18_a_bad_value_is_said_at_its_line_and_the_record_keeps_its_name(value: str) -> None:
    """zk#24, #33."""
    text = knowledge(description=f"description: {value}\n")
    snapshot = snapshot_of({"knowledge/there.md": text, PATH: knowledge("See #there.\n")})
    line = text.split("\n").index(f"description: {value}")
    found = [d for d in check(snapshot, "knowledge/there.md") if d.code == "malformed-frontmatter"]
    assert all(d.range.start.line == line for d in found)
    assert [d.code for d in check(snapshot, PATH)] == []


def test_bug_19_a_comment_sign_in_a_value_breaks_nothing_and_says_how_to_quote() -> None:
    """memex#28: one card with `… #1)` in a plain scalar crashed every command."""
    card = knowledge(description="description: What it is (see #1)\n")
    source = f"//- {PATH}\n{card}//- knowledge/other.md\n{knowledge('Other.')}"
    (found,) = diagnostics(source, PATH)
    assert found.code == "cut-by-comment"
    assert "quote" in found.message.lower()
    assert [edit.new_text for fix in found.fixes for edit in fix.edits]
    assert codes(source, "knowledge/other.md") == []


def test_bug_24_names_that_differ_in_case_only_are_two_files_and_one_of_them_is_no_record() -> None:
    """foam#1371: a change of case dropped all backlinks."""
    snapshot = snapshot_of({"knowledge/foo.md": knowledge("It.\n"), PATH: knowledge("See #foo.\n")})
    assert [d.code for d in check(snapshot, PATH)] == []
    renamed = snapshot.with_documents(
        {"knowledge/foo.md": None, "knowledge/Foo.md": Document("knowledge/Foo.md", knowledge("It.\n"))}
    )
    assert [d.code for d in check(renamed, PATH)] == ["unknown-reference"]
    assert [d.code for d in check(renamed, "knowledge/Foo.md")] == ["invalid-slug"]
    back = renamed.with_documents(
        {"knowledge/Foo.md": None, "knowledge/foo.md": Document("knowledge/foo.md", knowledge("It.\n"))}
    )
    assert [d.code for d in check(back, PATH)] == []
    assert [link.path for link in back.index.backlinks.to(back.documents["knowledge/foo.md"].ref)] == [PATH]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('["#there", there]', ["invalid-field"]),  # one name, and a fix that takes the sign away
        ("[#there]", ["malformed-frontmatter"]),
        ("\n  - #there", ["cut-by-comment"]),
    ],
)
def test_bug_28_a_sign_in_the_head_is_mended_or_explained(written: str, expected: list[str]) -> None:
    """dendron#2390: `#tag` and `tag` in a head should be the same."""
    text = f"---\ndescription: Do it.\nrequires: {written}\n---\n\n1. Do.\n".replace("requires: \n", "requires:\n")
    snapshot = snapshot_of({"workflow/w.md": text, "knowledge/there.md": knowledge()})
    assert [d.code for d in check(snapshot, "workflow/w.md")][:1] == expected
    if expected == ["invalid-field"]:
        fixed = apply_fixes(snapshot, "workflow/w.md")
        assert fixed
        assert "#there" not in fixed


@pytest.mark.parametrize(
    "body",
    [
        "https://example.org/a#gone\n",
        "<https://example.org/#gone>\n",
        "[text](page.md#gone) and ![](a.png#gone)\n",
        "[text]: page.md#gone\n",
        "[[page#gone]]\n",
        '<a href="#gone">x</a>\n',
        "C# and F# and A#b\n",
        "color #fff and #a1b2c3\n",
        "issue #12 and PR#34\n",
        "a&#35;b &#x23;\n",
        "\\#gone\n",
        "# Heading\n",
        "#Heading\n",
    ],
)
def test_bug_31_a_sign_that_names_nothing(body: str) -> None:
    """Zettel#17."""
    assert unknown(body) == []


def test_bug_32_a_name_beyond_the_grammar_is_said_at_its_exact_place() -> None:
    """flatnotes#308: a tag was cut at its first CJK character. Where no spaces are written, a slug ends there."""
    assert [ref.slug for ref in scan("see #再試行, #retryを見る。", 0)] == ["retry"]
    (found,) = diagnostics(f"//- knowledge/再試行.md\n{knowledge()}", "knowledge/再試行.md")
    assert found.code == "invalid-slug"
    assert unknown("語#gone語 a#no 語 #gone 語\n") == ["#gone", "#gone"]


def test_bug_35_places_behind_emoji_are_exact_and_the_fix_changes_nothing_else() -> None:
    """harper#609: an underline was off by one for each emoji, and the fix replaced the wrong text."""
    text = decision("status: Open  # 👩\u200d🚀\n", body="👩\u200d🚀🚀 語 #gone 👋 #gone-too\n")
    snapshot = snapshot_of({"memory/decisions/d.md": text})
    lines = LineIndex(text)
    found = check(snapshot, "memory/decisions/d.md")
    marked = [text[lines.offset(d.range.start) : lines.offset(d.range.end)] for d in found]
    assert marked == ["Open", "#gone", "#gone-too"]
    assert apply_fixes(snapshot, "memory/decisions/d.md") == text.replace("Open", "open")


def test_bug_37_the_linter_sees_what_the_scanner_sees() -> None:
    """harper#13: complaints about code."""
    assert unknown("`#gone` ``#gone`` <!-- #gone -->\n\n```\n#gone\n```\n\nSee #gone-too.\n") == ["#gone-too"]


@pytest.mark.parametrize("separator", ["\f", "\v", "\x1c", "\x1d", "\x85", "\u2028", "\u2029"])
def test_bug_47_only_line_ends_of_the_protocol_end_a_line(separator: str) -> None:
    """hermes-agent#45393, fortls#443: `str.splitlines` knows seven more."""
    body = f"one{separator}two\nthree #gone\n"
    snapshot = snapshot_of({PATH: knowledge(body)})
    text = snapshot.documents[PATH].text
    found = [d for d in check(snapshot, PATH) if d.code == "unknown-reference"]
    assert [d.range.start for d in found] == [Position(text.split("\n").index("three #gone"), 6)]


def test_bug_02_a_large_file_of_many_fences_is_checked_in_a_moment() -> None:
    """marksman#179; the bound is many times what it takes."""
    text = knowledge(("```\n" + "#gone code\n" * 400 + "```\n\nsee #there\n\n") * 200)
    snapshot = snapshot_of({PATH: text, "knowledge/there.md": knowledge("Other.\n")})
    started = time.perf_counter()
    assert {d.code for d in check(snapshot, PATH)} == {"body-too-long", "thin-evidence"}
    assert time.perf_counter() - started < 5
