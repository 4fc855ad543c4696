"""The mask of a long text that is being edited: the same as that of the whole text, for the price of the change."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.records import mask as mask_module
from memory_core.records import mask_again
from memory_core.records.mask import LONG, mask, scan_hidden, without_fences

PIECES = st.sampled_from(
    ["`", "``", "```\n", "~~~\n", "<", "<!--", "-->", "<a", ">", "](", "]", "[x]: ", ")", "$", "$$", "\\", "://",
     "http", "www.", "a", " ", "\n", "\n\n", "\n\n", "- ", "> ", "é", "#s", ".", "word word\n\n", "\r\n\r\n",
     "\r\n", "\r"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join)
EDITS = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 5), TEXTS | PIECES), min_size=1, max_size=5)


def whole(text: str) -> str:
    return "".join(scan_hidden(without_fences(text)[0])[0])


@settings(max_examples=400, deadline=None)
@given(TEXTS, EDITS, st.integers(1, 40))
def test_after_any_edits_it_is_the_mask_of_the_whole(text: str, edits: list[tuple[int, int, str]], every: int) -> None:
    before = mask_module.MARK_EVERY
    mask_module.MARK_EVERY = every
    try:
        for place, removed, new in edits:
            assert mask_again.mask_long(text) == whole(text)
            at = place % (len(text) + 1)
            text = text[:at] + new + text[at + removed :]
        assert mask_again.mask_long(text) == whole(text)
    finally:
        mask_module.MARK_EVERY = before


def paragraphs(count: int) -> str:
    return "".join(f"Some `code {n}` and [a link](http://x.y/z#{n}) of #slug-{n}.\n\n" for n in range(count))


@pytest.mark.parametrize("count", [400, 8_000])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.999])
def test_an_edit_of_a_long_text_scans_only_its_neighborhood(
    count: int, part: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = paragraphs(count)
    assert len(text) > LONG
    mask(text)
    scanned: list[int] = []

    def counting(shown: str, at: int = 0, stops: list[int] | tuple[int, ...] = ()) -> tuple[list[str], list[int], int]:
        found = scan_hidden(shown, at, stops)
        scanned.append(found[2] - at)
        return found

    monkeypatch.setattr(mask_again, "scan_hidden", counting)
    at = text.index("\n\n", int(part * len(text))) + 2
    edited = f"{text[:at]}new `text` #here {text[at:]}"
    masked = mask(edited)
    assert len(scanned) == 1
    assert scanned[0] < 4 * mask_module.MARK_EVERY
    assert masked == whole(edited)


def test_a_code_span_may_go_over_a_line_end_of_windows() -> None:
    assert "#no" not in mask("a `b\r\n#no` c")
    assert "#yes" in mask("a `b\r\n\r\n#yes` c")


@pytest.mark.parametrize("unit", ["[", "<", "<a", "](", "$", "[ ", "](a](b) ", "]([", "`", "<!--", "$$", "`` ` "])
def test_a_line_of_a_megabyte_is_masked_while_nobody_waits(unit: str) -> None:
    """One of `[` took two seconds: each was a step of its own."""
    text = unit * (1_000_000 // len(unit))
    started = time.process_time()
    mask(text)
    assert time.process_time() - started < 1.5
