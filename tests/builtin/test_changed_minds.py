"""What everyday words decide: a choice that is given up is gone, talk decides nothing, and a plain yes is a yes."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.providers.builtin.extract import find
from tests.builtin.changed_minds import DECIDES, SILENT
from tests.builtin.dialogue import view_of


def _decisions(dialogue: str) -> list[dict[str, Any]]:
    return [dict(found.fields) for found in find(view_of(dialogue)) if found.array == "decisions"]


@pytest.mark.parametrize("dialogue", SILENT.values(), ids=SILENT)
def test_nothing_is_decided(dialogue: str) -> None:
    assert _decisions(dialogue) == []


@pytest.mark.parametrize(("dialogue", "named", "gone"), DECIDES.values(), ids=DECIDES)
def test_one_thing_is_decided(dialogue: str, named: str, gone: str) -> None:
    chosen = [str(decision["chosen"]) for decision in _decisions(dialogue)]
    assert sum(named.casefold() in text.casefold() for text in chosen) == 1
    assert not any(text.startswith(gone) for text in chosen)


@pytest.mark.parametrize(
    ("choice", "later"),
    [
        ("Always write the exports to the object store", "hm, the exports page is ugly. use the blue theme please"),
        ("let's use Vue for the admin", "the admin needs a login. use the session cookie for it"),
        ("use uv for the lock file", "great. so ruff next"),
        ("use uv for the lock file", "nice. docs then"),
        ("never push to main", "oh wait, the button is too big. keep it at 20px"),
        (
            "From now on, write exports to the object store, never to the local disk.",
            "The disk had filled up while the nightly export ran. Let's use Parquet for the raw clicks.",
        ),
    ],
)
def test_a_word_in_common_with_an_older_choice_gives_nothing_up(choice: str, later: str) -> None:
    dialogue = (
        f"H: {choice}\nA: It is set up like that.\nEDIT: src/a.py\nA: Finished.\nH: {later}\nA: ok\n"
        "EDIT: src/b.py\nA: Done.\nH: thanks"
    )
    found = _decisions(dialogue)
    assert [str(one["chosen"]).casefold() for one in found].count(choice.casefold()) == 1
    assert not any(choice.casefold() == str(option).casefold() for one in found for option in one["options"])
