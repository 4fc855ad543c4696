"""A lesson or an open question that a merge dropped from the summary is named; what a run took out is no news."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.changes import ChangeSet
from memory_core.consolidate.undo import undo
from memory_core.health.lines import lines_gone
from memory_core.staging import Attempt, Discussion
from tests.consolidate.conftest import said

B = Any
SUMMARY = "memory/summary.md"
QUESTION = "Should we use Kafka or Rabbit for the events? Leave that open until May."


def question() -> Discussion:
    return Discussion(topic=QUESTION, points=(), evidence=(said(1, QUESTION),))


def lesson() -> Attempt:
    evidence = (said(2, "the import failed"),)
    return Attempt(
        action="Run the import", result="it failed because the queue was full", succeeded=False, evidence=evidence
    )


def named(bench: B) -> list[str]:
    return [found.message for found in lines_gone(bench.store, bench.store.load())]


def without(text: str, word: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if word not in line)


@pytest.mark.parametrize(("candidate", "word"), [(question(), "Kafka"), (lesson(), "queue")])
@pytest.mark.parametrize("later", [False, True])
def test_a_line_that_no_run_took_out_is_named_with_its_words(
    bench: B, make: B, candidate: Discussion | Attempt, word: str, later: bool
) -> None:
    bench.stage(make.staged(1, candidate))
    bench.run(run_id="first")
    assert word in bench.read(SUMMARY)
    assert named(bench) == []
    bench.write(SUMMARY, without(bench.read(SUMMARY), word))
    if later:  # a run that writes the summary since knows nothing of the line
        bench.stage(make.staged(2, make.decided("Use SQLite for the notes", 3)))
        bench.run(run_id="second")
    (message,) = named(bench)
    assert word in message
    bench.write(SUMMARY, f"{bench.read(SUMMARY)}\n- {message.split(chr(34))[1]}\n")  # as the message asks for
    assert named(bench) == []


def test_a_line_that_a_run_took_out_is_no_news(bench: B, make: B) -> None:
    bench.stage(make.staged(1, question()))
    bench.run(run_id="first")
    with_line = bench.read(SUMMARY)
    changes = ChangeSet().with_file(SUMMARY, with_line, without(with_line, "Kafka"))
    bench.store.commit(changes, run_id="answered", reason="it is answered")
    assert named(bench) == []
    undo(bench.store, "answered")
    assert bench.read(SUMMARY) == with_line
    bench.write(SUMMARY, without(with_line, "Kafka"))  # what took it away now was none
    assert len(named(bench)) == 1


def test_a_line_that_is_said_elsewhere_or_otherwise_is_there(bench: B, make: B) -> None:
    bench.stage(make.staged(1, question()))
    bench.run(run_id="first")
    bench.write(
        SUMMARY, without(bench.read(SUMMARY), "Kafka") + "\nStill open until May: Kafka or Rabbit for events.\n"
    )
    assert named(bench) == []
