"""The framed reader: every way a line can be broken, and what is saved from it."""

from __future__ import annotations

import hashlib
import io
import json
from typing import Any

import pytest

from memory_core.sessions import frames
from memory_core.sessions.frames import Frame, Repairs, read_frames
from memory_core.sessions.model import Gap


def read(data: bytes) -> tuple[list[Frame], list[Gap], dict[str, int]]:
    repairs = Repairs()
    items = list(read_frames(io.BytesIO(data), repairs))
    found = [i for i in items if isinstance(i, Frame)], [i for i in items if isinstance(i, Gap)], dict(repairs.counts)
    for frame in found[0]:
        assert hashlib.sha256(data[frame.offset : frame.offset + frame.length]).hexdigest() == frame.sha256
    return found


def values(data: bytes) -> list[Any]:
    return [frame.value for frame in read(data)[0]]


def test_place_and_hash_are_those_of_the_bytes() -> None:
    found, gaps, _ = read('{"a":"é"}\r\n\n{"b":2}\n'.encode())
    assert [(f.line, f.offset, f.length) for f in found] == [(0, 0, 10), (2, 13, 7)]
    assert not gaps


def test_only_a_newline_ends_a_line() -> None:
    """U+2028, U+0085 and form feeds stand inside strings of real logs."""
    text = json.dumps({"a": "x\u2028y\u0085z"}, ensure_ascii=False) + "\n"
    assert values(text.encode()) == [{"a": "x\u2028y\u0085z"}]


def test_bug_12_an_unfinished_tail_is_held_back() -> None:
    found, gaps, repairs = read(b'{"a":1}\n{"b":"half')
    assert [f.value for f in found] == [{"a": 1}]
    assert not gaps
    assert repairs == {"unfinished_tail": 10}


def test_a_whole_record_without_newline_says_that_it_is_not_terminated() -> None:
    found, _, _ = read(b'{"a":1}\n{"b":2}')
    assert [f.terminated for f in found] == [True, False]


def test_bug_10_a_bad_line_in_the_middle_is_a_gap_and_reading_goes_on() -> None:
    found, gaps, _ = read(b'{"a":1}\n{"b": nonsense\n{"c":3}\n')
    assert [f.value for f in found] == [{"a": 1}, {"c": 3}]
    assert [(g.line, g.offset) for g in gaps] == [(1, 8)]


def test_bug_11_a_whole_record_behind_a_torn_one_is_saved() -> None:
    found, gaps, _ = read(b'{"type":"user","mess{"type":"assistant","n":{"type":"x"}}\n')
    assert [f.value for f in found] == [{"type": "assistant", "n": {"type": "x"}}]
    assert found[0].offset == 20
    assert len(gaps) == 1


def test_bug_13_several_objects_on_one_line_are_several_records() -> None:
    found, gaps, repairs = read('{"a":"é"}{"b":2} {"c":3}\n'.encode())
    assert [(f.line, f.value) for f in found] == [(0, {"a": "é"}), (0, {"b": 2}), (0, {"c": 3})]
    assert not gaps
    assert repairs == {"several_on_a_line": 1}


def test_zeros_in_front_of_a_line_are_passed_over() -> None:
    """A file that was made longer before it was written to: the record stands behind them, whatever its first key."""
    found, gaps, repairs = read(b'{"a":1}\n' + b"\0" * 10 + b'{"isMeta":false}\n' + b"\0" * 9 + b"\n")
    assert [(f.offset, f.value) for f in found] == [(0, {"a": 1}), (18, {"isMeta": False})]
    assert [gap.line for gap in gaps] == [2]
    assert repairs == {"leading_nuls": 1}


def test_bug_13_control_characters_inside_strings_are_kept() -> None:
    assert values(b'{"a":"x\x07\ty"}\n') == [{"a": "x\x07\ty"}]


def test_a_byte_order_mark_is_no_content() -> None:
    found, gaps, _ = read(b'\xef\xbb\xbf{"a":1}\n')
    assert found[0].value == {"a": 1}
    assert found[0].offset == 3
    assert not gaps


def test_bytes_that_are_not_utf8_are_replaced_and_counted() -> None:
    found, gaps, repairs = read(b'{"a":"x\xff\xfey"}\n')
    assert found[0].value == {"a": "x\ufffd\ufffdy"}
    assert not gaps
    assert repairs["bad_utf8"] == 2


def test_bug_16_lone_surrogates_are_replaced_pairs_are_kept() -> None:
    found, _, repairs = read(b'{"a":"\\udcb2 \\ud83d\\ude00","\\ud800":[1]}\n')
    assert found[0].value == {"a": "\ufffd \U0001f600", "\ufffd": [1]}
    assert repairs == {"lone_surrogates": 1}


@pytest.mark.parametrize("line", [b"42", b'"text"', b"[1]", b"null", b"[" * 100_000, b'{"a":' * 50_000])
def test_a_line_that_is_no_object_is_a_gap(line: bytes) -> None:
    found, gaps, _ = read(line + b'\n{"a":1}\n')
    assert [f.value for f in found] == [{"a": 1}]
    assert len(gaps) == 1


def test_bug_14_long_lines_are_read_whole() -> None:
    assert len(values(json.dumps({"a": "x" * 3_000_000}).encode() + b"\n")[0]["a"]) == 3_000_000


def test_a_line_beyond_the_limit_is_a_gap_that_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MAX_RECORD", 100)
    data = b'{"a":"' + b"x" * 5000 + b'"}\n{"b":2}\n'
    found, gaps, _ = read(data)
    assert [(f.line, f.offset, f.value) for f in found] == [(1, 5009, {"b": 2})]
    assert [g.line for g in gaps] == [0]


def test_a_torn_record_full_of_objects_gives_none_of_them_and_takes_no_time() -> None:
    """What is nested in a torn record is not a record; looking for one must not take forever."""
    torn = b'{"type":"user","blocks":[' + b'{"type":"x","id":"y"},' * 50_000
    found, gaps, _ = read(torn + b"\n" + b'{"id":' * 50_000 + b'\n{"a":1}\n')
    assert [f.value for f in found] == [{"a": 1}]
    assert len(gaps) == 2
    found, _, _ = read(torn + b'{"type":"x","i{"type":"assistant","n":[{"type":"x"}]}\n')
    assert [f.value for f in found] == [{"type": "assistant", "n": [{"type": "x"}]}]
