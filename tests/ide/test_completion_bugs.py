"""Failures of other Markdown servers that completion and hover must not share, one test a row of the list of them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.ide.completion import complete
from memory_core.ide.hover import hover
from memory_core.ide.view import View
from memory_core.records.refs import scan
from memory_core.snapshot import snapshot_of
from memory_core.testing import CURSOR, fixture
from memory_core.text import LineIndex, TextEdit, apply_edits
from tests.ide.ide_questions import (
    NOW,
    accepted,
    complete_record,
    complete_text,
    hover_record,
    knowledge,
    slugs,
    workflow,
)

STORE = knowledge("api-keys", "Where keys live") + knowledge("api-limits") + knowledge("deploy") + workflow("release")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("see #$0", "see #api-keys"),
        ("see #ap$0", "see #api-keys"),
        ("see ##ap", None),
        ("see /rel$0", "see /release"),
        ("x (#api-k$0)", "x (#api-keys)"),
    ],
)
def test_bug_06_the_opening_character_is_not_doubled(text: str, after: str | None) -> None:
    """marksman#263"""
    if after is None:
        assert complete_text(text + CURSOR, STORE) is None
    else:
        assert accepted(text, STORE) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("#ap$0i-keys", "#api-keys"),
        ("see #$0api-keys.", "see #api-keys."),
        ("#api-$0limits is", "#api-keys is"),
        ("see #ap$0i-ke, then", "see #api-keys, then"),
        ("see #api-keys$0", "see #api-keys"),
        ("決定は#ap$0i-kです", "決定は#api-keysです"),
    ],
)
def test_bug_14_a_suffix_that_was_typed_already_is_replaced(text: str, after: str) -> None:
    """markdown-oxide#325"""
    assert accepted(text, STORE) == after


def test_bug_14_what_stands_behind_the_cursor_is_known_apart() -> None:
    result = complete_text("see #ap$0i-ke, then", STORE)
    assert result
    assert (result.suffix, result.cursor.character, result.range.end.character) == ("i-ke", 7, 11)


DOCUMENT = """\
---
description: "see #api-keys"
---
# Title #ap

```sh
echo #api
```

> quote `#code` and #de <a href="#x"> $m #x$ 決定は#api 👩‍👩‍👧 /rel

~~~
#unclosed
"""


def test_bug_16_every_prefix_of_a_document_can_be_asked() -> None:
    """zk#461: typing inside a fence panicked."""
    snapshot = fixture(STORE).snapshot
    for end in range(len(DOCUMENT) + 1):
        text = DOCUMENT[:end]
        position = LineIndex(text).position(end)
        for view in (View(text), View(text, markdown=False, prose=False)):
            complete(snapshot, view, position, explicit=True)
            hover(snapshot, view, position, now=NOW)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.integers(0, 60))
def test_bug_16_no_text_and_no_place_fails(text: str, at: int) -> None:
    snapshot = fixture(STORE).snapshot
    position = LineIndex(text).position(at)
    complete(snapshot, View(text), position, explicit=True)
    hover(snapshot, View(text), position, now=NOW)


@pytest.mark.parametrize(
    "before",
    [
        "日本語 ",
        "日本語",
        "👩‍👩‍👧 ",
        "e\u0301 ",
        "🏴\U000e0067\U000e007f ",
        "﷽ ",
        "한국어 ",
        "العربية ",
        "\u3000",
        "\u200b",
        "中，",
    ],
)
def test_bug_17_wide_characters_before_the_cursor(before: str) -> None:
    """zk#317"""
    result = complete_text(f"{before}#ap$0", STORE)
    assert slugs(result) == ["api-keys", "api-limits"]
    assert result
    assert result.range.start.character == len(before)


@pytest.mark.parametrize("text", ["see #api$0", "see #$0", "see #ikz$0", "see /re$0"])
def test_bug_22_a_list_among_ten_thousand_records_is_quick(text: str) -> None:
    """foam#1410; the budget is the design's, with room for a loaded machine."""
    files = {f"knowledge/api-{n:05d}-item.md": "" for n in range(10_000)} | {"workflow/release.md": ""}
    snapshot = snapshot_of(files)
    view, position = View(text.replace(CURSOR, "")), LineIndex(text).position(text.index(CURSOR))
    complete(snapshot, view, position)
    times = []
    for _ in range(7):
        start = time.perf_counter()
        complete(snapshot, view, position)
        times.append(time.perf_counter() - start)
    assert sorted(times)[3] < 0.03


@pytest.mark.parametrize(
    "text",
    [
        "#ap$0",
        "x #ap$0",
        "- #ap$0",
        "* [ ] #ap$0",
        "> #ap$0",
        "> - #ap$0",
        "| #ap$0 | b |",
        "| a | #ap$0",
        "1) #ap$0",
        "    x #ap$0",
        "a\n\n#ap$0",
        "*#ap$0*",
        "a: #ap$0",
        "“#ap$0”",
        "Fixes #ap$0",
        "Term\n: #ap$0",
        "[^1]: see #ap$0",
    ],
)
def test_bug_26_references_complete_in_every_column_and_block(text: str) -> None:
    """dendron#1352, #2989"""
    assert slugs(complete_text(text, STORE)) == ["api-keys", "api-limits"]


@pytest.mark.parametrize("typed", ["a", "ap", "api", "api-", "api_", "api-l", "api_l", "API-L", "Api"])
def test_bug_27_the_list_lives_on_through_hyphen_and_underline(typed: str) -> None:
    """dendron#3610"""
    result = complete_text(f"see #{typed}$0", STORE)
    assert "api-limits" in slugs(result)


@pytest.mark.parametrize("text", ["see #api.$0", "see #api/$0", "see #api-keys. $0", "see #api,$0"])
def test_bug_27_a_slug_holds_no_dot_and_no_slash_so_the_list_ends_there(text: str) -> None:
    assert complete_text(text, STORE) is None


@pytest.mark.parametrize(
    "value", ['["#ap$0"]', "['#ap$0']", '\n  - "#ap$0"', "[#ap$0]", "\n  - #ap$0", '[deploy, "#ap$0"]']
)
def test_bug_28_a_sigil_in_frontmatter_gives_way_to_the_bare_slug(value: str) -> None:
    """dendron#2390"""
    source = workflow("other", requires=value) + STORE
    result = complete_record(source)
    assert slugs(result) == ["api-keys", "api-limits"]
    assert result
    item = result.items[0]
    assert item.filter_text.startswith("#ap")
    read = fixture(source)
    assert read.cursor
    after = apply_edits(read.snapshot.documents["workflow/other.md"].text, [TextEdit(result.range, item.new_text)])
    line = after.split("\n")[result.range.start.line]
    assert "#" not in line
    assert "api-keys" in line


@pytest.mark.parametrize("text", ["#$0", "##$0", "### $0", "# $0", "  #$0", "text\n#$0", "text\n\n##$0", "# Title $0"])
def test_bug_29_a_heading_marker_opens_no_list(text: str) -> None:
    """memos#6327"""
    assert complete_text(text, STORE) is None


@pytest.mark.parametrize("text", ["##$0", "# $0", "### $0", "# Title $0"])
def test_bug_29_not_even_when_asked_for(text: str) -> None:
    assert complete_text(text, STORE, explicit=True) is None


def test_bug_29_a_character_behind_it_makes_it_a_reference() -> None:
    assert complete_text("#$0", STORE, explicit=True)
    assert complete_text("#a$0", STORE)
    assert complete_text("# see #a$0", STORE)


def test_bug_30_the_sigil_is_inserted_only_where_the_place_can_hold_it() -> None:
    """silverbullet#736"""
    body = complete_record(knowledge("here", body="see #ap$0") + STORE)
    quoted = complete_record(knowledge("here", "see #ap$0") + STORE)
    head = complete_record(workflow("other", requires="[ap$0]") + STORE)
    comment = complete_record(knowledge("here").replace('"Something."', "see #ap$0") + STORE)
    assert body
    assert quoted
    assert head
    assert [r.items[0].new_text for r in (body, quoted, head)] == ["#api-keys", "#api-keys", "api-keys"]
    assert comment is None


@pytest.mark.parametrize(
    "text",
    [
        "https://x.org/p#ap$0",
        "www.x.org#ap$0",
        "<https://x.org/#ap$0>",
        "[t](p.md#ap$0)",
        "[t](#ap$0)",
        "[a]: p#ap$0",
        "C#ap$0",
        "F#ap$0",
        "x&#ap$0;",
        '<a href="#ap$0">',
        "issue#ap$0",
        "a/#ap$0",
        "`#ap$0`",
        "``a #ap$0``",
        "$a #ap$0$",
        "$$\n#ap$0\n$$",
        "<!-- #ap$0 -->",
        "```\n#ap$0\n```",
        "~~~~\n#ap$0",
        "1. ```\n   #ap$0",
        "path/#ap$0",
        "é#ap$0",
    ],
)
def test_bug_31_fragments_colors_and_code_are_no_references(text: str) -> None:
    """Zettel#17"""
    assert complete_text(text, STORE) is None
    assert complete_text(text, STORE, explicit=True) is None


@pytest.mark.parametrize("text", ["color #fff", "fixes #12", "#123456"])
def test_bug_31_a_number_or_color_is_at_most_a_weak_reference(text: str) -> None:
    assert all(found.weak for found in scan(text))


@pytest.mark.parametrize("typed", ["#", "#a", "#ap", "#api-", "#API", "#keys", "#api_k", "#pk", "/", "/r", "/RE"])
def test_bug_40_41_the_filter_text_begins_with_the_text_of_the_range(typed: str) -> None:
    """vscode#93458, vscode-languageserver-node#488: else editors drop the item, or rank it by their own lights."""
    result = complete_text(f"see {typed}$0", STORE, explicit=True)
    assert result
    assert result.items
    assert result.range.start.character == len("see ")
    assert all(item.filter_text.startswith(typed) for item in result.items)
    assert all(item.label in item.filter_text for item in result.items)


@pytest.mark.parametrize("typed", ["#keys", "#API-KEYS"])
def test_bug_41_a_single_item_that_does_not_begin_so_is_asked_for_again(typed: str) -> None:
    """A final item is filtered by the editor, which would keep it through characters that do not fit."""
    result = complete_text(f"see {typed}$0", STORE)
    assert slugs(result) == ["api-keys"]
    assert result
    assert result.is_incomplete


def test_bug_42_a_hyphen_goes_on_with_the_same_word() -> None:
    """dotnet/razor#12035: the whole of what was typed is replaced, not what stands behind the hyphen."""
    for text in ("see #api-$0", "see #api-k$0", "see #api-$0keys"):
        result = complete_text(text, STORE)
        assert result
        assert result.range.start.character == len("see ")
        assert accepted(text, STORE) == "see #api-keys"


def test_bug_28_a_quoted_sigil_is_hovered_as_the_slug_it_is() -> None:
    found = hover_record(workflow("go", requires='["a", api-ke$0ys]') + STORE)
    assert found
    assert "Where keys live" in found.markdown
