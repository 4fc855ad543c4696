"""Lenses: where they stand and what they say."""

from __future__ import annotations

import time

import pytest

from memory_core.ide.lens import MOST_SOURCES, lenses, naming, source_title, use_message, use_title
from memory_core.ide.view import View, view_of
from memory_core.records.record import Source
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Document, snapshot_of
from memory_core.testing import fixture
from tests.ide.ide_questions import decision, knowledge, workflow

KEYS = RecordRef(Kind.KNOWLEDGE, "api-keys")


def shown(source: str) -> list[str]:
    """What stands above the first record of a fixture, uses left out."""
    read = fixture(source)
    found = lenses(view_of(read.snapshot.documents[next(iter(read.texts))]))
    assert all(lens.range.start.line == lens.range.end.line == 0 for lens in found)
    return ["use" if lens.source is None else source_title(lens.source) for lens in found]


def sources(*ranges: tuple[int, int], agent: str = "") -> str:
    more = f"\n    agent: {agent}" if agent else ""
    return "".join(f"\n  - session_id: s-1\n    range: [{a}, {b}]{more}" for a, b in ranges)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (knowledge("here"), ["use"]),
        (knowledge("here", last_sources=sources((1, 2))), ["use"]),
        (workflow("go"), ["use"]),
        (decision("x"), ["use"]),
        (decision("x", sources=sources((3, 17))), ["use", "evidence: s-1, entries 3-17"]),
        (decision("x", sources=sources((3, 3), agent="codex")), ["use", "evidence: codex s-1, entry 3"]),
        (decision("x", sources=sources((1, 1), (2, 2))), ["use", "evidence: s-1, entry 2", "evidence: s-1, entry 1"]),
        (decision("x", sources="nonsense"), ["use"]),
        ("//- memory/requests/x.md\nno head\n", ["use"]),
        ("//- memory/summary.md\n---\n---\n", ["use"]),
        ("//- knowledge/No_Slug.md\n---\n---\n", []),
        ("//- knowledge/notes.txt\nx\n", []),
        ("//- knowledge/empty.md\n", ["use"]),
    ],
)
def test_what_stands_above_a_record(source: str, wanted: list[str]) -> None:
    assert shown(source) == wanted


def test_the_latest_sources_of_many() -> None:
    found = shown(decision("x", sources=sources(*((n, n) for n in range(9)))))
    assert len(found) == 1 + MOST_SOURCES
    assert found[1] == "evidence: s-1, entry 8"


def test_other_texts_have_no_lens() -> None:
    assert lenses(View("# A\n")) == []


def test_a_long_session_is_told_by_its_beginning() -> None:
    source = Source("5b1f0c9e-64d7-4a3b-9e21-7c8d40f2a615", 3, 17, "claude-code\u202e")
    assert source_title(source) == "evidence: claude-code 5b1f0c9e, entries 3-17"


@pytest.mark.parametrize(
    ("uses", "others", "title"),
    [
        (0, 0, "not read yet · named in no other record"),
        (1, 1, "read once · named in 1 record"),
        (4, 3, "read 4 times · named in 3 records"),
        (1_234, 0, "read 1,234 times · named in no other record"),
    ],
)
def test_what_a_lens_says(uses: int, others: int, title: str) -> None:
    records = "".join(knowledge(f"r-{n}", body="#api-keys #api-keys") for n in range(others))
    snapshot = fixture(knowledge("api-keys", body="I am #api-keys") + records).snapshot
    assert use_title(snapshot, KEYS, uses, linked=True) == title
    assert use_title(snapshot, KEYS, uses, linked=False) == title.partition(" · ")[0]


def test_the_sentence_for_editors_without_lists() -> None:
    records = "".join(decision(f"d-{n}") + "#api-keys\n" for n in range(7)) + workflow("go", requires="[api-keys]")
    snapshot = fixture(knowledge("api-keys") + records).snapshot
    assert use_message(snapshot, KEYS, 2) == (
        "#api-keys: read 2 times · named in 8 records: decision/d-0, decision/d-1, decision/d-2, decision/d-3, "
        "decision/d-4 and 3 more."
    )
    assert use_message(snapshot, RecordRef(Kind.WORKFLOW, "go"), 0) == "/go: not read yet · named in no other record."


def test_row_21_the_lens_of_a_hub_looks_at_no_text() -> None:
    """foambubble/foam#1251: a note that nine thousand others name stopped the editor for a minute."""
    hub = RecordRef(Kind.KNOWLEDGE, "hub")
    texts = {f"knowledge/r-{n:05}.md": "see #hub\n" for n in range(10_000)} | {"knowledge/hub.md": "I am #hub\n"}
    snapshot = snapshot_of(texts)
    assert len(naming(snapshot, hub)) == 10_000  # makes the tables
    began = time.perf_counter()
    assert use_title(snapshot, hub, 3, linked=True) == "read 3 times · named in 10,000 records"
    assert time.perf_counter() - began < 0.1


@pytest.mark.parametrize("size", range(0, 80, 3))
def test_the_lenses_of_half_a_record(size: int) -> None:
    text = "---\nsources:\n  - session_id: s-1\n    range: [3, 17]\nstatus: open\n---\n\nText.\n"[:size]
    assert lenses(view_of(Document("memory/decisions/x.md", text)))[0].source is None
