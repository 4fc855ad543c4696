"""When a watched session is due: at the end of a run, once for its words, one at a time (T05, A8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.extract.trigger import ABANDONED_S, SETTLED_S, ExtractTrigger

LOG, OTHER = Path("/logs/a.jsonl"), Path("/logs/b.jsonl")


def trigger(threshold: int = 1_000) -> ExtractTrigger:
    return ExtractTrigger(threshold)


def test_below_the_threshold_and_with_a_threshold_of_zero_nothing_is_ever_due() -> None:
    for watch, tokens in ((trigger(), 999), (trigger(0), 10**9)):
        watch.seen(LOG, tokens, finished=True, now=0)
        assert watch.due(10**6) == []
        assert watch.next_look(10**6) is None


def test_a_session_is_due_when_its_run_ended_and_settled() -> None:
    watch = trigger()
    watch.seen(LOG, 1_000, finished=True, now=100)
    assert watch.due(100) == []
    assert watch.next_look(100) == SETTLED_S
    assert watch.due(100 + SETTLED_S) == [LOG]


def test_a_run_that_goes_on_is_not_interrupted_and_an_abandoned_one_is_extracted_all_the_same() -> None:
    watch = trigger()
    watch.seen(LOG, 5_000, finished=False, now=0)
    assert watch.due(ABANDONED_S - 1) == []
    watch.seen(LOG, 6_000, finished=False, now=ABANDONED_S - 1)
    assert watch.due(ABANDONED_S) == [], "it went on"
    assert watch.due(2 * ABANDONED_S) == [LOG]


def test_one_in_flight_for_each_session_and_what_was_said_meanwhile_is_looked_at_afterwards() -> None:
    watch = trigger()
    watch.seen(LOG, 2_000, finished=True, now=0)
    watch.started(LOG)
    watch.seen(LOG, 3_500, finished=True, now=10)
    assert watch.due(100) == []
    watch.ended(LOG, 1_500, now=20)
    assert watch.due(20) == []
    assert watch.due(20 + SETTLED_S) == [LOG]
    watch.started(LOG)
    watch.ended(LOG, 0, now=30)
    assert watch.due(10**6) == []


def test_what_failed_is_not_tried_again_for_the_same_words() -> None:
    watch = trigger()
    watch.seen(LOG, 2_000, finished=True, now=0)
    watch.started(LOG)
    watch.ended(LOG, 2_000, now=10)
    assert watch.due(10**6) == []
    watch.seen(LOG, 2_100, finished=True, now=10**6)
    assert watch.due(10**6 + SETTLED_S) == [LOG]


@pytest.mark.parametrize("step", [1, 7, 60])
def test_exactly_one_run_for_each_threshold_reached_whatever_the_beat(step: int) -> None:
    """T05: a day of work, measured at any beat, gives one run for each 1,000 tokens and not one more."""
    watch, runs, total, extracted = trigger(), 0, 0, 0
    for second in range(0, 86_400, step):
        if second % 3_600 < step:  # once an hour something is said
            total += 500
        watch.seen(LOG, total - extracted, finished=True, now=second)
        for path in watch.due(second):
            watch.started(path)
            extracted = total
            runs += 1
            watch.ended(path, 0, now=second)
    assert runs == 12


def test_the_session_with_most_to_tell_goes_first_and_a_log_that_is_gone_does_not() -> None:
    watch = trigger()
    watch.seen(LOG, 1_000, finished=True, now=0)
    watch.seen(OTHER, 9_000, finished=True, now=0)
    assert watch.due(100) == [OTHER, LOG]
    assert watch.pending == 10_000
    watch.gone(OTHER)
    assert watch.due(100) == [LOG]
