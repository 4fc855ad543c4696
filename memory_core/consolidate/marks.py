"""What two statements of the same words differ in as written: signs, names in code, units, single letters.

`^1.2` and `~1.2`, `/user` and `/users`, `foo_bar` and `foo-bar`, `5 MB` and `5 Mb`, `variant A` and `variant B`. Looks
at signs that stand in the place of each other, so that a longer wording with a path in it stays the same statement.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memory_core.consolidate.similar import WIDE, tokens

# What Markdown and typography add to a text: it means nothing here.
_BULLET = re.compile(r"^\s*(?:[-*+>#•]+\s+|\d+[.)]\s+)+")
_ESCAPED = re.compile(r"\\(?=[#/_*`])")
_STRESSED = re.compile(r"(?<![\w*_])([*_]{1,3})(?=\S)([^\n]{1,200}?)(?<=\S)\1(?![\w*_])")
_QUOTE = re.compile(r"(?<=\S)[\"'`“”‘’«»]|[\"'`“”‘’«»](?=\S)")  # one with blanks around it is meant itself
_DASH = re.compile(r"(?<=\s)[-–—]+(?=\s)")
_AND = re.compile(r"(?<=\s)[&+](?=\s)")
# A sign belongs to what follows it, and one of money or share to the figure before it, with or without a blank.
_APART = re.compile(r"(?<!\S)([^\w\s]+)\s+(?=\w)")
_SHARE = re.compile(r"(?<=\d)\s+(?=[%€$£¥°])")
_CHUNK = re.compile(rf"[{WIDE}]+|[^\s{WIDE}]+")
_AROUND = "()[]{}.,;:?…、。「」『』（）"
_SIGNS = frozenset("^~$€£¥%+/\\_*@#=&|<>≤≥\"'`")
# Hyphens, dots and exclamation marks mean something before a word, not within one or behind it.
_BEFORE_WORD = re.compile(r"(?<![^\W_])(?:-+|\.|!+)(?=\w)|!(?==)")
_UNIT = re.compile(r"(?<=\d)\s?[KMGT]i?([bB])(?![A-Za-z])")
_LETTER = re.compile(r"(?<=[\w,] )[A-HJ-Z](?![\w'’+#.-])")
_LETTERED = re.compile(
    r"\b(?:option|variant|plan|feature|case|phase|type|group|approach|version|order|team)\s+([a-z])\b(?!['’])",
    re.IGNORECASE,
)
# Behind these stands a name, of which every letter counts.
_NAMED = re.compile(
    r"\b(?:tables?|columns?|fields?|endpoints?|routes?|class(?:es)?|packages?|modules?|branch(?:es)?|tags?|variables?"
    r"|functions?|methods?|named|called|call it|name it)\s+(?:as\s+|is\s+|:\s*)?[\"'`]?([a-z][\w./-]*)",
    re.IGNORECASE,
)


class _Chunk(NamedTuple):
    """A piece of text without blanks: its letters and digits, and the signs among them that mean something."""

    bare: str
    signs: str


def written_apart(first: str, second: str) -> bool:
    """Whether a sign, a name, a unit or a letter stands in the place of another one."""
    return (
        _signs_differ(first, second)
        or _differ(_UNIT.findall(first), _UNIT.findall(second))
        or _differ(_LETTER.findall(first), _LETTER.findall(second))
        or _differ(_LETTERED.findall(first.casefold()), _LETTERED.findall(second.casefold()))
        or _names_differ(first, second)
    )


def _differ(one: list[str], other: list[str]) -> bool:
    """Whether both have some, and not the same ones: one that only one text has is a longer wording."""
    return bool(one and other) and sorted(set(one)) != sorted(set(other))


def _names_differ(first: str, second: str) -> bool:
    """Whether a name stands where the other text has another form of its word: `table user`, `table users`."""
    one, other = ({name.rstrip(".") for name in _NAMED.findall(text)} for text in (first, second))
    only, others = one - other, other - one
    return any(tokens(name) == tokens(twin) for name in only for twin in others)


def _signs_differ(first: str, second: str) -> bool:
    one, other = _chunks(first), _chunks(second)
    only, others = one - other, other - one
    by_letters: defaultdict[str, set[str]] = defaultdict(set)
    by_words: defaultdict[tuple[str, ...], list[_Chunk]] = defaultdict(list)
    for chunk in others:
        by_letters[chunk.bare].add(chunk.signs)
        if chunk.bare.isascii():
            by_words[tokens(chunk.bare)].append(chunk)
    for chunk in only:
        if by_letters.get(chunk.bare, set()) - {chunk.signs}:
            return True
        forms = by_words.get(tokens(chunk.bare), ()) if chunk.bare.isascii() else ()
        if any((chunk.signs or form.signs) and form.bare != chunk.bare for form in forms):
            return True
    return False


@lru_cache(maxsize=32_768)  # every claim of a store may be compared with every candidate of a run
def _chunks(text: str) -> frozenset[_Chunk]:
    text = _BULLET.sub("", unicodedata.normalize("NFKC", text).casefold())
    text = _STRESSED.sub(r"\2", _ESCAPED.sub("", text))
    text = _AND.sub("and", _DASH.sub(" ", _QUOTE.sub("", text)))
    text = _APART.sub(r"\1", _SHARE.sub("", text))
    found = (_Chunk(_letters(chunk), "".join(_signs(chunk))) for chunk in _CHUNK.findall(text))
    return frozenset(chunk for chunk in found if chunk.bare or chunk.signs)


def _letters(chunk: str) -> str:
    return "".join(sign for sign in chunk if sign.isalnum())


def _signs(chunk: str) -> Iterator[str]:
    """The signs of a chunk that tell it from another one of the same letters. Hyphens within a word, dots and the
    punctuation around it do not."""
    chunk = chunk.lstrip("([{「『（").rstrip(_AROUND + "!/")
    yield from _BEFORE_WORD.findall(chunk)
    for sign in chunk:
        if sign in _SIGNS or (not sign.isascii() and unicodedata.category(sign) in ("Sc", "Sm", "So")):
            yield sign
