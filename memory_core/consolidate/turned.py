"""Whether two statements of nearly the same words may say different things: the likeness of words cannot tell.

`Migrate from Postgres to MySQL` has the words of `Migrate from MySQL to Postgres`. In doubt two statements are told
apart: a record too many can be merged later, one that was merged away is lost. Says nothing about denials and figures,
which `similar` compares.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from memory_core.consolidate.marks import written_apart
from memory_core.consolidate.similar import in_figures, plain, tokens, words_of

# After these words stands what is not to be confused with what stands before them.
_RELATION = frozenset(
    re.split(
        " ",
        "about above after against as at before behind below beside between by during following for from in inside "
        "into just of off on only onto outside over past than through to toward towards under until upon via with "
        "within without",
    )
)
# What stands behind one of these is not what stands behind one of the others.
_OPPOSITE = {
    "from": frozenset({"to", "into", "onto", "toward", "towards", "in", "on", "at"}),
    "before": frozenset({"after", "behind", "following"}),
    "until": frozenset({"after"}),
    "above": frozenset({"below", "under"}),
    "over": frozenset({"below", "under"}),
    "inside": frozenset({"outside"}),
    "within": frozenset({"outside"}),
    "with": frozenset({"without"}),
    "for": frozenset({"against"}),
    "on": frozenset({"off"}),
}
# `tokens` leaves these out, but where something goes to or comes from matters. Behind other relations they begin a
# clause: `before you push`.
_PRONOUN = frozenset({"us", "you", "me", "them", "it"})
_WAY = frozenset({"from", "to", "into", "onto", "for", "against", "with", "without"})
# Words that change what a whole statement says, wherever they stand.
_WEIGHTY = re.compile(
    r"\b(?:unless|except|excluding|only|instead|hardly|rarely|seldom|neither|nor|at least|at most|optional(?:ly)?"
    r"|temporar(?:y|ily)|off|down|half|or|non)\b"
)
_WORD = re.compile(r"[^\W_]+(?:[.'_-][^\W_]+)*|[,;:.!?()、。，；]")
_CLAUSE = frozenset(",;:.!?()、。，；") | {"but", "and", "or"}
# Words that any two statements may share.
LIGHT = frozenset(tokens("use keep do have make go add put prefer let run"))
# Signs that deny the word they stand before, in Chinese, Japanese and Korean.
_DENIED = re.compile(
    r"非(?!常)|未(?!来)|無(?!理)|비(?=활성|공개|동기|암호|정상|필수)|미(?=사용|적용|포함|지원)|불(?=가능|필요)"
)
# Without those that Chinese and Japanese say "must", "please" or a mere connection with.
_TERM_CHARACTER = re.compile(r"(?![必须須需要应應该該请請将將把会之的了着事])[\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff]")
# In Japanese and Korean a relation follows its word (`PostgresからMySQLに`), in Chinese it precedes it (`从A迁移到B`).
_TERM = r"[a-z0-9][a-z0-9.+#_-]*|[\u30a1-\u30fa\u30fc]+|[\u4e00-\u9fff]+|[\uac00-\ud7af]+?"
_FOLLOWS = re.compile(
    rf"({_TERM})\s?(から|より|ではなく|でなく|の?代わり|の?前|の?[後あ]と?|まで|に|へ|보다|대신|에서|으?로|전|후)"
)
_PRECEDES = re.compile(r"(从|到|先|再|比|而不是|而非|不用|代替|取代)\s?([a-z0-9][a-z0-9.+#_-]*|[\u4e00-\u9fff]{1,2})")
_MOST = 200  # words that are turned round: the work grows with their square
_STEM = 4  # letters that two forms of one word begin with
_FORMS = frozenset(["", "s", "es", "ed", "d", "e", "ing", "ly", "ion", "ions", "y", "ies", "ied", "ment", "ments"])


@lru_cache(maxsize=32_768)
def turned(first: str, second: str) -> bool:
    """Whether a sign, the place of a word, or one word for another tells the two apart."""
    if first == second:
        return False
    if written_apart(first, second):
        return True
    one, other = plain(first), plain(second)
    if one == other:
        return False
    if _weighed(one) != _weighed(other):
        return True
    if sorted(_DENIED.findall(one)) != sorted(_DENIED.findall(other)):
        return True
    if _exchanged(first, second) or _swapped(one, other) or _swapped_wide(one, other):
        return True
    return _in_another_order(one, other)


def _weighed(text: str) -> list[str]:
    """The words of a text that change what all of it says."""
    return sorted(set(_WEIGHTY.findall(text)))


def _exchanged(first: str, second: str) -> bool:
    """Whether each has a word, or a character that terms are written with, that the other one has not."""
    a, b = words_of(first), words_of(second)
    only_a, only_b = ({word for word in one - two if word.isascii()} for one, two in ((a, b), (b, a)))
    if any(not any(_forms(word, other) for other in only_b) for word in only_a) and any(
        not any(_forms(word, other) for other in only_a) for word in only_b
    ):
        return True
    terms_a, terms_b = (set(_TERM_CHARACTER.findall(text)) for text in (first, second))
    return bool(terms_a - terms_b and terms_b - terms_a)


def _forms(word: str, other: str) -> bool:
    """Whether two words are forms of one: `payment` and `payments`, not `employer` and `employee`."""
    alike = (at for at, (x, y) in enumerate(zip(word, other, strict=False)) if x != y)
    length = next(alike, min(len(word), len(other)))
    return any(at >= _STEM and word[at:] in _FORMS and other[at:] in _FORMS for at in (length, length - 1))


def _swapped(one: str, other: str) -> bool:
    """Whether a word stands behind a relation in one text, and elsewhere in the other one that has this relation."""
    (behind, order), (behind_other, order_other) = _places(one), _places(other)
    for (relation, words), (against, others) in product(behind.items(), behind_other.items()):
        if words & others and (against in _OPPOSITE.get(relation, ()) or relation in _OPPOSITE.get(against, ())):
            return True
    for relation in behind.keys() & behind_other.keys():
        here, there = behind[relation], behind_other[relation]
        if (here - there) & set(order_other) or (there - here) & set(order):
            return True
    if behind or behind_other or set(order) != set(order_other) or not order:
        return False
    return order[0] != order_other[0] and order[-1] != order_other[-1]


def _swapped_wide(one: str, other: str) -> bool:
    """As `_swapped`, for scripts without blanks and for Korean."""
    if one.isascii() or other.isascii():
        return False
    places, others = _wide_places(one), _wide_places(other)
    return any(
        any(term in other for term in places[relation] - others[relation])
        and any(term in one for term in others[relation] - places[relation])
        for relation in places.keys() & others.keys()
    )


def _in_another_order(one: str, other: str) -> bool:
    """Whether the same words, or the same numbers, stand in an order that is more than a clause put first."""
    clauses, others = _clauses(one), _clauses(other)
    if clauses == others:
        return in_figures(one) != in_figures(other)
    words, more = ([word for clause in parts for word in clause] for parts in (clauses, others))
    if sorted(words) != sorted(more):
        return False
    if len(words) > _MOST:
        return True
    return _as_circle(words) != _as_circle(more) and sorted(map(_as_circle, clauses)) != sorted(map(_as_circle, others))


def _clauses(text: str) -> list[list[str]]:
    """The words of each clause that mean something, with relations and numbers."""
    found: list[list[str]] = [[]]
    for word in _WORD.findall(text):
        if word in _CLAUSE:
            found.append([])
        elif word in _RELATION or any(map(str.isdigit, word)):
            found[-1].append(word)
        elif not word.endswith("ly"):  # an adverb may stand anywhere: `commit directly to main`
            found[-1] += [token for token in tokens(word) if token not in LIGHT]
    return [clause for clause in found if clause]


def _as_circle(words: Sequence[str]) -> list[str]:
    """The same for all texts that begin elsewhere and go on from their end: `run it before a commit`, `before a commit
    run it`."""
    return min(([*words[at:], *words[:at]] for at in range(len(words))), default=[])


def _wide_places(text: str) -> dict[str, set[str]]:
    found = [(relation, term) for term, relation in _FOLLOWS.findall(text)] + _PRECEDES.findall(text)
    places: dict[str, set[str]] = defaultdict(set)
    for relation, term in found:
        places[relation].add(term)
    return places


def _places(text: str) -> tuple[dict[str, set[str]], list[str]]:
    """For each relation the words that stand behind it, and all words that mean something, in order."""
    behind: dict[str, set[str]] = defaultdict(set)
    order: list[str] = []
    relation, denied = "", False
    for word in _WORD.findall(text):
        if word in _CLAUSE:
            relation, denied = "", False
        elif word in ("not", "no"):
            denied = True
        elif word in _RELATION:
            relation = word
            denied = denied or word == "without"
        elif word in _PRONOUN and relation in _WAY:
            behind[relation].add(word)
            relation = ""
        elif (found := tokens(word)) and found[0] not in LIGHT:
            order += found
            if relation:
                behind[relation].update(found[:1])
            if denied:
                behind["not"].update(found)
            relation = ""
    return behind, order
