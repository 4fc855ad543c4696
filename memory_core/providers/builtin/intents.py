"""The short form of an ask: what is to be done, without the words that lead up to it. Pure."""

from __future__ import annotations

import re

from memory_core.providers.builtin.asks import ENOUGH
from memory_core.providers.builtin.cues import Cues
from memory_core.providers.builtin.sentences import capitalized, matching, weight
from memory_core.text import shorten

_INTENT = 110
_LONG = 70
_LEADS = 2  # content words that must be left where the words of asking are taken away
_ASIDE = re.compile(r"\s+\([^()]*\)(?=[\s,;.:]|$)|\s*（[^（）]*）")
# What ends an aside that a full stop broke in two: `(main.py right? nothing else), and add a map`.
_ASIDE_END = re.compile(r"^[^()]{3,}\)\s*(?:[,;:]\s*)?(?:(?:and|but|then|also)\s+)*(?=\w)")


def intent_of(thing: str, cues: Cues) -> str:
    """A short form: the ask without its lead, and up to the end of its first clause where it is long."""
    thing = _led_off(thing.strip().rstrip("?？。.!！ "), cues)
    if len(thing) > _LONG:
        shorter = _ASIDE.sub("", thing)
        thing = shorter if weight(shorter) >= ENOUGH else thing
    if len(thing) > _LONG and not cues.reason_first:
        for match in cues.clause.finditer(thing):
            if weight(thing[: match.start()]) >= ENOUGH:
                thing = thing[: match.start()]
                break
    return shorten(capitalized(thing), _INTENT)


def whole_from(text: str) -> str:
    """A sentence without the end of an aside that began in the one before it."""
    rest = _ASIDE_END.sub("", text, count=1)
    return rest if weight(rest) >= ENOUGH else text


def _led_off(thing: str, cues: Cues) -> str:
    """The ask without `how about you` and its likes, as long as it says enough without them."""
    match = cues.lead.match(matching(thing))
    rest = thing[match.end() :] if match else thing
    return rest if weight(rest) >= _LEADS else thing
