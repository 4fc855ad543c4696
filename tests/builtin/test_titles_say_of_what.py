"""A title says of what: bare words, sentences that stand for others, and answers to `one for all or one per ...?`."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.naming import slug_for
from memory_core.records.schema import Kind
from tests.builtin.test_builtin_real_talk import _found


def _chosen(text: str) -> list[str]:
    return [str(finding.fields["chosen"]) for finding in _found(text) if finding.array == "decisions"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "A: Each push is too often. A nightly build of the images would do.\nH: ok nightly.\nEDIT: ci.yml\nA: Set.",
            ("nightly build of the images",),
        ),
        (
            "A: The version floats. We could pin Ruby in the Gemfile and on CI.\nH: pin it then\nEDIT: Gemfile\nA: Ok.",
            ("Ruby",),
        ),
        (
            "A: One cache for all tenants or one per tenant?\nH: one per tenant, they may not mix\nEDIT: c.py\nA: Ok.",
            ("One per tenant",),
        ),
        ("H: じゃあ日付は UTC で統一しよう。今後もそうして\nEDIT: a.py\nA: はい。", ("UTC",)),
        ("H: let's use snake_case for the JSON keys. do it like that from now on\nEDIT: a.py\nA: Ok.", ("snake_case",)),
    ],
)
def test_choice_is_told_with_what_it_is_about(text: str, parts: tuple[str, ...]) -> None:
    (chosen,) = _chosen(text)
    assert all(part in chosen for part in parts)


@pytest.mark.parametrize(
    "said",
    [
        "これからもそうして",
        "次からも同じで",
        "以后都这样吧",
        "앞으로도 그렇게 해 주세요",
        "do it like that from now on",
    ],
)
def test_sentence_that_stands_for_another_is_no_decision(said: str) -> None:
    assert _chosen(f"H: hi\nA: Renamed both files.\nH: {said}\nEDIT: a.py\nA: Ok.") == []


@pytest.mark.parametrize(
    "said",
    [
        "use the same lock for both queues from now on",
        "同じキューを全ジョブで使うことにしよう",
        "keep it like that in the core only",
    ],
)
def test_sentence_that_says_its_own_is_kept(said: str) -> None:
    assert _chosen(f"H: hi\nA: Renamed both files.\nH: {said}\nEDIT: a.py\nA: Ok.") != []


def test_name_of_an_answer_is_not_its_opposite() -> None:
    (chosen,) = _chosen("A: One cache for all tenants or one per tenant?\nH: one per tenant\nEDIT: c.py\nA: Ok.")
    assert "all-tenants" not in slug_for(Kind.DECISION, chosen, "2026-05-01", ())
