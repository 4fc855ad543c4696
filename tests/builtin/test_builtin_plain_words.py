"""Titles, names, reasons and hints of records as a person reads them: what a newcomer stumbled over in real talk."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.naming import description_for, slug_for
from memory_core.providers.builtin.wording import reason, titled
from memory_core.records.schema import Kind
from tests.builtin.test_builtin_real_talk import _found


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("We changed our mind: store check marks per user, not per list", "Store check marks per user, not per list"),
        ("I can use the unicode61 tokenizer with remove_diacritics 2.", "Use the unicode61 tokenizer with"),
        ("We agreed with finance that totals are rounded per line", "Totals are rounded per line"),
        ("I prefer small functions btw, max 40 lines", "Prefer small functions, max 40 lines"),
        ("I could reproduce it on Windows only", "I could reproduce it on Windows only"),
    ],
)
def test_title_is_what_holds_and_not_what_led_to_it(said: str, title: str) -> None:
    assert titled(said).startswith(title)


@pytest.mark.parametrize(
    ("before", "said", "title"),
    [
        (
            "The banner covers the form on small screens.",
            "then put it in the footer instead",
            "Put it in the footer instead (in answer to: The banner covers the form on small screens.)",
        ),
        ("Done.", "put it in the footer instead", "Put it in the footer instead"),
        (
            "The loader resolves to an empty module.",
            "Leave it then, we stay on webpack 4 until sign.js is rewritten",
            "Leave it then, we stay on webpack 4 until sign.js is rewritten",
        ),
        ("It is a guess.", "next.js must only be used in the shop", "next.js must only be used in the shop"),
    ],
)
def test_choice_that_points_says_at_what(before: str, said: str, title: str) -> None:
    (found,) = _found(f"A: {before}\nH: {said}\nEDIT: a.tsx\nA: Moved.", "decisions")
    assert found.fields["chosen"] == title


def test_file_named_in_answer_to_a_question_about_code_is_no_decision() -> None:
    asked = "You need a form and a route. Do you already have a user model?"
    assert _found(f"A: {asked}\nH: yes in models/user.py\nEDIT: models/user.py\nA: Added.", "decisions") == []


def test_reason_says_no_second_because_behind_its_label_and_is_no_but() -> None:
    assert reason("because of formatting") == "Formatting."
    assert reason("Since Jest is too slow") == "Jest is too slow."
    assert reason("due to the license") == "The license."
    assert reason("Since 2019 nobody maintains it") == "Since 2019 nobody maintains it."
    assert reason("because couples share one list") == "Couples share one list."
    assert reason("But store the check marks per list, because couples share one list.") == ""


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("'Kase' should find 'Käse'", "kase-should-find-kase"),
        ("Immer die Übersetzungen prüfen", "immer-die-ubersetzungen-prufen"),
        ("Garder les prénoms à la française", "garder-les-prenoms-la-francaise"),
    ],
)
def test_name_keeps_a_word_whole_at_a_letter_with_a_mark(title: str, slug: str) -> None:
    found = slug_for(Kind.REQUEST, title, "2026-01-31", ())
    assert [word for word in found.split("-") if len(word) > 1] == [word for word in slug.split("-") if len(word) > 1]


@pytest.mark.parametrize(
    ("title", "when"),
    [
        (
            "Don't convert between weight and volume, just show both",
            "Read before you convert between weight and volume.",
        ),
        ("Always run ruff before you say you're done, CI failed twice", "Read before you say you're done."),
        ("Never log bodies and headers", "Read before you log bodies."),
    ],
)
def test_hint_says_a_whole_phrase(title: str, when: str) -> None:
    assert description_for(title).endswith(when)


def test_question_that_is_left_open_may_say_what_it_asks() -> None:
    (found,) = _found(
        "H: Let's leave the question whether to index comments open until we know how many people write them\nA: OK.",
        "discussions",
    )
    assert "index comments" in str(found.fields["topic"])
