"""The words of one query, counted in folded texts: exactly the words that `tokens` would find, without making them all.

A query has few words and a store has many texts, so that looking for the first in the second needs no index.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_core.search.words import LETTER, SIGNED, beginning, is_wide, stem


class Needles:
    """What is looked for. `words`: as `query_tokens` made them."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._plain = tuple(word for word in words if is_wide(word))
        self._signed = tuple(word for word in words if word[-1] in "+#")
        stems = [word for word in words if word not in self._plain and word not in self._signed]
        self._stems = frozenset(stems)
        self._beginnings = tuple({beginning(word) for word in stems})
        self._traces = (*self._plain, *self._signed, *self._beginnings)
        self._word = re.compile("|".join(map(_word, sorted(self._beginnings)))) if stems else None
        signs = "|".join(map(re.escape, self._signed))
        self._sign = re.compile(rf"(?<!{LETTER})(?:{signs})(?!(?<=#)\w)") if signs else None

    def may_be_in(self, folded: str) -> bool:
        """Whether a text can hold any of the words: a quick no for most."""
        return any(trace in folded for trace in self._traces)

    def counts(self, folded: str) -> dict[str, int]:
        """How often a folded text has each word; words it has not are absent."""
        found = {word: count for word in self._plain if (count := folded.count(word))}
        if self._word and any(start in folded for start in self._beginnings):
            for written in self._word.findall(folded):
                word = stem(written)
                if word in self._stems:
                    found[word] = found.get(word, 0) + 1
        if self._sign and any(word in folded for word in self._signed):
            for word in self._sign.findall(folded):
                found[word] = found.get(word, 0) + 1
        return found


def _word(start: str) -> str:
    """The pattern of the words that begin in one way. The look-behind stands behind the letters, so that the search can
    skip to them; only a single letter can be the name of a language with its sign."""
    own = f"(?!{SIGNED})" if len(start) == 1 else ""
    return rf"{own}{re.escape(start)}(?<!{LETTER}{re.escape(start)}){LETTER}*"
