"""Frontmatter explains itself on hover."""

from __future__ import annotations

import pytest

from memory_core.ide.field_help import choices, field_help, key_help
from memory_core.records.schema import FIELDS, Field, FieldType, Kind, Status
from memory_core.text import Position, Range
from tests.ide.ide_questions import decision, hover_record, knowledge, workflow

EVERY_FIELD = [(kind, field) for kind in Kind for field in FIELDS[kind]]


@pytest.mark.parametrize(("kind", "field"), EVERY_FIELD, ids=lambda value: str(getattr(value, "name", value)))
def test_every_field_of_every_kind_says_what_it_means_and_looks_like(kind: Kind, field: Field) -> None:
    said = field_help(field, kind)
    assert said.startswith(f"**`{field.name}`** (")
    assert ("required in a" in said) == field.required
    assert field.doc in said
    assert "Written as" in said


def test_every_type_of_field_has_a_form() -> None:
    assert {field.type for _, field in EVERY_FIELD} == set(FieldType)


def test_every_status_has_a_meaning() -> None:
    status = next(field for field in FIELDS[Kind.DECISION] if field.type is FieldType.STATUS)
    assert [value for value, _ in choices(status, Kind.DECISION)] == list(Status)


@pytest.mark.parametrize(
    ("source", "starts"),
    [
        (decision("a").replace("status: open", "sta$0tus: open"), "**`status`** (required in a decision)"),
        (decision("a").replace("status: open", "$0status: open"), "**`status`**"),
        (decision("a").replace("status: open", "status$0: open"), "**`status`**"),
        (decision("a").replace("status: open", "status: op$0en"), "`open`: Not settled yet."),
        (decision("a").replace("status: open", 'status: "resolv$0ed"  # x'), "`resolved`: Settled"),
        (decision("a", replaced_by="b").replace("replaced_by", "rep$0laced_by"), "**`replaced_by`** (optional)"),
        (decision("a").replace("sources: []", "so$0urces: []"), "**`sources`** (required"),
        (knowledge("a").replace("kind: policy", "ki$0nd: policy"), "**`kind`**"),
        (knowledge("a").replace("kind: policy", "kind: pol$0icy"), "`policy`: What the project wants"),
        (knowledge("a").replace("model_invokation", "model_in$0vokation"), "**`model_invokation`**"),
        (workflow("a", origin="policy:nightly$0"), "`policy:nightly`: A rule of the workspace"),
        (
            workflow("a", user_invocable="true").replace("user_inv", "user$0_inv"),
            "**`user_invocable`** (optional; absent",
        ),
        ("//- knowledge/a.md\n---\nki$0nd: fact\n# not closed\n", "**`kind`**"),
    ],
)
def test_a_key_or_value_under_the_cursor_is_explained(source: str, starts: str) -> None:
    found = hover_record(source)
    assert found
    assert found.markdown.startswith(starts)
    assert found.ref is None


@pytest.mark.parametrize(
    "source",
    [
        decision("a").replace("status: open", "status: nonsen$0se"),
        decision("a").replace("status: open", "stat: op$0en"),
        decision("a").replace("status: open", "sta$0t: open"),
        knowledge("a", "Some$0thing"),
        knowledge("a").replace("false", "fal$0se"),
        knowledge("a", body="kind: po$0licy"),
        "//- knowledge/a.md\n---$0\nkind: fact\n---\n",
        "//- knowledge/a.md\n---\nkind: fact\n--$0-\n",
        decision("a").replace("sources: []", "sources:\n  - session_$0id: x"),
    ],
)
def test_nothing_is_said_of_what_is_no_key_and_no_known_value(source: str) -> None:
    assert hover_record(source) is None


def test_the_range_is_the_key_or_the_value() -> None:
    found = hover_record("//- memory/decisions/a.md\n---\nstat$0us: open\n---\n")
    assert found
    assert found.range == Range(Position(1, 0), Position(1, 6))
    found = hover_record("//- memory/decisions/a.md\n---\nstatus:  op$0en # x\n---\n")
    assert found
    assert found.range == Range(Position(1, 9), Position(1, 13))


def test_the_other_spelling_is_named_as_such() -> None:
    said = key_help(Kind.KNOWLEDGE, "model_invocation")
    assert said
    assert "`model_invocation` is read as `model_invokation`" in said
