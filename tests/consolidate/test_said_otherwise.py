"""A denial or another figure in nearly the same words is another statement, wherever rules look for one said before."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.consolidate.clauses import same_statement
from memory_core.staging import Attempt, Request
from tests.consolidate.conftest import said

B = Any
WHERE = "the billing service to the staging cluster with Kamal"
FAILED = "the nightly import failed because the pool of the billing database had {} connections"
PAIRS = [
    (f"Never deploy {WHERE}", f"Deploy {WHERE}"),
    (
        "Raise the upload limit for members of the team to 50 MB",
        "Raise the upload limit for members of the team to 5 MB",
    ),
]


def failed(result: str, entry: int) -> Attempt:
    return Attempt(action="Run the nightly import", result=result, succeeded=False, evidence=(said(entry, result),))


@pytest.mark.parametrize(("asked", "done"), PAIRS)
def test_a_request_is_not_done_by_what_it_forbids_or_corrects(bench: B, make: B, asked: str, done: str) -> None:
    assert not same_statement(asked, done)
    request = Request(intent=asked, summary=asked, evidence=(make.said(1, asked),))
    attempt = Attempt(action=done, result="done", succeeded=True, evidence=(make.said(2, "done", "tool"),))
    bench.stage(make.staged(1, request, attempt))
    closed = {how.candidate.split("/")[1]: how.action for how in bench.run().closed}
    assert closed["requests"] == "applied"


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_decisions_of_one_message_are_no_twins(bench: B, make: B, one: str, other: str) -> None:
    message = f"In production: {one}. In staging: {other}."
    bench.stage(make.staged(1, make.decided(one, 1, message), make.decided(other, 1, message)))
    assert [how.action for how in bench.run().closed] == ["applied", "applied"]


@pytest.mark.parametrize("sessions", [("s", "s"), ("s", "t")], ids=["one session", "two sessions"])
def test_two_lessons_that_differ_in_a_figure_both_stand(bench: B, make: B, sessions: tuple[str, str]) -> None:
    for number, (session, figure) in enumerate(zip(sessions, (5, 50), strict=True), 1):
        bench.stage(make.staged(number, failed(FAILED.format(figure), number), session=session))
    assert [how.action for how in bench.run().closed] == ["applied", "applied"]
    summary = bench.read("memory/summary.md")
    assert "had 5 connections" in summary
    assert "had 50 connections" in summary


def test_two_lessons_of_which_one_denies_both_stand(bench: B, make: B) -> None:
    text = "the import failed because the cache is {}cleared by each deploy of the billing service"
    bench.stage(make.staged(1, failed(text.format(""), 1)), make.staged(2, failed(text.format("not "), 2)))
    bench.run()
    summary = bench.read("memory/summary.md")
    assert "is cleared" in summary
    assert "is not cleared" in summary
