"""Records to values and back: what is changed changes, everything else keeps its bytes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.lint.check import check
from memory_core.records.frontmatter import read
from memory_core.records.record import Source, parse, parse_source
from memory_core.records.render import render, replace_body, set_fields
from memory_core.records.schema import Kind, RecordRef, Status
from memory_core.snapshot import snapshot_of

A = RecordRef(Kind.DECISION, "a")
SOURCES = [{"session_id": "s-1", "range": [3, 17], "agent": "codex", "anchors": [{"evidence_id": "E0001"}]}]
FULL = {
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-02T00:00:00Z",
    "sources": SOURCES,
    "status": "replaced",
    "replaced_by": "b",
    "description": "Why: #x, \"y\" and 'z' — 決定 😀",
}
OWN = """\
---
# Written by hand.
created_at: 2026-01-01T00:00:00Z  # the day
sources: # why
  - session_id: s-1   # one
    range: [3, 17]

mood: {happy: true}   # ours
status: open  # so far
---

Body  
 with #x,\ttabs and no end"""  # noqa: W291 - the two spaces are a Markdown line break


def test_a_rendered_record_reads_back_as_it_was():
    record = parse(A, render(Kind.DECISION, FULL, "Body.\n"))
    assert record.problems == ()
    assert record.head is not None
    assert record.head.values == FULL
    assert list(record.head.values) == ["created_at", "updated_at", "sources", "status", "replaced_by", "description"]
    assert record.body == "\nBody.\n"
    assert (record.status, record.replaced_by, record.description) == (Status.REPLACED, "b", FULL["description"])
    assert record.sources == (Source("s-1", 3, 17, "codex", ({"evidence_id": "E0001"},)),)
    assert record.created_at is not None
    assert record.updated_at is not None
    assert record.created_at < record.updated_at


def test_unknown_keys_follow_the_known_ones_and_none_is_left_out():
    text = render(Kind.REQUEST, {"mood": 1, "updated_at": "x", "description": None}, "B")
    assert text == "---\nupdated_at: x\nmood: 1\n---\n\nB\n"


def test_values_of_the_wrong_type_are_answered_as_absent():
    record = parse(
        A, "---\nstatus: maybe\nreplaced_by: No Slug\nrequires: a\nsources: x\ncreated_at: 1\ndescription: 3\n---\n"
    )
    assert (record.status, record.replaced_by, record.requires, record.sources) == (None, None, (), ())
    assert (record.created_at, record.description, record.resident, record.user_invocable) == (None, None, False, True)


def test_a_file_without_a_head_is_all_body():
    record = parse(A, "text")
    assert (record.head, record.body, record.value("x")) == (None, "text", None)
    assert [p.code for p in record.problems] == ["missing-frontmatter"]


@pytest.mark.parametrize("key", ["model_invokation", "model_invocation"])
def test_both_spellings_make_a_record_resident(key):
    assert parse(RecordRef(Kind.KNOWLEDGE, "a"), f"---\n{key}: true\n---\n").resident


@pytest.mark.parametrize(
    "value",
    [None, "s", [], {}, {"session_id": 1, "range": [1, 2]}, {"session_id": "s"}, {"session_id": "s", "range": [1]},
     {"session_id": "s", "range": [True, 2]}, {"session_id": "s", "range": "1-2"}],
)  # fmt: skip
def test_what_is_no_source(value):
    assert parse_source(value) is None


def test_the_older_key_of_a_source():
    assert parse_source({"segment_id": "s", "range": [0, 1]}) == Source("s", 0, 1)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_setting_fields_keeps_every_other_byte(newline):
    text = OWN.replace("\n", newline)
    changed = set_fields(text, {"status": "resolved", "updated_at": "2026-02-01T00:00:00Z", "mood": None})
    wanted = OWN.replace("status: open  # so far\n", "status: resolved  # so far\nupdated_at: 2026-02-01T00:00:00Z\n")
    assert changed == wanted.replace("mood: {happy: true}   # ours\n", "").replace("\n", newline)


def test_a_block_is_replaced_under_its_comment():
    changed = set_fields(OWN, {"sources": [{"session_id": "t", "range": [0, 1]}, {"session_id": "u", "range": [2, 2]}]})
    before, after = OWN.split("  - session_id: s-1   # one\n    range: [3, 17]\n")
    assert changed == before + ("  - session_id: t\n    range: [0, 1]\n  - session_id: u\n    range: [2, 2]\n" + after)


NOTED = """\
---
sources:
  # Ann was there too, ask her before you change this
  - session_id: s-1
    range: [3, 17]  # the old laptop
    note: minutes are in the wiki

  # the next one is a copy
  - session_id: s-2
    range: [1, 2]
# what follows is ours
status: open
---
x
"""
FIRST = {"session_id": "s-1", "range": [3, 17], "note": "minutes are in the wiki"}
SECOND = {"session_id": "s-2", "range": [1, 2]}
NEW = {"session_id": "t", "range": [0, 1], "anchors": [{"evidence_id": "M0001"}]}
NEW_LINES = "  - session_id: t\n    range: [0, 1]\n    anchors:\n      - evidence_id: M0001\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_item_more_leaves_the_others_as_they_are_written(newline: str):
    """What people wrote beside a source was lost when the next one came."""
    changed = set_fields(NOTED.replace("\n", newline), {"sources": [FIRST, SECOND, NEW]})
    assert changed == NOTED.replace("# what follows", NEW_LINES + "# what follows").replace("\n", newline)


def test_an_item_less_takes_its_own_lines_and_no_others():
    assert set_fields(NOTED, {"sources": [SECOND]}) == NOTED.replace(
        "  - session_id: s-1\n    range: [3, 17]  # the old laptop\n    note: minutes are in the wiki\n\n",
        "",
    )


@pytest.mark.parametrize(
    "items", ["[a, b]", "\n- a\n- b", "\n    -   a\n    -   b", "\n  - a\n  -\n    b", "[\n  a, b]"]
)
def test_items_are_added_however_a_list_is_written(items: str):
    changed = set_fields(f"---\nkeys: {items}\nother: 1\n---\nx", {"keys": ["a", "b", "c"]})
    head, problems = read(changed)
    assert head
    assert not problems
    assert head.values == {"keys": ["a", "b", "c"], "other": 1}
    assert changed.endswith("\nother: 1\n---\nx")


def test_setting_what_is_there_already_changes_nothing():
    assert (
        set_fields(OWN, {"status": "open", "sources": [{"session_id": "s-1", "range": [3, 17]}], "gone": None}) == OWN
    )


def test_mixed_line_ends_lose_no_character():
    text = "---\r\na: 1\nb: 2\r\nc: 3\n---\nx"
    assert set_fields(text, {"a": 9}) == "---\r\na: 9\nb: 2\r\nc: 3\n---\nx"
    assert set_fields(text, {"b": 9}) == "---\r\na: 1\nb: 9\r\nc: 3\n---\nx"


@pytest.mark.parametrize("head", ["a: [", "a: 1\na: 2", "{a: 1, b: 2}", "a: b: c"])
def test_a_head_that_is_broken_or_on_one_line_is_refused(head):
    with pytest.raises(ValueError, match="frontmatter"):
        set_fields(f"---\n{head}\n---\nx", {"a": 7})


def test_text_without_a_head_is_refused():
    with pytest.raises(ValueError, match="frontmatter"):
        set_fields("text", {"a": 1})


VALUES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30),
    st.booleans(),
    st.integers(0, 99),
    st.sampled_from(
        ["a #b", "a: b", "- x", "yes", "null", "2026-01-01", "1_0", "x\ny", "'", '"', "{", "", " x ", "#a", "\ufeff"]
    ),
    st.just(SOURCES),
    st.lists(st.sampled_from(["a", "b-c", "1"]), max_size=3),
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["created_at", "sources", "mood", "status", "new"]), VALUES, st.sampled_from(["\n", "\r\n"]))
def test_any_value_set_is_read_back_and_nothing_else_moves(key, value, newline):
    text = OWN.replace("\n", newline)
    changed = set_fields(text, {key: value})
    before, after = read(text)[0], read(changed)[0]
    assert before is not None
    assert after is not None
    assert after.values == {**before.values, key: value}
    assert changed[after.body_start :] == text[before.body_start :]
    assert set_fields(changed, {key: value}) == changed


@settings(max_examples=300, deadline=None)
@given(
    VALUES.filter(lambda v: isinstance(v, str)), st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)
)
def test_any_description_and_body_render_and_read_back(description, body):
    record = parse(A, render(Kind.DECISION, {"status": "open", "description": description}, body))
    assert record.problems == ()
    assert record.description == description
    assert record.body.strip() == body.strip()


def test_replacing_the_body_keeps_the_head_and_the_line_ends():
    text = "---\r\nstatus: open # x\r\n---\r\n\r\nOld.\r\n"
    assert replace_body(text, "\nNew.\n\nMore.\n") == "---\r\nstatus: open # x\r\n---\r\n\r\nNew.\r\n\r\nMore.\r\n"
    assert replace_body("---\na: 1\n---", "New.") == "---\na: 1\n---\n\nNew.\n"
    assert replace_body("Old.", "New.") == "New.\n"


def test_a_record_rendered_with_all_fields_is_lint_clean():
    text = render(Kind.DECISION, {**FULL, "description": "Why."}, "Body.")
    other = render(Kind.DECISION, {**FULL, "status": "open", "replaced_by": None, "description": "Why."}, "Body.")
    snapshot = snapshot_of({"memory/decisions/a.md": text, "memory/decisions/b.md": other})
    assert check(snapshot, "memory/decisions/a.md") == []


def test_white_space_that_is_not_ascii_survives_at_the_end_of_a_value() -> None:
    text = render(Kind.DECISION, {"status": "open", "description": "\xa0x\u3000"}, "")
    assert parse(RecordRef(Kind.DECISION, "a"), text).description == "\xa0x\u3000"
