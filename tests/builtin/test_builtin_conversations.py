"""What the keyless extractor finds in conversations, and where it keeps silent. A13: precision before recall."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.extract import MOST, find
from memory_core.providers.builtin.turns import Finding
from memory_core.sessions.model import Speaker
from tests.builtin import conversations, sayings, second_thoughts, small_talk
from tests.builtin.dialogue import Conversation, view_of


def _shown(finding: Finding) -> str:
    return " | ".join(str(value) for value in finding.fields.values())


def _compare(conversation: Conversation) -> tuple[int, list[str], list[tuple[str, str]]]:
    """(hits, findings that were not expected, expectations that were not met)."""
    missing = list(conversation.expected)
    extra = []
    for finding in find(view_of(conversation.text, conversation.language)):
        met = next((e for e in missing if e[0] == finding.array and e[1].lower() in _shown(finding).lower()), None)
        if met:
            missing.remove(met)
        else:
            extra.append(f"{finding.array}: {_shown(finding)}")
    return len(conversation.expected) - len(missing), extra, missing


@pytest.mark.parametrize("conversation", [*conversations.ALL, *second_thoughts.ALL], ids=lambda c: c.name)
def test_conversation_gives_exactly_what_it_holds(conversation: Conversation) -> None:
    _, extra, missing = _compare(conversation)
    assert (extra, missing) == ([], [])


@pytest.mark.parametrize("text", small_talk.ALL, ids=lambda text: text[:50])
def test_small_talk_gives_nothing(text: str) -> None:
    assert [_shown(finding) for finding in find(view_of(text))] == []


def test_precision_and_recall_over_sayings_stay_high() -> None:
    results = [_compare(conversation) for conversation in sayings.ALL]
    hits = sum(found for found, _, _ in results)
    extra = [line for _, lines, _ in results for line in lines]
    missing = [line for _, _, lines in results for line in lines]
    assert hits / (hits + len(extra)) >= 0.97, extra
    assert hits / (hits + len(missing)) >= 0.94, missing


@pytest.mark.parametrize("conversation", conversations.ALL, ids=lambda c: c.name)
def test_every_decision_and_request_rests_on_a_message_of_a_human(conversation: Conversation) -> None:
    """T33: what a tool or the assistant said alone supports neither."""
    for finding in find(view_of(conversation.text, conversation.language)):
        if finding.array in ("decisions", "requests"):
            assert any(item.speaker is Speaker.HUMAN for item in finding.items)


@pytest.mark.parametrize("conversation", [*conversations.ALL, *sayings.ALL], ids=lambda c: c.name)
def test_what_is_found_was_said(conversation: Conversation) -> None:
    """Nothing is invented: each word of a candidate stands in the conversation."""
    view = view_of(conversation.text, conversation.language)
    said = conversation.text.lower()
    for finding in find(view):
        for value in finding.fields.values():
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str):
                    lost = [
                        word for word in text.lower().replace("`", " ").split() if word.strip("().…:。,'") not in said
                    ]
                    assert lost == []


def test_asks_that_differ_in_one_thing_are_two_requests() -> None:
    asks = "H: please add tests for the parser module\nA: ok\nH: please add tests for the lexer module"
    assert [finding.array for finding in find(view_of(asks))] == ["requests", "requests"]


def test_findings_of_a_slice_are_few_and_the_best_first() -> None:
    asks = (
        "csv export",
        "dark mode",
        "audit log",
        "webhook retries",
        "password reset",
        "invoice archive",
        "team roles",
    )
    lines = [f"H: please add the {name} to module number {n} of the console" for n, name in enumerate(asks)]
    rules = [f"H: never write {name} data into the shared cache, because it leaks" for name in asks]
    found = find(view_of("\n".join([*lines, *rules])))
    assert len(found) <= MOST
    assert found[0].array == "decisions"
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)
