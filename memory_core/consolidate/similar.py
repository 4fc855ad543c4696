"""How alike two short texts are, in any language: words for scripts with spaces, pairs of characters for the others.

Numbers count as one word, so that notes differing only in a figure are found alike (`same_figures` tells them apart).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz import fuzz

_WIDE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_WIDE}]+|[^\W_{_WIDE}]+(?:[.'-][^\W_{_WIDE}]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|avoid|don'?t|doesn'?t|won'?t|can'?t|cannot|isn'?t|stop)\b"
    r"|ない|しません|せず|禁止|やめ|不(?!同|断|過)|别|勿|没有|無し|なし",
    re.IGNORECASE,
)
# Words that carry no topic. Kept short on purpose: a longer list would hide what a decision is about.
_STOP = frozenset(
    re.split(
        " ",
        "a an and are as at be by for from has have i if in into is it its of on or our so that the their then there "
        "this to up us was we were will with you your",
    )
)


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text, folded; numbers as `0`; runs of CJK and Hangul as overlapping pairs of characters."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: list[str] = []
    for match in _TOKEN.finditer(_NUMBER.sub("0", folded)):
        word = match.group()
        if re.match(rf"[{_WIDE}]", word):
            found += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        elif word not in _STOP:
            found.append(word)
    return tuple(found)


def score(first: str, second: str) -> float:
    """0 to 100. Order and repetition do not matter; a text inside a much longer one does not count as alike."""
    a, b = tokens(first), tokens(second)
    if not a or not b:
        return 100.0 if first.strip() == second.strip() else 0.0
    together: float = fuzz.token_set_ratio(" ".join(a), " ".join(b), processor=None)
    shorter, longer = sorted((len(set(a)), len(set(b))))
    return together * min(1.0, shorter / longer / 0.6)


def overlap(first: str, second: str) -> float:
    """The share (0 to 1) of the first text's distinct words that the second one has."""
    a = set(tokens(first))
    return len(a & set(tokens(second))) / len(a) if a else 0.0


def same_figures(first: str, second: str) -> bool:
    """Whether both texts name the same numbers."""
    return sorted(_NUMBER.findall(first)) == sorted(_NUMBER.findall(second))


def same_sense(first: str, second: str) -> bool:
    """Whether neither text denies: `use X` and `do not use X` share their words and say the opposite."""
    return bool(_NEGATION.search(first)) == bool(_NEGATION.search(second))
