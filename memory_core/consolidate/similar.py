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
EXCHANGED_WORD = 8  # of 100: with nine words in common, one exchanged word still keeps two statements apart
EXCHANGED_PAIR = 4
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


@lru_cache(maxsize=32_768)  # every claim of a store is compared with every candidate of a run
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
    """0 to 100: the share of words in common, less a charge for every word that stands in another one's place.

    Added words are a longer wording; exchanged ones are usually another subject (`use Redis for the queue`, `use SQLite
    for the queue`), and taking those for one statement would lose a record. Ratios over the joined words, such as
    rapidfuzz's token_set_ratio, call such pairs alike. Order and repetition do not matter.
    """
    a, b = set(tokens(first)), set(tokens(second))
    if not a or not b:
        return 100.0 if first.strip() == second.strip() else 0.0
    only_a, only_b = _without_inflections(a - b, b - a)
    common = (len(a) - len(only_a) + len(b) - len(only_b)) / 2
    share = 200 * common / (len(a) + len(b))
    words = min(sum(map(str.isascii, only_a)), sum(map(str.isascii, only_b)))
    pairs = min(len(only_a), len(only_b)) - words
    # One character put in between breaks one pair of characters on its own; that is no exchange yet.
    return max(0.0, share - EXCHANGED_WORD * words - EXCHANGED_PAIR * max(0, pairs - 1))


def _without_inflections(first: set[str], second: set[str]) -> tuple[set[str], set[str]]:
    """Both sets without words that are forms of each other: `payment`, `payments`. Not `sync` and `async`."""
    left, right = set(first), set(second)
    for word in sorted(first):
        other = next((o for o in sorted(right) if _same_word(word, o)), None)
        if other:
            left.discard(word)
            right.discard(other)
    return left, right


def _same_word(first: str, second: str) -> bool:
    return min(len(first), len(second)) >= 5 and first[:4] == second[:4] and fuzz.ratio(first, second) >= 85


def overlap(first: str, second: str) -> float:
    """The share (0 to 1) of the first text's distinct words that the second one has."""
    a = set(tokens(first))
    return len(a & set(tokens(second))) / len(a) if a else 0.0


def same_figures(first: str, second: str) -> bool:
    """Whether both texts name the same numbers."""
    return sorted(_NUMBER.findall(first)) == sorted(_NUMBER.findall(second))


def denies(first: str, second: str) -> float:
    """0 to 100: how alike the two are but for the denial that one of them has; 0 where both deny, or neither."""
    if same_sense(first, second):
        return 0.0
    return score(*(_NEGATION.sub(" ", re.sub(r"\b[Dd]o (?=not\b)", "", text)) for text in (first, second)))


def same_sense(first: str, second: str) -> bool:
    """Whether neither text denies: `use X` and `do not use X` share their words and say the opposite."""
    return bool(_NEGATION.search(first)) == bool(_NEGATION.search(second))
