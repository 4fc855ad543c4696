"""The stretch of a text that a hit shows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_core.search.words import tokens
from memory_core.text import shorten

EXCERPT = 240  # characters of a hit
_RUN = re.compile(r"\S+")


def passage(text: str, words: Sequence[str], limit: int = EXCERPT) -> str:
    """At most `limit` characters of a text on one line, from a little before the first word of the query on."""
    if len(text) <= limit:
        return shorten(text, limit)
    wanted = set(words)
    for run in _RUN.finditer(text):
        if wanted.isdisjoint(tokens(run[0])):
            continue
        start = run.start()
        if len(run[0]) > limit:  # a text without spaces: the place within it
            start += next((n for n in range(len(run[0])) if not wanted.isdisjoint(tokens(run[0][n : n + 2]))), 0)
        start = max(0, start - limit // 4)
        return ("…" if start else "") + shorten(text[start : start + 2 * limit], limit - 1)
    return shorten(text, limit)
