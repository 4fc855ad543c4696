"""Definition and references."""

from __future__ import annotations

import pytest

from memory_core.ide.definition import define
from memory_core.ide.references import MAX_REFERENCES, references
from memory_core.ide.view import View
from memory_core.snapshot import snapshot_of
from memory_core.text import Position
from tests.ide.ide_questions import asked, decision, knowledge, workflow


@pytest.mark.parametrize(
    ("source", "path"),
    [
        (knowledge("here", body="see #api-k$0eys") + knowledge("api-keys"), "knowledge/api-keys.md"),
        (knowledge("here", body="run /rel$0ease now") + workflow("release"), "workflow/release.md"),
        (decision("old", replaced_by="n$0ew") + decision("new"), "memory/decisions/new.md"),
        (decision("old", replaced_by='"new$0"') + decision("new"), "memory/decisions/new.md"),
        (knowledge("here", "see #api-k$0eys") + knowledge("api-keys"), "knowledge/api-keys.md"),
        (workflow("go", requires="\n  - a\n  - b$0") + knowledge("b"), "knowledge/b.md"),
    ],
)
def test_a_name_leads_to_its_file(source: str, path: str) -> None:
    read, view, position = asked(source)
    found = define(read.snapshot, view, position)
    assert found
    assert found.path == path
    assert found.origin.contains(position)


@pytest.mark.parametrize(
    "source",
    [
        knowledge("here", body="see #gon$0e"),
        knowledge("here", body="see `#api-k$0eys`") + knowledge("api-keys"),
        knowledge("here", body="plain wo$0rds"),
        knowledge("here", created_at='"#api-k$0eys"') + knowledge("api-keys"),
    ],
)
def test_what_names_nothing_leads_nowhere(source: str) -> None:
    read, view, position = asked(source)
    assert define(read.snapshot, view, position) is None


def test_references_of_the_name_under_the_cursor() -> None:
    source = (
        knowledge("here", body="see #api-k$0eys") + knowledge("api-keys")
        + knowledge("other", body="`#api-keys` no, #api-keys yes") + workflow("go", requires="[api-keys]")
    )  # fmt: skip
    read, view, position = asked(source)
    assert [place.path for place in references(read.snapshot, view, position).places] == [
        "knowledge/here.md", "knowledge/other.md", "workflow/go.md"
    ]  # fmt: skip


def test_references_of_the_record_being_edited() -> None:
    read, view, position = asked(knowledge("api-keys", body="wo$0rds") + knowledge("other", body="#api-keys"))
    assert [place.path for place in references(read.snapshot, view, position).places] == ["knowledge/other.md"]


def test_a_hub_is_capped() -> None:
    hub = snapshot_of({f"knowledge/r{n}.md": "#hub " * 3 for n in range(500)})
    found = references(hub, View("#hub"), Position(0, 2))
    assert (len(found.places), found.documents, found.cut) == (MAX_REFERENCES, 500, True)
