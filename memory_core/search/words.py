"""The words of a text as search compares them: folded, stemmed, without stop words; and their places in a text.

Any language without a dictionary: scripts without spaces become characters and pairs of them. Knows no documents.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Scripts that put no spaces between words: kana, Han, Hangul, Thai, Lao, Burmese, Khmer. Hangul does, but its
# particles hang on the word.
_WIDE = (
    r"\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0ec0-\u0ec6\u1000-\u102a\u1780-\u17b3"
    r"\u1100-\u11ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\U00020000-\U0003ffff々〆"
)
LETTER = rf"[^\W_{_WIDE}]"  # of a word in a script that writes spaces
# A word with a sign that belongs to it (C#, C++), a run of a script without spaces, or a word of one with them: where
# the two meet (`API配置`) one ends and the other begins.
SIGNED = r"[a-z]\+\+|[cfj]#(?!\w)"
TOKEN = re.compile(rf"{SIGNED}|[{_WIDE}]+|{LETTER}+")
_WIDE_CHARACTER = re.compile(rf"[{_WIDE}]")

# Words that tell entries apart no better than chance. Question words are in: what answers a question does not hold
# them. Words of time and place (before, after, over) stay out, since they carry meaning.
_STOP = frozenset(
    """a all an and any are as at be been both by d did do does each few for from had has have he her here him his
    how i in is it its just ll m many me more most much my of on only or other our re s she so some such t tell
    than that the their them then there these they this those to too us ve very was we were what when where
    which who whom whose why with you your
    """.split()  # noqa: SIM905 - a table of words reads best as words
)
# Endings, longest first: those of verbs, then those that make other words of a word (after Porter's steps, 1980).
_VERBAL = ("ingly", "edly", "ing", "ed")
_DERIVED = ("ization", "ational", "fulness", "iveness", "ousness", "ation", "ition", "ment", "ness", "ally", "ful",
            "est", "ive", "ion", "ly", "er", "or", "al")  # fmt: skip

MOST_WORDS = 128  # of a query
_MOST_QUERY = 20_000  # characters of a query that are looked at


def fold(text: str) -> str:
    """Text as it is compared: one form of each character (full and half width, composed and not), small letters."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower()


def tokens(text: str) -> list[str]:
    """The words of a text as search compares them: folded, stemmed, without stop words; single characters and pairs
    for scripts without spaces."""
    found: list[str] = []
    for word in TOKEN.findall(fold(text)):
        if is_wide(word):
            found += word
            found += (word[i : i + 2] for i in range(len(word) - 1))
        elif word not in _STOP:
            found.append(stem(word))
    return found


def query_tokens(text: str) -> list[str]:
    """The distinct words of a query, in order. One of nothing but stop words (`IT`, `to do`) means those words. Of a
    page that somebody pasted the first MOST_WORDS count: each one is looked for in every text."""
    text = text[:_MOST_QUERY]
    found = tokens(text) or [stem(word) for word in TOKEN.findall(fold(text))]
    return list(dict.fromkeys(found))[:MOST_WORDS]


def is_wide(token: str) -> bool:
    """Whether a token is of a script without spaces."""
    return bool(_WIDE_CHARACTER.match(token))


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without its endings, roughly: `decided`, `decides` and `deciding` meet in one stem."""
    if len(word) < 4 or not word.isascii():
        return word
    word = _singular(word)
    for suffix in _VERBAL:
        base = word.removesuffix(suffix)
        if base != word and len(base) >= 3 and any(vowel in base for vowel in "aeiouy"):
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
            word = base[:-1] if doubled else base
            break
    word = next((word[: -len(s)] for s in _DERIVED if word.endswith(s) and len(word) - len(s) >= 4), word)
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def _singular(word: str) -> str:
    for plural, single in (("sses", "ss"), ("ies", "y"), ("ied", "y")):
        if word.endswith(plural) and len(word) > len(plural) + 1:
            return word[: -len(plural)] + single
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def beginning(stemmed: str) -> str:
    """The letters that every word with this stem begins with: only a last `y` or `i` is ever exchanged."""
    return stemmed[:-1] if len(stemmed) > 2 and stemmed[-1] in "iy" else stemmed
