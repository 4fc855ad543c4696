"""The short form of an ask is what is to be done, without the words that lead up to it. A13."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.extract.evidence import evidence_of
from memory_core.providers.builtin.aims import aim_of
from memory_core.providers.builtin.cues_en import EN
from memory_core.providers.builtin.extract import find
from memory_core.providers.builtin.intents import intent_of, whole_from
from memory_core.providers.builtin.turns import turns_of
from tests.builtin.dialogue import view_of


@pytest.mark.parametrize(
    ("asked", "intent"),
    [
        ("How about you split the loader into two modules?", "Split the loader into two modules"),
        ("how about we cache the parsed headers", "Cache the parsed headers"),
        ("But the rest of the helpers needs to move to lib", "The rest of the helpers needs to move to lib"),
        ("alright, i think the footer should show the branch", "The footer should show the branch"),
        ("i'd say the pool closes its sockets itself", "The pool closes its sockets itself"),
        ("I would assume that the store holds on to its lock", "The store holds on to its lock"),
        ("Could we have a watcher for the theme files?", "A watcher for the theme files"),
        ("Can we make the picker less noisy?", "Make the picker less noisy"),
        ("Why don't we write the index beside the log?", "Write the index beside the log"),
        ("What if we kept the old parser as a fallback?", "What if we kept the old parser as a fallback"),
        ("Would it make sense to share the fixture between both suites?", "Share the fixture between both suites"),
        ("Can we retry?", "Can we retry"),  # what is left would say too little
        (
            "In the handbook (the one for new themes) we can tell people to copy a theme that ships and change that",
            "In the handbook we can tell people to copy a theme that ships and change that",
        ),
        (
            "I think we have a showSelector() helper that swaps the editor for a view and back, so use that everywhere",
            "We have a showSelector() helper that swaps the editor for a view and back",
        ),
        ("Use the `can we` helper of the parser", "Use the `can we` helper of the parser"),
    ],
)
def test_intent_leaves_out_what_leads_up_to_it(asked: str, intent: str) -> None:
    assert intent_of(asked, EN) == intent


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("nothing else), and add a map of the code to the handbook", "add a map of the code to the handbook"),
        ("add a map (of the code) to the handbook", "add a map (of the code) to the handbook"),
        ("a) add a map of the code", "a) add a map of the code"),
        ("call done() and then close()", "call done() and then close()"),
    ],
)
def test_what_ends_an_aside_of_the_sentence_before_is_left_out(text: str, whole: str) -> None:
    assert whole_from(text) == whole


def _found(said: str) -> list[dict[str, Any]]:
    dialogue = f"A: I looked at the module. It reads the config.\nH: {said}\nEDIT: src/app.py\nA: Done.\nH: thanks"
    return [dict(found.fields) for found in find(view_of(dialogue)) if found.array == "requests"]


def _requests(said: str) -> list[str]:
    return [str(found["intent"]) for found in _found(said)]


@pytest.mark.parametrize(
    "said",
    [
        "i have a feeling you need to read the session module in full to do this well",
        "i think you should look at the loader again before you touch the tests",
        "there's only one file left to fix up, renderer.ts, read it in full",
        "you have to re-read the whole parser module, you lost the thread",
        "if we queue it, the loop is supposed to send it, but i thought you concluded that we don't want that?",
        "the worker should hold the lock, but didn't you say that the pool already does that?",
    ],
)
def test_errand_behind_a_lead_and_a_doubt_about_what_was_said_are_no_requests(said: str) -> None:
    assert _requests(said) == []


def test_request_that_names_a_file_takes_in_what_is_to_be_done_with_it() -> None:
    (found,) = _found("let's tackle main-new.ts. remove all duplicated code. split the rest into modules by duty")
    assert found["intent"] == "Remove all duplicated code"
    assert found["target"] == "main-new.ts"
    assert str(found["summary"]).startswith("Let's tackle main-new.ts. remove all")


def test_ask_inside_an_aside_is_none_of_its_own() -> None:
    said = (
        "tool output has two colors, one for the heading and one for the text (bash and read, and write, edit has none)"
    )
    assert [intent for intent in _requests(said) if intent.lower().startswith(("write", "edit"))] == []


@pytest.mark.parametrize(
    ("said", "aim"),
    [
        ("'/tmp/shots/Screenshot 2025-11-21 at 01.39.27.png'\n\nthe dim grays look alike", "The dim grays look alike"),
        ("'C:\\shots\\dim grays of today.png'\n\nw.t.f.", ""),
    ],
)
def test_attempt_does_not_set_out_from_the_name_of_a_picture(said: str, aim: str) -> None:
    (turn,) = turns_of(evidence_of(view_of(f"H: {said}\nEDIT: grays.js")))
    assert aim_of(turn, None) == aim
