"""Places in text: which paths and links by path mean a record, and which mean something else."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from memory_core.layout import way_to
from memory_core.places import places_in

HERE = "memory/decisions/here.md"


def found(text: str, path: str = HERE) -> list[str]:
    """`kind/slug` of each place, with `=` where it is followed by path and `?` where it may be something else."""
    places = places_in(text, path)
    return [f"{it.ref.kind}/{it.ref.slug}{'=' if it.link else ''}{'' if it.surely else '?'}" for it in places]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("`decisions/use-x` and `decisions/use-x.md`", ["decision/use-x"] * 2),
        ("`knowledge/x` `requests/adapters` `workflow/x`", ["knowledge/x?", "request/adapters?", "workflow/x?"]),
        ("As decisions/x says. (requests/x) 決定はknowledge/a。", ["decision/x?", "request/x?", "knowledge/a?"]),
        ("memory/decisions/x, .omoide/memory/decisions/x.md#why", ["decision/x"] * 2),
        ("../requests/x.md, ../../workflow/x.md", ["request/x", "workflow/x"]),
        ("[a](x.md) [a](<../requests/x.md#h> 'T')", ["decision/x=", "request/x="]),
        ("[a](/.omoide/knowledge/x.md?q)", ["knowledge/x="]),
        ("[a]: x.md 'T'\n  [b]: <../../knowledge/k.md>\n", ["decision/x=", "knowledge/k="]),
        ('<a href="../requests/x.md">it</a>', ["request/x="]),
        ("[a](decisions/x.md), seen from the root", ["decision/x?"]),
        ("`[a](x.md)` is how one links", ["decision/x?"]),
        ("The note [1]: decisions/x", ["decision/x?"]),
    ],
)  # fmt: skip
def test_a_place_is_a_path_that_leads_to_where_records_lie(text: str, named: list[str]) -> None:
    assert found(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "https://x.org/decisions/use-x and www.x.org/knowledge/x.md",
        "src/decisions/use-x, /abs/decisions/x.md, ~/decisions/x, a/../decisions/x, .../decisions/x",
        "decisions/x.py, requests/adapters.py:12, decisions/x/y, decisions/X, decisions/x_y, mydecisions/x",
        "[a](x) [a](#x) [a](../x.md) [a](https://x.org/x.md) [a](mailto:x.md) [a](../../../x.md)",
        "[a]: words\nmemory/knowledge/x, memory/summary.md, [a](../summary.md)",
        "```\ndecisions/use-x\n[a](x.md)\n```",
        "Text.\n\n## Evidence\n\n- a person:\n  > see decisions/use-x\n",
    ],
)
def test_other_paths_other_peoples_words_and_code_are_none(text: str) -> None:
    assert found(text) == []


def test_a_text_outside_needs_more_than_a_folder() -> None:
    text = "`decisions/x`, .omoide/knowledge/x.md, memory/decisions/y.md, [a](.omoide/memory/requests/z.md)"
    assert found(text, "../README.md") == ["knowledge/x", "decision/y", "request/z="]
    assert found("[a](../../.omoide/memory/requests/z.md)", "../docs/a/b.md") == ["request/z="]


def test_the_way_to_a_file_outside(tmp_path: Path) -> None:
    assert way_to(tmp_path / ".omoide", tmp_path / "docs/a.md") == "../docs/a.md"


def test_the_lines_of_the_summary_that_follow_their_records_are_none() -> None:
    block = "<!-- omoide:begin -->\n## Decisions\n\n- X, not `decisions/y`. (decisions/x)\n<!-- omoide:end -->\n"
    assert found(f"Mine (decisions/x).\n\n{block}", "memory/summary.md") == ["decision/x?", "decision/y?"]


@pytest.mark.parametrize(
    "piece", ["](decisions/a", "decisions/a ", "](a.md) `", "[a]:", "(", "../", "- (", "`knowledge/"]
)
def test_a_long_line_of_anything_takes_no_square_of_its_length(piece: str) -> None:
    text = piece * (300_000 // len(piece)) + " decisions/x.md"
    began = time.perf_counter()
    list(places_in(text, HERE))
    assert time.perf_counter() - began < 5
