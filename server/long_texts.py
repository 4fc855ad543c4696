"""Answers that take time in proportion to a text: at once for a short one, on a thread for a long one.

A long text must not keep what is typed, or a cancellation, waiting. Knows no feature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from server.background import in_thread
from server.open_text import OpenText

T = TypeVar("T")

_LONG = 60_000  # characters; looking through so many takes about ten milliseconds


async def answer(text: OpenText, work: Callable[[], T]) -> T:
    """The result of `work`, which reads a text and nothing that can change."""
    return work() if len(text.text) < _LONG else await in_thread("long text", work)
