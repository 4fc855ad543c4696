"""Which place of which session is meant at a cursor in a record's sources, and what a record stands on in all."""

from __future__ import annotations

import pytest

from memory_core.ide.evidence import MOST_PLACES, evidence_at, evidence_for, evidence_of
from memory_core.ide.view import View
from memory_core.records.record import parse
from memory_core.records.render import render
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import snapshot_of
from memory_core.text import Position
from tests.ide.ide_questions import asked, decision, knowledge

BLOCK = """
  - session_id: {id}
    range: [{start}, {end}]
    agent: claude-code
    anchors:
      - evidence_id: E0001
        {range}: [3, 3]
        kind: message
        speaker: human
        sha256: aaaa
        excerpt: {first}
      - evidence_id: E0002
        entry_range: [7, 8]
        kind: tool_result
        speaker: tool
        sha256: bbbb
        excerpt: {second}
  - session_id: s-2
    range: [{other}, 12]"""


def block(**marked: str) -> str:
    """Two sources, with the cursor where `marked` has it."""
    plain = {"id": "s-1", "start": "2", "end": "9", "range": "entry_range", "first": "said", "second": "ran"}
    return BLOCK.format(**{**plain, "other": "11", **marked})


@pytest.mark.parametrize(
    ("marked", "session", "entry", "anchor"),
    [
        ({"id": "s$0-1"}, "s-1", 2, None),
        ({"id": "s-1$0"}, "s-1", 2, None),
        ({"start": "$02"}, "s-1", 2, None),
        ({"end": "$09"}, "s-1", 9, None),
        ({"end": "9$0"}, "s-1", 9, None),
        ({"range": "entry$0_range"}, "s-1", 3, "E0001"),
        ({"first": "sa$0id"}, "s-1", 3, "E0001"),
        ({"second": "ra$0n"}, "s-1", 8, "E0002"),
        ({"other": "1$01"}, "s-2", 11, None),
    ],
)
@pytest.mark.parametrize("key", ["sources", "last_sources"])
def test_each_part_of_a_source_leads_to_its_entry(
    marked: dict[str, str], session: str, entry: int, anchor: str | None, key: str
) -> None:
    sources = block(**marked)
    source = decision("d", sources=sources) if key == "sources" else knowledge("k", last_sources=sources)
    _, view, position = asked(source)
    found = evidence_at(view, position)
    assert found
    assert (found.session_id, found.entry) == (session, entry)
    assert (found.anchor or {}).get("evidence_id") == anchor
    assert found.origin
    assert found.origin.contains(position)
    assert len(found.kept) == (2 if session == "s-1" else 0)
    assert found.agent == ("claude-code" if session == "s-1" else None)


@pytest.mark.parametrize(
    ("sources", "session", "entry"),
    [
        ("[{session_id: a, range: [1, 2]}, {session_id: b$0, range: [3, 4]}]", "b", 3),
        ("[{session_id: a, range: [1$0, 2]}, {session_id: b, range: [3, 4]}]", "a", 1),
        ("[{session_id: a, range: [1, 2$0]}, {session_id: b, range: [3, 4]}]", "a", 2),
        ("\n- {segment_id: old$0, range: [5, 6]}", "old", 5),
        ("\n  -$0 session_id: a\n    range: [5, 6]", "a", 5),
        ("\n  - session_id: a\n    range: [5, 6]  # whe$0re", "a", 5),
        ("\n  - session_id: a\n    range:\n      - 5\n      - 6$0", "a", 6),
    ],
)
def test_sources_however_they_are_written(sources: str, session: str, entry: int) -> None:
    _, view, position = asked(decision("d", sources=sources))
    found = evidence_at(view, position)
    assert found
    assert (found.session_id, found.entry) == (session, entry)


@pytest.mark.parametrize(
    "source",
    [
        decision("d", sources="[]$0"),
        decision("d", sources="\n  - session_id: a$0"),
        decision("d", sources="\n  - a$0"),
        decision("d", sources="\n  - session_id: a\n    range: [1, x$0]"),
        decision("d", sources="[{session_id: a, range: [1, 2]}]", status="op$0en"),
        decision("d", sources="no$0ne"),
        knowledge("k", body="session_id: a$0"),
        "//- memory/notes.md\nsession_id: a$0\n",
    ],
)
def test_what_is_no_source_leads_nowhere(source: str) -> None:
    _, view, position = asked(source)
    assert evidence_at(view, position) is None


def test_an_entry_before_the_first_is_the_first() -> None:
    _, view, position = asked(decision("d", sources="[{session_id: a$0, range: [-5, 2]}]"))
    found = evidence_at(view, position)
    assert found
    assert found.entry == 0


def test_a_record_stands_on_all_its_anchors_and_on_sources_without_any() -> None:
    snapshot = asked(decision("d", sources=block()) + knowledge("k", body="$0"))[0].snapshot
    record = snapshot.record(RecordRef(Kind.DECISION, "d"))
    assert record
    assert [(e.session_id, e.entry) for e in evidence_of(record)] == [("s-1", 3), ("s-1", 8), ("s-2", 11)]


def test_what_a_record_stands_on_is_capped_and_has_no_doubles() -> None:
    def anchors(*numbers: int) -> list[dict[str, object]]:
        return [{"evidence_id": f"E{n}", "entry_range": [n, n], "sha256": "aa", "excerpt": "x"} for n in numbers]

    source = {"session_id": "s", "range": [0, 80], "anchors": anchors(*range(80), 0, 1)}
    text = render(Kind.DECISION, {"sources": [source], "status": "open"}, "Text.")
    found = evidence_of(parse(RecordRef(Kind.DECISION, "d"), text))
    assert len(found) == MOST_PLACES
    assert [e.entry for e in found[:3]] == [0, 1, 2]
    short = render(Kind.DECISION, {"sources": [{**source, "anchors": anchors(0, 1, 0, 1)}], "status": "open"}, "Text.")
    assert len(evidence_of(parse(RecordRef(Kind.DECISION, "d"), short))) == 2


def test_the_record_named_under_the_cursor_is_asked_and_else_the_one_being_edited() -> None:
    texts = (
        knowledge("k", last_sources="[{session_id: of-k, range: [1, 2]}]")
        + knowledge("here", body="see #k$0 and more", last_sources="[{session_id: of-here, range: [4, 5]}]")
    )  # fmt: skip
    read, view, position = asked(texts)
    ref, found = evidence_for(read.snapshot, view, position)
    assert (ref, [e.session_id for e in found]) == (RecordRef(Kind.KNOWLEDGE, "k"), ["of-k"])
    ref, found = evidence_for(read.snapshot, view, Position(position.line, position.character + 6))
    assert (ref, [e.session_id for e in found]) == (RecordRef(Kind.KNOWLEDGE, "here"), ["of-here"])
    ref, found = evidence_for(read.snapshot, View("see #k", document=None), Position(0, 5))
    assert (ref, [e.session_id for e in found]) == (RecordRef(Kind.KNOWLEDGE, "k"), ["of-k"])
    assert evidence_for(read.snapshot, View("plain"), Position(0, 2)) == (None, [])


def test_on_a_source_only_its_own_anchors_are_meant() -> None:
    read, view, position = asked(decision("d", sources=block(id="s-$01")))
    assert [e.entry for e in evidence_for(read.snapshot, view, position)[1]] == [3, 8]
    read, view, position = asked(decision("d", sources=block(first="s$0aid")))
    assert [e.entry for e in evidence_for(read.snapshot, view, position)[1]] == [3]


def test_sources_as_records_are_rendered_are_found() -> None:
    """The text that consolidation writes, asked line by line: every line of a source leads somewhere."""
    anchors = [{"evidence_id": "E1", "entry_range": [4, 5], "kind": "message", "speaker": "human", "sha256": "ab" * 32,
                "excerpt": "It says: \"yes\" # really"}]  # fmt: skip
    sources = [{"session_id": "s-1", "range": [4, 5], "agent": "codex", "anchors": anchors}]
    text = render(Kind.DECISION, {"sources": sources, "status": "open"}, "Text.")
    snapshot = snapshot_of({"memory/decisions/d.md": text})
    view = View(text, document=snapshot.documents["memory/decisions/d.md"])
    lines = text.split("\n")
    first = next(n for n, line in enumerate(lines) if "session_id" in line)
    last = next(n for n, line in enumerate(lines) if "excerpt" in line)
    for number in range(first, last + 1):
        found = evidence_at(view, Position(number, len(lines[number]) - 1))
        assert found, lines[number]
        assert found.session_id == "s-1"
