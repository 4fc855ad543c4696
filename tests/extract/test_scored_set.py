"""How well the keyless extractor does on labelled sessions in four languages, and the floor it may not fall below."""

from __future__ import annotations

import pytest

from memory_core.extract.task import Slice
from memory_core.providers.builtin.extract import find
from memory_core.providers.builtin.turns import Finding
from memory_core.testing import session_of
from tests.extract.scored_set import Item, Score, Scored, load, score

# `lifelike`: long sessions as people really talk to coding agents, labelled before any rule had seen them. Rules were
# improved on the tuned parts only.
# The floor of each part (precision, recall) lies a little below what is reached, for tuned and held-out parts alike.
FLOORS = {
    "tuned": (0.9, 0.9),
    "held-out": (0.9, 0.8),
    "lifelike-tuned": (0.93, 0.9),
    "lifelike-held-out": (0.82, 0.8),
}
SESSIONS = load()
# The aims of issue 6. What is reached is more; the floor is what nobody may fall below unnoticed.
PRECISION, RECALL = 0.75, 0.7


def _scored(sessions: list[Scored]) -> Score:
    return score((session, find(session.view)) for session in sessions)


@pytest.mark.parametrize("part", FLOORS)
def test_precision_and_recall_stay_above_the_floor(part: str) -> None:
    result = _scored(load(part))
    precision, recall = FLOORS[part]
    assert result.precision >= max(precision, PRECISION), result.wrong
    assert result.recall >= max(recall, RECALL), result.missed


@pytest.mark.parametrize("language", ["en", "ja", "zh", "ko"])
def test_no_language_is_left_behind(language: str) -> None:
    result = _scored([session for session in SESSIONS if session.view.language == language])
    assert result.precision >= 0.7, result.wrong
    assert result.recall >= 0.6, result.missed


def test_next_to_nothing_rests_on_entries_that_are_no_memory() -> None:
    result = _scored(SESSIONS)
    assert result.false_alarms <= 2, result.wrong
    assert sum(len(session.nothing) for session in SESSIONS) >= 400


@pytest.mark.parametrize("session", [s for s in SESSIONS if not s.items], ids=lambda s: s.name)
def test_session_with_nothing_to_keep_gives_nothing(session: Scored) -> None:
    assert find(session.view) == ()


@pytest.mark.parametrize("session", SESSIONS, ids=lambda s: s.name)
def test_candidates_of_a_session_are_few(session: Scored) -> None:
    """At most eight; of a long session, no more than its labels name worth keeping."""
    assert len(find(session.view)) <= min(16, max(8, len(session.items)))


def test_build_that_failed_is_no_success_because_the_agent_said_so() -> None:
    (session,) = [s for s in SESSIONS if s.name == "en-false-success"]
    attempts = [finding for finding in find(session.view) if finding.array == "attempts"]
    assert [finding.fields["succeeded"] for finding in attempts] == [False]
    assert "works now" not in repr(attempts[0].fields)


def test_set_is_large_and_holds_all_four_languages() -> None:
    assert len(SESSIONS) >= 20
    assert {session.view.language for session in SESSIONS} == {"en", "ja", "zh", "ko"}
    assert sum(len(session.items) + len(session.nothing) for session in SESSIONS) >= 150
    assert len(load("held-out")) * 2 <= len(load("tuned")) <= len(load("held-out")) * 3
    assert len(load("lifelike-held-out")) >= 4
    assert all(len(s.view.entries) >= 40 for s in SESSIONS if s.part.startswith("lifelike"))


def test_second_candidate_for_one_item_is_wrong() -> None:
    """The scorer itself: naming a thing twice must not raise precision."""
    (session,) = [s for s in SESSIONS if s.name == "en-upload-limits"]
    request = next(finding for finding in find(session.view) if finding.array == "requests")
    result = score([(session, [request, request])])
    assert (result.candidates, result.right) == (2, 1)


def test_attempt_that_tells_the_wrong_end_is_wrong() -> None:
    (session,) = [s for s in SESSIONS if s.name == "en-false-success"]
    attempt = next(finding for finding in find(session.view) if finding.array == "attempts")
    turned = Finding("attempts", {**attempt.fields, "succeeded": True}, attempt.items, attempt.score)
    assert score([(session, [attempt])]).right == 1
    assert score([(session, [turned])]).right == 0


def test_item_of_another_kind_is_not_met() -> None:
    item = Item(frozenset({"decision"}), True, None, "x", {0})
    session = Scored("one", "tuned", SESSIONS[0].view, (item,), frozenset())
    request = next(finding for finding in find(SESSIONS[0].view) if finding.array == "requests")
    result = score([(session, [request])])
    assert (result.right, result.met, result.missed) == (0, 0, ["one: decision x"])


RULES = (
    "Use SQLite for the job queue.",
    "Never commit directly to main.",
    "Write all log lines as JSON from now on.",
    "Use pytest for the new tests.",
    "Always run the linter before a commit.",
    "Let's use nginx for the web server.",
    "Use Kafka for the message bus.",
    "Never log personal data.",
    "Let's use Bazel for the build tool.",
    "Use memcached for the cache store.",
    "Always squash before merging.",
    "Never delete rows, mark them as removed.",
)


def test_a_day_of_planning_is_found_whole() -> None:
    """Of so many decisions in one session three were left out, said once on a screen that nobody looks at."""
    session = session_of(*(step for rule in RULES for step in (("human", rule), ("assistant", "Okay."))))
    found = find(Slice(session, 0, len(session.entries) - 1, "en"))
    assert sorted(item.text for finding in found for item in finding.items) == sorted(RULES)


def test_where_there_is_too_much_the_latest_is_kept() -> None:
    """It may take back what was said before."""
    session = session_of(*(("human", f"Use library number {n} for part {n} of the system.") for n in range(60)))
    places = [item.entries[0] for finding in find(Slice(session, 0, 59, "en")) for item in finding.items]
    assert set(range(50, 60)) <= set(places)
