"""Which words of an entry an anchor keeps: its beginning, or the sentence that says what the candidate says.

Pure, and bound by who looks excerpts up again: what is kept stands in the entry as it is, white space folded, and with
an ellipsis only behind it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from memory_core.search.words import tokens
from memory_core.staging import EXCERPT_LIMIT
from memory_core.text import shorten

_LOOKED_AT = 16_000  # characters of a message that are looked through; a linter reads little more of an entry
_SHOWN = 240  # characters of an excerpt that a record quotes
_LONG = 160  # characters of a sentence that is taken apart at its commas
_SHORT = 60  # characters below which an excerpt says too little to be found again
_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])\s*|\s*\n\s*")
_PAUSE = re.compile(r"(?<=[,;])\s+|(?<=[，、；])")


def excerpt(text: str, about: str = "") -> str:
    """At most EXCERPT_LIMIT characters of a text: its beginning, or, where what a candidate says (`about`) is said
    further behind, what stands from there on."""
    text = text[:_LOOKED_AT].strip()
    start = _place(text, about) if about and len(text) > _SHOWN else 0
    return shorten(text[start : start + 4 * EXCERPT_LIMIT], EXCERPT_LIMIT)


def _place(text: str, about: str) -> int:
    """Where the excerpt begins: at the part that shares most with the statement, or at a part before it that belongs to
    the same few words."""
    wanted = frozenset(tokens(about))
    starts = _starts(text)
    parts = list(pairwise([*starts, len(text)]))
    shared = [len(wanted.intersection(tokens(text[begin:end]))) for begin, end in parts]
    best = shared.index(max(shared))
    if parts[best][1] <= _SHOWN:
        return 0
    while best and len(text) - starts[best] < _SHORT:
        best -= 1
    return starts[best]


def _starts(text: str) -> list[int]:
    """Where the sentences of a text begin, and the parts of the long ones."""
    starts = [0, *(match.end() for match in _END.finditer(text) if match.end() < len(text))]
    for begin, end in list(pairwise([*starts, len(text)])):
        if end - begin > _LONG:
            starts += [match.end() for match in _PAUSE.finditer(text, begin, end) if match.end() < end]
    return sorted(set(starts))
