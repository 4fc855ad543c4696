"""Which nets a text may hold, and what they catch in it. What a catch is worth is said by `secrets.judgment`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from memory_core.secrets.commands import COMMANDS, VARIABLES
from memory_core.secrets.places import ASSIGNED, TOLD, Net
from memory_core.secrets.spellings import SPELLINGS

NETS = (VARIABLES, ASSIGNED, *TOLD, *COMMANDS, *SPELLINGS)
_SHARED = ("pass", "pw", "secret", "token", "key", "auth", "cred", "login", "sess", "identified")


class Searched:
    """A text with what is looked up in it by many nets: itself in lower case, and where names begin."""

    __slots__ = ("_begins", "lowered", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lowered = text.lower()
        self._begins: dict[str, list[int]] = {}

    def nets(self) -> Iterator[Net]:
        """The nets for values with a name and for secrets that are told, as far as the text has the words for them, in
        their order."""
        stems = _ASCII_STEMS if self.lowered.isascii() else _STEMS
        lowered = self.lowered
        found = {
            n for stem, words in stems if stem in lowered for word, numbers in words if word in lowered for n in numbers
        }
        for net in (NETS[number] for number in sorted(found)):
            if net.beside and not any(word in lowered for word in net.beside):
                continue
            if not net.near or _compiled(net.near).search(lowered):
                yield net

    def caught(self, net: Net) -> Iterator[re.Match[str]]:
        """What a net catches, in order."""
        pattern = _compiled(net.pattern)
        if not net.begins or len(self.lowered) != len(self.text):  # as in Turkish, where places differ then
            yield from pattern.finditer(self.text)
            return
        end = 0
        for at in self._places(net.begins):
            if at >= end and (match := pattern.match(self.text, at)):
                yield match
                end = match.end()

    def _places(self, begins: str) -> list[int]:
        if begins not in self._begins:
            self._begins[begins] = [match.start() for match in _compiled(begins).finditer(self.lowered)]
        return self._begins[begins]


def _by_stem(nets: Iterable[Net]) -> tuple[tuple[str, tuple[tuple[str, tuple[int, ...]], ...]], ...]:
    """The words of nets with the numbers of these, by a stem that they share: most texts have few of the stems."""
    numbers: dict[str, tuple[int, ...]] = {}
    for number, net in enumerate(nets):
        numbers |= {word: (*numbers.get(word, ()), number) for word in net.words}
    shared: dict[str, list[str]] = {}
    for word in numbers:
        shared.setdefault(next((stem for stem in _SHARED if stem in word), word), []).append(word)
    return tuple((stem, tuple((word, numbers[word]) for word in words)) for stem, words in shared.items())


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_STEMS = _by_stem(NETS)
_ASCII_STEMS = tuple(found for found in _STEMS if found[0].isascii())
