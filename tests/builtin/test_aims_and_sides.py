"""What an attempt set out from, where a sentence ends, and what was weighed against what."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.cues_en import EN
from memory_core.providers.builtin.sentence_parts import options_of
from memory_core.providers.builtin.sentences import sentences
from memory_core.providers.builtin.wording import titled
from tests.builtin.test_builtin_real_talk import _found


def _actions(text: str) -> list[str]:
    return [str(finding.fields["action"]) for finding in _found(text) if finding.array == "attempts"]


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ("the customers of the north asked for it", "I'll batch the lookups of the import."),
        ("Die Kunden warten schon lange darauf", "Ich bündele die Abfragen des Imports."),
    ],
)
def test_an_attempt_set_out_from_what_was_announced_not_from_talk(said: str, step: str) -> None:
    talk = f"H: {said}\nA: {step}\nEDIT: i.py\n$ pytest => 9 passed in 80s\nA: It takes 80 s, 4 times less than before."
    assert _actions(f"{talk}\nH: thanks") in ([step], [step.rstrip(".")])


def test_an_attempt_set_out_from_the_ask_where_there_is_one() -> None:
    text = "H: please batch the lookups of the nightly import\nA: I'll look.\nEDIT: i.py\n$ pytest => 9 passed\n"
    assert _actions(text + "A: The run takes 80 s, 4 times less than before.\nH: thanks") == [
        "Batch the lookups of the nightly import"
    ]


@pytest.mark.parametrize(
    "text", ["Der Lauf hat 1,2 Mio. Zeilen gelesen.", "Formate, z. B. Zahlen, bleiben.", "Das sind ca. 40 Zeilen."]
)
def test_abbreviation_ends_no_sentence(text: str) -> None:
    assert [sentence.text for sentence in sentences(text)] == [text]


def test_what_is_denied_of_the_choice_was_not_weighed_against_it() -> None:
    (denied,) = sentences("I'd prefer tabs but it's not important")
    (weighed,) = sentences("use tabs, not spaces")
    assert options_of(denied, EN) == []
    assert options_of(weighed, EN) != []


@pytest.mark.parametrize(
    ("text", "title"), [("hm, keep the flag", "Keep the flag"), ("うーん、UTC で統一する", "UTC で統一する")]
)
def test_title_begins_with_what_it_says(text: str, title: str) -> None:
    assert titled(text) == title
