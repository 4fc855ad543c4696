"""The stretch of a text that a hit shows, and where the words of the query stand in it. Ranks nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_core.search.words import TOKEN, fold, is_wide, stem, tokens
from memory_core.text import shorten

EXCERPT = 240  # characters of a hit
_REACH = 50_000  # characters behind the first word of the query that are looked through for a better sentence
_RUN = re.compile(r"\S+")
# Where a sentence ends: at a mark with a space behind it, at a mark of scripts without spaces, or with its line.
_END = re.compile(r"[.!?][\"'”’)\]]*(?=\s)|[。！？]|\n")


def passage(text: str, words: Sequence[str], limit: int = EXCERPT) -> str:
    """At most `limit` characters of a text on one line: the sentence with most words of the query and what follows it;
    the beginning where no word stands. An ellipsis says where something was left out."""
    if len(text) <= limit:
        return shorten(text, limit)
    wanted = frozenset(words)
    first = _first(text, wanted, limit)
    if first is None:
        return shorten(text, limit)
    base = _after_space(text, max(0, first - limit), first)
    spans = list(_sentences(text[base : first + _REACH], base))
    counts = [len(wanted.intersection(tokens(text[a:b]))) for a, b in spans]
    number = counts.index(max(counts))
    start, end = spans[number]
    if end - start > limit:
        hit = _first(text[start:end], wanted, limit) or 0
        start = _after_space(text, max(start, start + hit - limit // 4), start + hit)
    while number and len(text) - spans[number - 1][0] < limit:  # the last words of a text: what leads to them has room
        number -= 1
        start = spans[number][0]
    return ("…" if text[:start].strip() else "") + shorten(text[start : start + 2 * limit], limit - 1)


def marks(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where words of a query stand in a text, as offsets in order. Of scripts without spaces, pairs of characters
    count, and single ones only in a query that has no pair."""
    wanted = frozenset(words)
    pairs = frozenset(word for word in wanted if is_wide(word) and len(word) > 1)
    found: list[tuple[int, int]] = []
    for match in TOKEN.finditer(text.lower() if text.isascii() else _small(text)):
        word = fold(match[0])
        if not is_wide(word):
            if word in wanted or stem(word) in wanted:
                found.append(match.span())
            continue
        size = 2 if pairs else 1
        for at in range(match.start(), match.end() - size + 1):
            if fold(text[at : at + size]) in wanted:
                joins = found and found[-1][1] >= at
                found[-1:] = [(found[-1][0], at + size)] if joins else [*found[-1:], (at, at + size)]
    return found


def _small(text: str) -> str:
    """The text in small letters, character by character, so that every place stays where it is."""
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)


def _first(text: str, wanted: frozenset[str], limit: int) -> int | None:
    """Where the first word of a query stands; None where none does."""
    for run in _RUN.finditer(text):
        if wanted.isdisjoint(tokens(run[0])):
            continue
        if len(run[0]) <= limit:
            return run.start()
        # A text without spaces: the place within it.
        inside = (n for n in range(len(run[0])) if not wanted.isdisjoint(tokens(run[0][n : n + 2])))
        return run.start() + next(inside, 0)
    return None


def _after_space(text: str, start: int, most: int) -> int:
    """`start`, moved on to the beginning of a word where one begins before `most`."""
    if start == 0 or text[start - 1].isspace():
        return start
    space = re.compile(r"\s").search(text, start, most)
    return space.end() if space else start


def _sentences(text: str, base: int) -> Iterator[tuple[int, int]]:
    """The sentences of a text that stands at `base`, as offsets; lines are sentences too."""
    start = 0
    for end in _END.finditer(text):
        if text[start : end.end()].strip():
            yield base + start + _indent(text, start), base + end.end()
        start = end.end()
    if text[start:].strip():
        yield base + start + _indent(text, start), base + len(text)


def _indent(text: str, start: int) -> int:
    return len(text[start : start + EXCERPT]) - len(text[start : start + EXCERPT].lstrip())
