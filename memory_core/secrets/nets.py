"""Which nets a text may hold, and what they catch in it. What a catch is worth is said by `secrets.judgment`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from memory_core.secrets.calls import CALLS
from memory_core.secrets.commands import COMMANDS, VARIABLES
from memory_core.secrets.judgment import looks_secret, place_of
from memory_core.secrets.lookup import WordTable, apart, are_literals
from memory_core.secrets.places import ASSIGNED, TOLD, Net
from memory_core.secrets.sentences import SENTENCES
from memory_core.secrets.spellings import SPELLINGS

NETS = (VARIABLES, ASSIGNED, *TOLD, *COMMANDS, *CALLS, *SPELLINGS, *SENTENCES)
_SHARED = (
    *("pass", "pw", "secret", "token", "key", "auth", "cred", "login", "sess", "identified"),
    *("create", "jwt", "connect", "http", "user", "%", "slo", "parol", "kode", "kata"),
)
_LONGEST_REJECTED = 500
_FARTHEST = 200  # from the beginning of a line to its name


class Searched:
    """A text with what is looked up in it by many nets: itself in lower case, and where names begin."""

    __slots__ = ("_begins", "_beside", "lowered", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lowered = text.lower()
        self._begins: dict[str, list[int]] = {}
        self._beside: dict[tuple[str, ...], bool] = {}

    def nets(self) -> Iterator[Net]:
        """The nets for values with a name and for secrets that are told, as far as the text has the words for them, in
        their order."""
        table = _ASCII_WORDS if self.lowered.isascii() else _WORDS
        for net in (NETS[number] for number in sorted(table.numbers_in(self.lowered))):
            if net.beside and not self._has_any(net.beside):
                continue
            if not net.near or _compiled(net.near).search(self.lowered):
                yield net

    def _has_any(self, words: tuple[str, ...]) -> bool:
        if words not in self._beside:
            self._beside[words] = any(word in self.lowered for word in words)
        return self._beside[words]

    def caught(self, net: Net) -> Iterator[tuple[int, int]]:
        """Where secrets stand that a net catches, in order. Behind what looks like none it goes on from the beginning
        of the value: that may hold the true one (`"tokenResponse": "{\\"access_token\\": ..."`)."""
        pattern, end = _compiled(net.pattern), 0
        if net.begins and len(self.lowered) == len(self.text):  # else as in Turkish, where places differ
            for at in self._lines(net.begins) if net.line else self._places(net.begins):
                if at >= end and (match := pattern.match(self.text, at)):
                    secret, end = _judged(match)
                    yield from secret
            return
        while match := pattern.search(self.text, end):
            secret, end = _judged(match)
            yield from secret

    def _lines(self, begins: str) -> Iterable[int]:
        """Where the lines begin that have a place near their beginning."""
        lines: dict[int, None] = {}
        for at in self._places(begins):
            line = self.lowered.rfind("\n", max(0, at - _FARTHEST), at)
            if line >= 0 or at < _FARTHEST:
                lines[line + 1] = None
        return lines

    def _places(self, begins: str) -> list[int]:
        if begins not in self._begins:
            if are_literals(begins):
                self._begins[begins] = apart(self.lowered, begins.split("|"))
            else:
                self._begins[begins] = [match.start() for match in _compiled(begins).finditer(self.lowered)]
        return self._begins[begins]


def _judged(match: re.Match[str]) -> tuple[list[tuple[int, int]], int]:
    """Where a match holds a secret, and from where on to look for the next. What is very long is looked at once: text
    that is made of names alone would be read again from each of them."""
    start, end = place_of(match)
    if looks_secret(match):
        return [(start, end)], end
    return [], end if end - start > _LONGEST_REJECTED else max(match.start() + 1, start)


def _by_word(nets: Iterable[Net]) -> dict[str, tuple[int, ...]]:
    """The words of nets with the numbers of these."""
    numbers: dict[str, tuple[int, ...]] = {}
    for number, net in enumerate(nets):
        numbers |= {word: (*numbers.get(word, ()), number) for word in net.words}
    return numbers


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_BY_WORD = _by_word(NETS)
_WORDS = WordTable(_BY_WORD, _SHARED)
_ASCII_WORDS = WordTable({word: numbers for word, numbers in _BY_WORD.items() if word.isascii()}, _SHARED)
