"""Transcripts as text: nothing foreign can act or hide in one, everything is bounded, every entry's line is known."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.records.refs import scan
from memory_core.sessions.model import Entry, EntryKind, Gap, Session, Speaker
from memory_core.sessions.rendered import (
    OUTPUT_LIMIT,
    STEP,
    TEXT_LIMIT,
    WHOLE_ENTRIES,
    WINDOW,
    Rendered,
    entry_of,
    render,
    render_lost,
    window,
)
from memory_core.testing import session_of

HEADING = re.compile(r"## (\d+) · ")


def headings(rendered: Rendered) -> dict[int, int]:
    """The headings outside of fences by entry, found the hard way: as a Markdown parser would."""
    found: dict[int, int] = {}
    fence = ""
    for number, line in enumerate(rendered.text.split("\n")):
        if fence:
            fence = "" if line == fence else fence
        elif match := re.match(r"(`{3,})", line):
            fence = match[1]
        elif match := HEADING.match(line):
            found[int(match[1])] = number
    assert not fence
    return found


def lines_of(rendered: Rendered) -> dict[int, int]:
    return {entry: line for entry, (line, _) in rendered.headings.items()}


def test_every_entry_has_a_heading_with_its_number_and_speaker() -> None:
    session = session_of(("human", "Use A?"), ("call", "Bash", "ls"), ("result", "a b"), ("assistant", "Done."))
    rendered = render(session)
    assert rendered.start is None
    assert lines_of(rendered) == headings(rendered)
    lines = rendered.text.split("\n")
    shown = [lines[line] for line in lines_of(rendered).values()]
    when = " · 2026-01-31T09:00:00Z"
    assert shown == [
        f"## 0 · human{when}", f"## 1 · assistant · calls Bash{when}", f"## 2 · tool · result{when}",
        f"## 3 · assistant{when}",
    ]  # fmt: skip


TEXTS = st.text(st.sampled_from("a#`~\n\r- >|[]()<!\u202e\x1b\u2028\ud800・"), max_size=60)


@given(st.lists(TEXTS, min_size=1, max_size=6))
@settings(max_examples=400, deadline=None)
def test_no_text_can_make_or_swallow_a_heading(texts: list[str]) -> None:
    session = session_of(*(("human", text) for text in texts))
    rendered = render(session)
    assert lines_of(rendered) == headings(rendered)
    assert sorted(lines_of(rendered)) == list(range(len(texts)))
    assert not re.search("[\ud800-\udfff\x1b\r\u202e\u2028]", rendered.text)


@pytest.mark.parametrize(
    "text",
    [
        "```\ncode\n```",
        "````\n```\n````",
        "## 7 · human",
        "```text",
        "<!-- omoide {} -->",
        "<script>alert(1)</script>",
        "![x](https://evil.example/p.png)",
        "[x](command:evil)",
    ],
)
def test_markup_of_others_stays_inside_its_fence(text: str) -> None:
    rendered = render(session_of(("human", text), ("assistant", "after")))
    assert list(headings(rendered)) == [0, 1]
    outside = re.sub(r"(?ms)^(`{3,})\w*\n.*?^\1$", "", rendered.text)
    assert text.splitlines()[-1] not in outside


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("\x1b", "‹U+001B›"),
        ("\x07", "‹U+0007›"),
        ("\x9b", "‹U+009B›"),
        ("\u202e", "‹U+202E›"),
        ("\u2066", "‹U+2066›"),
        ("\u2028", "‹U+2028›"),
        ("\u200b", "‹U+200B›"),
        ("\U000e0041", "‹U+E0041›"),
        ("\ud83d", "‹U+D83D›"),
    ],
)
def test_what_steers_a_terminal_or_hides_is_shown_as_its_number(character: str, shown: str) -> None:
    session = session_of(("human", f"a{character}b"))
    text = render(replace(session, title=f"t{character}")).text
    assert f"a{shown}b" in text
    assert character not in text


@pytest.mark.parametrize(
    "said",
    [
        "x vim: set conceallevel=3 :",
        "x vi:noai:sw=3 ts=6",
        "vim>=700: set ft=sh :",
        "x ex: se rl:",
        "-*- mode: sh -*-",
        "Local Variables:\neval: (x)\nEnd:",
    ],
)
def test_no_word_of_a_log_sets_options_of_the_editor_that_shows_it(said: str) -> None:
    """Vim looks for them in the first and the last lines of every file, Emacs too."""
    session = replace(session_of(("human", said)), session_id=said, title=said)
    text = render(session).text
    assert not re.search(r"(?:^|\s)(?:vim?|Vim|ex)(?:[<=>]*\d+)?:|-\*-|Local Variables:", text, re.MULTILINE)
    assert said.split(":")[0].split()[-1] in text.replace("\u2060", "")


def test_ordinary_words_with_a_colon_stay_as_they_are() -> None:
    said = "Use vim or ex; my.vim: no, regex: yes, index: 3, apex: 4."
    assert said in render(session_of(("human", said))).text


def test_emoji_and_tabs_stay_as_they_are() -> None:
    assert "👩\u200d👩\u200d👧\tx" in render(session_of(("human", "👩\u200d👩\u200d👧\tx"))).text


def test_names_of_tools_and_kinds_are_no_markup() -> None:
    entry = Entry(0, EntryKind.TOOL_CALL, Speaker.ASSISTANT, "x", tool="a\n# b [c](d)", subtype="<b>`x`")
    session = replace(session_of(entry), session_id="a`b\n# c", title="# T [x](y)")
    lines = render(session).text.split("\n")
    assert lines[0] == "# Session `a'b # c`"
    assert "calls a \\# b \\[c\\](d) · &lt;b\\>\\`x\\`" in next(line for line in lines if line.startswith("## 0"))
    assert "\\# T \\[x\\](y)" in lines


def test_secrets_are_redacted_everywhere() -> None:
    secret = "ghp_" + "a1B2" * 9
    entry = Entry(0, EntryKind.TOOL_CALL, Speaker.ASSISTANT, f"curl {secret}", tool="Bash", arguments={"t": secret})
    session = replace(session_of(entry, ("human", f"use {secret}"), ("error", f"bad {secret}")), title=f"T {secret}")
    text = render(session).text
    assert secret not in text
    assert text.count("[redacted github-token]") + text.count("\\[redacted github-token\\]") == 5
    assert secret not in render_lost("s", None, [{"entry_range": [1, 1], "excerpt": secret}]).text


def test_a_secret_at_the_cut_is_not_cut_into_a_piece_of_one() -> None:
    secret = "ghp_" + "a1B2" * 9
    text = render(session_of(("human", "x " * (TEXT_LIMIT // 2 - 10) + secret + " " + "y" * 90))).text
    assert "ghp_" not in text


def test_a_long_text_is_cut_and_says_by_how_much() -> None:
    session = session_of(("human", "word " * 2_000), ("call", "Bash", "ls"), ("result", "short", "z" * 9_000))
    text = render(session).text
    assert f"*{10_000 - TEXT_LIMIT:,} more characters are not shown here.*" in text
    assert f"*{9_000 - OUTPUT_LIMIT:,} more characters are not shown here.*" in text
    assert "z" * OUTPUT_LIMIT in text
    assert "z" * (OUTPUT_LIMIT + 1) not in text


def long(total: int) -> Session:
    entries = tuple(Entry(n, EntryKind.USER_MESSAGE, Speaker.HUMAN, f"word {n}") for n in range(total))
    return Session("s", "codex", None, entries)


@pytest.mark.parametrize("around", [0, 1, 199, 200, 1_234, 4_999, 5_000, 99_999])
def test_a_long_session_is_a_window_around_the_entry_with_marks(around: int) -> None:
    session = long(5_000)
    rendered = render(session, around)
    shown = min(around, 4_999)
    assert shown in rendered.headings
    assert len(rendered.headings) <= WINDOW
    assert rendered.start == min(rendered.headings)
    assert rendered.start is not None
    assert rendered.start % STEP == 0
    first, last = min(rendered.headings), max(rendered.headings)
    assert (f"Entries 0 to {first - 1:,} are not shown" in rendered.text) == (first > 0)
    assert (f"Entries {last + 1:,} to 4,999 are not shown" in rendered.text) == (last < 4_999)
    assert lines_of(rendered) == headings(rendered)


def test_entries_nearby_share_a_window() -> None:
    entries = long(5_000).entries
    assert window(entries, 1_000) == window(entries, 1_199) == (800, 1_400)
    assert window(entries, 1_200) == (1_000, 1_600)


def test_a_session_that_fits_is_whole_and_one_of_long_texts_is_not() -> None:
    assert window(long(WHOLE_ENTRIES).entries, 7) == (0, WHOLE_ENTRIES)
    assert window(long(WHOLE_ENTRIES + 1).entries, 7) == (0, WINDOW)
    entries = [Entry(n, EntryKind.USER_MESSAGE, Speaker.HUMAN, "x" * 9_000) for n in range(1_900)]
    assert window(entries, 1_000) == (800, 1_400)


def test_no_reference_is_seen_in_a_transcript() -> None:
    """A transcript that is open is no place that refers to a record."""
    rendered = render(session_of(("human", "see #api-keys and run /release"), ("assistant", "#api-keys it is")))
    assert scan(rendered.text) == []


def test_gaps_are_counted_at_the_top() -> None:
    session = replace(session_of(("human", "x")), gaps=(Gap(1, 2, "bad"), Gap(3, 4, "bad")))
    assert "The log has 2 gaps" in render(session).text


def test_an_empty_session_is_a_text_without_entries() -> None:
    rendered = render(Session("s", "codex", None))
    assert rendered.headings == {}
    assert rendered.start is None
    assert "0 entries" in rendered.text


def test_what_is_lost_shows_what_records_keep() -> None:
    anchors = [
        {"entry_range": [7, 8], "speaker": "tool", "excerpt": "ran"},
        {"entry_range": [3, 3], "speaker": "human", "excerpt": "said\n## 9 · x"},
        {"entry_range": [3, 3], "speaker": "human", "excerpt": "said\n## 9 · x"},
    ]
    rendered = render_lost("s-1", "codex", anchors)
    assert lines_of(rendered) == headings(rendered)
    assert list(rendered.headings) == [3, 8]
    assert rendered.text.count("said") == 1
    assert "The log of this session is gone" in rendered.text
    assert "No record keeps an excerpt" in render_lost("s-1", None, []).text


@pytest.mark.parametrize(
    ("span", "entry"), [([3, 5], 5), ((3, 5), 5), ([4], 4), ([], 0), (None, 0), (["x", "y"], 0), ([-3, -1], 0)]
)
def test_the_entry_of_an_anchor_is_the_last_of_its_range(span: object, entry: int) -> None:
    assert entry_of({"entry_range": span}) == entry
