"""Rules about single frontmatter keys and values: each fires where it should, at the exact place, and nowhere else."""

import pytest

from memory_core.lint.check import check
from memory_core.snapshot import snapshot_of
from tests.lint.lint_fixture import (
    DATES,
    SOURCE,
    check_lint,
    codes,
    decision,
    diagnostics,
    fixed,
    knowledge,
    request,
    summary,
    workflow,
)

DECISION = "memory/decisions/here.md"
KNOWLEDGE = "knowledge/here.md"


def files(**texts: str) -> str:
    """A fixture of one record a kind."""
    folders = {"decision": "memory/decisions", "request": "memory/requests", "knowledge": "knowledge"}
    return "".join(f"//- {folders.get(kind, kind)}/a.md\n{text}" for kind, text in texts.items())


def test_a_complete_record_of_every_kind_is_clean():
    check_lint(
        "//- memory/summary.md\n"
        + summary()
        + files(
            decision=decision(sources="sources:\n" + SOURCE),
            request=request(),
            knowledge=knowledge(),
            workflow=workflow("requires: [a]\n"),
        )
    )


def test_every_missing_field_is_reported_at_once():
    """The older store stopped at the first one."""
    check_lint(
        """\
//- memory/decisions/a.md
---
//< missing-field
//< missing-field
//< missing-field
status: open
---
Text.
//- memory/summary.md
---
//< missing-field
---
Text.
//- memory/requests/a.md
---
//< missing-field
//< missing-field
//< missing-field
---
Text.
//- workflow/a.md
---
//< missing-field
---
Text.
"""
    )


def test_a_missing_field_does_not_hide_a_long_body():
    source = f"//- {DECISION}\n---\n{DATES}sources: []\n---\n\n{'x' * 9000}\n"
    assert codes(source, DECISION) == ["missing-field", "thin-evidence", "body-too-long"]


def test_knowledge_lacks_its_flags_and_sources_and_the_fix_adds_what_absence_means():
    source = f"//- {KNOWLEDGE}\n---\n{DATES}kind: fact\ndescription: What.\n---\n\nSo.\n"
    assert codes(source, KNOWLEDGE) == ["missing-field"] * 3
    text = fixed(source, KNOWLEDGE)
    added = "model_invokation: false\nuser_invocable: true\nlast_sources: []\n"
    assert text == f"---\n{DATES}kind: fact\ndescription: What.\n{added}---\n\nSo.\n"


def test_a_broken_head_has_no_missing_fields():
    """What could not be read may hold them."""
    check_lint(
        """\
//- knowledge/a.md
---
kind: a: b
//     ^^^ malformed-frontmatter
---
Text.
"""
    )


@pytest.mark.parametrize(
    "value", ["2026-01-01", "2026-01-01T00:00:00", "20260101", "''", "[1]", "tomorrow", "2026-13-01T00:00:00Z", "true"]
)
def test_an_instant_needs_date_time_and_zone(value):
    text = f"---\ncreated_at: {value}\nupdated_at: 2026-01-02T00:00:00Z\nsources: []\n---\n\nBody.\n"
    found = check(snapshot_of({"memory/requests/a.md": text}), "memory/requests/a.md")
    assert [d.code for d in found] == ["invalid-field"]
    assert (found[0].range.start.line, found[0].range.start.character, found[0].range.end.character) == (
        1,
        12,
        12 + len(value),
    )


@pytest.mark.parametrize(
    "value",
    ["2026-01-01T00:00:00Z", "2026-01-01 00:00:00+09:00", "2026-01-01T00:00:00.123456Z", "'2026-01-01T00:00:00Z'"],
)
def test_instants_of_every_accepted_spelling(value):
    text = f"---\ncreated_at: {value}\nupdated_at: 2026-01-02T00:00:00Z\nsources: []\n---\n\nBody.\n"
    assert check(snapshot_of({"memory/requests/a.md": text}), "memory/requests/a.md") == []


def test_the_exact_nested_value_is_marked():
    check_lint(
        """\
//- memory/decisions/a.md
---
created_at: 2026-01-01T00:00:00Z
updated_at: 2026-01-01T00:00:00Z
sources:
  - session_id: s-1
    range: [1, x]
//             ^ invalid-field
  - range: [1, 2]
//  ^^^^^^^^^^^^^ invalid-field
  - session_id: 7
//              ^ invalid-field
    range: [1, 2, 3]
//         ^^^^^^^^^ invalid-field
  - session_id: s-1
    range: [-1, 2]
//          ^^ invalid-field
    agent: [a]
//         ^^^ invalid-field
    anchors: [a]
//            ^ invalid-field
  - nothing
//  ^^^^^^^ invalid-field
status: open
---
Text.
"""
    )


def test_older_sources_with_segment_id_are_accepted():
    check_lint(files(request=request(sources="sources:\n  - segment_id: s\n    range: [0, 0]\n")))


def test_sources_that_are_no_list():
    check_lint(
        """\
//- memory/requests/a.md
---
created_at: 2026-01-01T00:00:00Z
updated_at: 2026-01-01T00:00:00Z
sources:
//<^^^^ invalid-field
---
Text.
//- memory/requests/b.md
---
created_at: 2026-01-01T00:00:00Z
updated_at: 2026-01-01T00:00:00Z
sources: abc
//       ^^^ invalid-field
---
Text.
"""
    )


@pytest.mark.parametrize(("value", "meant"), [("yes", "true"), ("Off", "false"), ("'true'", "true"), ("TRUE", "true")])
def test_a_flag_is_true_or_false_and_nothing_else(value, meant):
    text = knowledge().replace("user_invocable: true", f"user_invocable: {value}")
    assert codes(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) == ["invalid-field"]
    wanted = knowledge().replace("user_invocable: true", f"user_invocable: {meant}")
    assert fixed(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) == wanted


def test_a_flag_that_means_nothing_has_no_fix():
    text = knowledge().replace("user_invocable: true", "user_invocable: maybe")
    assert [d.fixes for d in diagnostics(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE)] == [()]


def test_text_that_yaml_reads_as_a_number_is_quoted_by_the_fix():
    text = knowledge().replace("kind: fact", "kind: 3")
    assert codes(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) == ["invalid-field"]
    assert "kind: '3'\n" in (fixed(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) or "")


def test_requires_is_a_list_of_slugs():
    check_lint(
        files(knowledge=knowledge())
        + """\
//- workflow/a.md
---
description: Do.
requires: [a, "#a", A b, ]
//            ^^^^ invalid-field
//                  ^^^ invalid-field
---
Text.
//- workflow/b.md
---
description: Do.
requires: a
//        ^ invalid-field
---
Text.
"""
    )


def test_a_requirement_written_with_its_sigil_is_corrected():
    source = files(knowledge=knowledge(), workflow=workflow('requires: ["#a"]\n'))
    assert fixed(source, "workflow/a.md") == workflow("requires: [a]\n")


def test_scope_and_origin():
    check_lint(
        files(knowledge=knowledge(more="scope: {agent: codex, tenant: t}\norigin: policy:nightly\n"))
        + """\
//- memory/requests/a.md
---
created_at: 2026-01-01T00:00:00Z
updated_at: 2026-01-01T00:00:00Z
sources: []
scope:
  agent: 7
//       ^ invalid-field
  agnet: x
//^^^^^ invalid-field
---
Text.
//- memory/requests/b.md
---
created_at: 2026-01-01T00:00:00Z
updated_at: 2026-01-01T00:00:00Z
sources: []
scope: all
//     ^^^ invalid-field
origin: robot
//      ^^^^^ invalid-field
---
Text.
"""
    )


def test_an_optional_key_without_a_value_counts_as_absent():
    check_lint(files(decision=decision("status: open\nreplaced_by:\nscope: null\n")))


def test_an_unknown_key_is_named_with_the_nearest_known_one():
    text = knowledge(description="discription: What.\n")
    found = diagnostics(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE)
    assert [d.code for d in found] == ["missing-field", "unknown-key"]
    assert "did you mean `description`" in found[1].message
    assert found[1].fixes[0].title == "Rename to `description`"


def test_a_likely_rename_is_offered_but_not_applied_by_fix():
    assert fixed(files(knowledge=knowledge(description="discription: What.\n")), "knowledge/a.md") is None


def test_a_key_of_another_kind_says_where_it_belongs():
    check_lint(files(knowledge=knowledge(more="status: open\n//<^^^ unknown-key\n")))
    found = diagnostics(files(knowledge=knowledge(more="status: open\n")), "knowledge/a.md")
    assert "belongs to: decision" in found[0].message


def test_the_other_spelling_of_the_resident_flag_is_accepted_and_corrected():
    text = knowledge().replace("model_invokation", "model_invocation")
    assert codes(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) == ["misspelled-key"]
    assert fixed(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) == knowledge()


def test_both_spellings_at_once_are_left_to_a_person():
    text = knowledge(more="model_invocation: true\n")
    assert codes(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) == ["misspelled-key"]
    assert fixed(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) is None


def test_an_unquoted_hash_cuts_a_description_off_and_the_fix_quotes_it():
    """Bugs 19 and 28 of the issue list: `… #1)` and `#a` in plain YAML."""
    text = knowledge(description="description: Don't retry, see #here and more  \n")
    source = f"//- {KNOWLEDGE}\n{text}"
    found = diagnostics(source, KNOWLEDGE)
    assert [d.code for d in found] == ["cut-by-comment"]
    start, end = found[0].range.start.character, found[0].range.end.character
    assert "description: Don't retry, see #here and more  "[start:end] == "#here and more"
    assert "description: 'Don''t retry, see #here and more'  \n" in (fixed(source, KNOWLEDGE) or "")


def test_a_value_that_is_nothing_but_a_reference_is_reported_once():
    check_lint(files(knowledge=knowledge(description="description: #a\n//           ^^ cut-by-comment\n")))
    text = knowledge(description="description: #here\n")
    assert "description: '#here'\n" in (fixed(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) or "")


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        ("created_at: 2026-01-01T00:00:00Z #imported", "created_at: 2026-01-01T00:00:00Z # imported"),
        ("status: replaced #see the thread", "status: replaced # see the thread"),
        ("replaced_by: b #since June", "replaced_by: b # since June"),
        ("origin: user #me", "origin: user # me"),
        ("replaced_by: #b", "replaced_by: b"),  # the slug that a decision which is replaced lacks
        ("replaced_by: #null", "replaced_by: 'null'"),
    ],
)
def test_behind_what_is_no_text_a_comment_was_meant_and_the_value_stays(written, mended):
    key = written.split(":")[0]
    text = decision("status: replaced\nreplaced_by: b\norigin: tool\n")
    text = "".join(f"{written}\n" if line.startswith(key) else f"{line}\n" for line in text.splitlines())
    others = "".join(f"//- memory/decisions/{name}.md\n{decision()}" for name in ("b", "null"))
    after = fixed(f"{others}//- memory/decisions/a.md\n{text}", "memory/decisions/a.md")
    assert after == text.replace(written, mended)


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        ("api-keys #first", "api-keys # first"),
        ("#api-keys", "api-keys"),
        ("#gone", None),
        ("gone #first", "gone # first"),
    ],
)
def test_an_entry_of_a_list_of_slugs_is_never_put_in_quotes_with_its_comment(written, mended):
    text = workflow(f"requires:\n  - {written}\n")
    after = fixed(f"//- knowledge/api-keys.md\n{knowledge()}//- workflow/w.md\n{text}", "workflow/w.md")
    assert after == (mended and text.replace(written, mended))


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (knowledge(description="description: See #gone\n"), ["Put the value in quotes", "Make it a comment: `# `"]),
        (knowledge(more="mood: good #really\n"), ["Put the value in quotes", "Make it a comment: `# `"]),
        (knowledge().replace("kind: fact", "kind: fact #imported"), ["Make it a comment: `# `"]),
        (knowledge().replace("kind: fact", "kind: talk #imported"), ["Put the value in quotes"]),
    ],
    ids=["a reference to nothing", "a key nobody knows", "a usual kind", "a kind of their own"],
)
def test_where_both_may_be_meant_a_person_chooses(text, titles):
    found = [d for d in diagnostics(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) if d.code == "cut-by-comment"]
    assert [[fix.title for fix in problem.fixes] for problem in found] == [titles]


@pytest.mark.parametrize(
    ("written", "mended"),
    [("'#null'", "'null'"), ('"2026.md"', "'2026'"), ("2026", "'2026'"), ("'#yes'", "'yes'"), ("'#b'", "b")],
)
def test_a_slug_that_yaml_reads_as_something_else_is_mended_in_quotes(written, mended):
    """`null` without quotes is no successor at all."""
    others = "".join(f"//- memory/decisions/{name}.md\n{decision()}" for name in ("b", "null", "2026", "yes"))
    text = decision(f"status: replaced\nreplaced_by: {written}\n")
    after = fixed(f"{others}//- memory/decisions/a.md\n{text}", "memory/decisions/a.md")
    assert after == text.replace(f"replaced_by: {written}", f"replaced_by: {mended}")


def test_a_slug_that_was_probably_meant_is_offered_as_yaml_reads_it():
    text = decision("status: replaced\nreplaced_by: falsey\n")
    source = f"//- memory/decisions/false.md\n{decision()}//- memory/decisions/a.md\n{text}"
    (found,) = diagnostics(source, "memory/decisions/a.md")
    assert [edit.new_text for fix in found.fixes for edit in fix.edits] == ["'false'"]


@pytest.mark.parametrize("value", ["&a 123", "!!int 5"])
def test_what_has_a_tag_or_an_anchor_is_not_put_in_quotes_with_it(value):
    text = knowledge().replace("kind: fact", f"kind: {value}")
    found = [d for d in diagnostics(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) if d.code == "invalid-field"]
    assert [d.fixes for d in found] == [()]


@pytest.mark.parametrize(
    ("head", "offered"),
    [
        ("{kind: fact, description: It.}\n", False),
        ("kind: fact\ndescription: It.\n...\n", False),
        ("  ? kind\n  : fact\n  description: It.\n", False),
        ("kind: fact\ndescription: It. # so\n\n# the end\n", True),
        ("kind: fact\ndescription: |\n  It is.\n\n", True),
        ("kind: fact\ndescription: It.\nkind: fact\n", True),
        ("description: It.\nkind:\n", True),
    ],
    ids=["braces", "an end of a document", "a key behind a mark", "comments", "a block", "a key twice", "no value"],
)
def test_a_missing_field_is_offered_where_a_line_at_the_end_of_the_head_is_a_key(head, offered):
    found = diagnostics(f"//- {KNOWLEDGE}\n---\n{head}---\nIt is.\n", KNOWLEDGE)
    (problem,) = [d for d in found if d.message.startswith("`last_sources` is missing")]
    assert bool(problem.fixes) == offered


def test_a_comment_that_was_meant_is_no_problem():
    check_lint(files(decision=decision("status: open # for now\ndescription: 'Quoted' #1\n")))


def test_a_list_entry_that_is_nothing_but_a_reference():
    check_lint(
        files(knowledge=knowledge())
        + """\
//- workflow/w.md
---
description: Do.
requires:
  - #a
//  ^^ cut-by-comment
---
Text.
"""
    )


def test_a_key_of_a_source_that_is_not_known_is_renamed_by_hand():
    check_lint(
        files(
            request=request(
                sources="sources:\n"
                "  - session_id: s-1\n"
                "    range: [3, 17]\n"
                "    agnet: codex\n"
                "//  ^^^^^ unknown-key\n"
                "    note: x\n"
                "//  ^^^^ unknown-key\n"
            )
        )
    )
    source = files(request=request(sources="sources: [{session_id: s, range: [3, 17], agnet: codex}]\n"))
    (found,) = diagnostics(source, "memory/requests/a.md")
    assert [fix.title for fix in found.fixes] == ["Rename to `agent`"]


@pytest.mark.parametrize("body", ["", "\n", " \n\t\n"])
def test_a_record_without_a_body(body):
    text = knowledge(body)
    assert codes(f"//- {KNOWLEDGE}\n{text}", KNOWLEDGE) == ["empty-body"]
    assert codes(f"//- {KNOWLEDGE}\n{knowledge('x')}", KNOWLEDGE) == []


def test_a_broken_head_says_nothing_of_the_body():
    assert codes(f"//- {KNOWLEDGE}\n---\nkind: [\n---\n", KNOWLEDGE) == ["malformed-frontmatter"]
