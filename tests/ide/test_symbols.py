"""Symbols: which records fit a query and in which order; the outline of a record."""

from __future__ import annotations

import pytest

from memory_core.ide.symbols import MAX_SYMBOLS, Section, record_symbols, sections, used_first
from memory_core.ide.view import View, view_of
from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.snapshot import Document, Snapshot
from memory_core.testing import fixture
from tests.ide.ide_questions import decision, knowledge, workflow

STORE = (
    knowledge("retry-policy") + knowledge("api-retry") + knowledge("retrying") + knowledge("r-e-t-r-y-spread")
    + workflow("retry-all") + decision("retry-twice") + "//- memory/requests/stop-retrying.md\n---\n---\n"
    + "//- memory/summary.md\n---\nupdated_at: 2026-01-01T00:00:00Z\n---\nx\n"
)  # fmt: skip


def found(query: str, store: str = STORE, **options: int) -> list[str]:
    return [str(symbol.ref) for symbol in record_symbols(fixture(store).snapshot, query, **options)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("retry-po", ["#retry-policy"]),
        ("retry policy", ["#retry-policy"]),
        ("RETRY-Policy", ["#retry-policy"]),
        ("#retry", ["#retry-policy", "#retrying", "#api-retry", "#r-e-t-r-y-spread"]),
        ("/retry", ["/retry-all"]),
        ("decision/retry", ["decision/retry-twice"]),
        ("knowledge/api", ["#api-retry"]),
        ("summary", ["summary/summary"]),
        ("rtpl", ["#retry-policy"]),
        ("nothing-like-it", []),
        ("no/such", []),
        ("#", ["#api-retry", "#r-e-t-r-y-spread", "#retry-policy", "#retrying"]),
        ("re.*", []),
        ("[", []),
        ("日本", []),
    ],
)
def test_what_fits_a_query(query: str, first: list[str]) -> None:
    assert found(query) == first


def test_better_fits_come_first_whatever_their_kind() -> None:
    assert found("retry") == [
        "#retry-policy", "#retrying", "/retry-all", "decision/retry-twice",  # as a beginning
        "#api-retry", "request/stop-retrying",  # as the beginning of a later word
        "#r-e-t-r-y-spread",  # scattered
    ]  # fmt: skip


def test_an_empty_query_lists_every_kind() -> None:
    assert len(found("")) == 8


def test_records_that_are_used_come_before_others_that_fit_as_well() -> None:
    uses = {RecordRef(Kind.KNOWLEDGE, "retrying"): 3, RecordRef(Kind.KNOWLEDGE, "api-retry"): 9, SUMMARY: 1}
    assert [ref.slug for ref in used_first(uses)] == ["api-retry", "retrying", "summary"]
    shown = record_symbols(fixture(STORE).snapshot, "retry", used_first(uses))
    assert [symbol.ref.slug for symbol in shown][:2] == ["retrying", "retry-policy"]


def test_a_record_that_was_dropped_is_not_found_by_its_old_uses() -> None:
    gone = RecordRef(Kind.KNOWLEDGE, "gone")
    assert record_symbols(fixture(STORE).snapshot, "gone", [gone]) == []


def test_a_replaced_decision_is_marked_once_the_records_were_read() -> None:
    store = decision("old", status="replaced", replaced_by="new") + decision("new")
    snapshot = fixture(store).snapshot
    assert [symbol.replaced for symbol in record_symbols(snapshot, "old")] == [False]
    _ = snapshot.index.referrers
    assert [(symbol.ref.slug, symbol.replaced) for symbol in record_symbols(snapshot, "decision/")] == [
        ("new", False), ("old", True)
    ]  # fmt: skip


def test_row_4_a_list_of_symbols_is_capped_and_reads_nothing() -> None:
    """marksman#54: the picker asks at every key, and a list of everything made it time out."""

    class Closed:
        def read(self, path: str) -> tuple[str, str | None]:
            raise AssertionError(f"{path} was read for a list")

    paths = [f"knowledge/r{n:05}.md" for n in range(5_000)] + [f"memory/decisions/r{n:05}.md" for n in range(500)]
    snapshot = Snapshot({path: Document.stored(path, Closed()) for path in paths})
    for query in ("", "r", "r0", "-1", "0000", "r1x", "#", "decision/"):
        assert len(record_symbols(snapshot, query)) <= MAX_SYMBOLS
    assert len(record_symbols(snapshot, "r0")) == MAX_SYMBOLS
    assert len(record_symbols(snapshot, "", most=3)) == 3


HEAD = "---\ndescription: What\nuser_invocable: true\n---\n"


def outline(body: str) -> list[str]:
    """The headings of a body, each indented by its depth."""
    view = view_of(Document("workflow/here.md", HEAD + body))
    return [line for part in sections(view) if part.what == "heading" for line in _lines(part, 0)]


def _lines(part: Section, depth: int) -> list[str]:
    return ["  " * depth + part.name, *(line for inner in part.parts for line in _lines(inner, depth + 1))]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("# A\n## B\n### C\n## D\n# E\n", ["A", "  B", "    C", "  D", "E"]),
        ("### C\n# A\n", ["C", "A"]),
        ("# A\n#### D\n## B\n", ["A", "  D", "  B"]),
        ("# A #\n", ["A"]),
        ("## A `code` #b ##\n", ["A `code` #b"]),
        ("   # three spaces\n", ["three spaces"]),
        ("    # four are code\n", []),
        ("#no-space\n", []),
        ("####### seven\n", []),
        ("#\n", ["(untitled)"]),
        ("# \n", ["(untitled)"]),
        ("```\n# in code\n```\n# out\n", ["out"]),
        ("~~~\n# in code\n", []),
        ("<!-- \n# hidden\n-->\n# shown\n", ["shown"]),
        ("Title\n=====\ntext\n\nSub\n---\n", ["Title", "  Sub"]),
        ("text\n\n---\nmore\n", []),
        ("- item\n---\n", []),
        ("> quote\n===\n", []),
        ("| a |\n---\n", []),
        ("# A\r\n## B\r\n", ["A", "  B"]),
        ("# 日本 🎉\n", ["日本 🎉"]),
        ("# A\u2028# B\n", ["A # B"]),
        ("", []),
        ("no heading", []),
        ("# at the end", ["at the end"]),
        ("#\ttab\n", ["tab"]),
    ],
)
def test_the_headings_of_a_record(body: str, names: list[str]) -> None:
    assert outline(body) == names


def test_the_fields_of_a_record_with_their_values() -> None:
    view = view_of(Document("workflow/here.md", HEAD + "text\n"))
    (whole,) = sections(view)
    assert (whole.name, [(part.name, part.detail) for part in whole.parts]) == (
        "frontmatter",
        [("description", "What"), ("user_invocable", "true")],
    )
    assert (whole.range.start.line, whole.range.end.line, whole.range.end.character) == (0, 3, 3)


@pytest.mark.parametrize(
    "text",
    [
        "---\ndescription: x\n---",
        "---\n---\n# A\n",
        "\ufeff---\na: b\n---\n# A",
        "---\r\na: |\r\n  b\r\n---\r\n# A\r\n",
    ],
)
def test_every_part_lies_inside_the_one_around_it(text: str) -> None:
    """VS Code rejects the whole outline where one selection lies outside its range."""

    def check(parts: tuple[Section, ...], around: Section | None) -> None:
        for part in parts:
            assert part.range.start <= part.selection.start <= part.selection.end <= part.range.end
            if around:
                assert around.range.start <= part.range.start <= part.range.end <= around.range.end
            check(part.parts, part)

    check(sections(view_of(Document("workflow/here.md", text))), None)


def test_no_part_is_without_a_name() -> None:
    """VS Code rejects an outline with an empty name."""
    view = view_of(Document("workflow/here.md", "---\n'': x\n\"a\\nb\": y\n---\n#\n"))
    whole, heading = sections(view)
    assert [part.name for part in whole.parts] == ["(no name)", "a b"]
    assert heading.name == "(untitled)"


@pytest.mark.parametrize("size", range(len(HEAD) + 12))
def test_an_outline_of_half_a_record(size: int) -> None:
    """While a record is typed, every beginning of it is outlined without an error."""
    text = (HEAD + "# A\n\nB\n===\n# C")[:size]
    assert all(part.name for part in sections(view_of(Document("workflow/here.md", text))))


def test_headings_can_be_left_to_the_editor() -> None:
    view = view_of(Document("workflow/here.md", HEAD + "# A\n"))
    assert [part.what for part in sections(view, headings=False)] == ["frontmatter"]


def test_a_text_that_is_no_record_is_not_outlined() -> None:
    assert sections(View("# A\n")) == ()
    assert sections(view_of(Document("knowledge/notes.txt", "# A"))) == ()
