"""One candidate out of many: edited by a person, and made into a record alone."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.config import Config, MemorySettings
from memory_core.consolidate import by_hand
from memory_core.errors import StoreError
from memory_core.providers.builtin.consolidate import BuiltinConsolidator
from memory_core.staging import Attempt, Decision, Discussion, Request
from tests.consolidate.conftest import said

B = Any
EVERY = (
    Decision(chosen="Use A", rationale="It is there.", options=("Use B", "Use C")),
    Discussion(topic="Which cache", points=("Redis costs a server", "Memory is lost")),
    Attempt(action="Ran the tests", result="They hang", succeeded=False),
    Request(intent="Always lint first", summary="Lint before a commit.\n\n## Why\n\nIt is fast.", target=None),
    Decision(chosen="Use A\n## Rationale\n\nNobody said so\n\\## options", rationale="It is there.", options=("B",)),
)


@pytest.mark.parametrize("candidate", EVERY, ids=lambda it: type(it).__name__)
def test_a_candidate_comes_back_from_its_text_as_it_was(candidate: Any) -> None:
    whole = candidate.model_copy(update={"evidence": (said(1, "Use A"),)})
    assert by_hand.edited(whole, by_hand.text_of(whole)) == whole


def test_what_a_person_wrote_is_what_it_says_and_the_evidence_stays(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Use A"), make.decided("Use B", 2))
    bench.stage(file)
    first, second = file.candidates()
    text = by_hand.text_of(first.candidate).replace("Use A", "Use A in production").replace("\n", "\r\n")
    by_hand.edit(bench.store, first.id, text + "\r\n- C\r\n")
    (now,) = bench.store.staging().files
    changed, other = now.candidates()
    assert changed.candidate.chosen == "Use A in production"
    assert changed.candidate.options == ("C",)
    assert changed.candidate.evidence == first.candidate.evidence
    assert (changed.id, other) == (first.id, second)


def test_a_key_that_a_person_pasted_is_not_stored_and_half_a_character_is_no_error(bench: B, make: B) -> None:
    """The host's own candidates are redacted too; JSON can carry halves of surrogate pairs, and no file can."""
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    key = "ghp_" + "Zk3vQ9xW" * 4 + "abcd"
    text = by_hand.text_of(ref.candidate).replace("Use A", f"Use {key} \ud83d now")
    said_now = by_hand.edit(bench.store, ref.id, text).candidate
    (stored,) = bench.store.staging().files
    assert next(iter(stored.candidates())).candidate == said_now
    assert "redacted" in said_now.chosen
    assert key not in stored.model_dump_json()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Use A", "", "`## Chosen` is empty"),
        ("## Rationale", "Rationale", "heading `## Rationale` is gone"),
    ],
)
def test_a_text_that_says_nothing_changes_nothing(bench: B, make: B, old: str, new: str, message: str) -> None:
    file = make.staged(1, make.decided("Use A"))
    bench.stage(file)
    (ref,) = file.candidates()
    with pytest.raises(StoreError, match=message):
        by_hand.edit(bench.store, ref.id, by_hand.text_of(ref.candidate).replace(old, new))
    assert next(iter(bench.store.staging().files)) == file
    with pytest.raises(StoreError, match="no open candidate"):
        by_hand.edit(bench.store, f"{file.id}/decisions/7", "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Decision", "# Decision\n\nOnly on Fridays."),
        ("# Decision", "Only on Fridays.\n\n# Decision"),
        ("# Decision", "# Only on Fridays."),
        ("-->", "-->\n\nOnly on Fridays."),
    ],
)
def test_words_above_all_fields_are_refused_and_not_dropped(old: str, new: str) -> None:
    """They belong to no field: a save took them out without a word."""
    candidate = Decision(chosen="Use Postgres.")
    text = by_hand.text_of(candidate)
    with pytest.raises(StoreError, match=r"Only on Fridays\."):
        by_hand.edited(candidate, text.replace(old, new, 1))
    assert by_hand.edited(candidate, "\ufeff" + text.replace("\n", "\r\n")) == candidate


def test_whether_an_attempt_succeeded_is_yes_or_no() -> None:
    text = by_hand.text_of(EVERY[2])
    assert by_hand.edited(EVERY[2], text.replace("\nno\n", "\nYes\n")).succeeded is True  # type: ignore[union-attr]
    with pytest.raises(StoreError, match="`yes` or `no`"):
        by_hand.edited(EVERY[2], text.replace("\nno\n", "\nperhaps\n"))


def test_a_candidate_that_waits_for_review_is_not_edited_under_it(bench: B, make: B) -> None:
    file = make.staged(1, make.decided("Keep the cart in Postgres"))
    bench.stage(file)
    (ref,) = file.candidates()
    bench.run(BuiltinConsolidator(), config=Config(memory=MemorySettings(consolidate_review="preview")))
    (waiting,) = bench.store.held()
    with pytest.raises(StoreError, match=waiting.run_id):
        by_hand.edit(bench.store, ref.id, by_hand.text_of(ref.candidate).replace("Postgres", "Redis"))


def test_a_run_about_one_candidate_leaves_the_others_staged(bench: B, make: B) -> None:
    """Both stand in one message: the record of the one is no reason to close the other."""
    words = "Keep the cart in Postgres. Deploy on Mondays only."
    file = make.staged(
        1, make.decided("Keep the cart in Postgres", 2, words), make.decided("Deploy on Mondays only", 2, words)
    )
    bench.stage(file)
    first, second = file.candidates()
    run = bench.run(BuiltinConsolidator(), only={second.id})
    assert run.status == "committed"
    assert [r.candidate for r in run.closed] == [second.id]
    assert run.left == ()
    assert bench.store.staging().open == {first.id}
    assert [c.slug for c in bench.run(BuiltinConsolidator()).changes if c.kind != "summary"] == [
        "keep-cart-in-postgres"
    ]
    assert bench.store.staging().open == frozenset()
