"""What is checked again when something changed, for who looks at many documents: as much as must be, and no less."""

from __future__ import annotations

import pytest

from memory_core.lint.facts import LintFacts, LogFacts, Resident
from memory_core.lint.recheck import Checked, recheck
from memory_core.snapshot import Snapshot, snapshot_of

HEAD = "created_at: 2026-05-01T09:00:00Z\nupdated_at: 2026-05-01T09:00:00Z\n"
SOURCES = "last_sources:\n- session_id: s-1\n  range: [0, 3]\n"
MANY = 80  # documents that are looked at: fewer are all checked again


def record(slug: str, sources: str = "last_sources: []\n") -> str:
    flags = "model_invokation: true\nuser_invocable: true\n"
    return f"---\n{HEAD}kind: rule\ndescription: About {slug}\n{flags}{sources}---\nWords of {slug}.\n"


@pytest.fixture
def snapshot() -> Snapshot:
    texts = {f"knowledge/r-{number}.md": record(f"r-{number}") for number in range(MANY)}
    made = snapshot_of(texts | {"knowledge/told.md": record("told", SOURCES)})
    _ = made.index.referrers
    return made


def codes(checked: Checked, path: str) -> list[str]:
    return [problem.code for problem in checked.found[path]]


def test_a_log_that_goes_is_told_at_the_record_that_rests_on_it(snapshot: Snapshot) -> None:
    shown = sorted(snapshot.documents)
    there = LintFacts(logs={"s-1": LogFacts(("a", "b", "c", "d"))})
    before = recheck(None, snapshot, {}, there, shown)
    assert codes(before, "knowledge/told.md") == []
    after = recheck(before, snapshot, {}, LintFacts(logs={"s-1": None}), shown)
    assert codes(after, "knowledge/told.md") == ["source-gone"]
    assert after.found["knowledge/r-1.md"] is before.found["knowledge/r-1.md"]


def test_a_record_is_told_when_others_are_without_room_beside_it(snapshot: Snapshot) -> None:
    shown, paths = sorted(snapshot.documents), ("knowledge/r-1.md", "knowledge/r-2.md")
    both = LintFacts(resident=Resident(300, 290, dict.fromkeys(paths, 20)))
    alone = LintFacts(resident=Resident(300, 290, {paths[0]: 20}))
    before = recheck(None, snapshot, {}, both, shown)
    after = recheck(before, snapshot, {}, alone, shown)
    assert ["`#r-2`" in str(checked.found[paths[0]]) for checked in (before, after)] == [True, False]
    assert (codes(before, paths[1]), codes(after, paths[1])) == (["over-resident-budget"], [])
