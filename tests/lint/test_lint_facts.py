"""Rules that need facts from outside the records: the resident budget, and what the logs of sources say now."""

import pytest

from memory_core.diagnostic import Severity
from memory_core.lint.check import check, check_all
from memory_core.lint.facts import LintFacts, LogFacts
from memory_core.lint.resident import FRAME_TOKENS, resident_line, resident_plan
from memory_core.snapshot import snapshot_of
from memory_core.tokens import estimate
from tests.lint.lint_fixture import decision, knowledge, summary, workflow

A = "memory/decisions/a.md"
HASHES = tuple(f"{n:064x}" for n in range(6))


def resident(description: str = "What it is.") -> str:
    return knowledge(description=f"description: {description}\n").replace("vokation: false", "vokation: true")


def plan(texts: dict[str, str], budget: int, **more: bool):
    snapshot = snapshot_of(texts)
    return snapshot, resident_plan(snapshot, budget, **more)


def test_what_fits_is_not_reported():
    snapshot, found = plan({"knowledge/a.md": resident(), "knowledge/b.md": knowledge()}, 5_000)
    assert found.cut == {}
    assert found.used == FRAME_TOKENS + estimate("- #a: What it is.") + 1
    assert check_all(snapshot, facts=LintFacts(resident=found)) == {}


def test_the_line_of_a_record_has_no_line_ends():
    assert resident_line(snapshot_of({"knowledge/a.md": ""}).documents["knowledge/a.md"].ref, "a\n  b") == "- #a: a b"


def test_a_record_that_does_not_fit_is_reported_at_its_flag_and_names_what_else_is_cut():
    """T29"""
    texts = {f"knowledge/{slug}.md": resident("word " * 40) for slug in "abc"}
    texts["workflow/w.md"] = workflow("model_invokation: true\n").replace("Do it.", "word " * 40)
    line = estimate("- #a: " + " ".join(["word"] * 40)) + 1
    snapshot, found = plan(texts, FRAME_TOKENS + 2 * line)
    assert sorted(found.cut) == ["knowledge/c.md", "workflow/w.md"]
    diagnostics = check_all(snapshot, facts=LintFacts(resident=found))
    assert sorted(diagnostics) == ["knowledge/c.md", "workflow/w.md"]
    (problem,) = diagnostics["knowledge/c.md"]
    assert (problem.code, problem.severity) == ("over-resident-budget", Severity.WARNING)
    assert problem.range.start.character == len("model_invokation: ")
    assert "Also cut: `/w`." in problem.message


def test_a_smaller_record_behind_a_large_one_still_fits():
    texts = {"knowledge/a.md": resident("word " * 200), "knowledge/b.md": resident()}
    assert list(plan(texts, FRAME_TOKENS + 50)[1].cut) == ["knowledge/a.md"]


def test_a_summary_over_the_budget_is_reported_unless_it_is_not_given_to_agents():
    texts = {"memory/summary.md": summary("word " * 300), "knowledge/a.md": resident()}
    snapshot, found = plan(texts, FRAME_TOKENS + 100)
    (problem,) = check(snapshot, "memory/summary.md", facts=LintFacts(resident=found))
    assert problem.range.start.line == 4
    assert plan(texts, FRAME_TOKENS + 100, with_summary=False)[1].cut == {}


def test_the_other_spelling_of_the_flag_counts_and_is_where_the_problem_stands():
    texts = {"workflow/w.md": workflow("model_invocation: true\n")}
    snapshot, found = plan(texts, 0)
    assert [d.code for d in check(snapshot, "workflow/w.md", facts=LintFacts(resident=found))] == [
        "misspelled-key",
        "over-resident-budget",
    ]


def anchored(*, span: str = "[1, 2]", sha256: str = HASHES[2], excerpt: str = "'use  tabs'", end: int = 3) -> str:
    return decision(
        sources=f"""sources:
  - session_id: s-1
    range: [0, {end}]
    anchors:
      - entry_range: {span}
        sha256: "{sha256}"
        excerpt: {excerpt}
"""
    )


def codes(text: str, logs: dict[str, LogFacts | None] | None) -> list[str]:
    return [d.code for d in check(snapshot_of({A: text}), A, facts=LintFacts(logs=logs))]


LOG = LogFacts(HASHES, {1: "run the linter", 2: "We use tabs in Go files"})


def test_a_source_that_is_as_its_log_says():
    assert codes(anchored(), {"s-1": LOG}) == []


def test_a_log_that_was_not_looked_for_says_nothing():
    assert codes(anchored(), None) == []
    assert codes(anchored(), {}) == []
    assert codes(anchored(), {"s-2": None}) == []


def test_a_log_that_is_gone_is_a_hint_once_a_session():
    text = decision(sources="sources:\n" + 2 * "  - session_id: s-1\n    range: [0, 1]\n")
    (found,) = check(snapshot_of({A: text}), A, facts=LintFacts(logs={"s-1": None}))
    assert (found.code, found.severity) == ("source-gone", Severity.HINT)
    assert (found.range.start.line, found.range.start.character, found.range.end.character) == (4, 16, 19)


def test_knowledge_and_older_sources_are_looked_at_too():
    text = knowledge().replace("last_sources: []", "last_sources: [{segment_id: s-1, range: [0, 9]}]")
    for logs, code in (({"s-1": None}, "source-gone"), ({"s-1": LOG}, "source-changed")):
        found = check(snapshot_of({"knowledge/a.md": text}), "knowledge/a.md", facts=LintFacts(logs=logs))
        assert [d.code for d in found] == [code]


def test_a_range_behind_the_end_of_the_log():
    (found,) = check(snapshot_of({A: anchored(end=6)}), A, facts=LintFacts(logs={"s-1": LOG}))
    assert (found.code, found.severity, found.range.start.line) == ("source-changed", Severity.WARNING, 5)
    assert "6 entries" in found.message
    assert codes(anchored(end=5), {"s-1": LOG}) == []


def test_another_entry_at_the_place_of_an_anchor():
    (found,) = check(snapshot_of({A: anchored(sha256="f" * 64)}), A, facts=LintFacts(logs={"s-1": LOG}))
    assert (found.code, found.range.start.line) == ("source-changed", 8)


def test_an_entry_that_moved_is_found():
    (found,) = check(snapshot_of({A: anchored(sha256=HASHES[4])}), A, facts=LintFacts(logs={"s-1": LOG}))
    assert "is entry 4 now" in found.message


@pytest.mark.parametrize(
    ("excerpt", "expected"),
    [
        ("'use spaces'", ["source-changed"]),
        ("'We use ta…'", []),
        ("'We [redacted api-key] tabs'", []),
        ("''", []),
        ("[a]", []),
    ],
)
def test_an_excerpt_that_is_not_in_its_entry(excerpt, expected):
    """An excerpt may have been changed by hand to support more than was said."""
    assert codes(anchored(excerpt=excerpt), {"s-1": LOG}) == expected


@pytest.mark.parametrize("span", ["[2]", "x", "[-1, 2]", "[2, 1]", "[900, 901]"])
def test_a_span_that_is_none_raises_nothing(span):
    assert codes(anchored(span=span), {"s-1": LOG}) in ([], ["source-changed"])
