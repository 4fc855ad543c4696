"""The scanner's work grows with the length of a text, in counts of steps and not in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from memory_core.records.mask import mask
from memory_core.records.refs import scan

PIECES = [
    "`", "` ", "`` ` ", "a\n\n", "<!-- ", "<!-- a --> ", "<", "<a ", "<a href='#x'>", "[", "](", "[a](b) ", "(]", "$",
    "$a ", "$$ a ", "\\$", "://", "http://a ", "www.", "[a]: b\n", "#", "#a-", "#a ", "/a ", "- ", "> ", "```\n",
    "~~~ \n#a\n", "\r\n", "語", "😀 #a",
]  # fmt: skip


def steps(act: Callable[[], object]) -> int:
    """How many lines of the scanner's own code run."""
    count = 0

    def line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return line if "memory_core" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


def _texts(piece: str) -> tuple[str, str]:
    """With beginnings of their own: of a text that begins like the one before only the difference is scanned."""
    return f"one\n\n{piece * 2_000}", f"two\n\n{piece * 4_000}"


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("act", [mask, scan])
def test_twice_the_text_is_twice_the_work(piece: str, act: Callable[[str], object]) -> None:
    once, twice = (steps(lambda text=text: act(text)) for text in _texts(piece))
    assert twice <= 2.1 * once + 50
    assert once <= 40 * len(piece) * 2_000
