"""A line of megabytes that is full of references: said to be too much, and never the square of its length in time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_core.lint.check import check
from memory_core.lint.rule import MOST as MOST_PROBLEMS
from memory_core.records import refs
from memory_core.snapshot import snapshot_of
from memory_core.text import LineIndex, Range
from server.convert.columns import Encoding
from server.convert.to_lsp import range_of
from tests.hardening.test_bombs import grows_with_the_text_alone
from tests.protocol.raw_client import RawClient

HEAD = "---\ndescription: x\n---\n"


def test_the_first_problems_of_a_rule_are_listed_and_the_rest_is_said_to_be_there() -> None:
    snapshot = snapshot_of({"knowledge/a.md": HEAD + "#foo " * (MOST_PROBLEMS + 200)})
    found = [d for d in check(snapshot, "knowledge/a.md") if d.code == "unknown-reference"]
    assert len(found) == MOST_PROBLEMS + 1
    assert f"more than {MOST_PROBLEMS}" in found[-1].message
    assert found[-1].severity is found[0].severity, "what refuses a write refuses it all the same"


def test_a_text_with_as_many_problems_as_are_listed_has_no_more() -> None:
    snapshot = snapshot_of({"knowledge/a.md": HEAD + "#foo " * MOST_PROBLEMS})
    found = [d for d in check(snapshot, "knowledge/a.md") if d.code == "unknown-reference"]
    assert len(found) == MOST_PROBLEMS
    assert not any("more than" in d.message for d in found)


def test_a_text_of_more_references_than_are_looked_at_says_where_they_end() -> None:
    text = HEAD + "#a1 " * refs.MOST + "#gone"
    snapshot = snapshot_of({"knowledge/a.md": text, "knowledge/a1.md": HEAD})
    [found] = [d for d in check(snapshot, "knowledge/a.md") if d.code == "unknown-reference"]
    assert f"first {refs.MOST:,} references" in found.message
    assert found.range.start.character == 4 * (refs.MOST - 1)


def packed(text: str) -> object:
    return snapshot_of({"knowledge/a.md": HEAD + text}).index.referrers


def converted(text: str) -> object:
    lines = LineIndex(text)
    return [range_of(lines, Range(*[lines.position(at)] * 2), Encoding.UTF16) for at in range(0, len(text), 50)]


@pytest.mark.parametrize("unit", ["#foo ", "#あfoo #foo ", "[x](#foo) "])
@pytest.mark.parametrize("work", [packed, converted], ids=lambda work: work.__name__)
def test_no_place_on_a_long_line_costs_the_whole_line(work: object, unit: str) -> None:
    assert callable(work)
    assert grows_with_the_text_alone(work, unit, 200_000)


@pytest.mark.protocol
def test_a_server_with_a_line_of_five_megabytes_answers(tmp_path: Path) -> None:
    """It took minutes: each place on the line cost the length of the line."""
    for name in ("memory", "knowledge"):
        (tmp_path / ".omoide" / name).mkdir(parents=True)
    path = tmp_path / ".omoide/knowledge/a.md"
    path.write_text("x\n", encoding="utf-8")
    client = RawClient(tmp_path, environment={"OMOIDE_CONFIG": os.devnull, "HOME": str(tmp_path)})
    try:
        client.initialize(tmp_path)
        client.open(path.as_uri(), HEAD + "#foo " * 1_000_000)
        client.request("workspace/executeCommand", {"command": "omoide.status"})
        told = client.diagnostics(path.as_uri())["diagnostics"]
        assert 0 < len(told) < 2 * MOST_PROBLEMS
        document = {"textDocument": {"uri": path.as_uri()}}
        for method in ("documentSymbol", "documentLink", "codeLens", "semanticTokens/full"):
            client.request(f"textDocument/{method}", document)
        client.at("hover", path.as_uri(), 3, 2)
        assert client.shut_down(20) == 0
    finally:
        client.close()
