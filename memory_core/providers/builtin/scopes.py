"""Whether two decisions between the same things are for different places: `UTC in the database`, `local time in the
reports`. Then the later one takes nothing of the earlier one back.

Pure: looks at words alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_core.consolidate.similar import words_of
from memory_core.providers.builtin.sentences import language_of
from memory_core.providers.builtin.slug_terms import name_words

# What is done with the things says nothing of where.
_ACTS = words_of(
    "use using keep store move send put switch write render return take pick choose prefer set make call name save "
    "stay stick run add have let lets we i our the a an please instead rather than over not no longer any more anymore "
    "for in on at with to of from and is are be it this that decided decide agreed will should must always never do don"
)
_GOES_WITH = re.compile(r"\bgo(?:ing)? (?:back to|with|for)\b", re.IGNORECASE)
# `the flags in the database` weighs the database, `Postgres for the orders` Postgres: the rest is where.
_PLACED = re.compile(r"\s+(?P<how>in|into|to|on|at|for)\s+", re.IGNORECASE)
_KO_PARTICLE = re.compile(r"(?<=.)(?:에서는|에서|에는|으로|로|을|를|은|는|이|가|에|의|만)$")
_KO_VERB = re.compile(r"(?:자|세요|줘|해|다|요|말고|대신)$")


def elsewhere(things: Sequence[str], chosen: str, earlier: str) -> bool:
    """Whether what is chosen now and an earlier choice each name, beside the two things weighed, what they are for, and
    not the same."""
    weighed = frozenset[str]().union(*(_terms(_thing(each)) for each in things)) if len(things) == 2 else None
    if not weighed:
        return False
    now, then = _terms(chosen) - weighed, _terms(earlier) - weighed
    return bool(now - then) and bool(then - now) and len(now & then) < min(len(now), len(then))


def _thing(option: str) -> str:
    """What is weighed, of an option that also says where: without it."""
    match = _PLACED.search(option)
    if match is None:
        return option
    return option[: match.start()] if match["how"].lower() == "for" else option[match.end() :]


def _terms(text: str) -> frozenset[str]:
    """The words that tell what a choice is about, without those of choosing."""
    match language_of(text):
        case "en":
            return words_of(_GOES_WITH.sub(" ", text)) - _ACTS
        case "ko":
            words = (word for word in re.findall(r"\w+", text.lower()) if not _KO_VERB.search(word))
            return frozenset(_KO_PARTICLE.sub("", word) for word in words)
        case language:
            return frozenset(name_words(text, language)) - {"no"}
