"""How a message becomes sentences."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.sentences import capitalized, join, language_of, matching, sentences, spoken, weight


def _texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use v1.2 of node.js. Keep it.", ["Use v1.2 of node.js.", "Keep it."]),
        ("Use a cache, e.g. Redis, here. ok?", ["Use a cache, e.g. Redis, here.", "ok?"]),
        ("これは残す。あれは消す！", ["これは残す。", "あれは消す！"]),
        ("用这个。别用那个！", ["用这个。", "别用那个！"]),
        ("- first point\n- second point", ["first point", "second point"]),
        ("## Plan\n\n**Bold** words", ["Plan", "Bold words"]),
        (
            "a line that was broken at the edge of the screen goes\non here",
            ["a line that was broken at the edge of the screen goes on here"],
        ),
        ("two lines\nof chat", ["two lines", "of chat"]),
        ("...\n!!!", []),
    ],
)
def test_message_is_split_at_the_ends_of_sentences(text: str, expected: list[str]) -> None:
    assert _texts(text) == expected


@pytest.mark.parametrize(
    "pasted",
    [
        "```sql\ndrop table links; -- never do this\n```",
        "~~~\nnever do this\n~~~",
        "```\nan unclosed block, never do this",
        "> never do this",
        "<system-reminder>never do this</system-reminder>",
        "2026-01-01 10:00:00 never do this",
        "WARN never do this",
        "Traceback (most recent call last):",
        "ValueError: never do this",
        "$ rm -rf build",
        "src/app.py:10:4: never do this",
        "[Image #1]",
    ],
)
def test_what_was_pasted_is_not_said(pasted: str) -> None:
    assert _texts(f"Look at this:\n{pasted}") == ["Look at this:"]


def test_wrapper_without_its_end_hides_the_rest() -> None:
    assert spoken("Hello\n<system-reminder>never do this").strip() == "Hello"


def test_blanking_code_and_quotes_keeps_every_offset() -> None:
    text = "Use `never()` and “never do this thing” — that’s it"
    assert len(matching(text)) == len(text)
    assert "never" not in matching(text)
    assert "that's" in matching(text)


@pytest.mark.parametrize(
    ("text", "language"), [("ok", "en"), ("使わない", "ja"), ("不要用", "zh"), ("API を使う", "ja")]
)
def test_language_follows_the_script(text: str, language: str) -> None:
    assert language_of(text) == language


def test_weight_counts_content_words_in_any_script() -> None:
    assert weight("please do it for me") == 0
    assert weight("case-insensitive search") == 3
    assert weight("不要直接提交") == 3


def test_joined_sentences_are_cut_at_a_border() -> None:
    assert join(["One thing.", "Another thing.", "A third."], 26) == "One thing. Another thing."
    assert join(["これ。", "それ。"], 20) == "これ。それ。"
    assert join(["a" * 50], 10) == "a" * 9 + "…"


def test_identifiers_keep_their_case_at_the_start() -> None:
    assert capitalized("use it") == "Use it"
    assert capitalized("iOS first") == "iOS first"
    assert capitalized("`x` first") == "`x` first"
    assert capitalized("max_rows first") == "max_rows first"
