"""New records: the head each kind begins with, and the whole text of an empty one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_core.changes import ChangeSet
from memory_core.layout import record_path
from memory_core.records.record import Record
from memory_core.records.render import render
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.slug import slug_problem
from memory_core.refactor.referrers import Refusal

LAST_SOURCES = 10  # knowledge keeps its latest sources only; the linter warns above this number
DEFAULT_KIND = "fact"
UNDESCRIBED = "Say here what {} is and when to read it."


def new_head(kind: Kind, now: str, fields: Mapping[str, Any], sources: Sequence[Any], origin: str) -> dict[str, Any]:
    """The fields of a new record as plain data. `fields` holds what its author chose; `now` is RFC 3339."""
    head: dict[str, Any] = {"created_at": now, "updated_at": now, **fields, "origin": origin}
    match kind:
        case Kind.DECISION:
            head = {**head, "sources": list(sources), "status": fields.get("status", "open")}
        case Kind.REQUEST:
            head["sources"] = list(sources)
        case Kind.KNOWLEDGE:
            latest = list(sources)[-LAST_SOURCES:]
            # Residency costs every session; usage or a person turns it on, never whoever wrote the record.
            head = {**head, "model_invokation": False, "user_invocable": True, "last_sources": latest}
        case _:
            pass
    return head


def new_record(ref: RecordRef, now: str, description: str = "") -> ChangeSet | Refusal:
    """The change set that starts a record with all its required fields. Whether one is there already is what the
    commit finds out, without reading all the others first."""
    if ref.kind is not Kind.SUMMARY and (problem := slug_problem(ref.slug)):
        return Refusal(f"The slug `{ref.slug}` {problem}.")
    fields: dict[str, Any] = {"description": description or None}
    if ref.kind in (Kind.KNOWLEDGE, Kind.WORKFLOW):
        fields["description"] = description or UNDESCRIBED.format(ref.slug)
    if ref.kind is Kind.KNOWLEDGE:
        fields["kind"] = DEFAULT_KIND
    if ref.kind is Kind.SUMMARY:
        fields = {}
    head = new_head(ref.kind, now, fields, (), "user")
    text = render(ref.kind, head, f"# {ref.slug.replace('-', ' ').capitalize()}\n")
    return ChangeSet().with_file(record_path(ref), None, text)


def plain_sources(record: Record) -> list[Any]:
    """The sources as they stand in the head, malformed ones included."""
    value = record.value("sources")
    if value is None:
        value = record.value("last_sources")
    return list(value) if isinstance(value, list) else []
