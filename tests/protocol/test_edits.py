"""Random edits against a second implementation that works on code units, as editors do, in every encoding."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from memory_core.text import LineIndex
from server.convert import change_run, from_lsp
from server.convert.columns import Encoding

# Line ends, what only looks like one (pitfall 2), characters of every width, half a surrogate pair, a joiner, a mark.
LINE_ENDS = ["\n", "\r", "\r\n", "\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\0"]
CHARACTERS = ["a", "#b", " ", "é", "日本", "👩\u200d👩\u200d👧", "𠮷", "e\u0301", "\ud83d", "\ufeff"]
PIECES = st.sampled_from([*LINE_ENDS, *CHARACTERS])
TEXTS = st.lists(PIECES, max_size=12).map("".join)
PLACES = st.tuples(st.integers(0, 8), st.integers(0, 12))
EDITS = st.lists(st.tuples(st.one_of(st.none(), st.tuples(PLACES, PLACES)), TEXTS), max_size=6)
Place = tuple[int, int]


def units_of(text: str, encoding: Encoding) -> list[int]:
    if encoding is Encoding.UTF8:
        return list(text.encode("utf-8", "surrogatepass"))
    size = 2 if encoding is Encoding.UTF16 else 4
    data = text.encode(f"utf-{size * 8}-le", "surrogatepass")
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


def lines_of(units: list[int]) -> list[tuple[int, int]]:
    """Start and end, without its line end, of each line."""
    found, start, at = [], 0, 0
    while at < len(units):
        step = 2 if units[at : at + 2] == [13, 10] else 1
        if units[at] in (10, 13):
            found.append((start, at))
            start = at + step
        at += step
    return [*found, (start, len(units))]


def starts_character(units: list[int], at: int, encoding: Encoding) -> bool:
    if at >= len(units) or encoding is Encoding.UTF32:
        return True
    if encoding is Encoding.UTF8:
        return units[at] & 0xC0 != 0x80
    return not (0xDC00 <= units[at] < 0xE000 and at and 0xD800 <= units[at - 1] < 0xDC00)


def offset_of(units: list[int], place: Place, encoding: Encoding) -> int:
    lines = lines_of(units)
    if place[0] >= len(lines):
        return len(units)
    start, end = lines[place[0]]
    at = min(start + place[1], end)
    while not starts_character(units, at, encoding):
        at -= 1
    return at


def reference(units: list[int], span: tuple[Place, Place] | None, new: list[int], encoding: Encoding) -> list[int]:
    if span is None:
        return new
    start, end = sorted(offset_of(units, place, encoding) for place in span)
    return units[:start] + new + units[end:]


def change_of(span: tuple[Place, Place] | None, text: str) -> types.TextDocumentContentChangeEvent:
    if span is None:
        return types.TextDocumentContentChangeWholeDocument(text)
    return types.TextDocumentContentChangePartial(types.Range(*(types.Position(*place) for place in span)), text)


def assert_as_in_the_editor(
    text: str, edits: Sequence[tuple[tuple[Place, Place] | None, str]], encoding: Encoding
) -> None:
    expected = units_of(text, encoding)
    for span, new in edits:
        expected = reference(expected, span, units_of(new, encoding), encoding)
    found = from_lsp.changed(LineIndex(text), [change_of(*edit) for edit in edits], encoding)
    assert units_of(found.text, encoding) == expected


@given(TEXTS, EDITS, st.sampled_from(Encoding))
@settings(max_examples=600, deadline=None)
def test_any_edits_give_what_the_editor_has(
    text: str, edits: list[tuple[tuple[Place, Place] | None, str]], encoding: Encoding
) -> None:
    """marksman#9, zk#317, fortls#443: also behind the last line and column, and with start and end exchanged."""
    assert_as_in_the_editor(text, edits, encoding)


@pytest.mark.parametrize("lines", [12_000, 1])
def test_a_key_in_a_large_file_is_applied_in_five_milliseconds(lines: int) -> None:
    """marksman#179: lines of 50 characters, and all on one line; the best of several, for a busy machine's sake."""
    index = LineIndex(("x" * 50 + ("\n" if lines > 1 else " ")) * 12_000)
    at = types.Position(lines // 2, 7)
    change = types.TextDocumentContentChangePartial(types.Range(at, at), "y")
    took = []
    for _ in range(15):
        started = time.perf_counter()
        index = from_lsp.changed(index, [change], Encoding.UTF16)
        took.append(time.perf_counter() - started)
    assert min(took) < 0.005


RUNS = st.lists(st.tuples(st.tuples(PLACES, PLACES), TEXTS), min_size=change_run.FEW + 1, max_size=12)


@given(TEXTS, RUNS, st.sampled_from(Encoding))
@settings(max_examples=600, deadline=None)
def test_many_changes_in_one_message_are_as_one_after_the_other(
    text: str, edits: list[tuple[tuple[Place, Place], str]], encoding: Encoding
) -> None:
    """They are applied line by line: an inserted line end may make one with that of the line before it, or cut one."""
    assert_as_in_the_editor(text, edits, encoding)


def test_to_replace_a_word_everywhere_costs_the_text_once() -> None:
    """20,000 places in a megabyte, in one message: each cost the whole text, a minute in all."""
    index = LineIndex("line with a word in the text of the record\n" * 25_000)
    spans = [types.Range(types.Position(line, 12), types.Position(line, 16)) for line in reversed(range(20_000))]
    changes = [types.TextDocumentContentChangePartial(span, "term") for span in spans]
    started = time.process_time()
    found = from_lsp.changed(index, changes, Encoding.UTF16)
    assert time.process_time() - started < 5
    assert found.text.count("term") == 20_000
