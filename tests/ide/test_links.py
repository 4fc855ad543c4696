"""Links, highlights, folds and semantic tokens: what of a text names a record, and what is drawn for it."""

from __future__ import annotations

import sys

import pytest

from memory_core.ide.folding import folds
from memory_core.ide.highlight import highlights
from memory_core.ide.lens import lenses
from memory_core.ide.links import document_links, names_in
from memory_core.ide.symbols import sections
from memory_core.ide.tokens import TOKEN_MODIFIERS, TOKEN_TYPES, tokens
from memory_core.ide.view import View, view_of
from memory_core.snapshot import Document
from memory_core.testing import CURSOR, fixture
from memory_core.text import LineIndex, Position, Range
from server.convert.columns import Encoding
from server.features.semantic_tokens import LEGEND, encoded
from tests.ide.ide_questions import asked, decision, knowledge, workflow

RECORDS = knowledge("api-keys", "Where keys live") + workflow("release", "How to release") + decision("first")


def linked(text: str, records: str = RECORDS, **view: bool) -> list[str]:
    """Of a text outside the root: what is a link, as it is written."""
    shown = View(text, **view)
    return [_text(text, link.range) for link in document_links(fixture(records).snapshot, shown)]


def _text(text: str, span: Range) -> str:
    lines = LineIndex(text)
    return text[lines.offset(span.start) : lines.offset(span.end)]


# What is a reference, and what only looks like one; the scanner's own tests say more.
SHOWN = [
    ("see #api-keys.", ["#api-keys"]),
    ("#api-keys", ["#api-keys"]),
    ("/release", ["/release"]),
    ("run /release now", ["/release"]),
    ("> - #api-keys | (#api-keys)", ["#api-keys", "#api-keys"]),
    ("# Heading with #api-keys", ["#api-keys"]),
    ("決定は#api-keysです", ["#api-keys"]),
    ("👋 #api-keys", ["#api-keys"]),
    ("a\u2028b #api-keys\x0c#api-keys", ["#api-keys", "#api-keys"]),
    ("one\r\n#api-keys\rtwo #api-keys", ["#api-keys", "#api-keys"]),
    ("#gone and #api-keys", ["#api-keys"]),
]
HIDDEN = [
    "`#api-keys`",
    "```\n#api-keys\n```",
    "~~~\n#api-keys",
    "    ```sh\n    #api-keys\n    ```",
    "https://example.org/#api-keys",
    "[x](a.md#api-keys)",
    "[x]: a.md#api-keys",
    "<a href='#api-keys'>",
    "<!-- #api-keys -->",
    "$x #api-keys y$",
    "$$\n#api-keys\n$$",
    "issue#api-keys C#api-keys",
    "##api-keys",
    "#api-keys/more",
    "/usr/release /release/x",
    "",
    "#",
]


@pytest.mark.parametrize(("text", "names"), SHOWN)
def test_a_reference_to_a_record_is_a_link(text: str, names: list[str]) -> None:
    assert linked(text) == names


@pytest.mark.parametrize("text", HIDDEN)
def test_what_is_masked_is_drawn_as_nothing(text: str) -> None:
    """artempyanykh/marksman#326, Feel-ix-343/markdown-oxide#7, AlexW00/Zettel#17, Automattic/harper#13."""
    view = View(text)
    assert names_in(view) == []
    assert linked(text) == []
    assert tokens(fixture(RECORDS).snapshot, view) == []
    assert all(highlights(view, LineIndex(text).position(at)) == [] for at in range(len(text) + 1))


def test_in_program_code_nothing_is_masked() -> None:
    assert linked("# see `#api-keys`", markdown=False, prose=False) == ["#api-keys"]


def test_a_link_says_where_it_leads_once_the_records_were_read() -> None:
    snapshot = fixture(RECORDS).snapshot
    view = View("#api-keys /release")
    assert [link.tooltip for link in document_links(snapshot, view)] == ["knowledge api-keys", "workflow release"]
    _ = snapshot.index.referrers
    assert [(link.path, link.tooltip) for link in document_links(snapshot, view)] == [
        ("knowledge/api-keys.md", "knowledge api-keys: Where keys live"),
        ("workflow/release.md", "workflow release: How to release"),
    ]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (decision("old", replaced_by="first"), ["first"]),
        (decision("old", replaced_by='"first"'), ['"first"']),
        (decision("old", replaced_by="'first' # as agreed"), ["'first'"]),
        (decision("old", replaced_by="gone"), []),
        (decision("old", replaced_by="No Slug"), []),
        (decision("old", replaced_by="[first]"), []),
        (workflow("go", requires="[api-keys, gone]"), ["api-keys"]),
        (workflow("go", requires="\n  - api-keys\n  - 'api-keys'"), ["api-keys", "'api-keys'"]),
        (workflow("go", requires="api-keys"), []),
        (workflow("go", '"read #api-keys"', requires="[api-keys]"), ["#api-keys", "api-keys"]),
        (workflow("go", requires="[api-keys]", origin='"#api-keys"'), ["api-keys"]),
        (knowledge("here", "as #api-keys", body="and #api-keys"), ["#api-keys", "#api-keys"]),
        (knowledge("here", kind="api-keys"), []),
        ("//- knowledge/here.md\n#api-keys without a head\n", ["#api-keys"]),
        ("//- knowledge/here.md\n---\ndescription: 'a\n---\n#api-keys\n", ["#api-keys"]),
    ],
)
def test_the_links_of_a_record(source: str, names: list[str]) -> None:
    read = fixture(source + RECORDS)
    document = read.snapshot.documents[next(iter(read.texts))]
    found = document_links(read.snapshot, view_of(document))
    assert [_text(document.text, link.range) for link in found] == names
    assert [link.range for link in found] == sorted(link.range for link in found)


@pytest.mark.parametrize(
    ("source", "count"),
    [
        (knowledge("here", body="#api-k$0eys and #api-keys, `#api-keys`, #api-limits"), 2),
        (knowledge("here", "as #api-keys", body="$0#api-keys"), 2),
        (knowledge("here", "as #api-ke$0ys", body="#api-keys"), 2),
        (knowledge("here", body="#gone$0 #gone"), 2),
        (knowledge("here", body="/release$0 #release"), 1),
        (knowledge("here", body="no$0thing #api-keys"), 0),
        (knowledge("here", body="`#api-k$0eys` #api-keys"), 0),
        (workflow("go", "'#api-keys'", requires="[api-$0keys, b, api-keys]"), 3),
        (workflow("go", requires="[b]$0"), 0),
        (decision("old", replaced_by="fir$0st") + decision("first"), 1),
    ],
)
def test_the_same_reference_is_highlighted(source: str, count: int) -> None:
    _, view, position = asked(source)
    assert len(highlights(view, position)) == count


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("---\na: b\n---\n# A\n## B\n", [(0, 2)]),
        ("---\na: b\n---", [(0, 2)]),
        ("---\r\na: b\r\n---\r\n", [(0, 2)]),
        ("---\nsources:\n  - session_id: s\n    range: [1, 2]\nstatus: open\n---\nx\n", [(0, 5), (1, 3)]),
        ("---\na: |\n  b\n  c\n---\n", [(0, 4), (1, 3)]),
        ("---\n---\n", [(0, 1)]),
        ("no head\n", []),
        ("---\nnever closed\n", []),
        ("", []),
    ],
)
def test_the_frontmatter_folds(text: str, wanted: list[tuple[int, int]]) -> None:
    assert folds(view_of(Document("knowledge/here.md", text))) == wanted


def test_other_documents_are_folded_by_others() -> None:
    assert folds(View("---\na: b\n---\n")) == []


def shown(source: str, records: str = "") -> list[tuple[str, str, str | None]]:
    """The tokens of the first file, each as text, type and modifier."""
    read = fixture(source + records)
    document = read.snapshot.documents[next(iter(read.texts))]
    return [
        (_text(document.text, token.range), token.type, token.modifier)
        for token in tokens(read.snapshot, view_of(document))
    ]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (knowledge("here", body="#api-keys"), [("#api-keys", "variable", None)]),
        (knowledge("here", body="/release"), [("/release", "function", None)]),
        (knowledge("here", body="#gone"), [("#gone", "comment", "unresolved")]),
        (knowledge("here", body="see /tmp or /reledse"), []),
        (knowledge("here", body="fixes #12, color #fff"), []),
        (knowledge("here", "as #api-keys"), [("#api-keys", "variable", None)]),
        (decision("x", replaced_by="first"), [("first", "variable", None)]),
        (decision("x", replaced_by="late"), [("late", "variable", "deprecated")]),
        (decision("x", replaced_by="gone"), [("gone", "comment", "unresolved")]),
        (workflow("go", requires="[api-keys, gone]"),
         [("api-keys", "variable", None), ("gone", "comment", "unresolved")]),
    ],
)  # fmt: skip
def test_tokens_tell_what_a_reference_leads_to(source: str, wanted: list[tuple[str, str, str | None]]) -> None:
    late = decision("late", status="replaced", replaced_by="first")
    assert shown(source, RECORDS + late) == wanted


def test_a_number_that_is_a_record_is_one() -> None:
    assert shown(knowledge("here", body="#404"), knowledge("404")) == [("#404", "variable", None)]


def test_program_code_is_not_full_of_unresolved_names() -> None:
    snapshot = fixture(RECORDS).snapshot
    view = View("#include <a>\n# see #api-keys\n#define X\n", markdown=False, prose=False)
    assert [token.type for token in tokens(snapshot, view)] == ["variable"]
    assert [token.type for token in tokens(snapshot, View("#include"))] == ["comment"]


@pytest.mark.parametrize(("first", "last", "count"), [(0, 0, 1), (0, 2, 3), (1, 1, 1), (3, 9, 0)])
def test_tokens_of_a_range(first: int, last: int, count: int) -> None:
    view = View("#api-keys\n#api-keys\n#api-keys\n\n")
    within = Range(Position(first, 0), Position(last, 99))
    assert len(tokens(fixture(RECORDS).snapshot, view, within)) == count


@pytest.mark.parametrize(
    ("encoding", "start", "length"), [(Encoding.UTF8, 5, 9), (Encoding.UTF16, 3, 9), (Encoding.UTF32, 2, 9)]
)
def test_row_35_tokens_behind_an_emoji(encoding: Encoding, start: int, length: int) -> None:
    """Automattic/harper#609: everything behind an emoji was off by one."""
    view = View("👋 #api-keys #api-keys\n👋 #gone")
    data = encoded(view.lines, tokens(fixture(RECORDS).snapshot, view), encoding)
    assert data == [0, start, length, 0, 0, 0, 10, length, 0, 0, 1, start, 5, 2, 2]


def test_the_legend_names_what_the_core_makes() -> None:
    assert (tuple(LEGEND.token_types), tuple(LEGEND.token_modifiers)) == (TOKEN_TYPES, TOKEN_MODIFIERS)


def test_a_slug_over_two_lines_is_no_token() -> None:
    assert shown(decision("x", replaced_by=">-\n  first"), RECORDS) == []


def test_row_23_work_grows_with_the_length_of_a_file() -> None:
    """foambubble/foam#1689: a list of 2,000 lines slowed every key down. Calls are counted, not seconds."""
    snapshot = fixture(RECORDS).snapshot
    _ = snapshot.index.referrers

    def calls(size: int) -> int:
        view = view_of(Document("workflow/here.md", "- [ ] see #gone, `#x`, #api-keys and /nothing\n# A\n" * size))
        count = 0

        def counting(_frame: object, event: str, _argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(counting)
        try:
            tokens(snapshot, view)
            document_links(snapshot, view)
            highlights(view, Position(0, 12))
            sections(view)
            lenses(view)
            folds(view)
        finally:
            sys.setprofile(before)
        return count

    counts = [calls(size) for size in (250, 500, 1_000)]
    assert counts[0] > 2_000
    assert counts[1] < 2.2 * counts[0]
    assert counts[2] < 2.2 * counts[1]


HALF = knowledge("here", "as #api-keys", body="# A #api-keys\n```\n#x\n```\n- #gone `c` $m$ <a>\n")


def test_every_beginning_of_a_record_can_be_drawn() -> None:
    """zk-org/zk#461: typing inside a fence ended the server."""
    text = fixture(HALF).texts["knowledge/here.md"]
    snapshot = fixture(RECORDS).snapshot
    for size in range(len(text) + 1):
        view = view_of(Document("knowledge/here.md", text[:size]))
        end = LineIndex(text[:size]).position(size)
        folds(view)
        assert len(tokens(snapshot, view)) >= len(document_links(snapshot, view))
        assert isinstance(highlights(view, end), list)
    assert CURSOR not in text
