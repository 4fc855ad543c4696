"""Which path is which record, and why others are none."""

from pathlib import Path

import pytest

from memory_core.layout import Layout, is_memory_path, path_problem, record_at, record_path, shown_ref
from memory_core.records.schema import SUMMARY, Kind, RecordRef


@pytest.mark.parametrize(
    ("path", "ref"),
    [
        ("memory/summary.md", SUMMARY),
        ("memory/decisions/a-b.md", RecordRef(Kind.DECISION, "a-b")),
        ("memory/requests/a.md", RecordRef(Kind.REQUEST, "a")),
        ("knowledge/a.md", RecordRef(Kind.KNOWLEDGE, "a")),
        ("workflow/a.md", RecordRef(Kind.WORKFLOW, "a")),
    ],
)
def test_a_record_and_its_path_lead_to_each_other(path, ref):
    assert record_at(path) == ref
    assert record_path(ref) == path
    assert path_problem(path) is None
    assert is_memory_path(path)
    assert Layout(Path("/w/.omoide")).absolute(path) == Path("/w/.omoide") / path


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("memory/a.md", "invalid-path"),
        ("memory/attempts/a.md", "invalid-path"),
        ("memory/workflow/a.md", "invalid-path"),
        ("memory/decisions/deep/a.md", "invalid-path"),
        ("memory/decisions/../requests/a.md", "invalid-path"),
        ("memory/decisions/a.txt", "invalid-path"),
        ("memory/decisions/a.MD", "invalid-path"),
        ("memory/decisions/a", "invalid-path"),
        ("memory/summary/summary.md", "invalid-path"),
        ("knowledge/deep/a.md", "invalid-path"),
        ("decisions/a.md", "invalid-path"),
        ("memory/decisions/A.md", "invalid-slug"),
        ("memory/decisions/.md", "invalid-slug"),
        ("knowledge/a.b.md", "invalid-slug"),
        ("knowledge/a--b.md", "invalid-slug"),
        ("knowledge/con.md", "invalid-slug"),
        ("workflow/ä.md", "invalid-slug"),
    ],
)
def test_what_is_no_record_says_why(path, code):
    problem = path_problem(path)
    assert problem is not None
    assert problem[0] == code
    assert record_at(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "config.toml",
        "memory/_staging/0192.json",
        "memory/_usage/events.jsonl",
        "memory/_logs/audit.jsonl",
        "memory/_archive/run/knowledge/a.md",
        "memory/_resolutions.jsonl",
        "knowledge/.a.md.swp",
        "knowledge/_draft.md",
        "sessions/s.jsonl",
        "cache/x.md",
        "memory",
        "",
    ],
)
def test_machinery_and_hidden_files_are_no_memory_paths(path):
    assert not is_memory_path(path)


def test_a_file_under_a_bad_name_is_still_shown_under_its_kind():
    assert shown_ref("knowledge/Bad Name.md") == RecordRef(Kind.KNOWLEDGE, "Bad Name")
    assert shown_ref("knowledge/notes.txt") is None
    assert shown_ref("knowledge/deep/a.md") is None


def test_relative_paths_use_slashes_and_outside_there_are_none():
    layout = Layout(Path("/w/.omoide"))
    assert layout.relative(Path("/w/.omoide/knowledge/a.md")) == "knowledge/a.md"
    assert layout.relative(Path("/w/knowledge/a.md")) is None
    assert layout.workspace == Path("/w")
