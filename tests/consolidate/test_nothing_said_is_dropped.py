"""What a person asked in addition, or wrote into a candidate, stands in a record after it was applied. R1, T01."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.consolidate.by_hand import edit, text_of
from memory_core.errors import StoreError
from memory_core.providers.builtin.extract import find
from memory_core.records.record import Record
from memory_core.records.schema import Kind, Status
from memory_core.staging import Attempt, Candidate, Discussion
from tests.builtin.dialogue import view_of
from tests.consolidate.conftest import Bench, asked, decided, said, staged

B = Any
MAILS = "Translate the onboarding mails to French before the launch"


def told(bench: Bench) -> str:
    """All that the records and the summary say, without what they quote."""
    return "\n".join(
        line
        for path in bench.records()
        for line in bench.read(path).split("---\n", 2)[-1].splitlines()
        if ">" not in line
    )


@pytest.mark.parametrize(
    ("first", "second", "more"),
    [
        (MAILS, "Translate the onboarding mails to French and German before the launch", "German"),
        (
            "Add dark mode to the settings page before the launch in May",
            "Add dark mode to the settings page and the login page before the launch in May",
            "login page",
        ),
        (
            "Document the deploy steps for new colleagues in the wiki",
            "Document the deploy steps and the rollback steps for new colleagues in the wiki",
            "rollback steps",
        ),
    ],
)
@pytest.mark.parametrize("make", [asked, decided], ids=["request", "decision"])
def test_what_is_said_in_addition_stands_in_the_record(bench: B, make: Any, first: str, second: str, more: str) -> None:
    bench.stage(staged(1, make(first)))
    bench.run(run_id="one")
    bench.stage(staged(2, make(second)))
    bench.run(run_id="two")
    assert more in told(bench)
    assert not [path for path in bench.records() if path.startswith("knowledge/")], "it was not the same twice"


def test_what_is_said_again_in_the_same_words_adds_no_paragraph(bench: B) -> None:
    bench.stage(staged(1, asked(MAILS)), staged(2, asked(f"Please {MAILS[0].lower()}{MAILS[1:]}!")))
    bench.run()
    (path,) = (path for path in bench.records() if path.startswith("memory/requests/"))
    text = bench.read(path).split("---\n", 2)[2]
    assert sum("onboarding mails" in line and ">" not in line for line in text.splitlines()) == 1


def _edited(bench: Bench, candidate: Candidate, old: str, new: str, nth: int = 0) -> None:
    """A candidate in which a person changed the nth place of some words, and what a consolidation makes of it."""
    bench.stage(staged(1, candidate))
    (ref,) = (ref for file in bench.store.staging().files for ref in file.candidates())
    text = text_of(ref.candidate)
    parts = text.split(old)
    edit(bench.store, ref.id, old.join(parts[: nth + 1]) + new + old.join(parts[nth + 1 :]))
    bench.run()


RETRY = "Add a retry button to the export page by next week, for the whole team"


@pytest.mark.parametrize("nth", [0, 1], ids=["the intent", "the summary"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("whole team", "whole team except guests"),
        ("retry button", "retry button and a cancel button"),
        ("next week", "Friday"),
        ("next week", "week 50 (Dec 12)"),
    ],
)
def test_correction_of_a_request_is_in_its_record(bench: B, nth: int, old: str, new: str) -> None:
    _edited(bench, asked(f"Please {RETRY[0].lower()}{RETRY[1:]}.", intent=RETRY), old, new, nth)
    assert new in told(bench)


LONG = "".join(f"Reason {number} of the meeting is that team {number} needs it so. " for number in range(60)).strip()


def test_what_a_person_writes_into_a_decision_is_there_to_its_last_word(bench: B) -> None:
    _edited(bench, decided("Use Postgres for the queue", rationale="It is faster."), "It is faster.", LONG)
    assert LONG in told(bench)


def test_every_option_that_a_person_lists_is_in_the_record(bench: B) -> None:
    options = [f"Database {n} that somebody proposed {'on and on ' * 10}in the meeting of day {n}" for n in range(9)]
    _edited(
        bench,
        decided("Use Postgres for the queue", options=("MySQL",)),
        "- MySQL",
        "\n".join(f"- {o}" for o in options),
    )
    assert [option for option in options if option not in told(bench)] == []


def test_text_for_which_no_record_has_room_is_refused_with_the_remedy(bench: B) -> None:
    with pytest.raises(StoreError, match=r"6,\d{3} characters.*room for 6,000.*omoide new"):
        _edited(bench, decided("Use Postgres for the queue", rationale="It is faster."), "It is faster.", "why " * 1600)
    (ref,) = (ref for file in bench.store.staging().files for ref in file.candidates())
    assert (ref.candidate.edited, "It is faster." in text_of(ref.candidate)) == (None, True)


OPEN = "Should we use Redis or Memcached for sessions? Let's leave that open."


@pytest.mark.parametrize("left_open", [True, False])
def test_points_that_a_person_adds_to_a_discussion_are_in_a_record(bench: B, left_open: bool) -> None:
    words = OPEN if left_open else "Should we use Redis or Memcached for sessions?"
    talk = Discussion(topic=words, points=("Redis is faster",), evidence=(said(1, words),))
    _edited(bench, talk, "- Redis is faster", "- Redis is faster\n- Hosting offers Memcached for free")
    (record,) = _records(bench, Kind.DECISION if left_open else Kind.KNOWLEDGE)
    assert "Hosting offers Memcached for free" in record.body
    assert "Redis is faster" in record.body
    if left_open:
        assert record.status is Status.OPEN
        assert "[open]" in bench.read("memory/summary.md")


def test_attempt_that_a_person_rewrote_is_no_more_thrown_away(bench: B) -> None:
    tried = Attempt(action="Raise the timeout", result="The job ran.", succeeded=True, evidence=(said(1, "try it"),))
    _edited(bench, tried, "The job ran.", "The job ran, for the proxy in Osaka closes idle sockets after 30 s.")
    (record,) = _records(bench, Kind.KNOWLEDGE)
    assert "the proxy in Osaka closes idle sockets after 30 s" in record.body


def _records(bench: Bench, kind: Kind) -> list[Record]:
    return [document.record for document in bench.store.load().index.slugs[kind].values() if document.record]


@pytest.mark.parametrize(
    ("first", "second", "more"),
    [
        ("Never store customer names in the logs", "Never store customer names or addresses in the logs", "addresses"),
        ("Never push to main", "Never push to main or to release", "release"),
        (
            "Never call the payment API from a view",
            "Never call the payment API or the tax API from a view",
            "the tax API",
        ),
    ],
)
def test_rule_with_one_more_thing_is_no_conflict(bench: B, first: str, second: str, more: str) -> None:
    for number, text in enumerate((first, second), 1):
        bench.stage(staged(number, decided(text)))
        bench.run(run_id=f"run-{number}")
    assert more in told(bench)
    assert "onflict" not in told(bench)
    assert not [r for r in _records(bench, Kind.DECISION) if r.status is Status.OPEN]


def test_candidate_of_a_person_that_says_more_than_a_record_is_put_into_it(bench: B) -> None:
    bench.stage(staged(1, decided("Deploy only on Mondays and Tuesdays of each week")))
    bench.run(run_id="one")
    bench.stage(staged(2, decided("Deploy only on Mondays and Tuesdays of each week", 5)))
    (ref,) = (ref for file in bench.store.staging().files for ref in file.candidates())
    edit(bench.store, ref.id, text_of(ref.candidate).replace("Mondays and Tuesdays", "Mondays, Tuesdays and Thursdays"))
    bench.run(run_id="two")
    assert "Thursdays" in told(bench)


def test_later_sentence_of_a_session_that_says_more_is_the_one_that_is_kept() -> None:
    found = find(
        view_of(
            "H: Please always keep the logs of the importer for thirty days in the bucket.\nA: Noted.\n"
            "H: Please always keep the logs and the traces of the importer for thirty days in the bucket.\nA: Noted."
        )
    )
    assert ["traces" in finding.text for finding in found] == [True]
