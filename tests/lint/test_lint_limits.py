"""Limits of size and number, each at its edge and one beyond; alike slugs; dates and ranges."""

import pytest

from memory_core.lint.check import check
from memory_core.snapshot import snapshot_of
from memory_core.text import Position
from tests.lint.lint_fixture import (
    SOURCE,
    check_lint,
    codes,
    decision,
    diagnostics,
    fixed,
    knowledge,
    request,
    summary,
    workflow,
)


def lint(path: str, text: str):
    return check(snapshot_of({path: text}), path)


@pytest.mark.parametrize(
    ("path", "limit", "make"),
    [
        ("memory/summary.md", 20_000, summary),
        ("memory/decisions/a.md", 8_000, lambda body: decision(body=body, sources="sources:\n" + SOURCE * 2)),
        ("memory/requests/a.md", 8_000, lambda body: request(body, sources="sources:\n" + SOURCE * 2)),
        ("workflow/a.md", 8_000, lambda body: workflow(body=body)),
    ],
)
@pytest.mark.parametrize("letter", ["x", "語", "😀"])
def test_a_body_at_its_limit_and_one_character_over(path, limit, make, letter):
    assert lint(path, make(letter * limit)) == []
    assert lint(path, make(letter * limit + "\n\n")) == []
    found = lint(path, make(letter * (limit + 1)))
    assert [d.code for d in found] == ["body-too-long"]
    assert (found[0].range.start.character, found[0].range.end.character) == (limit, limit + 1)


def test_the_range_of_a_long_body_begins_at_the_first_character_too_many():
    body = "line\n" * 1_600 + "more\n"  # 8,000 characters, then one more line
    found = lint("workflow/a.md", workflow(body=body))
    assert found[0].range.start == Position(4 + 1_600, 0)
    assert found[0].range.end == Position(4 + 1_600, 4)


@pytest.mark.parametrize(("length", "resident", "expected"), [
    (1024, "true", []), (1025, "true", ["description-too-long"]), (2000, "false", [])
])  # fmt: skip
def test_only_a_resident_record_has_a_limit_on_its_description(length, resident, expected):
    text = knowledge(description=f"description: {'x' * length}\n").replace("ation: false", f"ation: {resident}")
    assert [d.code for d in lint("knowledge/a.md", text)] == expected


def test_the_limit_holds_under_the_other_spelling_of_the_flag():
    text = workflow("model_invocation: true\n").replace("Do it.", "x" * 1025)
    assert [d.code for d in lint("workflow/a.md", text)] == ["description-too-long", "misspelled-key"]


@pytest.mark.parametrize(("count", "expected"), [(10, []), (11, ["too-many-sources"])])
def test_more_than_ten_sources(count, expected):
    assert [d.code for d in lint("memory/requests/a.md", request(sources="sources:\n" + SOURCE * count))] == expected


def test_the_sources_that_are_too_many_are_marked():
    found = lint("memory/requests/a.md", request(sources="sources:\n" + SOURCE * 12))
    assert found[0].range.start == Position(4 + 20, 4)
    assert found[0].range.end == Position(4 + 23, 18)


@pytest.mark.parametrize(
    ("length", "sources", "expected"),
    [(1499, 1, []), (1500, 1, ["thin-evidence"]), (1500, 2, []), (1500, 0, ["thin-evidence"])],
)
@pytest.mark.parametrize("kind", ["request", "knowledge"])
def test_much_text_on_little_evidence(kind, length, sources, expected):
    listed = f"sources:\n{SOURCE * sources}" if sources else "sources: []\n"
    text = request("x" * length, sources=listed)
    path = "memory/requests/a.md"
    if kind == "knowledge":
        path, text = "knowledge/a.md", knowledge("x" * length).replace("last_sources: []\n", f"last_{listed}")
    assert [d.code for d in lint(path, text)] == expected


def test_a_workflow_and_the_summary_need_no_evidence():
    assert lint("workflow/a.md", workflow(body="x" * 3000)) == []
    assert lint("memory/summary.md", summary("x" * 3000)) == []


def decisions(*slugs: str) -> str:
    return "".join(f"//- memory/decisions/{slug}.md\n{decision()}" for slug in slugs)


def test_three_alike_slugs_are_a_cluster():
    source = decisions("db-pol", "db-pool", "db-pools", "distant-thing")
    assert codes(source, "memory/decisions/db-pool.md") == ["similar-slugs"]
    found = diagnostics(source, "memory/decisions/db-pool.md")[0]
    assert [related.path for related in found.related] == ["memory/decisions/db-pol.md", "memory/decisions/db-pools.md"]
    assert codes(source, "memory/decisions/distant-thing.md") == []


def test_two_alike_slugs_are_none():
    check_lint(decisions("db-pool", "db-pools"))


def test_slugs_of_other_kinds_do_not_count():
    others = f"//- knowledge/db-pools.md\n{knowledge()}//- memory/requests/db-poole.md\n{request()}"
    check_lint(decisions("db-pool") + others)


def test_very_short_slugs_are_close_by_chance():
    """The older store reported any three words of three letters that share one."""
    check_lint(decisions("bar", "bom", "foo", "baz", "bat"))


def test_a_numbered_series_is_no_cluster():
    check_lint(decisions("adr-0001", "adr-0002", "adr-0003", "adr-0010"))


def test_a_record_updated_before_it_was_created():
    text = "---\ncreated_at: 2026-02-01T00:00:00Z\nupdated_at: 2026-02-01T08:59:59+09:00\nsources: []\n---\nText.\n"
    found = lint("memory/requests/a.md", text)
    assert [(d.code, d.range.start) for d in found] == [("dates-order", Position(2, 12))]
    assert lint("memory/requests/a.md", text.replace("08:59:59", "09:00:00")) == []


def test_a_range_that_runs_backwards_is_swapped():
    source = f"//- memory/requests/a.md\n{request(sources='sources: [{session_id: s, range: [17, 3]}]' + chr(10))}"
    found = diagnostics(source, "memory/requests/a.md")
    assert [(d.code, d.range.start.character, d.range.end.character) for d in found] == [("reversed-range", 33, 40)]
    assert "range: [3, 17]" in (fixed(source, "memory/requests/a.md") or "")


def test_a_range_of_one_entry_is_fine_and_the_summary_has_one_too():
    assert lint("memory/requests/a.md", request(sources="sources: [{session_id: s, range: [3, 3]}]\n")) == []
    found = lint("memory/summary.md", summary(more="last_rewritten_from_range: [9, 1]\n"))
    assert [d.code for d in found] == ["reversed-range"]


@pytest.mark.parametrize("written", ['description: ""\n', "description:\n", "description: '  '\n"])
def test_an_empty_description_is_reported_once(written):
    assert [d.code for d in lint("knowledge/a.md", knowledge(description=written))] == ["empty-description"]
