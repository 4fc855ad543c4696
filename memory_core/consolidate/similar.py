"""How alike two short texts are, in any language: words for scripts with spaces, pairs of characters for the others.

Numbers count as one word, so that notes differing only in a figure are found alike (`same_figures` tells them apart).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from enum import Enum
from functools import lru_cache

from rapidfuzz import fuzz

# Scripts without blanks between words, and Hangul, as the inside of a class of characters.
WIDE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{WIDE}]+|[^\W_{WIDE}]+(?:[.'][^\W_{WIDE}]+)*")
# Ways of saying the same: `please don't ever X`, `do not X` and `never X`; courtesy and emphasis say nothing more.
_DENIED = re.compile(r"\b(?:do not|don[’']?t|never|must not|mustn[’']?t|should not|shouldn[’']?t)\b(?:\s+ever\b)?")
_EMPHASIS = re.compile(
    r"\b(?:please|pls|ever again|ever|always|from now on|from here on|going forward"
    r"|henceforth|as a rule|in (?:the )?future)\b"
    r"|\b(?:let[’']?s|let us|(?:we|you) should|(?:we|i)[’']ll|i(?:[’']d like| would like| want)(?: you| us)? to)\b"
    r"|今後は?|これからは?|必ず|やっぱり|やはり|以后|今后|从现在(?:起|开始)|一律|务必"
    r"|앞으로는?|이제부터는?|항상|언제나|반드시|(?<![가-힣])꼭(?![가-힣])"
)
# How a clause ends in Japanese and Korean says who asks whom, not what: `作って`, `作ること`, `作ってください`.
_CLAUSE_END = r"(?=[\s、。，．,.!！?？]*(?:$|[、。，．,.!！?？]))"
_FINAL = re.compile(
    r"(?:てほしい|て欲しい|ておいて|てください|て下さい|でください|で下さい|てくれ|ようにする|ようにして|ように|ること|こと"
    r"|でいこう|でいきましょう|にしよう|にする|にして|しよう|よう|んで|って|いて|した|して|する|って|です|ます"
    r"|[るうくすつぬぶむてでねよ])+" + _CLAUSE_END
)
_KO_DENIED = re.compile(
    r"지\s?(?:마(?:세요|십시오|라)?|말(?:고|자|아|아요|도록|아야|\s?것)?|않[가-힣]*)(?:\s?(?:주세요|줘))?"
)
_KO_FINAL = re.compile(
    r"(?:[어아여해]?\s?(?:주세요|주십시오|줘요?|주라)|세요|십시오|할\s?것|해야\s?(?:한다|합니다|해)|하자|합시다|한다|합니다|기|해|어|아|자)"
    + _CLAUSE_END
)
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
EXCHANGED_WORD = 8  # of 100: with nine words in common, one exchanged word still keeps two statements apart
EXCHANGED_PAIR = 4
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# `别` is `don't` by itself, and no more than a syllable of `level`, `category`, `recognize`, `alias`.
ZH_DONT = r"(?<![级类特识性差辨鉴判派])(?<!(?<!部)分)(?<!(?<!时)区)(?<!(?<![这那哪])个)别(?![名的人处称])"
JA_NOT = r"(?<!少)(?<!問題)(?<!問題[はが])ない"  # neither `few` nor `no problem`
_NEGATION = re.compile(
    r"\b(?:not(?! only\b)|no|never|without|avoid|don'?t|doesn'?t|won'?t|can'?t|cannot|isn'?t|stop)\b"
    rf"|{JA_NOT}"
    r"|しません|せず|禁止|やめ|不(?!同|断|過|仅|管|只|足)|勿|没有|無し|なし"
    rf"|{ZH_DONT}"
    r"|지 ?(?:마|말|않)|금지|없이|(?<![가-힣])(?:안|못) (?=[가-힣])",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(
    r"\b(?:drop(?:ping|ped)?|remov(?:e|ing)|get rid of|getting rid of|no longer|any ?more|abandon(?:ing)?|scrap)\b"
    r"|もう|撤回|廃止|不再|去掉|放弃|取消|더 ?이상|그만두|폐지|취소",
    re.IGNORECASE,
)
_LIGHT = frozenset(["us", "use", "keep", "do", "have", "make", "go", "add", "put"])
_LONG = 5  # letters of a word that can be a form of another one,
_BEGINNING = 4  # which begins with the same letters
_SUBJECT = 2  # words two statements must share before one can speak against the other


class Opposition(Enum):
    """How a statement stands against an earlier one; see `opposed`."""

    NONE = 0
    PARTLY = 1
    WIDER = 2
    EQUAL = 3


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
    folded = plain(text)
    found: list[str] = []
    for match in _TOKEN.finditer(_NUMBER.sub("0", folded)):
        word = match.group()
        if re.match(rf"[{WIDE}]", word):
            found += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        elif word not in _STOP:
            found.append(_stem(word))
    return tuple(found)


@lru_cache(maxsize=32_768)
def words_of(text: str) -> frozenset[str]:
    """The distinct words of a text, as `tokens` has them."""
    return frozenset(tokens(text))


def plain(text: str) -> str:
    """The text folded, its denials worded alike, without courtesy and emphasis where something is left then."""
    folded = _DENIED.sub("not", unicodedata.normalize("NFKC", text).casefold())
    bare = _EMPHASIS.sub(" ", folded)
    if not bare.isascii():
        bare = _KO_FINAL.sub("", _KO_DENIED.sub("지 않", bare)) if _HANGUL.search(bare) else _FINAL.sub("", bare)
    return bare if _TOKEN.search(bare) else folded


def _stem(word: str) -> str:
    """A word without its simple endings: `committing`, `commits` and `commit` are one; `string` and `sync` stay."""
    if len(word) < 5 or not word.isascii() or not word.isalpha() or word.endswith("ss"):
        return word
    rest = _ENDING.sub("", word)
    if len(rest) < 3 or not re.search(r"[aeiouy]", rest):
        return word
    return rest[:-1] if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "ls" and rest != word else rest


def score(first: str, second: str) -> float:
    """0 to 100: the share of words in common, less a charge for every word that stands in another one's place.

    Added words are a longer wording; exchanged ones are usually another subject (`use Redis for the queue`, `use SQLite
    for the queue`), and taking those for one statement would lose a record. Ratios over the joined words, such as
    rapidfuzz's token_set_ratio, call such pairs alike. Order and repetition do not matter.
    """
    a, b = words_of(first), words_of(second)
    if not a or not b:
        return 100.0 if first.strip() == second.strip() else 0.0
    only_a, only_b = without_inflections(a - b, b - a)
    common = (len(a) - len(only_a) + len(b) - len(only_b)) / 2
    share = 200 * common / (len(a) + len(b))
    words = min(sum(map(str.isascii, only_a)), sum(map(str.isascii, only_b)))
    pairs = min(len(only_a), len(only_b)) - words
    # One character put in between breaks one pair of characters on its own; that is no exchange yet.
    return max(0.0, share - EXCHANGED_WORD * words - EXCHANGED_PAIR * max(0, pairs - 1))


def without_inflections(first: frozenset[str], second: frozenset[str]) -> tuple[Set[str], Set[str]]:
    """Both sets without words that are forms of each other: `payment`, `payments`. Not `sync` and `async`."""
    begun: dict[str, list[str]] = {}
    for word in second:
        if len(word) >= _LONG:
            begun.setdefault(word[:_BEGINNING], []).append(word)
    pairs = [word for word in first if len(word) >= _LONG and word[:_BEGINNING] in begun]
    if not pairs:  # nearly always, and a large store asks millions of times
        return first, second
    left, right = set(first), set(second)
    for word in sorted(pairs):
        others = (o for o in sorted(begun[word[:_BEGINNING]]) if o in right and fuzz.ratio(word, o) >= 85)
        if other := next(others, None):
            left.discard(word)
            right.discard(other)
    return left, right


def overlap(first: str, second: str) -> float:
    """The share (0 to 1) of the first text's distinct words that the second one has."""
    a = words_of(first)
    return len(a & words_of(second)) / len(a) if a else 0.0


def figures(text: str) -> frozenset[str]:
    """The numbers that a text names."""
    return frozenset(_NUMBER.findall(text))


def in_figures(text: str) -> list[str]:
    """The numbers that a text names, in order, each as often as it stands there."""
    return _NUMBER.findall(text)


def same_figures(first: str, second: str) -> bool:
    """Whether both texts name the same numbers."""
    return sorted(in_figures(first)) == sorted(in_figures(second))


def denies(first: str, second: str) -> float:
    """0 to 100: how alike the two are but for the denial that one of them has; 0 where both deny, or neither."""
    if same_sense(first, second):
        return 0.0
    return score(*(_NEGATION.sub(" ", re.sub(r"\b[Dd]o (?=not\b)", "", text)) for text in (first, second)))


def opposed(newer: str, older: str) -> Opposition:
    """How a later statement stands against an earlier one, where exactly one of them denies.

    EQUAL: of the very same. WIDER: the newer one denies what the older one says in more words (`do not keep the flag`,
    `keep the slow path behind a flag`). PARTLY: one is a part or an exception of the other. NONE: no opposition found.
    """
    figures = set(_NUMBER.findall(newer)), set(_NUMBER.findall(older))
    if _negative(newer) == _negative(older) or not (figures[0] <= figures[1] or figures[1] <= figures[0]):
        return Opposition.NONE
    a, b = _subject(newer), _subject(older)
    bare_a, bare_b = a - _LIGHT, b - _LIGHT
    if not bare_a or not bare_b:
        return Opposition.NONE
    if bare_a == bare_b:
        return Opposition.EQUAL
    if bare_a < bare_b and len(a & b) >= _SUBJECT and _negative(newer):
        return Opposition.WIDER
    few = min(len(a), len(b)) < _SUBJECT or len(a & b) < _SUBJECT
    return Opposition.NONE if few or not (bare_a < bare_b or bare_b < bare_a) else Opposition.PARTLY


@lru_cache(maxsize=32_768)
def _negative(text: str) -> bool:
    return bool(_NEGATION.search(text) or _GIVEN_UP.search(text))


@lru_cache(maxsize=32_768)
def _subject(text: str) -> frozenset[str]:
    """The words a statement is about: without its denial, and without words that give up."""
    rest = _GIVEN_UP.sub(" ", _NEGATION.sub(" ", re.sub(r"\b[Dd]o (?=not\b)", "", text)))
    return frozenset(tokens(rest)) - {"not", "let", "we're", "anymor", "now", "only"}


def same_sense(first: str, second: str) -> bool:
    """Whether neither text denies: `use X` and `do not use X` share their words and say the opposite."""
    return bool(_NEGATION.search(first)) == bool(_NEGATION.search(second))


def denials(text: str) -> int:
    """How often a text denies something."""
    return len(_NEGATION.findall(text))
