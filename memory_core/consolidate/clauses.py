"""Statements of several parts: what each part says, so that one part said again is no second record.

Splits only where every part stands for itself; a condition or an exception holds for the whole sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from memory_core.consolidate.similar import Opposition, denials, opposed, same_figures, same_sense, score, words_of
from memory_core.consolidate.turned import turned

SAME = 88  # of 100: the same statement in other words
_LEAST = 2  # words of a part that says something by itself
_BORDER = re.compile(
    r"\s*[,;、，；](?!\d)\s*(?:(?:and|then|also)\s+)?|[.!?](?:\s+|$)|[。！？]"
    r"|\s+and\s+(?=(?:always|never|do not|don[’']t)\b)|(?<=ないで)(?=必ず|常に)|(?<=말고)\s+",
    re.IGNORECASE,
)
# What a list is joined by, and its words and commas.
_JOINS = frozenset(("or", "and", "nor", "、", "や", "と", "或", "和", "및", "또는"))
_LISTED = re.compile(r"\w[\w'’./-]*|、")
# What binds the parts of a sentence together.
_BOUND = re.compile(
    r"\b(?:if|when|whenever|unless|until|before|after|while|except|but|only|otherwise|because|so that|as long as)\b"
    r"|場合|とき|時は|なら|たら|れば|以外|ただし|除いて|まで|如果|除非|除了|但是|只有|的时候|之前|之后"
    r"|경우|때는|(?<=[가-힣])면 |제외|다만|까지",
    re.IGNORECASE,
)


@lru_cache(maxsize=32_768)
def clauses(text: str) -> tuple[str, ...]:
    """The parts of a statement that each say something by themselves; the statement alone where it is one."""
    if _BOUND.search(text):
        return (text,)
    parts = tuple(part.strip() for part in _BORDER.split(text) if part and len(words_of(part)) >= _LEAST)
    return parts if len(parts) > 1 else (text,)


def same_statement(first: str, second: str) -> bool:
    """Whether two texts say the same in other words. Likeness alone tells no denial, figure, sign or order of words."""
    return (
        score(first, second) >= SAME
        and same_sense(first, second)
        and same_figures(first, second)
        and not turned(first, second)
    )


def widens(newer: str, older: str) -> bool:
    """Whether a statement is an older one with one more thing in a list of it, and nothing else: `never log names` is
    what `never log names or addresses` says, and no more than a part of it. Both say it still."""
    words, known = _LISTED.findall(newer.casefold()), _LISTED.findall(older.casefold())
    more = len(words) - len(known)
    if more < 2 or not same_figures(newer, older) or denials(newer) != denials(older):
        return False
    first = next((n for n, pair in enumerate(zip(words, known, strict=False)) if pair[0] != pair[1]), len(known))
    # The words put in may begin one earlier where the list repeats itself: `to main or to release`.
    return any(
        words[:start] + words[start + more :] == known
        and not _JOINS.isdisjoint(words[start : start + more])
        and not _BOUND.search(" ".join(words[start : start + more]))
        for start in range(max(0, first - more + 1), first + 1)
    )


def part_says(statement: str, text: str) -> bool:
    """Whether one part of a longer statement says what a text says."""
    parts = clauses(statement)
    return len(parts) > 1 and any(same_statement(part, text) for part in parts)


def clash(newer: str, older: str) -> Opposition:
    """How a later statement stands against an earlier one, part by part. Who denies one part of several takes back no
    more than that: such an opposition is never more than a part."""
    pairs = list(product(clauses(newer), clauses(older)))
    if len(pairs) == 1:
        return opposed(newer, older)
    found = max((opposed(new, old) for new, old in pairs), key=lambda opposition: opposition.value)
    return Opposition.PARTLY if found is not Opposition.NONE else found
