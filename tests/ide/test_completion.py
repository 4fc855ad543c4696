"""Completion of references, as facts about text with a cursor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.ide.completion import MAX_ITEMS, complete
from memory_core.ide.view import View
from memory_core.testing import fixture
from memory_core.text import LineIndex, Position, Range
from tests.ide.ide_questions import accepted, complete_record, complete_text, decision, knowledge, slugs, workflow

STORE = knowledge("api-keys", "Where keys live") + knowledge("api-limits") + knowledge("deploy") + workflow("release")


@pytest.mark.parametrize(
    "text",
    [
        "see #ap$0",
        "- #ap$0",
        "- [ ] item #ap$0",
        "> #ap$0",
        "| a | #ap$0 |",
        "1. #ap$0",
        "日本語のあと #ap$0",
        "決定は#ap$0",
        "（#ap$0）",
        "emoji 👩‍👩‍👧 #ap$0",
        "e\u0301 #ap$0",
        "last line without a newline\n#ap$0",
        "\tindented #ap$0",
        "(#ap$0)",
        '"#ap$0"',
        "**#ap$0**",
        "a `code` then #ap$0",
        "`unclosed #ap$0",
        "#ap$0 at the start",
        "line\r\n#ap$0\r\nline",
        "old mac\r#ap$0\rline",
        "form\x0cfeed and \u2028 separator #ap$0",
    ],
)
def test_slugs_are_offered_wherever_a_reference_can_stand(text: str) -> None:
    """F1. Dendron offered tags only in column 0; zk lost the place after wide characters."""
    assert slugs(complete_text(text, STORE)) == ["api-keys", "api-limits"]


@pytest.mark.parametrize(
    "text",
    [
        "`#ap$0`",
        "```sh\n#ap$0\n```",
        "~~~\n#ap$0",
        "- ```\n  #ap$0\n  ```",
        "https://example.org/page#ap$0",
        "[text](page.md#ap$0)",
        "<https://example.org/#ap$0>",
        '<a href="#ap$0">x</a>',
        "<!-- #ap$0 -->",
        "$x #ap$0 y$",
        "C#ap$0",
        "issue#ap$0",
        "##ap$0",
        "\\#ap$0",
        "no sigil ap$0",
        "#ap $0",
        "",
    ],
)
def test_nothing_is_offered_where_a_sigil_means_something_else(text: str) -> None:
    assert complete_text(text or "$0", STORE) is None


def test_a_bare_sigil_at_the_start_of_a_line_is_a_heading_until_asked_for() -> None:
    assert complete_text("#$0", STORE) is None
    assert complete_text("text\n  #$0", STORE) is None
    assert slugs(complete_text("#$0", STORE, explicit=True)) == ["api-keys", "api-limits", "deploy"]
    assert slugs(complete_text("see #$0", STORE)) == ["api-keys", "api-limits", "deploy"]
    assert slugs(complete_text("- #$0", STORE)) == ["api-keys", "api-limits", "deploy"]


def test_the_range_covers_sigil_typed_part_and_suffix() -> None:
    """The doubled characters of marksman#263 and the lost suffix of markdown-oxide#325."""
    result = complete_text("see #ap$0i-ke, then", STORE)
    assert result
    assert result.range == Range(Position(0, 4), Position(0, 11))
    assert accepted("see #ap$0i-ke, then", STORE) == "see #api-keys, then"
    assert accepted("see #$0", STORE) == "see #api-keys"
    assert accepted("決定は#ap$0です", STORE) == "決定は#api-keysです"


def test_filter_text_starts_with_the_text_in_the_range() -> None:
    """VS Code drops items whose filter text does not match the range's text (vscode-languageserver-node#488)."""
    for typed in ("#", "#a", "#api", "#api-", "#api-k"):
        result = complete_text(f"see {typed}$0", STORE)
        assert result
        assert result.items
        assert all(item.filter_text.startswith(typed) for item in result.items)


@pytest.mark.parametrize("typed", ["#a", "#ap", "#api", "#api-", "#api-l"])
def test_the_list_lives_on_through_every_character_of_a_slug(typed: str) -> None:
    assert "api-limits" in slugs(complete_text(f"see {typed}$0", STORE))


def test_prefix_then_word_then_inside_then_scattered() -> None:
    store = "".join(map(knowledge, ["my-log-rules", "catalog", "log-format", "long-living-goals", "other"]))
    assert slugs(complete_text("see #log$0", store)) == ["log-format", "my-log-rules", "catalog", "long-living-goals"]


def test_used_records_come_first_among_equals() -> None:
    result = complete_text("see #api$0", STORE, uses={"api-limits": 3, "deploy": 9, "gone": 5})
    assert slugs(result) == ["api-limits", "api-keys"]
    assert result
    assert [item.uses for item in result.items] == [3, 0]
    assert slugs(complete_text("see #$0", STORE, uses={"deploy": 9})) == ["deploy", "api-keys", "api-limits"]


def test_sort_text_keeps_the_rank() -> None:
    result = complete_text("see #a$0", STORE, uses={"api-limits": 1})
    assert result
    assert sorted(result.items, key=lambda item: item.sort_text) == list(result.items)


def test_at_most_fifty_and_then_incomplete() -> None:
    store = "".join(knowledge(f"item-{number:03d}") for number in range(120))
    result = complete_text("see #item$0", store)
    assert result
    assert len(result.items) == MAX_ITEMS
    assert result.is_incomplete
    assert slugs(complete_text("see #item-11$0", store))[:3] == ["item-110", "item-111", "item-112"]


def test_a_single_item_is_final_several_are_asked_for_again() -> None:
    several, single = complete_text("see #ap$0", STORE), complete_text("see #dep$0", STORE)
    assert several
    assert several.is_incomplete
    assert single
    assert not single.is_incomplete


def test_an_item_says_kind_and_description() -> None:
    result = complete_text("see #api-k$0", STORE)
    assert result
    item = result.items[0]
    assert (item.label, item.sort, item.description) == ("#api-keys", "policy", "Where keys live")


def test_records_not_for_people_are_left_out() -> None:
    store = STORE + knowledge("api-internal", user_invocable="false")
    assert slugs(complete_text("see #api$0", store)) == ["api-keys", "api-limits"]


def test_a_broken_record_is_still_offered_by_slug() -> None:
    """zk#24: one bad YAML value hid the note."""
    store = STORE + "//- knowledge/api-broken.md\n---\ndescription: a: b\n---\n" + "//- knowledge/api-empty.md\n\n"
    result = complete_text("see #api$0", store)
    assert slugs(result) == ["api-broken", "api-empty", "api-keys", "api-limits"]
    assert result
    assert [item.broken for item in result.items] == [True, True, False, False]


def test_a_hostile_description_cannot_hide_or_break_lines() -> None:
    store = knowledge("evil", "first\\nsecond \u202egnp.exe\\u0007")
    result = complete_text("see #evil$0", store)
    assert result
    assert result.items[0].description == "first second gnp.exe"


def test_decisions_have_no_sigil() -> None:
    assert slugs(complete_text("see #use$0", decision("use-sqlite"))) == []


@pytest.mark.parametrize("text", ["/rel$0", "run /rel$0", "text\n/rel$0", "　/rel$0", "- /rel$0"])
def test_workflows_are_offered_at_a_line_start_or_after_white_space(text: str) -> None:
    assert slugs(complete_text(text, STORE)) == ["release"]


@pytest.mark.parametrize("text", ["path/rel$0", "a/b/rel$0", "http://x/rel$0", "`/rel$0`", "(/rel$0"])
def test_a_slash_inside_something_is_no_workflow(text: str) -> None:
    assert complete_text(text, STORE) is None


def test_program_code_is_left_alone_until_something_is_typed() -> None:
    """A `#` is a comment there and a `/` a division."""
    assert complete_text("x = 1  #$0", STORE, markdown=False, prose=False) is None
    assert complete_text("a /rel$0", STORE, markdown=False, prose=False) is None
    assert slugs(complete_text("x = 1  #ap$0", STORE, markdown=False, prose=False)) == ["api-keys", "api-limits"]
    assert slugs(complete_text("a /rel$0", STORE, markdown=False, prose=False, explicit=True)) == ["release"]


def test_nothing_is_masked_in_plain_text() -> None:
    assert slugs(complete_text("see `#ap$0`", STORE, markdown=False)) == ["api-keys", "api-limits"]


def test_the_record_being_written_does_not_offer_itself() -> None:
    source = knowledge("api-keys", body="see #ap$0") + knowledge("api-limits")
    assert slugs(complete_record(source)) == ["api-limits"]


def test_a_description_holds_references_where_yaml_keeps_them() -> None:
    """In YAML a ` #` starts a comment, except in quotes."""
    others = knowledge("api-limits")
    plain = knowledge("here").replace('"Something."', "see #ap$0")
    assert slugs(complete_record(knowledge("here", "see #ap$0") + others)) == ["api-limits"]
    assert complete_record(plain + others) is None
    assert complete_record(knowledge("here", "see `#ap$0`") + others) is None
    assert complete_record(knowledge("here", created_at='"#ap$0"') + others) is None


def test_replaced_by_offers_decisions_without_a_sigil() -> None:
    source = decision("old", replaced_by="use$0") + decision("use-sqlite") + knowledge("use-it")
    result = complete_record(source)
    assert result
    assert [item.new_text for item in result.items] == ["use-sqlite"]
    assert result.range.start.character == len("replaced_by: ")


@pytest.mark.parametrize(
    "value", ["[ap$0", "[deploy, ap$0", '["ap$0"]', "[deploy, 'ap$0", "\n  - deploy\n  - ap$0", "\n- ap$0"]
)
def test_requires_offers_knowledge_without_a_sigil(value: str) -> None:
    result = complete_record(workflow("release", requires=value) + STORE.replace("workflow/release", "workflow/other"))
    assert result
    assert [item.new_text for item in result.items] == ["api-keys", "api-limits"]


def test_other_lists_in_frontmatter_offer_nothing() -> None:
    assert complete_record(workflow("release", scope="\n  - ap$0") + knowledge("api-keys")) is None


def test_an_empty_store_offers_nothing_and_does_not_fail() -> None:
    assert slugs(complete_text("see #a$0")) == []


SNAPSHOT = fixture(STORE).snapshot


@given(st.text(alphabet=st.sampled_from("#/a-`~\n\r $<>[]()!日👩\u2028\x0c\ud83d"), max_size=40), st.booleans())
def test_no_prefix_of_any_text_fails(text: str, explicit: bool) -> None:
    """zk#461: typing inside a fence panicked."""
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        if text[max(0, offset - 1) : offset + 1] == "\r\n":
            continue  # no place in a document: the two are one line end
        position = lines.position(offset)
        result = complete(SNAPSHOT, View(text), position, explicit=explicit)
        if result:
            assert result.range.start.line == result.range.end.line == position.line
            assert result.range.start <= position <= result.range.end


@pytest.mark.parametrize("position", [Position(9, 0), Position(0, 99), Position(1, 0)])
def test_a_position_outside_the_text_is_no_error(position: Position) -> None:
    assert complete(SNAPSHOT, View("see #"), position) is None or position.line == 0
