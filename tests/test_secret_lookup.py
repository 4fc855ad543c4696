"""What is looked up in a text for all nets at once is what a search for each would find: nothing more, nothing less."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from memory_core.secrets import lookup
from memory_core.secrets.lookup import WordTable, apart, are_literals, occurrences
from memory_core.secrets.nets import _BY_WORD, _SHARED, NETS, Searched
from memory_core.secrets.tables import _HEAD, _heads

_WORDS = sorted(_BY_WORD)
_BEGINNINGS = sorted({net.begins for net in NETS if net.begins})
# Pieces of words too, which a neighbour may complete; and what parts words in some languages and not in others.
_PIECES = st.one_of(
    st.sampled_from(_WORDS),
    st.sampled_from(_WORDS).flatmap(lambda word: st.integers(0, len(word)).map(lambda end: word[:end])),
    st.sampled_from(_WORDS).flatmap(lambda word: st.integers(0, len(word)).map(lambda start: word[start:])),
    st.sampled_from(
        [" ", "  ", "\n", "\r\n", "\t", "\xa0", "\u2028", "\u3000", "\x1c", ":", "=", '"', "|", "_", "-", ","]
    ),
    st.text(st.sampled_from("aekopstwyſİK密 \n#0"), max_size=8),
)
_TEXTS = st.lists(_PIECES, max_size=30).map("".join)


def _numbers(lowered: str) -> set[int]:
    return {number for word, numbers in _BY_WORD.items() if word in lowered for number in numbers}


@given(st.lists(_TEXTS, min_size=1, max_size=4))
def test_the_nets_of_a_text_are_those_whose_words_it_has(texts: list[str]) -> None:
    table = WordTable(_BY_WORD, _SHARED)
    for text in (*texts, *texts):  # the second time each word is known
        lowered = text.lower()
        assert table.numbers_in(lowered) == _numbers(lowered)


@given(_TEXTS)
def test_nets_are_chosen_by_their_words_and_by_what_stands_beside(text: str) -> None:
    lowered = text.lower()
    wanted = [
        net
        for number, net in enumerate(NETS)
        if number in _numbers(lowered)
        and (not net.beside or any(word in lowered for word in net.beside))
        and (not net.near or re.search(net.near, lowered))
    ]
    assert list(Searched(text).nets()) == wanted


def test_a_full_memory_begins_anew() -> None:
    table = WordTable(_BY_WORD, _SHARED)
    for number in range(3 * lookup._MOST_KNOWN // 1_000):
        lowered = " ".join(f"word{number}x{n} token{number}x{n}" for n in range(500))
        assert table.numbers_in(lowered) == _numbers(lowered)
        assert len(table._dull) + len(table._telling) <= lookup._MOST_KNOWN


@given(_TEXTS, st.sampled_from([begins for begins in _BEGINNINGS if are_literals(begins)]))
def test_the_places_of_words_are_those_that_a_pattern_finds(text: str, begins: str) -> None:
    lowered = text.lower()
    assert apart(lowered, begins.split("|")) == [match.start() for match in re.finditer(begins, lowered)]


def test_a_pattern_is_no_word() -> None:
    assert are_literals("api|x-auth|mot de passe")
    assert not any(
        map(are_literals, ("auth|\\.login", "password (?:for|is gen)", "a+", "[ab]", "a{2}", "^a", "a$", "a."))
    )


@given(_TEXTS)
def test_a_place_of_a_word_may_overlap_another(text: str) -> None:
    found = [span for word in ("token", "secret") for at in range(len(text)) for span in _at(text, word, at)]
    assert sorted(occurrences(text, ("secret", "token"))) == sorted(found)
    assert occurrences("secretoken", ("secret", "token")) == [(0, 6), (5, 10)]


def _at(text: str, word: str, at: int) -> list[tuple[int, int]]:
    return [(at, at + len(word))] if text.startswith(word, at) else []


@given(_TEXTS)
def test_the_heads_of_columns_are_those_that_a_pattern_finds(text: str) -> None:
    assert [m.span() for m in _heads(text, text.lower())] == [m.span() for m in _HEAD.finditer(text)]
