"""Frontmatter: split and read with exact places; every odd file gives problems, never an exception."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.records import plain_head
from memory_core.records.frontmatter import read, split
from memory_core.records.node import Item
from memory_core.records.plain_head import read_plain
from memory_core.records.yaml_head import read_yaml
from memory_core.text import LineIndex, Position, Range


def values(text: str) -> dict[str, object]:
    head, problems = read(text)
    assert problems == []
    assert head is not None
    return head.values


def places(text: str, key: str) -> tuple[str, str]:
    """The text under a key's and its value's range."""
    head, _ = read(text)
    assert head is not None
    entry = head.entries[key]
    index = LineIndex(text)
    return tuple(text[index.offset(r.start) : index.offset(r.end)] for r in (entry.key_range, entry.item.range))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("space", ["", "  ", "\t"])
def test_every_line_end_a_mark_and_trailing_spaces_are_read(newline, bom, space):
    text = bom + newline.join([f"---{space}", "kind: fact", "description: 'a'", f"---{space}", "", "Body", ""])
    head, problems = read(text)
    assert problems == []
    assert head is not None
    assert head.values == {"kind": "fact", "description": "a"}
    assert text[head.body_start :] == f"{newline}Body{newline}"
    assert places(text, "kind") == ("kind", "fact")


@pytest.mark.parametrize("text", ["", "\n---\na: 1\n---\n", "----\na: 1\n---\n", "text", " ---\na: 1\n---\n"])
def test_a_file_must_start_with_the_delimiter(text):
    head, problems = read(text)
    assert head is None
    assert [p.code for p in problems] == ["missing-frontmatter"]


@pytest.mark.parametrize(
    "text", ["---", "---\n", "---\na: 1\n", "---\na: 1\n ---\n", "---\na: 1\n--- x\n", "---\na: 1\n----"]
)
def test_a_head_must_be_closed(text):
    assert "missing" in str(split(text))


def test_an_empty_head_an_empty_body_and_a_rule_in_the_body():
    assert values("---\n---\n") == {}
    assert values("---\na: 1\n---") == {"a": 1}
    head, _ = read("---\na: 1\n---\nx\n---\ny\n")
    assert head is not None
    assert head.body_start == len("---\na: 1\n---\n")


def test_instants_stay_the_text_that_was_written():
    assert values("---\na: 2026-01-01T00:00:00Z\nb: 2026-01-01\nc: !!str 2026-01-01\n---\n") == {
        "a": "2026-01-01T00:00:00Z",
        "b": "2026-01-01",
        "c": "2026-01-01",
    }


def test_block_and_flow_lists_quoted_and_empty_values():
    """Bug 13: tags seen only in one form."""
    text = "---\na: [x, 'y']\nb:\n  - x\n  - \"y\"\nc:\n- x\nd:\ne: ~\nf: []\n---\n"
    assert values(text) == {"a": ["x", "y"], "b": ["x", "y"], "c": ["x"], "d": None, "e": None, "f": []}
    head, _ = read(text)
    assert head is not None
    assert [item.quoted for item in head.entries["b"].item.items] == [False, True]
    assert places(text, "b") == ("b", '- x\n  - "y"')
    assert places(text, "c")[1] == "- x"
    assert places(text, "d") == ("d", "")


def test_nested_values_have_their_exact_place():
    first = "  - session_id: s\n    range: [3, 17]  # why\n\n  # more\n"
    text = f"---\nsources:\n{first}  - {{session_id: t, range: [0, 1]}}\nx: 1\n---\n"
    head, _ = read(text)
    assert head is not None
    first, second = head.entries["sources"].item.items
    assert first.fields["range"].item.items[1].range == Range(Position(3, 15), Position(3, 17))
    assert second.fields["range"].key_range == Range(Position(6, 20), Position(6, 25))
    assert first.range == Range(Position(2, 4), Position(3, 18))


def test_a_block_of_text_keeps_its_last_line_also_when_it_looks_like_a_comment():
    assert places("---\na: |\n  x\n  #y\n\nb: 1\n---\n", "a") == ("a", "|\n  x\n  #y")


def test_one_bad_line_hides_no_other_key_and_each_bad_line_is_reported():
    """Bug 18: `:` and `&` in values."""
    text = "---\nkind: fact\ndescription: Retry: three\ncreated_at: 2026-01-01T00:00:00Z\ntitle: @x\n---\nBody\n"
    head, problems = read(text)
    assert head is not None
    assert head.broken
    assert head.values == {"kind": "fact", "created_at": "2026-01-01T00:00:00Z"}
    assert [p.range.start.line for p in problems] == [2, 4]
    assert {p.code for p in problems} == {"malformed-frontmatter"}


@pytest.mark.parametrize(
    "head",
    ["[", "a: [1", "a: 'x", "a: &x 1\nb: *y", "a: &x [1]\nb: *x", "a: &x [*x]", "- a\n- b", "just text", "a: \x00",
     "\x0c", "? [a]\n: 1", "a: !!int x", "a: !!int ", "a: !!bool x", "a: !!python/object:os.system x", "a: \ud800",
     "a:\n\tb: 1",
     "a: 1\n...\nb: 2", "a: 1\n  b: 2", "  a: 1\nb: 2", "a: " + "[" * 5000, "a:\n" + "- " * 5000 + "x"],
)  # fmt: skip
def test_what_yaml_cannot_read_is_a_problem_with_a_place(head):
    text = f"---\n{head}\n---\nBody\n"
    found, problems = read(text)
    assert found is not None
    assert found.broken
    assert problems
    assert {p.code for p in problems} == {"malformed-frontmatter"}
    lines = text.split("\n")
    assert all(0 < p.range.start.line < len(lines) - 2 for p in problems)
    assert text[found.body_start :] == "Body\n"


def test_a_forbidden_character_is_named_at_its_place():
    _, problems = read("---\na: 1\nb: x\x00y\n---\n")
    assert problems[0].range.start == Position(2, 4)
    assert "U+0000" in problems[0].message


def test_a_list_of_many_references_to_one_value_is_refused_quickly():
    """The billion laughs: aliases of aliases."""
    levels = "\n".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 40))
    started = time.perf_counter()
    head, problems = read(f"---\na0: &a0 [x]\n{levels}\n---\n")
    assert time.perf_counter() - started < 2
    assert head is not None
    assert problems


def test_a_key_given_twice_keeps_the_first_and_says_so():
    head, problems = read("---\na: 1\nb: {x: 1, x: 2}\na: 3\n---\n")
    assert head is not None
    assert head.values == {"a": 1, "b": {"x": 1}}
    assert not head.broken
    assert [(p.code, p.range.start) for p in problems] == [
        ("duplicate-key", Position(2, 10)),
        ("duplicate-key", Position(3, 0)),
    ]


def test_separators_that_end_a_line_for_yaml_alone_shift_no_place():
    """Bug 47: U+2028 and NEL end no line for an editor."""
    text = "---\na: 'x\u2028y'\nb: \"p\x85q\"\nkind: fact\n---\n"
    head, problems = read(text)
    assert problems == []
    assert head is not None
    assert head.entries["kind"].key_range == Range(Position(3, 0), Position(3, 4))


def test_a_mark_at_the_start_of_the_head_shifts_no_place():
    assert places("---\n\ufeffkind: 'fact'\n---\n", "kind") == ("kind", "'fact'")


def test_wide_characters_are_one_column_each():
    assert places("---\ndescription: 決定😀 です\nkind: [é, 😀]\n---\n", "description")[1] == "決定😀 です"
    assert places("---\ndescription: 決定😀 です\nkind: [é, 😀]\n---\n", "kind")[1] == "[é, 😀]"


def shape(item: Item) -> object:
    fields = {key: (entry.start, entry.end, shape(entry.item)) for key, entry in item.fields.items()}
    return item.value, type(item.value), item.start, item.end, item.quoted, [shape(i) for i in item.items], fields


SCALARS = st.sampled_from(
    ["fact", "What it is: no", "a:b", "a #b", "a#b", "true", "False", "yes", "null", "~", "12", "0", "007",
     "1_0", "0x1f", "1.5", "-3", "[3, 17]", "[]", "[1,2]", "[ 1 ]", "[a]", "'q: #x'", "''", "'it''s'", '"q"',
     '"q\\n"', "x  y", "x ", "- x", "決定です", "é", "2026-01-01T00:00:00Z", "2026-01-01 00:00:00+09:00",
     "2026-01-01", "12:30", "a: ", "a,b]", "|", "0192e4a0-0000-7000-8000-000000000001", "*a", "&a", "!x",
     "%x", "@x", "`x", "{a: 1}", "x\u2028y", "x\ty", "x\x85y", "x\u3000y", "x: \u3000y", "e5", "NO", "n", "y",
     "https://x.y/#a", "a # b", "--- x", "...", "?x", "<<", "="]
)  # fmt: skip
KEYS = st.sampled_from(["kind", "a", "b-c", "A_1", "null", "yes", "on", "sources", "x y", "1", "<<", "'q'", "é"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", " \n", " # c\n"])
LINES = st.one_of(
    st.tuples(KEYS, st.sampled_from([": ", ": ", ":", ":  ", " : "]), SCALARS, ENDS).map("".join),
    st.tuples(KEYS, st.just(":"), ENDS).map("".join),
    st.tuples(st.sampled_from(["  - ", "    ", "- ", "  ", " - "]), KEYS, st.just(": "), SCALARS, ENDS).map("".join),
    st.sampled_from(["\n", "# comment\n", "  # c\n", "  - x\n"]),
)


@settings(max_examples=1500, deadline=None)
@given(st.lists(LINES, max_size=7).map("".join))
def test_the_fast_reader_answers_what_yaml_answers_or_nothing(source):
    lines = LineIndex(f"---\n{source}---\n")
    plain = read_plain(lines, 4, 4 + len(source))
    if plain is None:
        return
    entries, problems = read_yaml(lines, 4, 4 + len(source))
    assert problems == []
    assert {k: (e.start, e.end, shape(e.item)) for k, e in plain.items()} == {
        k: (e.start, e.end, shape(e.item)) for k, e in entries.items()
    }


def test_the_fast_reader_takes_the_heads_that_omoide_writes():
    source = (
        "created_at: 2026-01-01T00:00:00Z\nkind: fact\ndescription: What it is (決定) and when: never.\n"
        "model_invokation: false\nlast_sources:\n  - session_id: 0192e4a0-0000-7000-8000-000000000001\n"
        "    range: [3, 17]\n    agent: claude-code\n  - session_id: s\n    range: [0, 0]\n"
    ).replace("when: never", "when")
    assert plain_head.read_plain(LineIndex(source), 0, len(source)) is not None
